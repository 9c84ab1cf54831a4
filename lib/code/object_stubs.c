// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names for the stubs of the procedure linkage table, which has no symbols.  A stub jumps through
 * a slot of the global offset table, and the relocation of that slot says what is called.  Neither
 * the order of the relocations nor the size of a stub would do: linkers differ in both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/code/object.h"

/* Stubs begin at multiples of this; none is larger than one that avoids indirect jumps. */
#define STUB_STEP 8
#define STUB_MAX 32

struct slot {
	uint64_t at;
	const char *name;	/* of the function; NULL: it is chosen at run time, */
	uint64_t chooser;	/* by this one */
};

struct stubs {
	struct object *object;
	struct symbol_table *table;
	Elf *elf;
	bool is_64;
	uint64_t base;		/* of the global offset table */
	struct slot *slots;	/* by address */
	size_t count, room;
	uint64_t *choosers;	/* by address */
	size_t choosers_count;
	struct symbol_table chosen;	/* names at choosers, of functions that they choose, */
	struct symbol_table others;	/* and of themselves */
};

/* ---- slots ---------------------------------------------------------------------------------- */

static void add_slot(struct stubs *s, const struct slot *slot)
{
	void *more = data_grow(s->slots, &s->room, s->count, sizeof(*slot));

	if (!more) {
		s->table->failed = true;
		return;
	}
	s->slots = more;
	s->slots[s->count++] = *slot;
}

/* Of 32 bits the address of the function that chooses stands in the slot. */
static uint64_t chooser_of(const struct stubs *s, const GElf_Shdr *header, const GElf_Rela *rela)
{
	uint32_t address = 0;

	if (header->sh_type == SHT_RELA)
		return (uint64_t)rela->r_addend;
	object_text(s->object, rela->r_offset, &address, sizeof(address));
	return address;
}

static const char *callee(const struct stubs *s, const GElf_Shdr *header, uint64_t number)
{
	const struct elfutils *e = elfutils();
	Elf_Scn *section = header->sh_link ? e->getscn(s->elf, header->sh_link) : NULL;
	Elf_Data *data = section ? e->getdata(section, NULL) : NULL;
	GElf_Shdr symbols;
	GElf_Sym symbol;

	if (!data || !number || number > INT32_MAX || !e->getshdr(section, &symbols) ||
	    !e->getsym(data, (int)number, &symbol))
		return NULL;
	return e->strptr(s->elf, symbols.sh_link, symbol.st_name);
}

static void read_relocation(struct stubs *s, const GElf_Shdr *header, const GElf_Rela *rela)
{
	const uint64_t type = GELF_R_TYPE(rela->r_info);
	struct slot slot = { .at = rela->r_offset };

	/* Two of the three have the same number for both machines. */
	if (type == (s->is_64 ? R_X86_64_IRELATIVE : R_386_IRELATIVE)) {
		slot.chooser = chooser_of(s, header, rela);
		add_slot(s, &slot);
	} else if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) {
		slot.name = callee(s, header, GELF_R_SYM(rela->r_info));
		if (slot.name && *slot.name)
			add_slot(s, &slot);
	}
}

static bool get_relocation(Elf_Data *data, uint32_t type, size_t i, GElf_Rela *rela)
{
	GElf_Rel rel;

	if (type == SHT_RELA)
		return elfutils()->getrela(data, (int)i, rela);
	if (!elfutils()->getrel(data, (int)i, &rel))
		return false;
	*rela = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
	return true;
}

static void read_relocations(struct stubs *s, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elfutils()->getdata(section, NULL);
	size_t i, count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	GElf_Rela rela;

	for (i = 0; i < count && i <= INT32_MAX; i++)
		if (get_relocation(data, header->sh_type, i, &rela))
			read_relocation(s, header, &rela);
}

static int by_address(const void *left, const void *right)
{
	const uint64_t *l = left, *r = right;

	return *l < *r ? -1 : *l > *r;
}

/* Those of the dynamic linker alone: what is kept for others is not loaded. */
static void read_slots(struct stubs *s)
{
	const struct elfutils *e = elfutils();
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = e->nextscn(s->elf, section)))
		if (e->getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL))
			read_relocations(s, section, &header);
	if (s->count)
		qsort(s->slots, s->count, sizeof(*s->slots), by_address);
}

