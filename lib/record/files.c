// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files that were mapped while a session was recorded, and their build-ids:
 * by them a reader knows whether a file is still the one that ran.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/build_id.h"
#include "lib/base/regular.h"
#include "lib/code/perf_features.h"
#include "lib/record/dump.h"

/* Where in a PERF_RECORD_MMAP2 device and inode are. */
#define MMAP2_FILE 40

/* One file; what has one name may be several, in containers or one after the other. */
struct file {
	char *name;		/* NULL: the slot is free */
	struct file_id id;
	struct build_id build;
	bool had, missed;	/* it could be looked into; not, and that is counted */
	bool marked;		/* its records have the build-id themselves */
	bool used;		/* the next file has a record of it */
	int fd;			/* open until the end, since its name is gone by then; -1: not */
};

/* So many stay open. */
#define OPEN_MAX_FILES 256

/* Open addressing, never more than half full. */
struct dump_files {
	struct file *slots;
	size_t used, room;
	/* Files of code that could not be had, and the first of them. */
	size_t missing;
	char *first;
	uint32_t first_pid;
	size_t open;
	size_t lost;		/* that could not be kept */
};

int dump_files_open(struct pmuctl_dump *d)
{
	d->files = calloc(1, sizeof(*d->files));
	if (d->files)
		d->files->slots = calloc(64, sizeof(*d->files->slots));
	if (!d->files || !d->files->slots)
		return fail(d->ctx, -ENOMEM, "out of memory");
	d->files->room = 64;
	return 0;
}

/* Those of one name follow each other. */
static size_t hash(const char *text)
{
	size_t h = 5381;

	while (*text)
		h = h * 33 + (unsigned char)*text++;
	return h;
}

static bool same_file(const struct file_id *a, const struct file_id *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

/* Where it is, or where it would go; *others: another of its name is told by that alone. */
static struct file *find(const struct dump_files *f, const char *name, const struct file_id *id,
			 bool *others)
{
	size_t at = hash(name) & (f->room - 1);

	*others = false;
	for (; f->slots[at].name; at = (at + 1) & (f->room - 1)) {
		if (strcmp(f->slots[at].name, name) != 0)
			continue;
		if (same_file(&f->slots[at].id, id))
			break;
		*others |= !f->slots[at].marked;
	}
	return &f->slots[at];
}

static bool grow(struct dump_files *f)
{
	struct dump_files more = { .room = f->room * 2 };
	bool unused;
	size_t i;

	more.slots = calloc(more.room, sizeof(*more.slots));
	if (!more.slots)
		return false;
	for (i = 0; i < f->room; i++)
		if (f->slots[i].name)
			*find(&more, f->slots[i].name, &f->slots[i].id, &unused) = f->slots[i];
	free(f->slots);
	f->slots = more.slots;
	f->room = more.room;
	return true;
}

/* ---- the file itself ------------------------------------------------------------------------ */

/* The one that the record means; its build-id, if it has any.  -1: it is not there. */
static int try_file(const char *path, const struct file_id *id, struct build_id *build)
{
	int fd = object_is_file(path, id) ? open_linked(path) : -1;

	if (fd >= 0 && !build_id_of_fd(fd, build))
		build->size = 0;
	return fd;
}

/*
 * By its name; below the root of its process, which may have another file of that name; or by
 * the mapping, which has it when no name does any more.  *outside: not by its name here.
 */
static int look_into(const struct dump_mapping *m, struct build_id *build, bool *outside)
{
	char path[PATH_MAX];
	int fd = try_file(m->name, &m->file, build);

	*outside = fd < 0;
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/root%.4000s", m->pid, m->name);
	fd = try_file(path, &m->file, build);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, m->pid, m->start,
		 m->end);
	return try_file(path, &m->file, build);
}

static void note_missing(struct dump_files *f, const struct dump_mapping *m)
{
	if (!m->code || !m->file.inode)
		return;
	if (!f->missing++) {
		f->first = strdup(m->name);
		f->first_pid = m->pid;
	}
}

/* What has a build-id; without one nobody would find it again. */
static int hold(struct dump_files *f, const struct build_id *build, int fd)
{
	if (build->size && f->open < OPEN_MAX_FILES) {
		f->open++;
		return fd;
	}
	f->lost += !!build->size;
	close(fd);
	return -1;
}

static void take(struct dump_files *f, struct file *file, const struct dump_mapping *m,
		 bool others)
{
	bool outside;
	int fd = look_into(m, &file->build, &outside);

	file->had = fd >= 0;
	if (!file->had)
		note_missing(f, m);
	else if (outside)
		file->fd = hold(f, &file->build, fd);
	else
		close(fd);
	/* One name has one build-id in the list of them. */
	file->marked = file->build.size && (outside || others);
}

/* What was not to be had as data of a process may be, and is missed, as its code. */
static const struct file *add(struct dump_files *f, const struct dump_mapping *m)
{
	bool others;
	struct file *file = find(f, m->name, &m->file, &others);

	if (file->name && (file->had || !m->code || file->missed))
		return file;
	if (!file->name) {
		*file = (struct file){ .name = strdup(m->name), .id = m->file, .fd = -1 };
		if (!file->name)
			return NULL;
		f->used++;
	}
	take(f, file, m, others);
	file->missed = !file->had && m->code;
	return file;
}

/* Without memory for it a file goes without its build-id, which readers take. */
const struct build_id *dump_files_add(struct pmuctl_dump *d, const struct dump_mapping *m)
{
	struct dump_files *f = d->files;
	const struct file *file;

	if (d->live)
		return NULL;
	if (m->code && (m->name[0] != '/' || !strncmp(m->name, "//", 2) ||
			!strncmp(m->name, "/memfd:", 7)))
		dump_owners_note(d, m->pid);
	if (m->name[0] != '/' || !strncmp(m->name, "//", 2))
		return NULL;
	if (f->used * 2 >= f->room && !grow(f))
		return NULL;
	file = add(f, m);
	return file && file->marked ? &file->build : NULL;
}

