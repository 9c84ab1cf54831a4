// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What data belongs to: a variable of a program or a library, or else a mapping, as a
 * large array of malloc's is one, or a stretch of the heap or the stack.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/mem/mem.h"

#define PAGE	4096u
/* Of the heap, and where no mapping is known, what lies further apart is not one thing. */
#define STRETCH	(16u << 10)

/* What is known of a page; its key is the page and the memory. */
struct home {
	struct table_entry key;
	bool found;
	uint32_t dso;		/* what is mapped there, 0: unknown */
	uint32_t file;		/* whose variables may be here, 0: none */
	uint64_t bias;		/* what its addresses are higher by */
	uint64_t mapping;	/* where that began, 0: unknown, or it is many things */
};

/* Not the heap, nor a stack. */
static bool is_one_thing(const struct mem *m, uint32_t dso)
{
	return dso && pmuctl_data_dso(m->data, dso)[0] == '/';
}

static void find_home(struct mem *m, struct home *h, uint64_t time)
{
	uint64_t page = h->key.a;
	uint32_t pid = memory_pid(h->key.b);
	struct pmuctl_mapping mapping;
	struct pmuctl_place place;

	h->found = true;
	if (!(page >> 63)) {
		pmuctl_data_mapped(m->data, pid, time, page, &mapping);
		h->dso = mapping.dso;
		h->mapping = is_one_thing(m, mapping.dso) ? mapping.start : 0;
		if (pmuctl_data_loaded(m->data, pid, time, page, &h->file, &h->bias))
			h->file = 0;
		return;
	}
	/* Of its data there is no mapping, but it is where its symbols say. */
	pmuctl_data_place(m->data, pid, time, page, true, &place);
	h->dso = place.dso;
	h->file = place.dso ? place.dso : m->kernel;
	h->bias = page - place.address;
}

static const struct home *home_of(struct mem *m, const struct spot *cell)
{
	struct home *h;

	if (!m->homes.entry_size)
		table_init(&m->homes, sizeof(*h));
	h = table_get(&m->homes, cell->key.a & ~(uint64_t)(PAGE - 1), cell->key.b);
	if (h && !h->found)
		find_home(m, h, cell->time);
	return h;
}

/* ---- objects ------------------------------------------------------------------- */

/* The linker's marks of an end are not the names of what follows. */
static bool is_mark(const char *name)
{
	return !strcmp(name, "_end") || !strcmp(name, "end") || !strcmp(name, "_edata") ||
	       !strcmp(name, "edata") || !strcmp(name, "__bss_start");
}

static bool find_symbol(const struct mem *m, const struct home *h, const struct spot *cell,
			struct pmuctl_symbol *symbol)
{
	const struct pmuctl_place place = { .dso = h->file, .address = cell->key.a - h->bias };

	symbol->name = NULL;
	if (h->file)
		pmuctl_data_symbol(m->data, &place, symbol);
	return symbol->name && !is_mark(symbol->name);
}

/* The same in every process that has the file: each may have it elsewhere. */
static struct object *symbol_object(struct profile *p, const struct home *h,
				    const struct pmuctl_symbol *symbol, struct spot *cell)
{
	struct object *o = table_get(&p->objects, (uint64_t)h->file << 32, symbol->start);
	uint64_t offset;

	cell->base = symbol->start + h->bias;
	offset = cell->key.a - cell->base;

	if (o && !o->name) {
		o->name = strdup(symbol->name);
		o->symbol = true;
		o->start = cell->base;
		o->dso = h->file;
	}
	if (o && o->start + offset >= o->end)
		o->end = o->start + offset + 1;
	return o && o->name ? o : NULL;
}

/* A main thread's stack has no record: nothing else of a process is as high. */
#define STACKS_FROM 0x7ffc00000000ull

static const char *stretch_name(const struct mem *m, const struct home *h, uint64_t address)
{
	const char *name = pmuctl_data_dso(m->data, h->dso);
	int pid;

	/* As it is, and where a compiler's symbols are if it is code as well. */
	if (!strcmp(name, "//anon") || is_made_code(name, &pid))
		return ANONYMOUS;
	if (h->dso)
		return name;
	if (address >> 63)
		return "[kernel data]";
	return address >= STACKS_FROM ? "[stack]" : "[unknown]";
}

static bool continues(const struct object *before, const struct home *h, const char *name,
		      const struct spot *cell)
{
	return before && !before->symbol && before->key.a == cell->key.b &&
	       !strcmp(before->name, name) && before->mapping == h->mapping &&
	       (h->mapping || cell->key.a - before->end < STRETCH);
}

static struct object *stretch_object(struct mem *m, struct profile *p, const struct home *h,
				     struct spot *cell, struct object *before)
{
	const char *name = stretch_name(m, h, cell->key.a);
	struct object *o = before;

	if (!continues(before, h, name, cell)) {
		o = table_get(&p->objects, cell->key.b, cell->key.a);
		if (o && !o->name)
			o->name = strdup(name);
		if (o) {
			o->start = cell->key.a;
			o->mapping = h->mapping;
		}
	}
	if (o) {
		o->end = cell->key.a + 1;
		cell->base = o->start;
	}
	return o && o->name ? o : NULL;
}

struct object *mem_object(struct mem *m, struct profile *p, struct spot *cell,
			  struct object *before)
{
	const struct home *h = home_of(m, cell);
	struct pmuctl_symbol symbol;

	if (!h)
		return NULL;
	if (find_symbol(m, h, cell, &symbol))
		return symbol_object(p, h, &symbol, cell);
	return stretch_object(m, p, h, cell, before);
}

static void symbol_name(const struct mem *m, const struct home *h, const struct spot *cell,
			const struct pmuctl_symbol *symbol, char *text, size_t size)
{
	const struct pmuctl_place place = { .dso = h->file, .address = cell->key.a - h->bias };
	struct pmuctl_variable variable = { .size = sizeof(variable) };

	if (!pmuctl_data_variable(m->data, &place, &variable))
		snprintf(text, size, "%s", variable.name);
	else if (place.address > symbol->start)
		snprintf(text, size, "%s+%#" PRIx64, symbol->name, place.address - symbol->start);
	else
		snprintf(text, size, "%s", symbol->name);
}

void cell_name(struct mem *m, const struct spot *cell, char *text, size_t size)
{
	const struct home *h = home_of(m, cell);
	struct pmuctl_symbol symbol;

	if (!h)
		snprintf(text, size, "[unknown]");
	else if (find_symbol(m, h, cell, &symbol))
		symbol_name(m, h, cell, &symbol, text, size);
	else
		snprintf(text, size, "%s at %#" PRIx64, stretch_name(m, h, cell->key.a),
			 cell->key.a);
}

void object_free(void *entry)
{
	free(((struct object *)entry)->name);
}

void spot_place(const struct spot *spot, char *text, size_t size)
{
	const struct object *object = spot->object;

	if (!object->symbol || spot->key.a <= spot->base)
		snprintf(text, size, "%s", object->name);
	else
		snprintf(text, size, "%s+%#" PRIx64, object->name, spot->key.a - spot->base);
}
