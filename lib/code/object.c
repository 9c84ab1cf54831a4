// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A file of code that is open: its segments, its code, and the file with what was stripped
 * off it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/base/private.h"
#include "lib/code/object.h"

/* ---- the vdso ----------------------------------------------------------------------------- */

/* It is no file, so that a record of it seldom has its build-id: then its kernel tells. */
static bool is_vdso_known(struct pmuctl_data *data, const struct dso *dso)
{
	return dso->id.size || (data->info.release[0] && symbols_is_running_kernel(data, dso));
}

/* The kernel gives every process the same one; ours will do, if it is the same. */
static bool open_own_vdso(struct pmuctl_data *data, struct dso *dso, struct elf_file *file)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);	/* NOLINT: a number by nature */
	Elf64_Ehdr header;

	*file = (struct elf_file){ .elf = NULL };
	if (image && is_vdso_known(data, dso)) {
		memcpy(&header, image, sizeof(header));
		/* The headers of its sections are the last that it has. */
		file->size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
		file->elf = elfutils()->memory(image, file->size);
	}
	if (file->elf && elf_file_has_id(file, &dso->id))
		return true;
	elf_file_close(file);
	return false;
}

static bool open_main(struct pmuctl_data *data, struct dso *dso, struct elf_file *file)
{
	if (dso->name[0] != '[')
		return object_find(data, dso, file);
	if (!data->where.symfs && !strcmp(dso->name, DSO_VDSO) && open_own_vdso(data, dso, file))
		return true;
	if (object_find_vdso(data, dso, file))
		return true;
	dso->why = "another kernel runs here";
	return false;
}

const void *object_image(const struct object *object, size_t *size)
{
	size_t bytes;

	if (object->file.path)
		return NULL;
	*size = object->file.size;
	return elfutils()->rawfile(object->file.elf, &bytes);
}

/* ---- opening ------------------------------------------------------------------------------ */

static struct object *new_object(struct pmuctl_data *data, const struct dso *dso,
				 const struct elf_file *file)
{
	struct object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->data = data;
	object->name = dso->name;
	object->file = *file;
	object->is_debug = elf_file_is_debug(file);
	object->code_at = dso->code_at;
	return object;
}

static bool open_kernel(struct pmuctl_data *data, struct dso *dso, struct elf_file *file)
{
	if (elf_file_open(data->where.vmlinux, &dso->id, file, &dso->why))
		return true;
	say(data->ctx, PMUCTL_LOG_WARNING, "%s: cannot be taken for the kernel: %s",
	    data->where.vmlinux, dso->why);
	return false;
}

typedef bool open_fn(struct pmuctl_data *data, struct dso *dso, struct elf_file *file);

static struct object *open_by(open_fn *fn, struct pmuctl_data *data, struct dso *dso)
{
	struct object *object;
	struct elf_file file;

	if (!elfutils()) {
		say(data->ctx, PMUCTL_LOG_WARNING,
		    "libdw.so.1 cannot be loaded, so there are no symbols; install libdw1");
		dso->why = "libdw.so.1 cannot be loaded";
		return NULL;
	}
	if (!fn(data, dso, &file))
		return NULL;
	object = new_object(data, dso, &file);
	if (!object) {
		elf_file_close(&file);
		dso->why = "out of memory";
	}
	return object;
}

struct object *object_open(struct pmuctl_data *data, struct dso *dso)
{
	return open_by(open_main, data, dso);
}

struct object *object_open_kernel(struct pmuctl_data *data, struct dso *dso)
{
	return open_by(open_kernel, data, dso);
}

void object_close(struct object *object)
{
	const struct elfutils *e = elfutils();

	if (object->cfi)
		e->cfi_end(object->cfi);
	if (object->dwarf)
		e->dwarf_end(object->dwarf);
	if (object->small)
		e->end(object->small);
	free(object->small_image);
	die_ranges_free(&object->units);
	die_ranges_free(&object->variables);
	elf_file_close(&object->debug);
	elf_file_close(&object->file);
	free(object);
}

const char *object_path(const struct object *object)
{
	return object->file.path ? object->file.path : "";
}

const char *object_debug_path(struct object *object)
{
	const struct elf_file *debug = object_debug(object);

	return debug ? debug->path : NULL;
}

