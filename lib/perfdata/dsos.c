// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files and other pieces of code that processes had mapped: their numbers,
 * and what is on this machine of them, opened when it is first asked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"
#include "lib/code/code.h"

struct dsos {
	struct pmuctl_data *data;
	struct dso *all;
	size_t count, room;
	uint32_t *slots;	/* by the hash of a name; + 1, 0: free */
	size_t slots_count;
	uint64_t kernel_text;
};

struct dsos *dsos_new(struct pmuctl_data *data)
{
	struct dsos *dsos = calloc(1, sizeof(*dsos));
	uint32_t unknown;

	if (!dsos)
		return NULL;
	dsos->data = data;
	if (!dsos_add(dsos, "[unknown]", NULL, &unknown))
		return dsos;
	dsos_free(dsos);
	return NULL;
}

static void free_dso(struct dso *dso)
{
	if (dso->object)
		object_close(dso->object);
	free(dso->segments);
	free(dso->table.symbols);
}

void dsos_free(struct dsos *dsos)
{
	size_t i;

	if (!dsos)
		return;
	for (i = 0; i < dsos->count; i++)
		free_dso(&dsos->all[i]);
	free(dsos->all);
	free(dsos->slots);
	free(dsos);
}

static bool same_id(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* Names are kept once, so that their addresses tell them; a name may have many ids. */
static uint64_t hash(const char *name, const struct build_id *id)
{
	uint64_t h = (uintptr_t)name;
	size_t i;

	for (i = 0; i < id->size; i++)
		h = (h ^ id->bytes[i]) * 0x100000001b3ULL;
	return h * 0x9e3779b97f4a7c15ULL >> 32;
}

static size_t slot_of(const struct dsos *dsos, const char *name, const struct build_id *id)
{
	size_t i = hash(name, id) & (dsos->slots_count - 1);
	const struct dso *dso;

	for (; dsos->slots[i]; i = (i + 1) & (dsos->slots_count - 1)) {
		dso = &dsos->all[dsos->slots[i] - 1];
		if (dso->name == name && same_id(&dso->id, id))
			break;
	}
	return i;
}

static bool make_room(struct dsos *dsos)
{
	void *more = data_grow(dsos->all, &dsos->room, dsos->count, sizeof(*dsos->all));
	uint32_t i;

	if (!more)
		return false;
	dsos->all = more;
	if (dsos->count * 2 < dsos->slots_count)
		return true;
	free(dsos->slots);
	dsos->slots_count = dsos->slots_count ? dsos->slots_count * 2 : 64;
	dsos->slots = calloc(dsos->slots_count, sizeof(*dsos->slots));
	if (!dsos->slots) {
		dsos->slots_count = 0;
		return false;
	}
	for (i = 0; i < dsos->count; i++)
		dsos->slots[slot_of(dsos, dsos->all[i].name, &dsos->all[i].id)] = i + 1;
	return true;
}

int dsos_add(struct dsos *dsos, const char *name, const struct build_id *id, uint32_t *dso)
{
	static const struct build_id none;
	size_t slot;

	id = id ? id : &none;
	name = strings_add(&dsos->data->strings, name, strlen(name));
	if (!name || !make_room(dsos))
		return -ENOMEM;
	slot = slot_of(dsos, name, id);
	if (!dsos->slots[slot]) {
		dsos->all[dsos->count] = (struct dso){ .name = name, .id = *id };
		dsos->slots[slot] = (uint32_t)++dsos->count;
	}
	*dso = dsos->slots[slot] - 1;
	return 0;
}

void dsos_set_build_id(struct dsos *dsos, const char *name, const struct build_id *id)
{
	static const struct build_id none;
	size_t slot = slot_of(dsos, name, &none);

	/* No more are added behind this: the slots need not be kept right. */
	if (dsos->slots[slot])
		dsos->all[dsos->slots[slot] - 1].id = *id;
}

void dsos_set_kernel(struct dsos *dsos, uint64_t text)
{
	dsos->kernel_text = text;
}

void dsos_set_module(struct dsos *dsos, uint32_t dso, uint64_t start)
{
	dsos->all[dso].start = start;
}

void dsos_set_whole(struct dsos *dsos, uint32_t dso, uint32_t size)
{
	dsos->all[dso].whole = size;
}

const char *dsos_name(const struct dsos *dsos, uint32_t dso)
{
	return dso < dsos->count ? dsos->all[dso].name : dsos->all[0].name;
}

static bool is_file(const struct dso *dso)
{
	if (!strcmp(dso->name, DSO_ANON) || symbols_are_made(dso->name))
		return false;
	return dso->name[0] == '/' || !strcmp(dso->name, DSO_VDSO);
}

static void open_dso(struct dsos *dsos, struct dso *dso)
{
	dso->opened = true;
	if (!is_file(dso) || dso->start)
		return;
	dso->object = object_open(dsos->data, dso);
	if (dso->object)
		dso->segments_count = object_segments(dso->object, &dso->segments);
}

struct dso *dsos_get(struct dsos *dsos, uint32_t number)
{
	struct dso *dso = &dsos->all[number < dsos->count ? number : 0];

	if (!dso->opened)
		open_dso(dsos, dso);
	return dso;
}

uint64_t dsos_address(struct dsos *dsos, uint32_t number, uint64_t offset)
{
	const struct dso *dso = dsos_get(dsos, number);
	size_t i;

	for (i = 0; i < dso->segments_count; i++)
		if (offset - dso->segments[i].offset < dso->segments[i].size)
			return offset - dso->segments[i].offset + dso->segments[i].address;
	return offset;
}

uint64_t dsos_offset(struct dsos *dsos, uint32_t number, uint64_t address)
{
	const struct dso *dso = dsos_get(dsos, number);
	size_t i;

	for (i = 0; i < dso->segments_count; i++)
		if (address - dso->segments[i].address < dso->segments[i].size)
			return address - dso->segments[i].address + dso->segments[i].offset;
	return address;
}

static void load(struct dsos *dsos, struct dso *dso)
{
	dso->loaded = true;
	if (dso->whole) {
		symbol_table_add(&dso->table, &(struct symbol){
			.name = dso->name, .size = dso->whole, .demangled = true,
		});
	} else if (dso->object) {
		object_symbols(dso->object, &dso->table);
		object_stubs(dso->object, &dso->table);
	} else if (dso->start || !strcmp(dso->name, DSO_KERNEL)) {
		symbols_read_kernel(dsos->data, dso, dsos->kernel_text);
	} else if (symbols_are_made(dso->name)) {
		symbols_read_made(dsos->data, dso);
	}
	symbol_table_finish(&dso->table);
	if (dso->table.failed)
		say(dsos->data->ctx, PMUCTL_LOG_WARNING,
		    "%s: out of memory, so that some of its symbols are missing", dso->name);
}

static const char *shown_name(struct pmuctl_data *data, struct symbol *symbol)
{
	const char *kept;
	char *plain;

	if (symbol->demangled)
		return symbol->name;
	symbol->demangled = true;
	plain = demangle(symbol->name);
	kept = plain ? strings_add(&data->strings, plain, strlen(plain)) : NULL;
	if (kept)
		symbol->name = kept;
	free(plain);
	return symbol->name;
}

void pmuctl_data_symbol(struct pmuctl_data *data, const struct pmuctl_place *place,
			struct pmuctl_symbol *symbol)
{
	struct dso *dso = dsos_get(data->dsos, place->dso);
	struct symbol *found;

	*symbol = (struct pmuctl_symbol){ .name = NULL };
	if (!place->dso)
		return;
	if (!dso->loaded)
		load(data->dsos, dso);
	found = symbol_table_find(&dso->table, place->address + dso->shift);
	if (!found)
		return;
	symbol->name = shown_name(data, found);
	symbol->start = found->start - dso->shift;
	symbol->size = found->size;
}

void pmuctl_data_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		      const char **file, unsigned int *line)
{
	struct dso *dso = dsos_get(data->dsos, place->dso);

	*line = 0;
	*file = dso->object ? object_line(dso->object, place->address, line) : NULL;
}

size_t pmuctl_data_text(struct pmuctl_data *data, const struct pmuctl_place *place,
			void *text, size_t size)
{
	struct dso *dso = dsos_get(data->dsos, place->dso);

	if (dso->object)
		return object_text(dso->object, place->address, text, size);
	if (!dso->start && strcmp(dso->name, DSO_KERNEL) != 0)
		return 0;
	/* They tell where the kernel is now. */
	if (!dso->loaded)
		load(data->dsos, dso);
	return kernel_text(dso, place->address, text, size);
}
