// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * jit-PID.dump: code that a program made itself.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/private.h"
#include "lib/code/jitdump.h"

#define MAGIC 0x4a695444	/* "DTiJ" in the file of a little-endian machine */
#define VERSION 1
#define FLAG_ARCH_TIME 1	/* times are of the TSC, not ns */
#define SIZE_MOST (1L << 30)	/* no more is read into memory */

enum { CODE_LOAD, CODE_MOVE, CODE_DEBUG, CODE_CLOSE };

/* Nothing in it has to be aligned. */
#define PACKED __attribute__((packed))

struct header {
	uint32_t magic, version, size, machine, reserved, pid;
	uint64_t time, flags;
} PACKED;

struct record {
	uint32_t what, size;
	uint64_t time;
} PACKED;

struct load {
	struct record record;
	uint32_t pid, tid;
	uint64_t unused, address, size, index;
	char name[];		/* then the code */
} PACKED;

struct move {
	struct record record;
	uint32_t pid, tid;
	uint64_t unused, from, to, size, index;
} PACKED;

struct debug {
	struct record record;
	uint64_t address, entries;
	char entry[];
} PACKED;

struct entry {
	uint64_t address;
	uint32_t line, discriminator;
	char file[];
} PACKED;

struct line {
	uint64_t offset;	/* of the code in the file */
	uint64_t end;		/* of its function */
	const char *file;
	unsigned int line;
};

struct jitdump {
	unsigned char *image;
	size_t size;
	struct line *lines;	/* by offset */
	size_t lines_count, lines_room;
	const struct load **loads;	/* by index */
	size_t loads_count, loads_room;
};

/* Whose names and code these are, while the file is gone through. */
struct reading {
	struct pmuctl_data *data;
	struct jitdump *jit;
	struct dso *dso;
	jitdump_fn *fn;
	void *fn_data;
	const struct debug *debug;	/* of the function that comes next */
};

bool jitdump_named(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t digits;

	if (!name || strncmp(name, "/jit-", 5) != 0)
		return false;
	digits = strspn(name + 5, "0123456789");
	return digits && !strcmp(name + 5 + digits, ".dump");
}

/* ---- its records -------------------------------------------------------------------------- */

static int add_line(struct reading *r, uint64_t offset, uint64_t end, const struct entry *e,
		    size_t len)
{
	struct jitdump *jit = r->jit;
	const char *file = strings_add(&r->data->strings, e->file, len);
	void *more = data_grow(jit->lines, &jit->lines_room, jit->lines_count, sizeof(*jit->lines));

	if (!file || !more)
		return -ENOMEM;
	jit->lines = more;
	jit->lines[jit->lines_count++] = (struct line){ offset, end, file, e->line };
	return 0;
}

/* Lines are told before the code that they are of. */
static int take_lines(struct reading *r, const struct load *load, uint64_t code)
{
	const struct debug *d = r->debug;
	const char *at = d ? d->entry : NULL, *end = d ? (const char *)d + d->record.size : NULL;
	uint64_t left = d ? d->entries : 0;
	int err = 0;

	r->debug = NULL;
	if (!d || d->address != load->address)
		return 0;
	for (; !err && left && (size_t)(end - at) > sizeof(struct entry); left--) {
		const struct entry *e = (const void *)at;
		size_t len = strnlen(e->file, (size_t)(end - e->file));

		if (e->file + len == end)
			break;
		if (e->address - load->address < load->size)
			err = add_line(r, code + e->address - load->address, code + load->size, e,
				       len);
		at = e->file + len + 1;
	}
	return err;
}

static const unsigned char *end_of(const struct record *record)
{
	return (const unsigned char *)record + record->size;
}

/* Where in the file the code of such a record is; 0: it is not whole. */
static uint64_t code_of(const struct reading *r, const struct load *load)
{
	const unsigned char *end = end_of(&load->record);
	size_t room = load->record.size < sizeof(*load) ? 0 : (size_t)(end - (const unsigned char *)
								       load->name);
	size_t name = room ? strnlen(load->name, room) : 0;

	if (name == room || load->size > room - name - 1 || load->size > UINT32_MAX)
		return 0;
	return (uint64_t)((const unsigned char *)load->name + name + 1 - r->jit->image);
}

/* Each has a number above those before it: what has not cannot be moved. */
static int note_load(struct jitdump *jit, const struct load *load)
{
	void *more;

	if (jit->loads_count && load->index <= jit->loads[jit->loads_count - 1]->index)
		return 0;
	more = data_grow(jit->loads, &jit->loads_room, jit->loads_count, sizeof(void *));
	if (!more)
		return -ENOMEM;
	jit->loads = more;
	jit->loads[jit->loads_count++] = load;
	return 0;
}

static int take_load(struct reading *r, const struct load *load)
{
	uint64_t code = code_of(r, load);
	const char *name;
	int err;

	if (!code || !load->size)
		return 0;
	name = strings_add(&r->data->strings, load->name, strlen(load->name));
	if (!name)
		return -ENOMEM;
	symbol_table_add(&r->dso->table, &(struct symbol){
		.start = code, .size = (uint32_t)load->size, .name = name, .rank = SYMBOL_GLOBAL,
	});
	err = note_load(r->jit, load);
	if (!err)
		err = r->fn(r->fn_data, load->record.time, load->address, load->size, code);
	return err ? err : take_lines(r, load, code);
}

