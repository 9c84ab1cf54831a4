// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the records say beside samples: maps, tasks and what was lost.  One pass
 * at the start, so that every sample can be looked up whatever the order.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "lib/base/private.h"
#include "lib/code/code.h"
#include "lib/code/jitdump.h"
#include "lib/code/perf_features.h"
#include "lib/perfdata/perfdata.h"

struct mmap_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, offset;
	char name[];
};

struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		struct {
			uint8_t id_size, reserved[3];
			uint8_t id[BUILD_ID_MAX];
		};
	};
	uint32_t prot, flags;
	char name[];
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

struct fork_record {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time;
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

struct ksymbol_record {
	struct perf_event_header header;
	uint64_t start;
	uint32_t size;
	uint16_t type, flags;
	char name[];
};

#define KSYMBOL_UNREGISTERED 1

/* PERF_RECORD_MISC_LOST_SAMPLES_BPF, of newer headers. */
#define MISC_FILTERED (1U << 15)

/* perf's own records begin with this type; they have no trailer. */
#define UPDATE_NAME		2

struct event_update_record {
	struct perf_event_header header;
	uint64_t what, id;
	char name[];
};

/* A record with what stands at its end. */
struct record {
	const struct perf_event_header *header;
	size_t size;		/* without the trailer */
	struct data_trailer trailer;
};

/* The text at the end of a record; NULL: there is none, or no end to it. */
static const char *text_of(const struct record *r, size_t at)
{
	const char *text = (const char *)r->header + at;

	return at < r->size && memchr(text, '\0', r->size - at) ? text : NULL;
}

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Huge pages and /dev/zero too: if it is code, a program wrote it itself. */
static bool is_anonymous(const char *name)
{
	return !strcmp(name, DSO_ANON) || begins(name, "/dev/zero") ||
	       begins(name, "/anon_hugepage");
}

/* What a record says of the file that was mapped. */
struct mapped {
	struct build_id id;
	struct file_id file;
};

/* Whether what was mapped can be executed; an old record says so by its mode alone. */
static bool is_code(const struct record *r)
{
	const struct mmap2_record *m = (const void *)r->header;

	if (r->header->type == PERF_RECORD_MMAP2)
		return m->prot & PROT_EXEC;
	return !(r->header->misc & PERF_RECORD_MISC_MMAP_DATA);
}

/* What has a name of its own as data, and is of no file either. */
static bool is_memory(const char *name)
{
	return begins(name, "[stack") || !strcmp(name, "[heap]") || begins(name, "/SYSV") ||
	       begins(name, "[anon:") || begins(name, "[anon_shmem:");
}

/* The name under which a just-in-time compiler leaves symbols for such code. */
static void name_made(uint32_t pid, char *name, size_t size)
{
	snprintf(name, size, "/tmp/perf-%u.map", pid);
}

/* What a process's memory belongs to. */
static const char *user_dso(const struct record *r, const struct map *map, const char *name,
			    char made[32], uint32_t pid)
{
	if (is_code(r) && (is_anonymous(name) || is_memory(name))) {
		name_made(pid, made, 32);
		return made;
	}
	if (is_anonymous(name))
		return DSO_ANON;
	/* Whoever has it so low runs code of 32 bits. */
	if (!strcmp(name, DSO_VDSO) && map->end <= 1ull << 32)
		return DSO_VDSO32;
	return name;
}

/* Whose code a dump is of. */
struct dumped {
	struct pmuctl_data *data;
	uint32_t pid, dso;
	uint64_t time;		/* at which it was mapped, and of what comes next without a time */
	bool timed;		/* times of the dump are those of samples */
};

/* perf's own samples have another clock, unless it was told CLOCK_MONOTONIC (-k mono). */
static bool has_monotonic_clock(const struct pmuctl_data *data)
{
	return data->events_count && data->events[0].attr.use_clockid &&
	       data->events[0].attr.clockid == CLOCK_MONOTONIC;
}

static int add_dumped(void *fn_data, uint64_t time, uint64_t start, uint64_t size, uint64_t offset)
{
	struct dumped *d = fn_data;
	struct map map = {
		.start = start, .end = start + size, .offset = offset, .dso = d->dso,
	};

	if (map.end <= map.start)
		return 0;
	/* Where times mean nothing the order is left: what comes later lies over it. */
	return maps_add(d->data->maps, d->pid, d->timed ? time : d->time++, &map);
}

static int take_dump(struct pmuctl_data *data, uint32_t pid, uint64_t time, uint32_t dso)
{
	struct dumped d = {
		.data = data, .pid = pid, .dso = dso, .time = time,
		.timed = has_monotonic_clock(data),
	};

	return jitdump_take(data, pid, dsos_get(data->dsos, dso), add_dumped, &d);
}

static int add_user_map(struct pmuctl_data *data, uint32_t pid, const struct record *r,
			struct map *map, const char *name, const struct mapped *what)
{
	static const struct mapped no_file;
	char made[32];
	int err;

