// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What stands behind the records of perf.data: where it was recorded, what the
 * events are called, and the build-ids of the files.  It is told what cannot be
 * used of it, and nothing depends on it: records are read without.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/code/perf_features.h"
#include "lib/perfdata/perfdata.h"

/* Longer ones are not there to be read by us. */
#define SECTION_MAX (64 * 1024 * 1024)

/* More than Linux knows. */
#define CPUS_MAX 8192

struct bytes {
	const uint8_t *at;
	size_t left;
};

static bool take(struct bytes *b, void *to, size_t size)
{
	if (b->left < size)
		return false;
	memcpy(to, b->at, size);
	b->at += size;
	b->left -= size;
	return true;
}

static bool skip(struct bytes *b, size_t size)
{
	if (b->left < size)
		return false;
	b->at += size;
	b->left -= size;
	return true;
}

/* A length, and a text that is padded to it. */
static const char *take_string(struct pmuctl_data *data, struct bytes *b)
{
	const char *text;
	uint32_t len;

	if (!take(b, &len, sizeof(len)))
		return NULL;
	text = (const char *)b->at;
	return skip(b, len) ? strings_add(&data->strings, text, len) : NULL;
}

static void take_text(struct pmuctl_data *data, struct bytes *b, const char **to)
{
	const char *text = take_string(data, b);

	if (text)
		*to = text;
}

static void read_hostname(struct pmuctl_data *data, struct bytes *b)
{
	take_text(data, b, &data->info.hostname);
}

static void read_release(struct pmuctl_data *data, struct bytes *b)
{
	take_text(data, b, &data->info.release);
}

static void read_owners(struct pmuctl_data *data, struct bytes *b)
{
	uint32_t count;

	if (data->owners || !take(b, &count, sizeof(count)) || !count ||
	    count > b->left / sizeof(*data->owners))
		return;
	data->owners = malloc(count * sizeof(*data->owners));
	if (data->owners && take(b, data->owners, count * sizeof(*data->owners)))
		data->owners_count = count;
}

/* Of a pipe it comes twice: the owners are known at the end. */
static void read_version(struct pmuctl_data *data, struct bytes *b)
{
	const char *text = take_string(data, b);

	if (!text)
		return;
	data->info.version = text;
	if (!strncmp(text, PERF_FEATURE_PMUCTL, strlen(PERF_FEATURE_PMUCTL)))
		read_owners(data, b);
}

static void read_arch(struct pmuctl_data *data, struct bytes *b)
{
	take_text(data, b, &data->info.arch);
}

static void read_cpuid(struct pmuctl_data *data, struct bytes *b)
{
	take_text(data, b, &data->info.cpuid);
}

/* Available, and online. */
static void read_cpus(struct pmuctl_data *data, struct bytes *b)
{
	uint32_t cpus[2];

	if (take(b, cpus, sizeof(cpus)))
		data->info.cpus = cpus[1];
}

/* The words of the command, with a space between. */
static void read_command(struct pmuctl_data *data, struct bytes *b)
{
	const char *word, *kept;
	char *line = NULL;
	uint32_t count, i;
	size_t len;
	FILE *f;

	if (!take(b, &count, sizeof(count)))
		return;
	f = open_memstream(&line, &len);
	for (i = 0; i < count && f && (word = take_string(data, b)); i++)
		fprintf(f, "%s%s", i ? " " : "", word);
	kept = f && !fclose(f) ? strings_add(&data->strings, line, len) : NULL;
	if (kept)
		data->info.command = kept;
	free(line);
}

/* By one of its ids, or by its place. */
static void name_event(struct pmuctl_data *data, uint32_t place, uint32_t ids, struct bytes *b,
		       const char *name)
{
	int64_t event = place;
	uint64_t id;

	if (ids && take(b, &id, sizeof(id)) && data_ids_find(&data->ids, id) >= 0)
		event = data_ids_find(&data->ids, id);
	if (event < (int64_t)data->events_count)
		data->described[event].name = name;
}

