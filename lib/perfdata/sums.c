// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The samples of a file added up by where they are, and by whose they are if that is asked.
 * Nothing is named here: of millions of samples one step to one line of the cache each is most of
 * the work, and that line is asked for some samples before it is needed.
 *
 * Several threads read a part of the file each, add up by themselves, and share what is asked of
 * the file's maps behind a lock (look.c).
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/base/private.h"
#include "lib/perfdata/perfdata.h"

#define CELLS_BITS 10
#define OWNERS_BITS 6
/* Samples that wait for their cell. */
#define WAITING 16
#define LARGE_PAGE (2u << 20)
/* For less a thread is not worth its start, and its tables their memory. */
#define BYTES_OF_THREAD (8u << 20)
#define THREADS_MAX 16

/* Half a line of the cache. */
struct cell {
	uint64_t address;
	uint64_t where;		/* see where_of() */
	uint32_t owner;		/* its number */
	uint32_t samples;	/* 0: the cell is free */
	uint64_t events;
};

struct waiting {
	uint64_t address, where, events;
	size_t home;		/* of its cell, where it is looked for */
	uint32_t owner;
};

/* Whose samples are told apart; what is not asked for is the same in all of them. */
struct owned {
	const char *comm;
	uint32_t pid, tid, cpu;
};

struct cells {
	struct cell *at;
	unsigned int bits;	/* there are 2^bits of them */
	size_t used;
	uint32_t most;		/* samples of one */
};

struct owners {
	struct owned *at;
	size_t count, room;
	uint32_t *slots;	/* + 1; 0: free */
	unsigned int bits;
	uint32_t last;
};

/* Of a thread. */
struct part {
	struct pmuctl_data *data;
	const struct pmuctl_data_sums_options *options;
	struct look *look;
	struct data_reader reader;
	struct cells cells;
	struct owners owners;
	struct waiting waiting[WAITING];
	size_t waiting_count;
	pthread_t thread;
	int err;
};

/* ---- cells ---------------------------------------------------------------------------------- */

static uint64_t where_of(uint32_t dso, uint32_t event, bool kernel)
{
	return (uint64_t)dso << 32 | event << 1 | kernel;
}