/* By build-id; one beside the program is found beside it again. */
const char *object_debug_name(struct object *object, const char *path)
{
	char digits[2 * BUILD_ID_MAX + 1], name[96];
	struct build_id id;

	if (!elf_file_id(&object->debug, &id))
		return path;
	build_id_text(&id, false, digits);
	snprintf(name, sizeof(name), DEBUG_FILES "/.build-id/%.2s/%s.debug", digits, digits + 2);
	path = strings_add(&object->data->strings, name, strlen(name));
	return path ? path : "";
}

unsigned int object_bits(const struct object *object, const char **machine)
{
	return elf_file_bits(&object->file, machine);
}

/* ---- what was stripped off ------------------------------------------------------------------ */

/* Of a file without a build-id nothing says that another belongs to it. */
static bool try_debug(struct object *object, const char *path, const struct build_id *id)
{
	const char *why;

	return elf_file_open(path, id, &object->debug, &why);
}

static bool try_link(struct object *object, const struct build_id *id, const char *link)
{
	const char *slash = strrchr(object->name, '/');
	int dir = slash ? (int)(slash - object->name) : 0;
	const char *root = object->data->where.symfs;
	char path[PATH_MAX];

	root = root ? root : "";
	snprintf(path, sizeof(path), "%.1000s%.*s/%.999s", root, dir, object->name, link);
	if (strcmp(path, object_path(object)) != 0 && try_debug(object, path, id))
		return true;
	snprintf(path, sizeof(path), "%.1000s%.*s/.debug/%.999s", root, dir, object->name, link);
	if (try_debug(object, path, id))
		return true;
	snprintf(path, sizeof(path), "%.1000s" DEBUG_FILES "%.*s/%.999s", root, dir, object->name,
		 link);
	return try_debug(object, path, id);
}

/* The file with what was stripped off, if it is installed; looked for once. */
const struct elf_file *object_debug(struct object *object)
{
	struct build_id id;
	const char *link;
	GElf_Word crc;

	if (object->searched)
		return object->debug.elf ? &object->debug : NULL;
	object->searched = true;
	if (object->is_debug || !elf_file_id(&object->file, &id))
		return NULL;
	link = elfutils()->debuglink(object->file.elf, &crc);
	if ((link && try_link(object, &id, link)) ||
	    object_find_debug(object->data, &id, &object->debug))
		return &object->debug;
	return NULL;
}

/* ---- its code -------------------------------------------------------------------------------- */

static bool is_loaded(const GElf_Phdr *header)
{
	return header->p_type == PT_LOAD;
}

/*
 * What was stripped off keeps addresses, but not where in the file they were: that of code is
 * where the processes mapped it from.
 */
static struct segment segment_of(const struct object *object, const GElf_Phdr *header)
{
	const uint64_t in_page = header->p_vaddr & 4095;

	if (!object->is_debug)
		return (struct segment){ header->p_offset, header->p_filesz, header->p_vaddr,
					 header->p_memsz };
	if (header->p_flags & PF_X)
		return (struct segment){ object->code_at + in_page, header->p_memsz,
					 header->p_vaddr, header->p_memsz };
	return (struct segment){ 0, 0, header->p_vaddr, header->p_memsz };
}

size_t object_segments(struct object *object, struct segment **segments)
{
	const struct elfutils *e = elfutils();
	size_t i, headers = 0, count = 0;
	GElf_Phdr header;

	*segments = NULL;
	if (e->getphdrnum(object->file.elf, &headers) || !headers)
		return 0;
	*segments = calloc(headers, sizeof(**segments));
	for (i = 0; i < headers && *segments; i++)
		if (e->getphdr(object->file.elf, (int)i, &header) && is_loaded(&header))
			(*segments)[count++] = segment_of(object, &header);
	return count;
}

size_t object_text(struct object *object, uint64_t address, void *text, size_t size)
{
	const struct elfutils *e = elfutils();
	size_t i, all, headers = 0;
	/* Not in pieces: libelf keeps each that it gave, and looks through them for the next. */
	const char *bytes = e->rawfile(object->file.elf, &all);
	GElf_Phdr header;

	if (object->is_debug || !bytes || e->getphdrnum(object->file.elf, &headers))
		return 0;
	for (i = 0; i < headers; i++) {
		uint64_t at;

		if (!e->getphdr(object->file.elf, (int)i, &header) || !is_loaded(&header) ||
		    address - header.p_vaddr >= header.p_filesz)
			continue;
		at = address - header.p_vaddr;
		if (size > header.p_filesz - at)
			size = (size_t)(header.p_filesz - at);
		at += header.p_offset;
		if (at > all || size > all - at)
			return 0;
		memcpy(text, bytes + at, size);
		return size;
	}
	return 0;
}