static void read_event_desc(struct pmuctl_data *data, struct bytes *b)
{
	uint32_t i, count, attr_size, ids;

	if (!take(b, &count, sizeof(count)) || !take(b, &attr_size, sizeof(attr_size)))
		return;
	for (i = 0; i < count; i++) {
		const char *name;
		struct bytes own;

		if (!skip(b, attr_size) || !take(b, &ids, sizeof(ids)))
			return;
		name = take_string(data, b);
		own = *b;
		if (!name || ids > b->left / 8 || !skip(b, (size_t)ids * 8))
			return;
		name_event(data, i, ids, &own, name);
	}
}

struct build_id_record {
	struct perf_event_header header;
	int32_t pid;
	uint8_t id[24];		/* its length behind 20 bytes, if the header says so */
};

#define MISC_BUILD_ID_SIZE (1 << 15)

static void take_build_id(struct pmuctl_data *data, const struct build_id_record *r,
			  const char *name, size_t room)
{
	size_t size = BUILD_ID_MAX;
	struct build_id id;
	const char *text;

	if (r->header.misc & MISC_BUILD_ID_SIZE)
		size = r->id[BUILD_ID_MAX];
	text = strings_add(&data->strings, name, room);
	if (!text || size > BUILD_ID_MAX)
		return;
	build_id_set(&id, r->id, size);
	dsos_set_build_id(data->dsos, text, &id);
}

static void read_build_ids(struct pmuctl_data *data, struct bytes *b)
{
	struct build_id_record r;

	while (take(b, &r, sizeof(r))) {
		const char *name = (const char *)b->at;
		size_t room;

		if (r.header.size < sizeof(r))
			return;
		room = r.header.size - sizeof(r);
		if (!skip(b, room))
			return;
		take_build_id(data, &r, name, room);
	}
}

/* Records of them are put in a row, as the feature has them. */
int data_keep_build_id(struct pmuctl_data *data, const struct perf_event_header *record)
{
	void *more;

	while (data->build_ids_room - data->build_ids_size < record->size) {
		more = data_grow(data->build_ids, &data->build_ids_room, data->build_ids_room, 1);
		if (!more)
			return -ENOMEM;
		data->build_ids = more;
	}
	memcpy(data->build_ids + data->build_ids_size, record, record->size);
	data->build_ids_size += record->size;
	return 0;
}

void data_give_build_ids(struct pmuctl_data *data)
{
	struct bytes b = { data->build_ids, data->build_ids_size };

	read_build_ids(data, &b);
}

/* The CPUs of a core, "0,4" or "0-1": all of them are called by the lowest. */
static void take_core(struct pmuctl_data *data, const char *list)
{
	unsigned long first, last, core = strtoul(list, NULL, 10);
	char *end;

	for (;; list = end + 1) {
		first = last = strtoul(list, &end, 10);
		if (end != list && *end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == list || last >= CPUS_MAX || core > first)
			return;
		for (; first <= last; first++)
			data->cores[first] = (uint32_t)core;
		if (*end != ',')
			return;
	}
}

/* Lists of the CPUs of each package, and of each core; numbers of both follow. */
static void read_topology(struct pmuctl_data *data, struct bytes *b)
{
	const char *list;
	uint32_t count, cpu;
	bool cores;

	if (!data->cores) {
		data->cores = malloc(CPUS_MAX * sizeof(*data->cores));
		for (cpu = 0; data->cores && cpu < CPUS_MAX; cpu++)
			data->cores[cpu] = cpu;
	}
	for (cores = false; data->cores && take(b, &count, sizeof(count)); cores = true) {
		for (; count && (list = take_string(data, b)); count--)
			if (cores)
				take_core(data, list);
		if (count || cores)
			return;
	}
}

/* Of one cache: level, line, sets, ways; its kind, its size, the CPUs that have it. */
static bool take_cache(struct pmuctl_data *data, struct bytes *b)
{
	const char *kind;
	uint32_t words[4];

	if (!take(b, words, sizeof(words)))
		return false;
	kind = take_string(data, b);
	if (!kind || !take_string(data, b) || !take_string(data, b))
		return false;
	if (words[0] != 1 || !strcmp(kind, "Instruction") || !words[1] || !words[2] || !words[3])
		return true;
	data->info.l1d.line = words[1];
	data->info.l1d.sets = words[2];
	data->info.l1d.ways = words[3];
	return true;
}

static void read_caches(struct pmuctl_data *data, struct bytes *b)
{
	uint32_t head[2];	/* version and count */

	if (!take(b, head, sizeof(head)) || head[0] != 1)
		return;
	while (head[1]-- && take_cache(data, b))
		;
}

