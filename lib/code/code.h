/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files share that find symbols, lines and code of a DSO.
 */
#ifndef LIBPMUCTL_SYMBOLS_H
#define LIBPMUCTL_SYMBOLS_H

#include "lib/perfdata/perfdata.h"

struct object;		/* a file of code that is open; object.c */

struct symbol {
	uint64_t start;
	const char *name;
	uint32_t size;
	uint32_t rank : 2;	/* enum symbol_rank: among those that start at the same address */
	uint32_t demangled : 1;
	uint32_t order : 29;	/* in which they were added */
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
	uint64_t start;		/* of a module, as it was recorded */
	uint32_t whole;		/* bytes of code that the kernel made, all of this name; else 0 */
	bool opened;
	struct object *object;	/* NULL: not here */
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
struct symbol *symbol_table_find(const struct symbol_table *table, uint64_t address);

/* symbols_kernel.c */
void symbols_read_kernel(struct pmuctl_data *data, struct dso *dso, uint64_t text);
bool symbols_is_running_kernel(struct pmuctl_data *data, const struct dso *dso);
/* kernel_text.c: of a DSO that is the kernel's, whose symbols were read. */
size_t kernel_text(const struct dso *dso, uint64_t address, void *text, size_t size);
/* symbols_made.c: /tmp/perf-PID.map */
bool symbols_are_made(const char *dso);
void symbols_read_made(struct pmuctl_data *data, struct dso *dso);

/* object.c */
/* NULL: there is none, or it is another one than was recorded. */
struct object *object_open(struct pmuctl_data *data, const struct dso *dso);
void object_close(struct object *object);
/* Of the code that is to be loaded. */
size_t object_segments(struct object *object, struct segment **segments);
void object_symbols(struct object *object, struct symbol_table *table);
size_t object_text(struct object *object, uint64_t address, void *text, size_t size);
/* Stubs that call functions of other DSOs, each as NAME@plt. */
void object_stubs(struct object *object, struct symbol_table *table);
const char *object_line(struct object *object, uint64_t address, unsigned int *line);

/* demangle.c: NULL: it is no such name.  To be freed. */
char *demangle(const char *name);

#endif
