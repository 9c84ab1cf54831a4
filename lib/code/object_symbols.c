// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The symbols of a file of code: of its symbol table, or of that of its
 * debugging file, or what is left for the dynamic linker.
 */
#include <string.h>

#include "lib/code/object.h"

static Elf_Scn *find_table(Elf *elf, uint32_t type, GElf_Shdr *header)
{
	const struct elfutils *e = elfutils();
	Elf_Scn *section = NULL;

	while ((section = e->nextscn(elf, section)))
		if (e->getshdr(section, header) && header->sh_type == type && header->sh_entsize)
			return section;
	return NULL;
}

/* Names that assembly code gave: no function or object, but of a place in a section. */
static bool is_label(const GElf_Sym *s)
{
	unsigned int visibility = GELF_ST_VISIBILITY(s->st_other);

	return GELF_ST_TYPE(s->st_info) == STT_NOTYPE && s->st_shndx != SHN_ABS &&
	       visibility != STV_HIDDEN && visibility != STV_INTERNAL;
}

static bool is_wanted(const GElf_Sym *s, const char *name)
{
	unsigned int type = GELF_ST_TYPE(s->st_info);

	if (!name || !name[0] || s->st_shndx == SHN_UNDEF || !s->st_value)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT || is_label(s);
}

static uint8_t rank_of(const GElf_Sym *s)
{
	unsigned int bind = GELF_ST_BIND(s->st_info);

	return bind == STB_GLOBAL ? SYMBOL_GLOBAL : bind == STB_WEAK ? SYMBOL_WEAK : SYMBOL_LOCAL;
}

static void add_symbol(struct symbol_table *table, const GElf_Sym *s, const char *name)
{
	symbol_table_add(table, &(struct symbol){
		.start = s->st_value,
		.size = s->st_size < UINT32_MAX ? (uint32_t)s->st_size : UINT32_MAX,
		.name = name,
		.rank = rank_of(s),
		.chosen = GELF_ST_TYPE(s->st_info) == STT_GNU_IFUNC,
	});
}

static bool read_table(Elf *elf, uint32_t type, struct symbol_table *table)
{
	const struct elfutils *e = elfutils();
	GElf_Shdr header;
	Elf_Scn *section = elf ? find_table(elf, type, &header) : NULL;
	Elf_Data *data = section ? e->getdata(section, NULL) : NULL;
	size_t i, count;

	if (!data)
		return false;
	count = data->d_size / header.sh_entsize;
	for (i = 0; i < count && i <= INT32_MAX; i++) {
		GElf_Sym s;
		const char *name;

		if (!e->getsym(data, (int)i, &s))
			break;
		name = e->strptr(elf, header.sh_link, s.st_name);
		if (is_wanted(&s, name))
			add_symbol(table, &s, name);
	}
	return table->count;
}

/* What is packed is what the dynamic linker does not need. */
bool object_symbols(struct object *object, struct symbol_table *table)
{
	const struct elf_file *debug;
	bool all;

	if (read_table(object->file.elf, SHT_SYMTAB, table))
		return true;
	debug = object_debug(object);
	if (debug && read_table(debug->elf, SHT_SYMTAB, table))
		return true;
	all = object_unpack(object) && read_table(object->small, SHT_SYMTAB, table);
	read_table(object->file.elf, SHT_DYNSYM, table);
	return all;
}