	/* As .NET maps what it made, so that it need not be writable; a program has a build-id. */
	if (begins(name, "/memfd:") && is_code(r) && !what->id.size)
		name = DSO_ANON;
	map->as_it_is = is_anonymous(name) || is_memory(name);
	if (map->as_it_is)
		what = &no_file;
	if (!strcmp(name, DSO_VDSO))
		map->offset = 0;
	name = user_dso(r, map, name, made, pid);
	if (dsos_add_file(data->dsos, name, &what->id, &what->file, &map->dso))
		return -ENOMEM;
	dsos_set_mapped(data->dsos, map->dso, pid, is_code(r), map->offset);
	err = jitdump_named(name) ? take_dump(data, pid, r->trailer.time, map->dso) : 0;
	return err ? err : maps_add(data->maps, pid, r->trailer.time, map);
}

/* The kernel's own text has its addresses, a module those from its start. */
static int add_kernel_map(struct pmuctl_data *data, uint64_t time, struct map *map,
			  const char *name)
{
	if (!strncmp(name, DSO_KERNEL, strlen(DSO_KERNEL))) {
		/* perf's map ends with _etext; chains of idle CPUs go back to code for the boot. */
		if (map->start >= KERNEL_IMAGE_START && map->end < KERNEL_IMAGE_END)
			map->end = KERNEL_IMAGE_END;
		dsos_set_kernel(data->dsos, map->offset);
		name = DSO_KERNEL;
		map->as_it_is = true;
	} else {
		map->offset = 0;
	}
	if (dsos_add(data->dsos, name, NULL, &map->dso))
		return -ENOMEM;
	dsos_set_module(data->dsos, map->dso, map->start);
	return maps_add(data->maps, MAPS_KERNEL, time, map);
}

static int add_map(struct pmuctl_data *data, const struct record *r, uint32_t pid, struct map *map,
		   const char *name, const struct mapped *what)
{
	unsigned int mode = r->header->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (!name)
		return -EBADMSG;
	/* Nothing, or around the end of all addresses. */
	if (map->end <= map->start)
		return 0;
	if (mode == PERF_RECORD_MISC_KERNEL || pid == MAPS_KERNEL)
		return add_kernel_map(data, r->trailer.time, map, name);
	return add_user_map(data, pid, r, map, name, what);
}

static int take_mmap(struct pmuctl_data *data, const struct record *r)
{
	const struct mmap_record *m = (const void *)r->header;
	const struct mapped unknown = { .id = { .size = 0 } };
	struct map map;

	if (r->size < sizeof(*m))
		return -EBADMSG;
	map = (struct map){ .start = m->start, .end = m->start + m->size, .offset = m->offset };
	return add_map(data, r, m->pid, &map, text_of(r, offsetof(struct mmap_record, name)),
		       &unknown);
}

static int take_mmap2(struct pmuctl_data *data, const struct record *r)
{
	const struct mmap2_record *m = (const void *)r->header;
	struct mapped what = { .id = { .size = 0 } };
	struct map map;

	if (r->size < sizeof(*m))
		return -EBADMSG;
	map = (struct map){ .start = m->start, .end = m->start + m->size, .offset = m->offset };
	if (!(r->header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		what.file = (struct file_id){ m->major, m->minor, m->inode };
	else if (m->id_size <= BUILD_ID_MAX)
		build_id_set(&what.id, m->id, m->id_size);
	return add_map(data, r, m->pid, &map, text_of(r, offsetof(struct mmap2_record, name)),
		       &what);
}

static int take_comm(struct pmuctl_data *data, const struct record *r)
{
	const struct comm_record *c = (const void *)r->header;
	const char *name = text_of(r, offsetof(struct comm_record, name));
	int err = 0;

	name = name ? strings_add(&data->strings, name, r->size) : NULL;
	if (!name)
		return text_of(r, offsetof(struct comm_record, name)) ? -ENOMEM : -EBADMSG;
	if (r->header->misc & PERF_RECORD_MISC_COMM_EXEC)
		err = maps_exec(data->maps, c->pid, r->trailer.time);
	return err ? err : comms_set(data->comms, c->tid, r->trailer.time, name);
}

/* A thread has its process's maps; FORK_EXEC: perf tells what it found, not what happened. */
static int take_fork(struct pmuctl_data *data, const struct record *r)
{
	const struct fork_record *f = (const void *)r->header;
	int err = 0;

	if (r->size < sizeof(*f))
		return -EBADMSG;
	if (f->pid != f->parent && !(r->header->misc & PERF_RECORD_MISC_FORK_EXEC))
		err = maps_fork(data->maps, f->pid, f->parent, r->trailer.time);
	return err ? err : comms_fork(data->comms, f->tid, f->parent_tid, r->trailer.time);
}

/* An event that tells of maps and tasks and makes no samples. */
static bool is_sideband(const struct pmuctl_data *data, uint64_t id)
{
	int64_t event = data_ids_find(&data->ids, id);
	const struct perf_event_attr *attr = event < 0 ? NULL : &data->events[event].attr;

	return attr && attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}

static int take_lost(struct pmuctl_data *data, const struct record *r)
{
	const struct lost_record *l = (const void *)r->header;

	if (r->size < sizeof(*l))
		return -EBADMSG;
	if (is_sideband(data, l->id))
		data->lost_sideband += l->lost;
	else
		data->lost_records += l->lost;
	return 0;
}

static int take_lost_samples(struct pmuctl_data *data, const struct record *r)
{
	uint64_t lost;

	if (r->size < sizeof(*r->header) + sizeof(lost))
		return -EBADMSG;
	/* A filter of perf's left these out: nobody wanted them. */
	if (r->header->misc & MISC_FILTERED)
		return 0;
	memcpy(&lost, r->header + 1, sizeof(lost));
	data->lost_samples += lost;
	return 0;
}

static int take_throttle(struct pmuctl_data *data, const struct record *r)
{
	(void)r;	/* that it is there says all */
	data->info.throttled++;
	return 0;
}

/* Code that the kernel made: programs for BPF, and others of its own. */
static int take_ksymbol(struct pmuctl_data *data, const struct record *r)
{
	const struct ksymbol_record *k = (const void *)r->header;
	const char *name = text_of(r, offsetof(struct ksymbol_record, name));
	struct map map;

	if (r->size < sizeof(*k) || !name)
		return -EBADMSG;
	map = (struct map){ .start = k->start, .end = k->start + k->size };
	/* Programs have names of their own, not those of files or of the kernel itself. */
	if (k->flags & KSYMBOL_UNREGISTERED || map.end <= map.start || strchr("/[", name[0]))
		return 0;
	if (dsos_add(data->dsos, name, NULL, &map.dso))
		return -ENOMEM;
	dsos_set_whole(data->dsos, map.dso, k->size);
	return maps_add(data->maps, MAPS_KERNEL, r->trailer.time, &map);
}

/* What the event is called, for a file that was never closed. */
static int take_event_update(struct pmuctl_data *data, const struct record *r)
{
	const struct event_update_record *u = (const void *)r->header;
	const char *name = text_of(r, offsetof(struct event_update_record, name));
	int64_t event;

	if (r->size < sizeof(*u))
		return -EBADMSG;
	event = data_ids_find(&data->ids, u->id);
	if (u->what != UPDATE_NAME || event < 0)
		return 0;
	name = name ? strings_add(&data->strings, name, r->size) : NULL;
	if (name)
		data->described[event].name = name;
	return name ? 0 : -EBADMSG;
}

/* They stand anywhere, and can be given out once all names are known. */
static int take_build_id(struct pmuctl_data *data, const struct record *r)
{
	return data_keep_build_id(data, r->header) ? -ENOMEM : 0;
}

/* Of a file that was written to a pipe. */
static int take_feature(struct pmuctl_data *data, const struct record *r)
{
	return data_read_feature(data, r->header);
}

static const struct {
	uint32_t type;
	int (*take)(struct pmuctl_data *data, const struct record *r);
} takers[] = {
	{ PERF_RECORD_MMAP, take_mmap },
	{ PERF_RECORD_LOST, take_lost },
	{ PERF_RECORD_COMM, take_comm },
	{ PERF_RECORD_THROTTLE, take_throttle },
	{ PERF_RECORD_FORK, take_fork },
	{ PERF_RECORD_MMAP2, take_mmap2 },
	{ PERF_RECORD_LOST_SAMPLES, take_lost_samples },
	{ PERF_RECORD_KSYMBOL, take_ksymbol },
	{ RECORD_BUILD_ID, take_build_id },
	{ RECORD_EVENT_UPDATE, take_event_update },
	{ RECORD_FEATURE, take_feature },
};

static int take_other(struct pmuctl_data *data, const struct perf_event_header *header,
		      uint64_t offset)
{
	struct record r = { .header = header };
	size_t i;
	int err;

	for (i = 0; i < sizeof(takers) / sizeof(takers[0]); i++) {
		if (takers[i].type != header->type)
			continue;
		data_set_place(data, offset);
		err = header->type < RECORD_USER ?
		      data_parse_trailer(data, header, offset, &r.trailer) : 0;
		r.size = header->size - r.trailer.size;
		return err ? err : takers[i].take(data, &r);
	}
	return 0;
}

static int count_sample(void *fn_data, const struct pmuctl_data_sample *sample)
{
	struct pmuctl_data *data = fn_data;

	data->described[sample->event].samples++;
	data->described[sample->event].events += sample->period;
	data->described[sample->event].inexact += !sample->exact;
	return 0;
}

static int take_sample(struct pmuctl_data *data, const struct perf_event_header *header,
		       uint64_t offset)
{
	struct pmuctl_data_sample sample;
	struct data_values values;
	int err = data_parse_sample(data, header, offset, &sample, &values);

	if (err == -ENOENT) {
		data->info.undescribed++;
		return 0;
	}
	if (err)
		return err;
	data->info.samples++;
	return data_give_sample(data, &sample, &values, count_sample, data);
}

/* Nearly all records are samples, of which no more is wanted here. */
static void count_run(struct pmuctl_data *data, struct data_run *run, struct data_reader *reader)
{
	const uint64_t *sample;

	data_run_begin(run, reader);
	while ((sample = data_run_next(run))) {
		const struct perf_event_header *header = (const void *)sample;
		struct pmuctl_data_event *event = &data->described[run->event];

		data->info.samples++;
		event->samples++;
		event->events += run->layout->period ? sample[run->layout->period] :
						       run->layout->attr.sample_period;
		event->inexact += !(header->misc & PERF_RECORD_MISC_EXACT_IP);
	}
	data_run_end(run, reader);
}

static int take_record(void *fn_data, struct data_reader *reader,
		       const struct perf_event_header *header)
{
	struct pmuctl_data *data = reader->data;
	int err = header->type == PERF_RECORD_SAMPLE ? take_sample(data, header, reader->at) :
						       take_other(data, header, reader->at);

	if (reader->at >= data->next_split)
		data_note_split(data, reader->at);
	if (err == -EBADMSG)
		return data_bad(data, reader->at, "a record of type %u has not what it should",
				header->type);
	if (err)
		return data_no_memory(data);
	count_run(data, fn_data, reader);
	return 0;
}

/*
 * perf says it twice: one loss at a time, and at the end how many it were.  Our event of maps
 * has a buffer of its own, which loses no samples; perf's shares one, and a loss has the name
 * of the event that came next.
 */
void data_sum_lost(struct pmuctl_data *data)
{
	const char *version = data->info.version;
	uint64_t records = data->lost_records;

	if (version[0] && strncmp(version, "pmuctl ", 7) != 0)
		records += data->lost_sideband;
	data->info.lost = records > data->lost_samples ? records : data->lost_samples;
}

int data_read_sideband(struct pmuctl_data *data)
{
	struct data_run run = { .data = data };
	int err;

	data->next_split = data->splits_count = 0;
	err = data_each_record(data, take_record, &run);
	if (err)
		return err;
	if (maps_finish(data->maps) || comms_finish(data->comms))
		return data_no_memory(data);
	look_forget(data->look);
	return 0;
}
