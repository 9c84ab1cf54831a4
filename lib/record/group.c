// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Samples of an event that have what the others of its group have counted: PERF_SAMPLE_READ.
 *
 * The module tells what each counted since the sample before, of the task that was sampled.
 * Readers of perf.data expect sums and take differences, by an id of each event and CPU: so they
 * are added up, for each CPU by itself, in which samples are in the order of their times.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/record/dump.h"

/* Of a CPU an id is that of the event, and its number from 1 on up here. */
#define CPU_SHIFT 24

struct dump_group {
	size_t count;		/* the one that is sampled, and the others behind it */
	size_t nr_cpus;
	uint32_t *event;	/* places in d->events */
	uint64_t *sums;		/* count of each CPU */
};

static uint64_t id_on(const struct dump_event *e, size_t cpu)
{
	return e->id | (uint64_t)(cpu + 1) << CPU_SHIFT;
}

/* Readers know an event by any of them. */
static int give_ids(struct dump_event *e, size_t nr_cpus)
{
	uint64_t *ids = calloc(nr_cpus, sizeof(*ids));
	size_t cpu;

	if (!ids)
		return -ENOMEM;
	for (cpu = 0; cpu < nr_cpus; cpu++)
		ids[cpu] = id_on(e, cpu);
	e->ids = e->own_ids = ids;
	e->nr_ids = nr_cpus;
	return 0;
}

static bool is_along(const struct pmuctl_dump *d, size_t leader, size_t i)
{
	const struct session_event *events = d->session->events;

	return events[i].group && events[i].group == events[leader].group &&
	       !is_sampled(&events[i].sampling);
}

/* What all of them have in common: readers who see `inherit` take differences by thread. */
static int take_in(struct pmuctl_dump *d, struct dump_group *g, size_t i)
{
	struct dump_event *e = &d->events[i];

	g->event[g->count++] = (uint32_t)i;
	e->attr.read_format |= PERF_FORMAT_GROUP;
	e->attr.sample_type |= PERF_SAMPLE_READ;
	e->attr.inherit = 0;
	return give_ids(e, g->nr_cpus);
}

static int fill(struct pmuctl_dump *d, struct dump_group *g, size_t leader)
{
	size_t i;
	int err;

	g->nr_cpus = (size_t)sysconf(_SC_NPROCESSORS_CONF);
	g->event = calloc(d->session->nr_events, sizeof(*g->event));
	if (!g->event)
		return -ENOMEM;
	err = take_in(d, g, leader);
	for (i = 0; !err && i < d->session->nr_events; i++)
		if (is_along(d, leader, i))
			err = take_in(d, g, i);
	g->sums = calloc(g->nr_cpus * g->count, sizeof(*g->sums));
	return g->sums ? err : -ENOMEM;
}

int dump_make_groups(struct pmuctl_dump *d)
{
	struct dump_event *e;
	size_t i;
	int err;

	for (i = 0; i < d->session->nr_events; i++) {
		e = &d->events[i];
		if (!(e->content & PMUCTL_CONTENT_COUNTS))
			continue;
		e->group = calloc(1, sizeof(*e->group));
		err = e->group ? fill(d, e->group, i) : -ENOMEM;
		if (err)
			return fail(d->ctx, err, "out of memory");
	}
	return 0;
}

void dump_free_groups(struct pmuctl_dump *d)
{
	size_t i;

	for (i = 0; d->events && i < d->nr_events; i++) {
		free(d->events[i].own_ids);
		if (!d->events[i].group)
			continue;
		free(d->events[i].group->event);
		free(d->events[i].group->sums);
		free(d->events[i].group);
	}
}

void dump_reset_groups(struct pmuctl_dump *d)
{
	struct dump_group *g;
	size_t i;

	for (i = 0; i < d->nr_events; i++) {
		g = d->events[i].group;
		if (g)
			memset(g->sums, 0, g->nr_cpus * g->count * sizeof(*g->sums));
	}
}

size_t dump_group_size(const struct pmuctl_dump *d, size_t i)
{
	const struct dump_group *g = d->events[i].group;

	return g && g->event[g->count - 1] == i + g->count - 1 ? g->count : 0;
}

bool dump_group_takes(const struct dump_group *g, unsigned int cpu, uint64_t nr_counts)
{
	return cpu < g->nr_cpus && (!nr_counts || nr_counts == g->count - 1);
}

unsigned char *dump_put_group(const struct pmuctl_dump *d, const struct dump_group_counts *c,
			      unsigned char *to)
{
	uint64_t *sums = &c->group->sums[c->cpu * c->group->count], value[2];
	uint64_t count = c->group->count, i, gained;

	memcpy(to, &count, sizeof(count));
	to += sizeof(count);
	for (i = 0; i < count; i++, to += sizeof(value)) {
		gained = i ? 0 : c->period;
		if (i && c->nr)
			memcpy(&gained, c->counts + (i - 1) * sizeof(gained), sizeof(gained));
		sums[i] += gained;
		value[0] = sums[i];
		value[1] = id_on(&d->events[c->group->event[i]], c->cpu);
		memcpy(to, value, sizeof(value));
	}
	return to;
}
