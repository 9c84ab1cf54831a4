// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The samples of a file summed up by address, instruction, stride, latency and source.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mem/mem.h"
#include "tools/samples/text.h"

/* ---- addresses put together: into lines, pages, and what they belong to ----------------- */

#define LINE	64u
#define PAGE	4096u

static int by_address(const void *x, const void *y)
{
	const struct spot *a = *(struct spot *const *)x, *b = *(struct spot *const *)y;

	if (a->key.b != b->key.b)
		return a->key.b < b->key.b ? -1 : 1;
	return a->key.a < b->key.a ? -1 : a->key.a > b->key.a;
}

static int add_to(struct table *t, const struct spot *cell, uint64_t size)
{
	struct spot *spot = table_get(t, cell->key.a & ~(size - 1), cell->key.b);

	if (!spot)
		return -ENOMEM;
	if (!spot->amount.samples) {
		spot->load = cell->load;
		spot->object = cell->object;
		spot->base = cell->base;
		spot->time = cell->time;
	}
	if (spot->load != cell->load)
		spot->load = 0;
	amount_add(&spot->amount, &cell->amount);
	return 0;
}

static int fold_cell(struct mem *m, struct profile *p, struct spot *cell, struct object **object)
{
	*object = mem_object(m, p, cell, *object);
	if (!*object)
		return -ENOMEM;
	cell->object = *object;
	amount_add(&(*object)->amount, &cell->amount);
	return add_to(&p->lines, cell, LINE) || add_to(&p->pages, cell, PAGE) ? -ENOMEM : 0;
}

/* Cells into lines, pages and objects; 0 or -ENOMEM. */
static int mem_fold(struct mem *m, struct profile *p)
{
	struct spot **cells = (struct spot **)table_sorted(&p->cells, by_address);
	struct object *object = NULL;
	int err = cells ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !err && cells[i]; i++)
		err = fold_cell(m, p, cells[i], &object);
	free(cells);
	return err;
}

/* Of a load that goes everywhere the most frequent stride tells nothing. */
#define STRIDES_MAX 4096

/* The last address of a load in a thread; its key is load and thread. */
struct last {
	struct table_entry key;
	bool known;
	uint64_t memory;
	uint64_t address;
};

/* Where a load went in one mapping of one memory; its key is load, and both of these. */
struct reach {
	struct table_entry key;
	bool known;
	uint64_t first;		/* the address that differences are taken to */
	uint64_t lowest, highest;
};

void amount_add(struct amount *to, const struct amount *from)
{
	to->samples += from->samples;
	to->events += from->events;
	to->weighed += from->weighed;
	to->cycles += from->cycles;
}

struct amount amount_of(const struct pmuctl_data_sample *s)
{
	bool weighed = (s->has & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) && s->weight;

	return (struct amount){
		.samples = 1,
		.events = s->period,
		.weighed = weighed,
		.cycles = weighed ? s->weight : 0,
	};
}

uint64_t step_with(uint64_t step, uint64_t a, uint64_t b)
{
	uint64_t apart = a > b ? a - b : b - a, rest;

	while (apart) {
		rest = step % apart;
		step = apart;
		apart = rest;
	}
	return step;
}

/* That of a process is another one behind an exec. */
uint64_t memory_of(const struct mem *m, const struct pmuctl_data_sample *s, uint64_t address)
{
	if (address >> 63)
		return 0;
	return (uint64_t)pmuctl_data_image(m->data, s->pid, s->time) << 32 | s->pid;
}

static int add_cell(struct profile *p, const struct pmuctl_data_sample *s, const struct load *load,
		    uint64_t address, uint64_t memory, const struct amount *amount)
{
	struct spot *cell = table_get(&p->cells, address, memory);

	if (!cell)
		return -ENOMEM;
	if (!cell->amount.samples) {
		cell->time = s->time;
		cell->load = load->number + 1;
	}
	if (cell->load != load->number + 1)
		cell->load = 0;
	cell->missed += !(s->has & PERF_SAMPLE_DATA_SRC) || !source_hit_l1(s->data_src);
	amount_add(&cell->amount, amount);
	return 0;
}