/* The upper bits have something of each of all three. */
static uint64_t mix(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t h = (a ^ (b << 40 | b >> 24) ^ c << 20) * 0x9e3779b97f4a7c15ull;

	return (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
}

static size_t home_of(const struct cells *cells, uint64_t address, uint64_t where, uint32_t owner)
{
	return mix(address, where, owner) >> (64 - cells->bits);
}

static size_t behind(const struct cells *cells, size_t i)
{
	return (i + 1) & (((size_t)1 << cells->bits) - 1);
}

static struct cell *free_cell(const struct cells *cells, const struct cell *c)
{
	size_t i = home_of(cells, c->address, c->where, c->owner);

	while (cells->at[i].samples)
		i = behind(cells, i);
	return &cells->at[i];
}

/* Zeroed.  Steps to all over a large table miss few pages less often if those are large. */
static struct cell *new_cells(size_t count)
{
	size_t size = count * sizeof(struct cell);
	struct cell *cells;

	if (size < LARGE_PAGE)
		return calloc(count, sizeof(*cells));
	cells = aligned_alloc(LARGE_PAGE, size);
	if (!cells)
		return NULL;
	madvise(cells, size, MADV_HUGEPAGE);
	return memset(cells, 0, size);
}

static bool grow(struct cells *cells)
{
	struct cells more = *cells;
	size_t i;

	more.bits = cells->at ? cells->bits + 1 : CELLS_BITS;
	more.at = new_cells((size_t)1 << more.bits);
	if (!more.at)
		return false;
	for (i = 0; cells->at && i < (size_t)1 << cells->bits; i++)
		if (cells->at[i].samples)
			*free_cell(&more, &cells->at[i]) = cells->at[i];
	free(cells->at);
	*cells = more;
	return true;
}

/* One that can count no more is left as it is, and another of the same kind comes behind it. */
static bool is_cell_of(const struct cells *cells, const struct cell *c, const struct waiting *w)
{
	return c->address == w->address && c->where == w->where && c->owner == w->owner &&
	       c->samples < cells->most;
}

static void count_in(struct cells *cells, const struct waiting *w)
{
	size_t i = w->home;

	while (cells->at[i].samples && !is_cell_of(cells, &cells->at[i], w))
		i = behind(cells, i);
	if (!cells->at[i].samples) {
		cells->at[i] = (struct cell){ w->address, w->where, w->owner, 0, 0 };
		cells->used++;
	}
	cells->at[i].samples++;
	cells->at[i].events += w->events;
}

static int count_waiting(struct part *p)
{
	struct cells *cells = &p->cells;
	size_t i;

	for (i = 0; i < p->waiting_count; i++)
		count_in(cells, &p->waiting[i]);
	p->waiting_count = 0;
	/* Half of them are free, so that a search ends soon. */
	return 2 * (cells->used + WAITING) < (size_t)1 << cells->bits || grow(cells) ? 0 : -ENOMEM;
}

/* ---- owners --------------------------------------------------------------------------------- */

static bool same_owner(const struct owned *a, const struct owned *b)
{
	return a->tid == b->tid && a->comm == b->comm && a->pid == b->pid && a->cpu == b->cpu;
}

/* The slot that has the number of this one, or where it belongs. */
static uint32_t *slot_of(const struct owners *owners, const struct owned *o)
{
	size_t i = mix((uintptr_t)o->comm, (uint64_t)o->pid << 32 | o->tid, o->cpu) >>
		   (64 - owners->bits);

	while (owners->slots[i] && !same_owner(&owners->at[owners->slots[i] - 1], o))
		i = (i + 1) & (((size_t)1 << owners->bits) - 1);
	return &owners->slots[i];
}

static int grow_slots(struct owners *owners)
{
	struct owners more = *owners;
	uint32_t i;

	more.bits = owners->slots ? owners->bits + 1 : OWNERS_BITS;
	more.slots = calloc((size_t)1 << more.bits, sizeof(*more.slots));
	if (!more.slots)
		return -ENOMEM;
	for (i = 0; i < owners->count; i++)
		*slot_of(&more, &owners->at[i]) = i + 1;
	free(owners->slots);
	*owners = more;
	return 0;
}

static int add_owner(struct owners *owners, const struct owned *o)
{
	void *more = data_grow(owners->at, &owners->room, owners->count, sizeof(*owners->at));

	if (!more)
		return -ENOMEM;
	owners->at = more;
	if ((!owners->slots || 2 * owners->count >= (size_t)1 << owners->bits) &&
	    grow_slots(owners))
		return -ENOMEM;
	owners->at[owners->count++] = *o;
	*slot_of(owners, o) = (uint32_t)owners->count;
	return 0;
}

/* Its number, new or not. */
static int find_owner(struct owners *owners, const struct owned *o, uint32_t *number)
{
	uint32_t found;

	if (!owners->count || !same_owner(&owners->at[owners->last], o)) {
		found = owners->count ? *slot_of(owners, o) : 0;
		if (!found && add_owner(owners, o))
			return -ENOMEM;
		owners->last = (found ? found : (uint32_t)owners->count) - 1;
	}
	*number = owners->last;
	return 0;
}

/* ---- a sample ------------------------------------------------------------------------------- */

/* As much of a sample as is needed here. */
struct taken {
	uint32_t event, pid, tid, cpu;
	uint64_t ip, time, period;
	bool kernel, guest;
};

static int owner_of(struct part *p, const struct taken *t, uint32_t *number)
{
	const unsigned int by = p->options->by;
	struct owned o = { .comm = NULL };

	if (by & PMUCTL_BY_COMM)
		o.comm = look_comm(p->data, p->look, t->tid, t->time);
	if (by & PMUCTL_BY_PID)
		o.pid = t->pid;
	if (by & PMUCTL_BY_TID)
		o.tid = t->tid;
	if (by & PMUCTL_BY_CPU)
		o.cpu = t->cpu;
	return find_owner(&p->owners, &o, number);
}

static inline int add(struct part *p, const struct taken *t)
{
	struct waiting *w = &p->waiting[p->waiting_count];
	struct pmuctl_place place = { 0, t->ip };
	int err;

	if (!t->guest)
		look_place(p->data, p->look, t->kernel ? MAPS_KERNEL : t->pid, t->time, t->ip,
			   &place);
	w->address = place.address;
	w->where = where_of(place.dso, t->event, t->kernel);
	w->events = t->period;
	w->owner = 0;
	err = p->options->by ? owner_of(p, t, &w->owner) : 0;
	if (err)
		return err;
	w->home = home_of(&p->cells, w->address, w->where, w->owner);
	__builtin_prefetch(&p->cells.at[w->home], 1);
	return ++p->waiting_count == WAITING ? count_waiting(p) : 0;
}

static int add_parsed(void *fn_data, const struct pmuctl_data_sample *s)
{
	struct part *p = fn_data;
	int ret = p->options->wanted ? p->options->wanted(p->options->wanted_data, s) : 1;

	return ret <= 0 ? ret : add(p, &(struct taken){
		.event = s->event, .pid = s->pid, .tid = s->tid, .cpu = s->cpu, .ip = s->ip,
		.time = s->time, .period = s->period, .kernel = s->kernel, .guest = s->guest,
	});
}

static int take_record(struct part *p, const struct perf_event_header *record)
{
	struct pmuctl_data_sample sample;
	struct data_values values;
	int err;

	if (record->type != PERF_RECORD_SAMPLE)
		return 0;
	err = data_parse_sample(p->data, record, p->reader.at, &sample, &values);
	if (err)
		return err == -ENOENT ? 0 : err;
	look_set_place(p->look, p->reader.at);
	/* Who is asked whether it is wanted may ask for more than where it is. */
	if (p->options->wanted)
		data_set_place(p->data, p->reader.at);
	return data_give_sample(p->data, &sample, &values, add_parsed, p);
}

static int add_in_run(struct part *p, const struct data_run *run, const uint64_t *sample)
{
	const struct data_event *e = run->layout;
	const struct perf_event_header *header = (const void *)sample;
	const unsigned int mode = header->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return add(p, &(struct taken){
		.event = run->event,
		.pid = (uint32_t)sample[e->ip + 1], .tid = sample[e->ip + 1] >> 32,
		.cpu = e->cpu ? (uint32_t)sample[e->cpu] : UINT32_MAX,
		.ip = sample[e->ip], .time = sample[e->ip + 2],
		.period = e->period ? sample[e->period] : e->attr.sample_period,
		.kernel = mode == PERF_RECORD_MISC_KERNEL, .guest = data_is_guest(mode),
	});
}

static int take_run(struct part *p, struct data_run *run)
{
	const uint64_t *sample;
	uint64_t at = data_reader_place(&p->reader);
	int err = 0;

	data_run_begin(run, &p->reader);
	while (!err && (sample = data_run_next(run))) {
		look_set_place(p->look, at);
		at += (uint64_t)(run->at - sample) * sizeof(*sample);
		err = add_in_run(p, run, sample);
	}
	data_run_end(run, &p->reader);
	return err;
}

/* ---- parts of a file ------------------------------------------------------------------------ */

static void *read_part(void *data)
{
	const struct perf_event_header *record;
	struct part *p = data;
	struct data_run run = { .data = p->data };
	const bool in_runs = !p->options->wanted && p->data->timed;
	int ret = count_waiting(p);

	while (!ret && (ret = data_reader_next(&p->reader, &record)) > 0) {
		ret = take_record(p, record);
		if (!ret && in_runs)
			ret = take_run(p, &run);
	}
	p->err = ret ? ret : count_waiting(p);
	return NULL;
}

static unsigned int usable_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned int)CPU_COUNT(&set);
}

