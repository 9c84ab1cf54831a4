// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files that were mapped while a session was recorded, and their build-ids:
 * by them a reader knows whether a file is still the one that ran.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/build_id.h"
#include "lib/record/dump.h"

/* A table of names, open addressing, never more than half full. */
struct dump_files {
	char **names;
	size_t used, room;
};

int dump_files_open(struct pmuctl_dump *d)
{
	d->files = calloc(1, sizeof(*d->files));
	if (d->files)
		d->files->names = calloc(64, sizeof(char *));
	if (!d->files || !d->files->names)
		return fail(d->ctx, -ENOMEM, "out of memory");
	d->files->room = 64;
	return 0;
}

static size_t hash(const char *text)
{
	size_t h = 5381;

	while (*text)
		h = h * 33 + (unsigned char)*text++;
	return h;
}

/* Where it is, or where it would go. */
static char **find(char **names, size_t room, const char *name)
{
	size_t at = hash(name) & (room - 1);

	while (names[at] && strcmp(names[at], name) != 0)
		at = (at + 1) & (room - 1);
	return &names[at];
}

static bool grow(struct dump_files *f)
{
	char **names = calloc(f->room * 2, sizeof(*names));
	size_t i;

	if (!names)
		return false;
	for (i = 0; i < f->room; i++)
		if (f->names[i])
			*find(names, f->room * 2, f->names[i]) = f->names[i];
	free(f->names);
	f->names = names;
	f->room *= 2;
	return true;
}

/* Without memory for it a file goes without its build-id, which readers take. */
void dump_files_add(struct pmuctl_dump *d, const char *path)
{
	struct dump_files *f = d->files;
	char **place;

	if (path[0] != '/' || !strncmp(path, "//", 2))
		return;
	if (f->used * 2 >= f->room && !grow(f))
		return;
	place = find(f->names, f->room, path);
	if (*place)
		return;
	*place = strdup(path);
	f->used += !!*place;
}

/* As perf has it: the id's size stands behind its 20 bytes. */
struct build_id_record {
	struct perf_event_header header;
	int32_t pid;
	uint8_t id[BUILD_ID_MAX];
	uint8_t size;
	uint8_t pad[3];
};

#define MISC_BUILD_ID_SIZE (1 << 15)
#define KERNEL_PID (-1)

static int put_build_id(struct dump_buffer *to, const char *name, uint16_t misc, int32_t pid,
			const struct build_id *id)
{
	size_t len = (strlen(name) + 1 + 63) & ~63ul;
	struct build_id_record r = {
		.header = {
			.misc = misc | MISC_BUILD_ID_SIZE,
			.size = (uint16_t)(sizeof(r) + len),
		},
		.pid = pid,
		.size = (uint8_t)id->size,
	};
	char *text;

	memcpy(r.id, id->bytes, id->size);
	if (dump_append(to, &r, sizeof(r)))
		return -ENOMEM;
	text = dump_room(to, len);
	if (!text)
		return -ENOMEM;
	memset(text, 0, len);
	snprintf(text, len, "%s", name);
	return 0;
}

int dump_files_put(struct pmuctl_dump *d, struct dump_buffer *to)
{
	const struct dump_files *f = d->files;
	struct build_id id;
	size_t i;
	int err = 0;

	if (build_id_of_kernel(&id))
		err = put_build_id(to, "[kernel.kallsyms]", PERF_RECORD_MISC_KERNEL, KERNEL_PID,
				   &id);
	for (i = 0; !err && i < f->room; i++)
		if (f->names[i] && build_id_of_file(f->names[i], &id))
			err = put_build_id(to, f->names[i], PERF_RECORD_MISC_USER, KERNEL_PID, &id);
	return err;
}

void dump_files_close(struct pmuctl_dump *d)
{
	size_t i;

	if (!d->files)
		return;
	for (i = 0; i < d->files->room; i++)
		free(d->files->names[i]);
	free(d->files->names);
	free(d->files);
}