/* ---- instructions ------------------------------------------------------------ */

static int add_stride(struct profile *p, struct load *load, uint64_t difference)
{
	struct stride *stride = table_find(&p->strides, load->number, difference);

	load->pairs++;
	if (!stride && load->strides == STRIDES_MAX)
		return 0;
	if (!stride) {
		stride = table_get(&p->strides, load->number, difference);
		load->strides++;
	}
	if (!stride)
		return -ENOMEM;
	stride->pairs++;
	return 0;
}

/* An exec ends the steps of a thread: what follows is in another memory. */
static int add_step(struct profile *p, struct load *load, uint32_t tid, uint64_t address,
		    uint64_t memory)
{
	struct last *last = table_get(&p->lasts, load->number, tid);
	int err = 0;

	if (!last)
		return -ENOMEM;
	if (last->known && last->memory == memory)
		err = add_stride(p, load, address - last->address);
	last->known = true;
	last->memory = memory;
	last->address = address;
	return err;
}

/* What lies there, as a number: stacks and the heap are further apart than anything is long. */
static uint64_t region_of(const struct mem *m, const struct pmuctl_data_sample *s,
			  uint64_t address)
{
	struct pmuctl_mapping mapping;

	pmuctl_data_mapped(m->data, s->pid, s->time, address, &mapping);
	/* Where no mapping is known, no array is as long. */
	return mapping.start ? mapping.start : address >> 32;
}

/*
 * Two processes have the same array at different addresses, and a function that each thread
 * calls returns by the stack of each: how far those are apart is nothing.
 */
static int add_reach(struct profile *p, struct load *load, uint64_t address, uint64_t memory,
		     uint64_t region)
{
	const uint64_t place = memory ^ region * 0x9e3779b97f4a7c15ull;
	struct reach *reach = table_get(&p->reaches, load->number, place);

	if (!reach)
		return -ENOMEM;
	if (!load->memories)
		load->first = address;
	if (!reach->known) {
		reach->first = reach->lowest = reach->highest = address;
		load->memories++;
	}
	reach->known = true;
	if (address < reach->lowest)
		reach->lowest = address;
	if (address > reach->highest)
		reach->highest = address;
	if (reach->highest - reach->lowest > load->reach)
		load->reach = reach->highest - reach->lowest;
	load->step = step_with(load->step, address, reach->first);
	return 0;
}

struct load *load_of(struct mem *m, struct table *loads, const struct pmuctl_data_sample *s)
{
	size_t before = loads->count;
	struct pmuctl_place place;
	struct load *load;

	pmuctl_data_sample_place(m->data, s, &place);
	if (s->kernel && place.address == s->ip)
		m->kernel = place.dso;
	load = table_get(loads, place.dso, place.address);
	if (load && loads->count > before)
		load->number = (uint32_t)before;
	return load;
}

/* ---- a sample ------------------------------------------------------------------ */

static void add_latency(struct profile *p, const struct amount *amount)
{
	unsigned int bits = 0;

	if (!amount->weighed)
		return;
	while (bits < LATENCY_BUCKETS - 1 && amount->cycles >> bits)
		bits++;
	p->latencies[bits]++;
}

static int add_source(struct profile *p, const struct pmuctl_data_sample *s,
		      const struct amount *amount)
{
	struct source *source;

	if (!(s->has & PERF_SAMPLE_DATA_SRC) || !source_is_known(s->data_src))
		return 0;
	source = table_get(&p->sources, source_key(s->data_src), 0);
	if (!source)
		return -ENOMEM;
	p->has_source = true;
	amount_add(&source->amount, amount);
	return 0;
}

