/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files share that find symbols, lines and code of a DSO.
 */
#ifndef LIBPMUCTL_SYMBOLS_H
#define LIBPMUCTL_SYMBOLS_H

#include <stdio.h>

#include "lib/code/file_id.h"
#include "lib/perfdata/perfdata.h"

struct object;		/* a file of code that is open; object.c */
struct jitdump;		/* a file of code that a program made; jitdump.c */

struct symbol {
	uint64_t start;
	const char *name;
	uint32_t size;
	uint32_t rank : 2;	/* enum symbol_rank: among those that start at the same address */
	uint32_t demangled : 1;
	uint32_t chosen : 1;	/* the code chooses at run time which function has the name */
	uint32_t order : 28;	/* in which they were added */
};

/* By address, once it is finished. */
struct symbol_table {
	struct symbol *symbols;
	size_t count, room;
	bool failed;		/* out of memory: some are missing */
};

struct segment {
	uint64_t offset, size;	/* in the file */
	uint64_t address;
	uint64_t memory;	/* bytes there, with zeroed ones behind those of the file */
};

struct dso {
	const char *name;
	struct build_id id;
	struct file_id file;
	uint32_t namesake;	/* number + 1 of another of this name without a build-id; 0: none */
	uint32_t pid;		/* a process that had it; 0: unknown */
	bool has_code;		/* it was mapped as code, */
	uint64_t code_at;	/* from there in the file on, at least */
	uint64_t start;		/* of a module, as it was recorded */
	uint32_t whole;		/* bytes of code that the kernel made, all of this name; else 0 */
	bool opened;
	struct object *object;	/* NULL: not here */
	const char *why;	/* it or its names are missing, in words; NULL: they are not */
	const char *made;	/* the file of its symbols, of code that a program made */
	struct jitdump *jit;	/* the same, if it has the code as well; else NULL */
	struct segment *segments;
	size_t segments_count;
	bool loaded;		/* the symbols, as far as there are any */
	struct symbol_table table;
	uint64_t shift;		/* from an address as recorded to one of the table */
};

/* symbol_table.c */
/* Higher: the better name of two for one address. */
enum symbol_rank {
	SYMBOL_WEAK,
	SYMBOL_LOCAL,
	SYMBOL_GLOBAL,
};

void symbol_table_add(struct symbol_table *table, const struct symbol *symbol);
/* Sorts, keeps one symbol an address, and gives a size to those that have none. */
void symbol_table_finish(struct symbol_table *table);
/* The same of code that is made and thrown away: what was added later counts where both are. */
void symbol_table_finish_latest(struct symbol_table *table);
struct symbol *symbol_table_find(const struct symbol_table *table, uint64_t address);

/* symbols_kernel.c */
#define KALLSYMS "/proc/kallsyms"

void symbols_read_kernel(struct pmuctl_data *data, struct dso *dso, uint64_t text);
/* Its symbols are those of its ELF file: by how much that differs from where it was. */
void symbols_shift_kernel(struct dso *dso, uint64_t text);
bool symbols_is_running_kernel(struct pmuctl_data *data, const struct dso *dso);
/* The list of the kernel's symbols that is to be read; path has PATH_MAX bytes.  Its own: true. */
bool symbols_kernel_list(const struct pmuctl_data *data, char *path);
/* kernel_text.c: of a DSO that is the kernel's, whose symbols were read. */
size_t kernel_text(struct pmuctl_data *data, const struct dso *dso, uint64_t address,
		   void *text, size_t size);
/* symbols_made.c: /tmp/perf-PID.map */
bool symbols_are_made(const char *dso);
void symbols_read_made(struct pmuctl_data *data, struct dso *dso);
/*
 * The file that process pid left under the DSO's name, if it may be believed, and dso->made; NULL:
 * there is none, and dso->why says why.
 */
FILE *made_open(struct pmuctl_data *data, struct dso *dso, uint32_t pid);

/* object.c */
/* NULL: there is none, or it is another one than was recorded, and dso->why says which. */
struct object *object_open(struct pmuctl_data *data, struct dso *dso);
struct object *object_open_kernel(struct pmuctl_data *data, struct dso *dso);
void object_close(struct object *object);
/* Where it is on this machine; "": in no file. */
const char *object_path(const struct object *object);
/* Of the file with what was stripped off; NULL: there is none. */
const char *object_debug_path(struct object *object);
/* How it is to be called to be found again; path: where it is. */
const char *object_debug_name(struct object *object, const char *path);
/* Which instructions its code is made of: 64 or 32 bits of x86; 0: of `machine`. */
unsigned int object_bits(const struct object *object, const char **machine);
/* The bytes of a file that is none, as the vdso; NULL: it is one. */
const void *object_image(const struct object *object, size_t *size);
/* Of the code that is to be loaded. */
size_t object_segments(struct object *object, struct segment **segments);
/* False: no more than what the dynamic linker needs, or nothing. */
bool object_symbols(struct object *object, struct symbol_table *table);
size_t object_text(struct object *object, uint64_t address, void *text, size_t size);
/* Stubs of the procedure linkage table, each as NAME@plt; behind object_symbols(). */
void object_stubs(struct object *object, struct symbol_table *table);
const char *object_line(struct object *object, uint64_t address, unsigned int *line);
/* object_inlines.c: how many functions are inlined there, innermost first; -ENODATA: unknown. */
int object_inlined(struct object *object, uint64_t address,
		   const struct pmuctl_inlined **inlined);
/* object_variables.c: -ENODATA: no debugging information; -ENOENT: no variable is there. */
int object_variable(struct object *object, uint64_t address, struct pmuctl_variable *variable);
/* Before the object is closed. */
void object_inlines_free(struct object *object);

/* demangle.c: NULL: it is no such name.  To be freed. */
char *demangle(const char *name);

#endif