static const struct slot *find_slot(const struct stubs *s, uint64_t at)
{
	size_t begun;

	if (!s->slots)
		return NULL;
	begun = data_begun(s->slots, s->count, sizeof(*s->slots), at);
	return begun && s->slots[begun - 1].at == at ? &s->slots[begun - 1] : NULL;
}

/* ---- functions that choose ------------------------------------------------------------------ */

static void list_choosers(struct stubs *s)
{
	size_t i;

	s->choosers = s->count ? calloc(s->count, sizeof(*s->choosers)) : NULL;
	if (!s->choosers)
		return;
	for (i = 0; i < s->count; i++)
		if (!s->slots[i].name)
			s->choosers[s->choosers_count++] = s->slots[i].chooser;
	if (s->choosers_count)
		qsort(s->choosers, s->choosers_count, sizeof(*s->choosers), by_address);
}

/* A symbol that says so is that of the function that is chosen, at the one that chooses it. */
static void name_choosers(struct stubs *s)
{
	size_t i;

	list_choosers(s);
	if (!s->choosers)
		return;
	for (i = 0; i < s->table->count; i++) {
		const struct symbol *symbol = &s->table->symbols[i];

		if (bsearch(&symbol->start, s->choosers, s->choosers_count, sizeof(*s->choosers),
			    by_address))
			symbol_table_add(symbol->chosen ? &s->chosen : &s->others, symbol);
	}
	symbol_table_finish(&s->chosen);
	symbol_table_finish(&s->others);
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	const struct symbol *symbol = symbol_table_find(table, address);

	return symbol && symbol->start == address ? symbol->name : NULL;
}

/* ---- stubs ---------------------------------------------------------------------------------- */

enum origin { FROM_NEXT, FROM_ZERO, FROM_BASE };

/* How a stub begins; the 32 bits that follow say where its slot is, seen from `from`. */
static const struct jump {
	bool is_64;
	enum origin from;
	uint8_t size, bytes[3];
} jumps[] = {
	{ true, FROM_NEXT, 2, { 0xff, 0x25 } },		/* jmp *slot(%rip) */
	{ false, FROM_ZERO, 2, { 0xff, 0x25 } },	/* jmp *slot */
	{ false, FROM_BASE, 2, { 0xff, 0xa3 } },	/* jmp *slot(%ebx) */
	/* Against Spectre: lld's -z retpolineplt. */
	{ true, FROM_NEXT, 3, { 0x4c, 0x8b, 0x1d } },	/* mov slot(%rip), %r11 */
	{ false, FROM_ZERO, 2, { 0x50, 0xa1 } },	/* push %eax; mov slot, %eax */
	{ false, FROM_BASE, 3, { 0x50, 0x8b, 0x83 } },	/* push %eax; mov slot(%ebx), %eax */
};

/* endbr64 or endbr32, and the prefix bnd, either of which may be there. */
static size_t skip_prefixes(const uint8_t *code, size_t size)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e };
	size_t at = 0;

	if (size > sizeof(endbr) && !memcmp(code, endbr, sizeof(endbr)))
		at = sizeof(endbr) + 1;
	return at < size && code[at] == 0xf2 ? at + 1 : at;
}

static uint64_t slot_from(const struct stubs *s, enum origin from, uint64_t next, uint32_t distance)
{
	if (from == FROM_NEXT)
		return next + (uint64_t)(int64_t)(int32_t)distance;
	return (uint32_t)((from == FROM_BASE ? s->base : 0) + distance);
}

/* The slot that code at an address jumps through; NULL: it is no stub. */
static const struct slot *slot_of(const struct stubs *s, uint64_t address, const uint8_t *code,
				  size_t size)
{
	size_t i, at = skip_prefixes(code, size);
	uint32_t distance;

	for (i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		const struct jump *jump = &jumps[i];
		size_t end = at + jump->size + sizeof(distance);

		if (jump->is_64 != s->is_64 || end > size ||
		    memcmp(code + at, jump->bytes, jump->size) != 0)
			continue;
		memcpy(&distance, code + at + jump->size, sizeof(distance));
		return find_slot(s, slot_from(s, jump->from, address + end, distance));
	}
	return NULL;
}