/* In how many parts a file is read. */
static size_t parts_of(const struct pmuctl_data *data,
		       const struct pmuctl_data_sums_options *options)
{
	size_t most = options->threads ? options->threads : usable_cpus();
	uint64_t worth = options->threads ? UINT64_MAX : data->records.size / BYTES_OF_THREAD;

	if (options->wanted || !data_can_split(data))
		return 1;
	if (most > worth)
		most = (size_t)worth;
	if (most > data->splits_count + 1)
		most = data->splits_count + 1;
	if (most > THREADS_MAX)
		most = THREADS_MAX;
	return most ? most : 1;
}

/* The first is read here, and by what is looked up by others, too. */
static int open_part(struct part *p, size_t number, size_t count)
{
	struct pmuctl_data *data = p->data;
	int err;

	p->look = number ? look_new() : data->look;
	if (!p->look)
		return data_no_memory(data);
	err = data_reader_open(&p->reader, data);
	if (!err && count > 1)
		data_reader_limit(&p->reader, number, count);
	return err;
}

/* There is one at least. */
static int open_parts(struct part *parts, size_t count, const struct part *like)
{
	size_t i = 0;
	int err;

	do {
		parts[i] = *like;
		err = open_part(&parts[i], i, count);
	} while (!err && ++i < count);
	return err;
}

