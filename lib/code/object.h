/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file of code, opened by elfutils: what its symbols and lines are read from.
 */
#ifndef LIBPMUCTL_OBJECT_H
#define LIBPMUCTL_OBJECT_H

#include <limits.h>

#include "lib/code/code.h"
#include "lib/code/elfutils.h"

struct elf_file {
	int fd;			/* -1: there is none */
	Elf *elf;		/* NULL: not open */
};

/* Addresses of one unit of compilation. */
struct unit_range {
	uint64_t start, end;
	Dwarf_Off unit;
};

struct object {
	struct pmuctl_data *data;
	const char *name;
	struct elf_file file;
	bool searched;		/* for the file with what was stripped */
	struct elf_file debug;
	bool lines_searched;
	Dwarf *dwarf;		/* NULL: there are no lines */
	struct unit_range *units;	/* by address; object_lines.c */
	size_t units_count, units_room;
};

/* Of another build-id than this, if it has any: false. */
bool elf_file_open(const char *path, const struct build_id *id, struct elf_file *file);
void elf_file_close(struct elf_file *file);
/* "BEFORE/.build-id/12/3456BEHIND" */
void build_id_path(const struct build_id *id, const char *before, const char *behind, char *path,
		   size_t size);
/* NULL: there is none. */
const struct elf_file *object_debug(struct object *object);

#endif