static void add_named(struct stubs *s, uint64_t start, size_t size, const char *name)
{
	const char *kept = strings_add(&s->object->data->strings, name, strlen(name));

	if (kept)
		symbol_table_add(s->table, &(struct symbol){
			.start = start,
			.size = (uint32_t)size,
			.name = kept,
			.rank = SYMBOL_GLOBAL,
			.demangled = true,
		});
}

/* Without a name for the function that chooses, as objdump calls it. */
static char *stub_name(const struct stubs *s, const struct slot *slot)
{
	const char *name = slot->name;
	char *plain, *text;
	int bytes;

	if (!name)
		name = name_at(&s->chosen, slot->chooser);
	if (!name)
		name = name_at(&s->others, slot->chooser);
	plain = name ? demangle(name) : NULL;
	if (plain)
		name = plain;
	if (name)
		bytes = asprintf(&text, "%s@plt", name);
	else
		bytes = asprintf(&text, "*ABS*+0x%llx@plt", (unsigned long long)slot->chooser);
	free(plain);
	return bytes < 0 ? NULL : text;
}

static void add_stub(struct stubs *s, uint64_t start, size_t size, const struct slot *slot)
{
	char *name = stub_name(s, slot);

	if (name)
		add_named(s, start, size, name);
	free(name);
}

/* The stub that begins there ends where the next does, or as its section says. */
static size_t size_of(const struct stubs *s, const GElf_Shdr *header, const uint8_t *code,
		      size_t at, size_t size)
{
	const size_t most = header->sh_entsize >= STUB_STEP && header->sh_entsize < STUB_MAX ?
		(size_t)header->sh_entsize : STUB_MAX;
	size_t end = at + STUB_STEP;

	while (end < size && end - at < most &&
	       !slot_of(s, header->sh_addr + end, code + end, size - end))
		end += STUB_STEP;
	return (end < size ? end : size) - at;
}

/* What is in front of .plt's first stub, or all of it, is the dynamic linker's. */
static void read_stubs(struct stubs *s, const GElf_Shdr *header, const char *name,
		       const Elf_Data *data)
{
	const uint8_t *code = data->d_buf;
	const size_t size = data->d_size;
	size_t at, first = size;

	for (at = 0; at < size; at += STUB_STEP) {
		const uint64_t start = header->sh_addr + at;
		const struct slot *slot = slot_of(s, start, code + at, size - at);

		if (!slot)
			continue;
		add_stub(s, start, size_of(s, header, code, at, size), slot);
		first = at < first ? at : first;
	}
	if (first && !strcmp(name, ".plt"))
		add_named(s, header->sh_addr, first, name);
}

/* .plt, .plt.sec, .plt.got; lld has those of functions that are chosen in .iplt. */
static bool has_stubs(const GElf_Shdr *header, const char *name)
{
	return header->sh_flags & SHF_EXECINSTR && header->sh_type == SHT_PROGBITS && name &&
	       (!strncmp(name, ".plt", 4) || !strcmp(name, ".iplt"));
}

static void read_sections(struct stubs *s)
{
	const struct elfutils *e = elfutils();
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (e->getshdrstrndx(s->elf, &names))
		return;
	while ((section = e->nextscn(s->elf, section))) {
		const char *name = e->getshdr(section, &header) ?
			e->strptr(s->elf, names, header.sh_name) : NULL;
		const Elf_Data *data = name && has_stubs(&header, name) ?
			e->getdata(section, NULL) : NULL;

		if (data && data->d_buf)
			read_stubs(s, &header, name, data);
	}
}

void object_stubs(struct object *object, struct symbol_table *table)
{
	struct stubs s = { .object = object, .table = table, .elf = object->file.elf };
	const char *machine;
	unsigned int bits = elf_file_bits(&object->file, &machine);
	GElf_Shdr header;

	if (!bits)
		return;
	s.is_64 = bits == 64;
	if (elf_section(s.elf, ".got.plt", &header) || elf_section(s.elf, ".got", &header))
		s.base = header.sh_addr;
	read_slots(&s);
	name_choosers(&s);
	read_sections(&s);
	free(s.slots);
	free(s.choosers);
	free(s.chosen.symbols);
	free(s.others.symbols);
}