static void close_part(struct part *p)
{
	if (p->reader.data)
		data_reader_close(&p->reader);
	if (p->look != p->data->look)
		look_free(p->look);
	free(p->cells.at);
	free(p->owners.at);
	free(p->owners.slots);
}

/* A thread that cannot be had is no reason to fail: its part is read here. */
static void read_parts(struct part *parts, size_t count)
{
	bool started[THREADS_MAX] = { false };
	size_t i;

	for (i = 1; i < count; i++)
		started[i] = !pthread_create(&parts[i].thread, NULL, read_part, &parts[i]);
	read_part(&parts[0]);
	for (i = 1; i < count; i++)
		if (started[i])
			pthread_join(parts[i].thread, NULL);
		else
			read_part(&parts[i]);
}

static int failed(struct part *p)
{
	if (p->err == -EBADMSG)
		return data_bad(p->data, p->reader.at,
				"this sample was whole when the file was opened");
	return p->err == -ENOMEM ? data_no_memory(p->data) : p->err;
}

/* ---- giving it out -------------------------------------------------------------------------- */

static int give_part(struct part *p, size_t *left, pmuctl_data_sum_fn *fn, void *fn_data)
{
	static const struct owned nobody;
	size_t i;
	int ret = 0;

	for (i = 0; i < (size_t)1 << p->cells.bits && !ret; i++) {
		const struct cell *c = &p->cells.at[i];
		const struct owned *o = p->options->by ? &p->owners.at[c->owner] : &nobody;

		if (!c->samples)
			continue;
		ret = fn(fn_data, &(struct pmuctl_data_sum){
			.event = (uint32_t)c->where >> 1,
			.kernel = c->where & 1,
			.place = { (uint32_t)(c->where >> 32), c->address },
			.comm = o->comm, .pid = o->pid, .tid = o->tid, .cpu = o->cpu,
			.samples = c->samples, .events = c->events,
			.left = --*left,
		});
	}
	/* Who takes them fills tables with them. */
	free(p->cells.at);
	p->cells.at = NULL;
	return ret;
}

static int give(struct part *parts, size_t count, pmuctl_data_sum_fn *fn, void *fn_data)
{
	size_t i, left = 0;
	int ret = 0;

	for (i = 0; i < count; i++)
		left += parts[i].cells.used;
	for (i = 0; i < count && !ret; i++)
		ret = give_part(&parts[i], &left, fn, fn_data);
	return ret;
}

int data_sums(struct pmuctl_data *data, const struct pmuctl_data_sums_options *options,
	      uint32_t most, pmuctl_data_sum_fn *fn, void *fn_data)
{
	const struct part like = { .data = data, .options = options, .cells.most = most };
	size_t count = parts_of(data, options), i;
	struct part *parts = calloc(count, sizeof(*parts));
	int err;

	if (!parts)
		return data_no_memory(data);
	err = data_values_begin(data);
	if (!err)
		err = open_parts(parts, count, &like);
	data->info.trace_bytes = err ? data->info.trace_bytes : 0;
	if (!err)
		read_parts(parts, count);
	for (i = 0; i < count && !err; i++)
		err = failed(&parts[i]);
	data_set_place(data, UINT64_MAX);
	if (!err)
		err = give(parts, count, fn, fn_data);
	for (i = 0; i < count; i++)
		if (parts[i].data)
			close_part(&parts[i]);
	free(parts);
	return err;
}

int pmuctl_data_sums(struct pmuctl_data *data, const struct pmuctl_data_sums_options *options,
		     pmuctl_data_sum_fn *fn, void *fn_data)
{
	struct pmuctl_data_sums_options own = { .size = sizeof(own) };
	int err = options ? take_sized(data->ctx, &own, options, sizeof(own)) : 0;

	if (err)
		return err;
	if (!fn)
		return is_null(data->ctx, "the function for sums");
	return data_sums(data, &own, UINT32_MAX, fn, fn_data);
}