/* Of the first and the last sample, on their clock. */
static void read_sample_time(struct pmuctl_data *data, struct bytes *b)
{
	uint64_t times[2];

	if (!take(b, times, sizeof(times)) || times[1] < times[0])
		return;
	data->first_time = times[0];
	data->info.duration = times[1] - times[0];
}

/* One moment on both; it is behind the times in the file. */
static void read_clocks(struct pmuctl_data *data, struct bytes *b)
{
	uint32_t head[2];	/* version, clock */
	uint64_t wall, clock;

	if (!take(b, head, sizeof(head)) || head[0] != 1 || !take(b, &wall, sizeof(wall)) ||
	    !take(b, &clock, sizeof(clock)) || !data->first_time)
		return;
	data->info.began = wall - clock + data->first_time;
}

static const struct reader {
	unsigned int bit;
	void (*read)(struct pmuctl_data *data, struct bytes *b);
} readers[] = {
	{ FEATURE_BUILD_ID, read_build_ids },
	{ FEATURE_HOSTNAME, read_hostname },
	{ FEATURE_OSRELEASE, read_release },
	{ FEATURE_VERSION, read_version },
	{ FEATURE_ARCH, read_arch },
	{ FEATURE_NRCPUS, read_cpus },
	{ FEATURE_CPUID, read_cpuid },
	{ FEATURE_CMDLINE, read_command },
	{ FEATURE_EVENT_DESC, read_event_desc },
	{ FEATURE_CPU_TOPOLOGY, read_topology },
	{ FEATURE_CACHE, read_caches },
	{ FEATURE_SAMPLE_TIME, read_sample_time },
	{ FEATURE_CLOCK_DATA, read_clocks },
};

static int read_section(struct pmuctl_data *data, const struct reader *reader,
			const struct data_section *s)
{
	struct bytes b;
	uint8_t *all;
	int err;

	if (s->offset > data->file_size || s->size > data->file_size - s->offset ||
	    s->size > SECTION_MAX)
		return data_bad(data, s->offset, "the file ends before feature %u", reader->bit);
	all = malloc(s->size ? (size_t)s->size : 1);
	if (!all)
		return data_no_memory(data);
	b = (struct bytes){ all, (size_t)s->size };
	err = data_pread(data, all, b.left, s->offset);
	if (!err)
		reader->read(data, &b);
	free(all);
	return err;
}

uint32_t pmuctl_data_core(const struct pmuctl_data *data, uint32_t cpu)
{
	return data->cores && cpu < CPUS_MAX ? data->cores[cpu] : cpu;
}

static const struct reader *find_reader(unsigned int bit)
{
	size_t i;

	for (i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (readers[i].bit == bit)
			return &readers[i];
	return NULL;
}

struct feature_record {
	struct perf_event_header header;
	uint64_t bit;
};

/* A feature whose reader wants names of DSOs waits for all of them. */
int data_read_feature(struct pmuctl_data *data, const struct perf_event_header *record)
{
	const struct feature_record *f = (const void *)record;
	struct bytes b = { (const uint8_t *)(f + 1), record->size - sizeof(*f) };
	const struct reader *reader;

	if (record->size < sizeof(*f))
		return -EBADMSG;
	reader = f->bit < FEATURES && f->bit != FEATURE_BUILD_ID ?
		 find_reader((unsigned int)f->bit) : NULL;
	if (reader)
		reader->read(data, &b);
	return 0;
}

/* Their sections stand in the order of the bits; only one that is there has a place. */
int data_read_features(struct pmuctl_data *data)
{
	uint64_t at = data->features_at;
	unsigned int bit;
	int err = 0;

	for (bit = 0; bit < FEATURES && data->closed; bit++) {
		const struct reader *reader = find_reader(bit);
		struct data_section s;

		if (!(data->features[bit / 64] >> bit % 64 & 1))
			continue;
		/* What was cut off is not there to be told of. */
		if (data_pread(data, &s, sizeof(s), at)) {
			data->info.cut = true;
			return 0;
		}
		if (reader && read_section(data, reader, &s) == -ENOMEM)
			err = -ENOMEM;
		at += sizeof(s);
	}
	return err;
}
