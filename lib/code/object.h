/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file of code, opened by elfutils: what its symbols and lines are read from.
 */
#ifndef LIBPMUCTL_OBJECT_H
#define LIBPMUCTL_OBJECT_H

#include <limits.h>

#include "lib/code/code.h"
#include "lib/code/die_ranges.h"
#include "lib/code/elfutils.h"

/* Where what was stripped off is installed. */
#define DEBUG_FILES "/usr/lib/debug"

/* All of a file in memory, so that none of many takes a descriptor. */
struct elf_file {
	Elf *elf;		/* NULL: not open */
	void *image;		/* NULL: it is nobody's to unmap */
	size_t size;
	char *path;
};

struct object {
	struct pmuctl_data *data;
	const char *name;
	struct elf_file file;
	bool is_debug;		/* the file has what was stripped off, and no code */
	uint64_t code_at;	/* where in the file code was, of one without code */
	bool searched;		/* for the file with what was stripped */
	struct elf_file debug;
	Elf *small;		/* symbols that are packed in the file; NULL: none */
	void *small_image;
	bool dwarf_searched, lines_searched;
	Dwarf *dwarf;		/* NULL: there are no lines */
	struct die_ranges units;	/* object_lines.c */
	struct object_inlines *inlines;	/* object_inlines.c */
	bool variables_searched;
	struct die_ranges variables;	/* object_variables.c */
	bool cfi_searched, debug_cfi_searched;
	Dwarf_CFI *cfi;		/* of .eh_frame; NULL: there is none; object_rules.c */
	Dwarf_CFI *debug_cfi;	/* of .debug_frame; object->dwarf's */
};

/* elf_file.c: of another build-id than this, if it has any: false, and *why says so. */
bool elf_file_open(const char *path, const struct build_id *id, struct elf_file *file,
		   const char **why);
void elf_file_close(struct elf_file *file);
/* False: it has none. */
bool elf_file_id(const struct elf_file *file, struct build_id *id);
bool elf_file_has_id(const struct elf_file *file, const struct build_id *id);
/* All sections of code are empty. */
bool elf_file_is_debug(const struct elf_file *file);
unsigned int elf_file_bits(const struct elf_file *file, const char **machine);
/* NULL: there is no section of this name. */
Elf_Scn *elf_section(Elf *elf, const char *name, GElf_Shdr *header);

/* object_find.c: where a file of code may be; false: nowhere here, and dso->why says why. */
bool object_find(struct pmuctl_data *data, struct dso *dso, struct elf_file *file);
/* perf keeps the vdso as well. */
bool object_find_vdso(const struct pmuctl_data *data, const struct dso *dso,
		      struct elf_file *file);
/* The file with what was stripped off, by build-id. */
bool object_find_debug(const struct pmuctl_data *data, const struct build_id *id,
		       struct elf_file *file);

/* unpack.c: symbols that are packed in a section of the file. */
bool object_unpack(struct object *object);

/* object_lines.c: the unit of compilation that an address is in; false: none is known. */
bool object_unit(struct object *object, uint64_t address, Dwarf_Die *unit);
/* object_lines.c: object->dwarf, opened if it was not. */
Dwarf *object_dwarf(struct object *object);

/* object_inlines.c: as its symbol would be called. */
const char *object_die_name(struct object *object, Dwarf_Die *die);

/* object.c: NULL: there is none. */
const struct elf_file *object_debug(struct object *object);

#endif
