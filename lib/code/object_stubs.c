// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names for the stubs of the procedure linkage table, which has no symbols: the
 * relocations of the dynamic linker say in order what each of them calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/code/object.h"

struct stubs {
	struct object *object;
	struct symbol_table *table;
	Elf *elf;
	GElf_Shdr calls;	/* the section of the relocations */
	GElf_Shdr names;	/* of the symbols that they mean */
	Elf_Data *symbols;
	uint64_t at;		/* of the first stub */
	uint32_t size;		/* of each */
};

static const char *callee(const struct stubs *s, const GElf_Rela *rela)
{
	uint64_t number = GELF_R_SYM(rela->r_info);
	GElf_Sym symbol;

	/* A function that is chosen at run time; perf has no name for it either. */
	if (!number)
		return "";
	if (number > INT32_MAX || !elfutils()->getsym(s->symbols, (int)number, &symbol))
		return NULL;
	return elfutils()->strptr(s->elf, s->names.sh_link, symbol.st_name);
}

static void add_stub(struct stubs *s, size_t i, const char *name)
{
	char *plain = demangle(name), *text = NULL;
	const char *kept = NULL;

	if (asprintf(&text, "%s@plt", plain ? plain : name) >= 0) {
		kept = strings_add(&s->object->data->strings, text, strlen(text));
		free(text);
	}
	free(plain);
	if (kept)
		symbol_table_add(s->table, &(struct symbol){
			.start = s->at + i * s->size,
			.size = s->size,
			.name = kept,
			.rank = SYMBOL_GLOBAL,
			.demangled = true,
		});
}

/* With branch tracking the stubs that are called stand in a section of their own. */
static bool find_stubs(struct stubs *s)
{
	GElf_Shdr header;

	if (elf_section(s->elf, ".plt.sec", &header)) {
		s->at = header.sh_addr;
	} else if (elf_section(s->elf, ".plt", &header)) {
		/* The first is for the dynamic linker itself. */
		s->at = header.sh_addr + header.sh_entsize;
	} else {
		return false;
	}
	s->size = (uint32_t)header.sh_entsize;
	return s->size && header.sh_entsize <= 4096;
}

static bool find_symbols(struct stubs *s)
{
	const struct elfutils *e = elfutils();
	Elf_Scn *section = e->getscn(s->elf, s->calls.sh_link);

	if (!section || !e->getshdr(section, &s->names))
		return false;
	s->symbols = e->getdata(section, NULL);
	return s->symbols;
}

void object_stubs(struct object *object, struct symbol_table *table)
{
	const struct elfutils *e = elfutils();
	struct stubs s = { .object = object, .table = table, .elf = object->file.elf };
	Elf_Scn *calls = elf_section(s.elf, ".rela.plt", &s.calls);
	Elf_Data *data = calls ? e->getdata(calls, NULL) : NULL;
	size_t i, count;
	GElf_Rela rela;

	if (!data || !s.calls.sh_entsize || !find_symbols(&s) || !find_stubs(&s))
		return;
	count = data->d_size / s.calls.sh_entsize;
	for (i = 0; i < count && i <= INT32_MAX && e->getrela(data, (int)i, &rela); i++) {
		const char *name = callee(&s, &rela);

		if (name)
			add_stub(&s, i, name);
	}
}
