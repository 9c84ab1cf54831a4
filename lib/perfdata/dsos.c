// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files and other pieces of code that processes had mapped: their numbers,
 * and what is on this machine of them, opened when it is first asked for.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"
#include "lib/code/code.h"
#include "lib/code/jitdump.h"

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
	if (dso->object) {
		object_inlines_free(dso->object);
		object_close(dso->object);
	}
	jitdump_free(dso->jit);
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

/* What tells DSOs apart: names are kept once, so that their addresses do for them. */
struct key {
	const char *name;
	struct build_id id;
	struct file_id file;	/* only without an id */
};

static bool same_file(const struct file_id *a, const struct file_id *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

static bool has_key(const struct dso *dso, const struct key *key)
{
	return dso->name == key->name && dso->id.size == key->id.size &&
	       !memcmp(dso->id.bytes, key->id.bytes, key->id.size) &&
	       (key->id.size || same_file(&dso->file, &key->file));
}

static uint64_t hash(const struct key *key)
{
	uint64_t h = (uintptr_t)key->name;
	size_t i;

	for (i = 0; i < key->id.size; i++)
		h = (h ^ key->id.bytes[i]) * 0x100000001b3ULL;
	if (!key->id.size)
		h = (h ^ key->file.inode) * 0x100000001b3ULL;
	return h * 0x9e3779b97f4a7c15ULL >> 32;
}

static size_t slot_of(const struct dsos *dsos, const struct key *key)
{
	size_t i = hash(key) & (dsos->slots_count - 1);

	for (; dsos->slots[i]; i = (i + 1) & (dsos->slots_count - 1))
		if (has_key(&dsos->all[dsos->slots[i] - 1], key))
			break;
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
	for (i = 0; i < dsos->count; i++) {
		const struct dso *dso = &dsos->all[i];

		dsos->slots[slot_of(dsos, &(struct key){ dso->name, dso->id, dso->file })] = i + 1;
	}
	return true;
}

/* The number of the one with this key, new or not. */
static uint32_t find_or_add(struct dsos *dsos, const struct key *key, bool *is_new)
{
	size_t slot = slot_of(dsos, key);

	*is_new = !dsos->slots[slot];
	if (*is_new) {
		dsos->all[dsos->count] = (struct dso){
			.name = key->name, .id = key->id, .file = key->file,
		};
		dsos->slots[slot] = (uint32_t)++dsos->count;
	}
	return dsos->slots[slot] - 1;
}

int dsos_add(struct dsos *dsos, const char *name, const struct build_id *id, uint32_t *dso)
{
	static const struct build_id none;
	struct key key = { .id = id ? *id : none };
	bool is_new;

	key.name = strings_add(&dsos->data->strings, name, strlen(name));
	if (!key.name || !make_room(dsos))
		return -ENOMEM;
	*dso = find_or_add(dsos, &key, &is_new);
	return 0;
}

/* Each hangs on the one that has its name and nothing else. */
int dsos_add_file(struct dsos *dsos, const char *name, const struct build_id *id,
		  const struct file_id *file, uint32_t *dso)
{
	struct key key = { .file = *file };
	struct dso *head;
	bool is_new;

	if (dsos_add(dsos, name, id, dso))
		return -ENOMEM;
	if (id->size || !file->inode)
		return 0;
	key.name = dsos->all[*dso].name;
	if (!make_room(dsos))
		return -ENOMEM;
	head = &dsos->all[*dso];
	*dso = find_or_add(dsos, &key, &is_new);
	if (is_new) {
		dsos->all[*dso].namesake = head->namesake;
		head->namesake = *dso + 1;
	}
	return 0;
}

void dsos_set_mapped(struct dsos *dsos, uint32_t number, uint32_t pid, bool code, uint64_t offset)
{
	struct dso *dso = &dsos->all[number];

	if (!dso->pid)
		dso->pid = pid;
	if (!code)
		return;
	if (!dso->has_code || offset < dso->code_at)
		dso->code_at = offset;
	dso->has_code = true;
}

void dsos_set_build_id(struct dsos *dsos, const char *name, const struct build_id *id)
{
	size_t slot = slot_of(dsos, &(struct key){ .name = name });
	struct dso *head = dsos->slots[slot] ? &dsos->all[dsos->slots[slot] - 1] : NULL, *other;

	if (!head)
		return;
	other = head->namesake ? &dsos->all[head->namesake - 1] : NULL;
	/* No more are added behind this: the slots need not be kept right. */
	if (!other || !other->namesake)
		head->id = *id;
	if (other && !other->namesake)
		other->id = *id;
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

int pmuctl_data_build_id(const struct pmuctl_data *data, uint32_t dso, char *text, size_t size)
{
	const struct build_id *id = &data->dsos->all[dso].id;
	char digits[2 * BUILD_ID_MAX + 1];

	if (!id->size)
		return -ENOENT;
	build_id_text(id, true, digits);
	return snprintf(text, size, "%s", digits) < (int)size ? 0 : -ERANGE;
}

const char *dsos_name(const struct dsos *dsos, uint32_t dso)
{
	return dso < dsos->count ? dsos->all[dso].name : dsos->all[0].name;
}

static bool is_kernel(const struct dso *dso)
{
	return dso->start || !strcmp(dso->name, DSO_KERNEL);
}

/* What the kernel gives to processes of 64 bits, and of 32. */
static bool is_vdso(const struct dso *dso)
{
	return !strcmp(dso->name, DSO_VDSO) || !strcmp(dso->name, DSO_VDSO32);
}

static bool is_file(const struct dso *dso)
{
	if (!strcmp(dso->name, DSO_ANON) || symbols_are_made(dso->name) ||
	    jitdump_named(dso->name))
		return false;
	return dso->name[0] == '/' || is_vdso(dso);
}

static void open_dso(struct dsos *dsos, struct dso *dso)
{
	dso->opened = true;
	if (!strcmp(dso->name, DSO_KERNEL) && dsos->data->where.vmlinux)
		dso->object = object_open_kernel(dsos->data, dso);
	else if (is_file(dso) && !dso->start)
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

uint64_t dsos_address_spell(struct dsos *dsos, uint32_t number, uint64_t offset, uint64_t *start,
			    uint64_t *end)
{
	const struct dso *dso = dsos_get(dsos, number);
	const struct segment *s = dso->segments;
	size_t i;

	*start = 0;
	*end = UINT64_MAX;
	/* Of several that have an offset the first has it. */
	for (i = 0; i < dso->segments_count; i++, s++) {
		if (offset - s->offset < s->size) {
			if (s->offset > *start)
				*start = s->offset;
			if (s->size < *end - s->offset)
				*end = s->offset + s->size;
			return offset - s->offset + s->address;
		}
		if (s->offset > offset && s->offset < *end)
			*end = s->offset;
		else if (s->offset <= offset && s->offset + s->size > *start)
			*start = s->offset + s->size;
	}
	return offset;
}

uint64_t dsos_address(struct dsos *dsos, uint32_t number, uint64_t offset)
{
	uint64_t start, end;

	return dsos_address_spell(dsos, number, offset, &start, &end);
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

static void load_object(struct dsos *dsos, struct dso *dso)
{
	if (!object_symbols(dso->object, &dso->table) && !is_vdso(dso))
		dso->why = "it is stripped";
	object_stubs(dso->object, &dso->table);
	if (is_kernel(dso))
		symbols_shift_kernel(dso, dsos->kernel_text);
}

static void load(struct dsos *dsos, struct dso *dso)
{
	dso->loaded = true;
	if (dso->whole) {
		symbol_table_add(&dso->table, &(struct symbol){
			.name = dso->name, .size = dso->whole, .demangled = true,
		});
	} else if (dso->object) {
		load_object(dsos, dso);
	} else if (is_kernel(dso)) {
		symbols_read_kernel(dsos->data, dso, dsos->kernel_text);
	} else if (symbols_are_made(dso->name)) {
		symbols_read_made(dsos->data, dso);
	}
	if (symbols_are_made(dso->name))
		symbol_table_finish_latest(&dso->table);
	else
		symbol_table_finish(&dso->table);
	if (dso->table.failed)
		say(dsos->data->ctx, PMUCTL_LOG_WARNING,
		    "%s: out of memory, so that some of its symbols are missing", dso->name);
}

static struct dso *get_loaded(struct dsos *dsos, uint32_t number)
{
	struct dso *dso = dsos_get(dsos, number);

	if (!dso->loaded && number)
		load(dsos, dso);
	return dso;
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
	struct dso *dso = get_loaded(data->dsos, place->dso);
	struct symbol *found;

	*symbol = (struct pmuctl_symbol){ .name = NULL };
	if (!place->dso)
		return;
	found = symbol_table_find(&dso->table, place->address + dso->shift);
	if (!found)
		return;
	symbol->name = shown_name(data, found);
	symbol->start = found->start - dso->shift;
	symbol->size = found->size;
}

int pmuctl_data_named(struct pmuctl_data *data, uint32_t number, const char *name,
		      struct pmuctl_symbol *symbol)
{
	struct dso *dso = get_loaded(data->dsos, number);
	size_t i;

	*symbol = (struct pmuctl_symbol){ .name = NULL };
	if (!number || !dso->table.count)
		return -ENODATA;
	for (i = 0; i < dso->table.count; i++) {
		struct symbol *s = &dso->table.symbols[i];

		if (strcmp(shown_name(data, s), name) != 0)
			continue;
		*symbol = (struct pmuctl_symbol){ s->name, s->start - dso->shift, s->size };
		return 0;
	}
	return -ENOENT;
}

/* The kernel's addresses in its ELF file are known once its symbols are. */
static struct dso *get_shifted(struct dsos *dsos, uint32_t number)
{
	struct dso *dso = dsos_get(dsos, number);

	return is_kernel(dso) ? get_loaded(dsos, number) : dso;
}

void pmuctl_data_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		      const char **file, unsigned int *line)
{
	struct dso *dso = get_shifted(data->dsos, place->dso);

	*line = 0;
	if (dso->jit) {
		*file = jitdump_line(dso, place->address, line);
		return;
	}
	*file = dso->object ? object_line(dso->object, place->address + dso->shift, line) : NULL;
}

int pmuctl_data_inlined(struct pmuctl_data *data, const struct pmuctl_place *place,
			const struct pmuctl_inlined **inlined)
{
	struct dso *dso = get_shifted(data->dsos, place->dso);

	*inlined = NULL;
	return dso->object ? object_inlined(dso->object, place->address + dso->shift, inlined) :
			     -ENODATA;
}

int pmuctl_data_variable(struct pmuctl_data *data, const struct pmuctl_place *place,
			 struct pmuctl_variable *variable)
{
	struct dso *dso = get_shifted(data->dsos, place->dso);
	struct pmuctl_variable own = { .size = sizeof(own) };
	int err = -ENODATA;

	if (dso->object)
		err = object_variable(dso->object, place->address + dso->shift, &own);
	own.start -= dso->shift;
	return err ? err : give_sized(NULL, variable, &own, sizeof(own));
}

size_t pmuctl_data_text(struct pmuctl_data *data, const struct pmuctl_place *place,
			void *text, size_t size)
{
	struct dso *dso = get_shifted(data->dsos, place->dso);

	if (dso->object)
		return object_text(dso->object, place->address + dso->shift, text, size);
	if (dso->jit)
		return jitdump_text(dso, place->address, text, size);
	return is_kernel(dso) ? kernel_text(data, dso, place->address, text, size) : 0;
}

unsigned int pmuctl_data_bits(struct pmuctl_data *data, uint32_t number, const char **machine)
{
	const struct dso *dso = dsos_get(data->dsos, number);
	const char *unused;

	if (!machine)
		machine = &unused;
	*machine = "x86";
	if (dso->object)
		return object_bits(dso->object, machine);
	return strcmp(dso->name, DSO_VDSO32) ? 64 : 32;
}

const char *pmuctl_data_missing(struct pmuctl_data *data, uint32_t number)
{
	return number ? get_loaded(data->dsos, number)->why : NULL;
}

/* ---- what is read of a DSO ----------------------------------------------------------------- */

static const char *name_below(const struct pmuctl_data *data, const char *path)
{
	const char *root = data->where.symfs;
	size_t len = root ? strlen(root) : 0;

	return path + (root && !strncmp(path, root, len) ? len : 0);
}

static int give_object(struct pmuctl_data *data, const struct dso *dso, pmuctl_data_file_fn *fn,
		       void *fn_data)
{
	const char *debug = object_debug_path(dso->object);
	struct pmuctl_data_file file = { .name = dso->name };
	int ret;

	file.bytes = object_image(dso->object, &file.size);
	if (!file.bytes)
		file.path = object_path(dso->object);
	ret = fn(fn_data, &file);
	if (ret || !debug)
		return ret;
	return fn(fn_data, &(struct pmuctl_data_file){
		.path = debug, .name = object_debug_name(dso->object, name_below(data, debug)),
	});
}

int pmuctl_data_files(struct pmuctl_data *data, uint32_t number, pmuctl_data_file_fn *fn,
		      void *fn_data)
{
	const struct dso *dso = number ? get_loaded(data->dsos, number) : NULL;
	char path[PATH_MAX];

	if (!fn)
		return is_null(data->ctx, "the function for files");
	if (!dso || dso->whole)
		return 0;
	if (dso->object)
		return give_object(data, dso, fn, fn_data);
	if (!dso->table.count)
		return 0;
	if (is_kernel(dso))
		symbols_kernel_list(data, path);
	else
		snprintf(path, sizeof(path), "%s", dso->made ? dso->made : dso->name);
	return fn(fn_data, &(struct pmuctl_data_file){
		.path = path, .name = is_kernel(dso) ? KALLSYMS : dso->name,
	});
}
