// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the session of pmuctl stat counted, as lines.
 */
#include <string.h>

#include "tools/base/base.h"
#include "tools/stat/run.h"

/* The first line of the session's event of that number; lines if there is none. */
static size_t find_line(const struct run *r, uint32_t number)
{
	size_t i;

	for (i = 0; i < r->events.count; i++)
		if (r->events.list[i].event && !number--)
			return i * stat_args_cpus(&r->args);
	return r->lines;
}

/* Whether values come CPU by CPU. */
static bool is_each(const struct run *r)
{
	return r->args.per_cpu || r->args.places.of_cpu;
}

/* A place is the sum of its CPUs. */
static void add_value(struct pmuctl_value *sum, const struct pmuctl_value *v)
{
	sum->value += v->value;
	sum->estimate += v->estimate;
	sum->enabled += v->enabled;
	sum->running += v->running;
	sum->flags |= v->flags;
}

/* first: the event's first line; place: which of them it is. */
static void take_line(struct run *r, size_t first, size_t place, const struct pmuctl_value *v)
{
	if (first < r->lines && place < stat_args_cpus(&r->args))
		add_value(&r->values[first + place], v);
}

/* Into the line of the whole, and that of its part. */
static void take_part(struct run *r, unsigned int kind, size_t place, const struct pmuctl_value *v)
{
	size_t first = find_line(r, v->event), part;

	take_line(r, first, place, v);
	if (!r->parts || first + place >= r->result.count || kind >= r->result.kinds.count)
		return;
	part = (size_t)(stat_part(&r->result, &r->counts[first + place], kind) - r->counts);
	add_value(&r->values[part], v);
}

static int take_value(void *data, const struct pmuctl_value *v)
{
	struct run *r = data;

	take_part(r, kind_of_cpu(&r->result.kinds, (unsigned int)v->cpu),
		  stat_place_of_cpu(&r->args, v->cpu), v);
	return 0;
}

static int take_value_of(void *data, unsigned int kind, const struct pmuctl_value *v)
{
	struct run *r = data;

	take_part(r, kind, r->reading, v);
	return 0;
}

/* Linux's values have the event's place in the list. */
static int take_software(void *data, const struct pmuctl_value *v)
{
	struct run *r = data;
	size_t place = 0;

	if (is_each(r))
		place = stat_place_of_cpu(&r->args, v->cpu);
	else if (r->args.split == SPLIT_THREADS)
		place = stat_place_of_thread(&r->args, v->cpu);
	else if (r->args.split == SPLIT_CGROUPS)
		place = (size_t)v->cpu;
	take_line(r, v->event * stat_args_cpus(&r->args), place, v);
	return 0;
}

/* The kernel lets go of both at the same moment, and of its own counts does not tell. */
static void spread_detached(struct run *r)
{
	uint32_t flags = 0;
	size_t i;

	for (i = 0; i < r->lines; i++)
		flags |= r->values[i].flags & PMUCTL_VALUE_DETACHED;
	for (i = 0; i < r->lines; i++)
		if (r->counts[i].event->software)
			r->values[i].flags |= flags;
}

static int read_session(struct run *r)
{
	int err = 0;

	r->reading = 0;
	if (r->c.session)
		return is_each(r) ? pmuctl_session_read_each(r->c.session, take_value, r) :
				    pmuctl_session_read_parts(r->c.session, take_value_of, r);
	for (; r->c.sessions && !err && r->reading < r->c.nr_parts; r->reading++)
		if (r->c.sessions[r->reading])
			err = pmuctl_session_read_parts(r->c.sessions[r->reading], take_value_of,
							r);
	return err;
}

int stat_read(struct run *r)
{
	int err;

	memset(r->values, 0, r->lines * sizeof(*r->values));
	err = read_session(r);
	if (err)
		return counting_failed(&r->c, err, "cannot read the counts");
	err = software_read(r->c.software, is_each(r) || r->c.nr_parts,
			    take_software, r);
	spread_detached(r);
	return err ? complain("stat", EXIT_FAILED, "cannot read what Linux counted: %s",
			      strerror(-err)) : 0;
}

static void take_difference(struct stat_count *c, const struct pmuctl_value *v,
			    const struct pmuctl_value *before)
{
	c->enabled = v->enabled - before->enabled;
	c->running = v->running - before->running;
	c->value = counting_estimate(v->value - before->value, c->enabled, c->running);
}

static const char *why_not_counted(const struct run *r, const struct stat_count *c)
{
	/* A kind of core on which nothing ran had 0 of it. */
	if (c->running || (!c->enabled && (c->part || kind_alone(c->kinds) >= 0)))
		return NULL;
	if (c->enabled)
		return "it never was on a counter";
	if (r->args.delay && !r->c.began_ns)
		return "nothing of it ran after the delay of -D";
	return "nothing of it ran";
}

void stat_take_counts(struct run *r, const struct pmuctl_value *before)
{
	static const struct pmuctl_value zero;
	size_t i;

	for (i = 0; i < r->lines; i++) {
		struct stat_count *c = &r->counts[i];
		const struct pmuctl_value *v = &r->values[i];

		if (c->event->why_not) {
			/* Linux may have refused one since the lines were made. */
			c->why_not = c->event->why_not;
			c->supported = c->event->software;
			continue;
		}
		if (c->elsewhere)
			continue;
		take_difference(c, v, before ? &before[i] : &zero);
		if (!before && (v->flags & PMUCTL_VALUE_ESTIMATE))
			c->value = v->estimate;
		c->flags = v->flags;
		c->why_not = why_not_counted(r, c);
	}
	if (r->parts)
		stat_sum_parts(&r->result);
}