/* As the kernel does it itself for who asks: in the place of device and inode. */
void dump_mark_mapping(void *record, const struct build_id *id)
{
	struct {
		uint8_t size, reserved[3];
		uint8_t bytes[BUILD_ID_MAX];
	} mark = { .size = id->size };
	struct perf_event_header h;

	memcpy(mark.bytes, id->bytes, sizeof(mark.bytes));
	memcpy(&h, record, sizeof(h));
	h.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	memcpy(record, &h, sizeof(h));
	memcpy((char *)record + MMAP2_FILE, &mark, sizeof(mark));
}

/* ---- what is written ------------------------------------------------------------------------- */

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
			.type = RECORD_BUILD_ID,
			.misc = misc | MISC_BUILD_ID_SIZE,
			.size = (uint16_t)(sizeof(r) + len),
		},
		.pid = pid,
		.size = id->size,
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

static void keep_all(struct dump_files *f)
{
	size_t i;

	for (i = 0; i < f->room; i++)
		if (f->slots[i].name && f->slots[i].fd >= 0)
			f->lost += !dump_keep_file(f->slots[i].fd, f->slots[i].name,
						   &f->slots[i].build);
}

static void say_missing(const struct pmuctl_dump *d)
{
	const struct dump_files *f = d->files;

	if (f->lost)
		say(d->ctx, PMUCTL_LOG_WARNING, "%zu files that only their processes saw could not be "
		    "kept below ~/.debug: their functions have names as long as those live", f->lost);
	if (f->missing)
		say(d->ctx, PMUCTL_LOG_WARNING, "%zu files of code were not to be had while they ran, "
		    "the first %s of process %u: the file has no build-id of them, and one that has the "
		    "name is not taken for them", f->missing, f->first ? f->first : "", f->first_pid);
}

int dump_files_put(struct pmuctl_dump *d, struct dump_buffer *to)
{
	struct dump_files *f = d->files;
	struct build_id id;
	size_t i;
	int err = 0;

	keep_all(f);
	say_missing(d);
	if (build_id_of_kernel(&id))
		err = put_build_id(to, "[kernel.kallsyms]", PERF_RECORD_MISC_KERNEL, KERNEL_PID,
				   &id);
	for (i = 0; !err && i < f->room; i++)
		if (f->slots[i].name && f->slots[i].build.size && !f->slots[i].marked)
			err = put_build_id(to, f->slots[i].name, PERF_RECORD_MISC_USER, KERNEL_PID,
					   &f->slots[i].build);
	return err;
}

/* ---- the next file --------------------------------------------------------------------------- */

static bool is_of(const struct file *file, const struct mmap2 *m, const char *name)
{
	struct file_id id = { m->major, m->minor, m->inode };
	struct {
		uint8_t size, reserved[3], bytes[BUILD_ID_MAX];
	} mark;

	if (!file->name || strcmp(file->name, name) != 0)
		return false;
	if (!(m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return same_file(&file->id, &id);
	memcpy(&mark, (const char *)m + MMAP2_FILE, sizeof(mark));
	return file->build.size == mark.size &&
	       !memcmp(file->build.bytes, mark.bytes, file->build.size);
}

static void use(struct dump_files *f, const unsigned char *record)
{
	const char *name = (const char *)record + sizeof(struct mmap2);
	size_t at = hash(name) & (f->room - 1);
	struct mmap2 m;

	memcpy(&m, record, sizeof(m));
	for (; f->slots[at].name; at = (at + 1) & (f->room - 1))
		f->slots[at].used |= is_of(&f->slots[at], &m, name);
}

static void use_all(struct pmuctl_dump *d, size_t at)
{
	struct perf_event_header h;

	for (; at < d->tasks.used; at += h.size) {
		memcpy(&h, d->tasks.bytes + at, sizeof(h));
		if (h.type == PERF_RECORD_MMAP2)
			use(d->files, d->tasks.bytes + at);
	}
}

static void drop(struct dump_files *f, struct file *file)
{
	if (file->fd >= 0) {
		close(file->fd);
		f->open--;
	}
	free(file->name);
	*file = (struct file){ .name = NULL };
}

/* Without memory for another table all of them stay, which costs no more than room. */
void dump_files_renew(struct pmuctl_dump *d, size_t at)
{
	struct dump_files *f = d->files;
	struct file *old = f->slots, *slots = calloc(f->room, sizeof(*slots));
	bool unused;
	size_t i;

	use_all(d, at);
	f->lost = f->missing = 0;
	free(f->first);
	f->first = NULL;
	if (!slots)
		return;
	f->slots = slots;
	f->used = 0;
	for (i = 0; i < f->room; i++) {
		if (!old[i].name)
			continue;
		if (!old[i].used) {
			drop(f, &old[i]);
			continue;
		}
		old[i].used = false;
		*find(f, old[i].name, &old[i].id, &unused) = old[i];
		f->used++;
	}
	free(old);
}

void dump_files_close(struct pmuctl_dump *d)
{
	size_t i;

	if (!d->files)
		return;
	for (i = 0; i < d->files->room; i++) {
		if (d->files->slots[i].name && d->files->slots[i].fd >= 0)
			close(d->files->slots[i].fd);
		free(d->files->slots[i].name);
	}
	free(d->files->slots);
	free(d->files->first);
	free(d->files);
}