static int add_known(const struct mem *m, struct profile *p, struct load *load,
		     const struct pmuctl_data_sample *s, uint64_t address)
{
	const struct amount amount = amount_of(s);
	uint64_t memory = memory_of(m, s, address);
	int err = add_step(p, load, s->tid, address, memory);

	if (!err)
		err = add_reach(p, load, address, memory, region_of(m, s, address));
	amount_add(&p->known, &amount);
	amount_add(&load->amount, &amount);
	add_latency(p, &amount);
	if (!err)
		err = add_source(p, s, &amount);
	return err ? err : add_cell(p, s, load, address, memory, &amount);
}

static bool wanted(const struct mem *m, uint32_t event)
{
	const char *only = m->args->event;

	return event < m->info->events_count &&
	       (!only || !strcmp(m->info->events[event].name, only));
}

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct mem *m = data;
	struct profile *p;
	struct load *load;
	enum origin origin;
	uint64_t address = 0;

	if (!wanted(m, s->event))
		return 0;
	p = &m->profiles[s->event];
	load = load_of(m, &p->loads, s);
	if (!load)
		return -ENOMEM;
	origin = mem_address(m, load, s, &address);
	p->origins[origin]++;
	amount_add(&p->all, &(struct amount){ .samples = 1, .events = s->period });
	if (origin <= ORIGIN_KNOWN)
		return add_known(m, p, load, s, address);
	load->failed[origin]++;
	return 0;
}

/* ---- all of them ------------------------------------------------------------------ */

static void init_profile(struct profile *p, const struct pmuctl_data_event *event)
{
	p->event = event;
	table_init(&p->cells, sizeof(struct spot));
	table_init(&p->lines, sizeof(struct spot));
	table_init(&p->pages, sizeof(struct spot));
	table_init(&p->objects, sizeof(struct object));
	table_init(&p->loads, sizeof(struct load));
	table_init(&p->reaches, sizeof(struct reach));
	table_init(&p->strides, sizeof(struct stride));
	table_init(&p->lasts, sizeof(struct last));
	table_init(&p->sources, sizeof(struct source));
}

static void free_profile(struct profile *p)
{
	table_free(&p->cells, NULL);
	table_free(&p->lines, NULL);
	table_free(&p->pages, NULL);
	table_free(&p->objects, object_free);
	table_free(&p->loads, NULL);
	table_free(&p->reaches, NULL);
	table_free(&p->strides, NULL);
	table_free(&p->lasts, NULL);
	table_free(&p->sources, NULL);
}

int mem_collect(struct mem *m)
{
	size_t i;
	int err;

	m->profiles = calloc(m->info->events_count + 1, sizeof(*m->profiles));
	if (!m->profiles)
		return -ENOMEM;
	for (i = 0; i < m->info->events_count; i++)
		init_profile(&m->profiles[i], &m->info->events[i]);
	err = pmuctl_data_samples(m->data, take_sample, m);
	for (i = 0; !err && i < m->info->events_count; i++)
		err = mem_fold(m, &m->profiles[i]);
	return err;
}

bool mem_find_cache(struct mem *m)
{
	m->cache_recorded = m->info->l1d.sets;
	m->cache = m->info->l1d;
	m->cache.size = sizeof(m->cache);
	return m->cache_recorded || !pmuctl_get_l1d(m->ctx, &m->cache);
}

int mem_read(struct mem *m, struct pmuctl *ctx, struct pmuctl_data *data)
{
	static const struct view_args all = { .limit = 0 };

	*m = (struct mem){ .args = &all, .ctx = ctx, .data = data };
	m->info = pmuctl_data_get_info(data);
	mem_find_cache(m);
	return mem_collect(m);
}

void mem_free(struct mem *m)
{
	size_t i;

	for (i = 0; m->profiles && i < m->info->events_count; i++)
		free_profile(&m->profiles[i]);
	free(m->profiles);
	table_free(&m->homes, NULL);
}