static int compare_index(const void *index, const void *load)
{
	uint64_t wanted = *(const uint64_t *)index;
	uint64_t has = (*(const struct load *const *)load)->index;

	return wanted < has ? -1 : wanted > has;
}

static const struct load *find_load(const struct jitdump *jit, uint64_t index)
{
	const struct load **found;

	found = jit->loads_count ? bsearch(&index, jit->loads, jit->loads_count,
					   sizeof(void *), compare_index) : NULL;
	return found ? *found : NULL;
}

/* The same code elsewhere: its bytes are where they were in the file. */
static int take_move(struct reading *r, const struct move *move)
{
	const struct load *load;

	if (move->record.size < sizeof(*move))
		return 0;
	load = find_load(r->jit, move->index);
	if (!load || move->size > load->size)
		return 0;
	return r->fn(r->fn_data, move->record.time, move->to, move->size, code_of(r, load));
}

static int take_record(struct reading *r, const struct record *record)
{
	switch (record->what) {
	case CODE_LOAD:
		return take_load(r, (const void *)record);
	case CODE_MOVE:
		return take_move(r, (const void *)record);
	case CODE_DEBUG:
		r->debug = record->size > sizeof(struct debug) ? (const void *)record : NULL;
		return 0;
	default:
		return 0;
	}
}

/* What is behind the last whole record was being written when the program ended. */
static int take_records(struct reading *r)
{
	const unsigned char *at = r->jit->image + ((const struct header *)r->jit->image)->size;
	const unsigned char *end = r->jit->image + r->jit->size;
	int err = 0;

	while (!err && (size_t)(end - at) >= sizeof(struct record)) {
		const struct record *record = (const void *)at;

		if (record->size < sizeof(*record) || record->size > (size_t)(end - at))
			break;
		err = take_record(r, record);
		at += record->size;
	}
	return err;
}

/* ---- the file ----------------------------------------------------------------------------- */

static int by_offset(const void *left, const void *right)
{
	const struct line *l = left, *r = right;

	return l->offset < r->offset ? -1 : l->offset > r->offset;
}

/* NULL, or what is wrong with it. */
static const char *check_header(const struct jitdump *jit)
{
	const struct header *h = (const void *)jit->image;

	if (jit->size < sizeof(*h) || h->magic != MAGIC)
		return "it is no dump of code";
	if (h->version != VERSION || h->size < sizeof(*h) || h->size > jit->size)
		return "it is of another version";
	if (h->flags & FLAG_ARCH_TIME)
		return "it has the times of a TSC, which those of samples are not";
	return NULL;
}

/* Not mapped: whoever writes it may cut it off. */
static struct jitdump *read_file(FILE *f)
{
	struct jitdump *jit = calloc(1, sizeof(*jit));
	struct stat st;

	if (!jit || fstat(fileno(f), &st) || st.st_size <= 0 || st.st_size > SIZE_MOST)
		goto err_free;
	jit->image = malloc((size_t)st.st_size);
	if (!jit->image)
		goto err_free;
	jit->size = fread(jit->image, 1, (size_t)st.st_size, f);
	return jit;

err_free:
	free(jit);
	return NULL;
}

void jitdump_free(struct jitdump *jit)
{
	if (!jit)
		return;
	free(jit->image);
	free(jit->lines);
	free(jit->loads);
	free(jit);
}

int jitdump_take(struct pmuctl_data *data, uint32_t pid, struct dso *dso, jitdump_fn *fn,
		 void *fn_data)
{
	struct reading r = { .data = data, .dso = dso, .fn = fn, .fn_data = fn_data };
	FILE *f;
	int err;

	/* It is mapped by the thread that writes it, perhaps more than once. */
	if (dso->jit || dso->why)
		return 0;
	f = made_open(data, dso, pid);
	if (f) {
		dso->jit = r.jit = read_file(f);
		dso->why = dso->jit ? check_header(dso->jit) :
				      "it is empty, above 1 GiB or cannot be read";
		fclose(f);
	}
	/* No sample is in it, so nobody would ask why. */
	if (dso->why || !r.jit) {
		say(data->ctx, PMUCTL_LOG_WARNING, "%s: %s, so that code which process %u made has no "
		    "names", dso->name, dso->why, pid);
		return 0;
	}
	err = take_records(&r);
	if (dso->jit->lines_count)
		qsort(dso->jit->lines, dso->jit->lines_count, sizeof(struct line), by_offset);
	return err;
}

/* ---- what is asked of it ------------------------------------------------------------------- */

const char *jitdump_line(const struct dso *dso, uint64_t offset, unsigned int *number)
{
	const struct jitdump *jit = dso->jit;
	size_t begun = data_begun(jit->lines, jit->lines_count, sizeof(struct line), offset);
	const struct line *line = begun ? &jit->lines[begun - 1] : NULL;

	if (!line || offset >= line->end)
		return NULL;
	*number = line->line;
	return line->file;
}

size_t jitdump_text(const struct dso *dso, uint64_t offset, void *text, size_t size)
{
	const struct jitdump *jit = dso->jit;

	if (offset >= jit->size)
		return 0;
	if (size > jit->size - offset)
		size = jit->size - offset;
	memcpy(text, jit->image + offset, size);
	return size;
}
