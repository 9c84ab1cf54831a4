// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A file of code as it is on this machine: found by its name or build-id, and
 * taken only if it is the one that was recorded.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/private.h"
#include "lib/code/elfutils.h"
#include "lib/code/object.h"

static bool is_recorded(const struct elfutils *e, Elf *elf, const struct build_id *id)
{
	const void *bytes;
	ssize_t size;

	if (!id->size)
		return true;
	size = e->build_id(elf, &bytes);
	return size == id->size && !memcmp(bytes, id->bytes, (size_t)size);
}

/* Only regular files: a name in a hostile file may lead to a device or a pipe. */
static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

bool elf_file_open(const char *path, const struct build_id *id, struct elf_file *file)
{
	const struct elfutils *e = elfutils();

	file->elf = NULL;
	file->fd = open_regular(path);
	if (file->fd < 0)
		return false;
	file->elf = e->begin(file->fd, ELF_C_READ_MMAP, NULL);
	if (file->elf && is_recorded(e, file->elf, id))
		return true;
	elf_file_close(file);
	return false;
}

void elf_file_close(struct elf_file *file)
{
	if (file->elf)
		elfutils()->end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct elf_file){ .fd = -1 };
}

void build_id_path(const struct build_id *id, const char *before, const char *behind, char *path,
		   size_t size)
{
	char hex[2 * BUILD_ID_MAX + 1] = "";
	size_t i;

	for (i = 0; i < id->size; i++)
		snprintf(hex + 2 * i, 3, "%02x", id->bytes[i]);
	snprintf(path, size, "%s/.build-id/%.2s/%s%s", before, hex, id->size ? hex + 2 : "",
		 behind);
}

/* perf keeps what it recorded below ~/.debug. */
static bool open_kept(const struct build_id *id, const char *behind, struct elf_file *file)
{
	const char *home = secure_getenv("HOME");
	char top[PATH_MAX], path[PATH_MAX];

	if (!home || !id->size)
		return false;
	snprintf(top, sizeof(top), "%.3000s/.debug", home);
	build_id_path(id, top, behind, path, sizeof(path));
	return elf_file_open(path, id, file);
}

/* It is no file, so that a record of it seldom has its build-id: then its kernel tells. */
static bool is_vdso_known(struct pmuctl_data *data, const struct dso *dso)
{
	return dso->id.size || (data->info.release[0] && symbols_is_running_kernel(data, dso));
}

/* The kernel gives every process the same one; ours will do, if it is the same. */
static bool open_vdso(struct pmuctl_data *data, const struct dso *dso, struct elf_file *file)
{
	const struct build_id *id = &dso->id;
	const struct elfutils *e = elfutils();
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);	/* NOLINT: a number by nature */
	Elf64_Ehdr header;

	file->fd = -1;
	if (image && is_vdso_known(data, dso)) {
		memcpy(&header, image, sizeof(header));
		/* The headers of its sections are the last that it has. */
		file->elf = e->memory(image, header.e_shoff +
						     (size_t)header.e_shnum * header.e_shentsize);
	}
	if (file->elf && is_recorded(e, file->elf, id))
		return true;
	elf_file_close(file);
	return open_kept(id, "/vdso", file);
}

static bool open_main(struct pmuctl_data *data, const struct dso *dso, struct elf_file *file)
{
	if (!strcmp(dso->name, DSO_VDSO))
		return open_vdso(data, dso, file);
	return elf_file_open(dso->name, &dso->id, file) || open_kept(&dso->id, "/elf", file);
}

struct object *object_open(struct pmuctl_data *data, const struct dso *dso)
{
	struct object *object;

	if (!elfutils()) {
		say(data->ctx, PMUCTL_LOG_WARNING,
		    "libdw.so.1 cannot be loaded, so there are no symbols; install libdw1");
		return NULL;
	}
	object = calloc(1, sizeof(*object));
	if (!object)
		return NULL;
	object->data = data;
	object->name = dso->name;
	object->debug.fd = -1;
	if (open_main(data, dso, &object->file))
		return object;
	free(object);
	return NULL;
}

void object_close(struct object *object)
{
	if (object->dwarf)
		elfutils()->dwarf_end(object->dwarf);
	free(object->units);
	elf_file_close(&object->debug);
	elf_file_close(&object->file);
	free(object);
}

/* Of a file without a build-id nothing says that another belongs to it. */
static bool try_debug(struct object *object, const char *path, const struct build_id *id)
{
	return elf_file_open(path, id, &object->debug);
}

static bool try_link(struct object *object, const struct build_id *id, const char *link)
{
	const char *slash = strrchr(object->name, '/');
	int dir = slash ? (int)(slash - object->name) : 0;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s/%s", dir, object->name, link);
	if (strcmp(path, object->name) != 0 && try_debug(object, path, id))
		return true;
	snprintf(path, sizeof(path), "%.*s/.debug/%s", dir, object->name, link);
	if (try_debug(object, path, id))
		return true;
	snprintf(path, sizeof(path), "/usr/lib/debug%.*s/%s", dir, object->name, link);
	return try_debug(object, path, id);
}

/* The file with what was stripped off, if it is installed; looked for once. */
const struct elf_file *object_debug(struct object *object)
{
	const struct elfutils *e = elfutils();
	struct build_id id = { .size = 0 };
	char path[PATH_MAX];
	const char *link;
	const void *bytes;
	GElf_Word crc;
	ssize_t size;

	if (object->searched)
		return object->debug.elf ? &object->debug : NULL;
	object->searched = true;
	size = e->build_id(object->file.elf, &bytes);
	if (size <= 0 || size > BUILD_ID_MAX)
		return NULL;
	id.size = (uint8_t)size;
	memcpy(id.bytes, bytes, id.size);
	build_id_path(&id, "/usr/lib/debug", ".debug", path, sizeof(path));
	link = e->debuglink(object->file.elf, &crc);
	if (try_debug(object, path, &id) || (link && try_link(object, &id, link)))
		return &object->debug;
	return NULL;
}

static bool is_loaded(const GElf_Phdr *header)
{
	return header->p_type == PT_LOAD;
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
			(*segments)[count++] = (struct segment){
				header.p_offset, header.p_filesz, header.p_vaddr, header.p_memsz,
			};
	return count;
}

size_t object_text(struct object *object, uint64_t address, void *text, size_t size)
{
	const struct elfutils *e = elfutils();
	size_t i, headers = 0;
	GElf_Phdr header;

	if (e->getphdrnum(object->file.elf, &headers))
		return 0;
	for (i = 0; i < headers; i++) {
		uint64_t at;
		Elf_Data *data;

		if (!e->getphdr(object->file.elf, (int)i, &header) || !is_loaded(&header) ||
		    address - header.p_vaddr >= header.p_filesz)
			continue;
		at = address - header.p_vaddr;
		if (size > header.p_filesz - at)
			size = (size_t)(header.p_filesz - at);
		data = e->rawchunk(object->file.elf, (int64_t)(header.p_offset + at), size,
				   ELF_T_BYTE);
		if (!data)
			return 0;
		memcpy(text, data->d_buf, data->d_size);
		return data->d_size;
	}
	return 0;
}
