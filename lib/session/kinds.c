// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A session where cores are of several kinds: one of each kind, which has the events that this
 * kind has, and is on while a task runs on such cores, or on those of the CPUs that are such.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/session/kinds.h"

struct parts {
	const struct kinds *kinds;
	struct pmuctl_session *of[PMUCTL_KINDS_MAX];
	bool made[PMUCTL_KINDS_MAX];
	/* The number that an event of the whole has there, and the other way round. */
	uint32_t number[PMUCTL_KINDS_MAX][PMUCTL_SESSION_EVENTS_MAX];
	uint32_t event[PMUCTL_KINDS_MAX][PMUCTL_SESSION_EVENTS_MAX];
	struct pmuctl_value sum[PMUCTL_SESSION_EVENTS_MAX];
};

/* Of those that are in the kernel, or have a plan. */
#define for_each_made(k, p)							\
	for ((k) = 0; (k) < (p)->kinds->count; (k)++)				\
		if ((p)->made[k])

int parts_open(struct pmuctl_session *s)
{
	const struct kinds *kinds = s->parts ? NULL : kinds_of(s->ctx);
	unsigned int k;
	int err;

	if (!kinds)
		return 0;
	s->parts = calloc(1, sizeof(*s->parts));
	if (!s->parts)
		return fail(s->ctx, -ENOMEM, "out of memory");
	s->parts->kinds = kinds;
	for (k = 0; k < kinds->count; k++) {
		err = pmuctl_session_new(kinds->kind[k].ctx, &s->parts->of[k]);
		if (err)
			return kind_failed(s->ctx, k, err);
	}
	return 0;
}

void parts_free(struct pmuctl_session *s)
{
	unsigned int k;

	if (!s->parts)
		return;
	for (k = 0; k < PMUCTL_KINDS_MAX; k++)
		session_free(s->parts->of[k]);
	free(s->parts);
}

static int tell(const struct pmuctl_session *s, unsigned int k, int err)
{
	return err ? kind_failed(s->ctx, k, err) : 0;
}

/* ---- what it counts --------------------------------------------------------- */

static void number_event(struct parts *p, unsigned int k, uint32_t event)
{
	uint32_t number = (uint32_t)p->of[k]->nr_events - 1;

	p->number[k][event] = number;
	p->event[k][number] = event;
}

static bool room_for(struct pmuctl_session *s, size_t count)
{
	if (s->nr_events + count <= PMUCTL_SESSION_EVENTS_MAX)
		return true;
	fail(s->ctx, -E2BIG, "a session has %d events at most", PMUCTL_SESSION_EVENTS_MAX);
	return false;
}

int parts_add_event(struct pmuctl_session *s, const struct pmuctl_event *event)
{
	const struct pmuctl_event *own;
	struct parts *p = s->parts;
	unsigned int k;
	int err = 0;

	if (!room_for(s, 1))
		return -E2BIG;
	for (k = 0; !err && k < p->kinds->count; k++) {
		p->number[k][s->nr_events] = NO_EVENT;
		own = pmuctl_event_of_kind(event, k);
		if (!own)
			continue;
		err = tell(s, k, session_add_event(p->of[k], own));
		if (!err)
			number_event(p, k, (uint32_t)s->nr_events);
	}
	if (!err)
		s->nr_events++;
	return err;
}

/* Counters of two kinds never count at the same time, of whatever a group may be. */
static int check_group(struct pmuctl_session *s, struct pmuctl_event *const *events, size_t count)
{
	const struct kinds *kinds = s->parts->kinds;
	unsigned int k;
	size_t i;

	for (i = 1; i < count; i++)
		for (k = 0; k < kinds->count; k++)
			if (!pmuctl_event_of_kind(events[i], k) !=
			    !pmuctl_event_of_kind(events[0], k))
				return fail(s->ctx, -EINVAL, "'%s' and '%s' are in one group, and "
					    "only one of them is an event of %s: a group is counted "
					    "at the same time, on each kind of core by itself; make "
					    "two of it", events[0]->info.name,
					    events[i]->info.name, kinds->kind[k].name);
	return 0;
}

static int add_group_of(struct pmuctl_session *s, unsigned int k,
			struct pmuctl_event *const *events, size_t count)
{
	struct pmuctl_event **own = calloc(count + 1, sizeof(struct pmuctl_event *));
	struct parts *p = s->parts;
	size_t i;
	int err;

	if (!own)
		return fail(s->ctx, -ENOMEM, "out of memory");
	for (i = 0; i < count; i++)
		own[i] = events[i]->of_kinds ? events[i]->of_kind[k] : events[i];
	err = tell(s, k, session_add_group(p->of[k], own, count));
	for (i = 0; !err && i < count; i++) {
		p->number[k][s->nr_events + i] = (uint32_t)(p->of[k]->nr_events - count + i);
		p->event[k][p->of[k]->nr_events - count + i] = (uint32_t)(s->nr_events + i);
	}
	free(own);
	return err;
}

int parts_add_group(struct pmuctl_session *s, struct pmuctl_event *const *events, size_t count)
{
	struct parts *p = s->parts;
	unsigned int k;
	size_t i;
	int err = check_group(s, events, count);

	if (!err && !room_for(s, count))
		err = -E2BIG;
	for (k = 0; !err && k < p->kinds->count; k++) {
		for (i = 0; i < count; i++)
			p->number[k][s->nr_events + i] = NO_EVENT;
		if (pmuctl_event_of_kind(events[0], k))
			err = add_group_of(s, k, events, count);
	}
	if (!err)
		s->nr_events += count;
	return err;
}

/* One that is of no kind is refused by the module, with what it is. */
static unsigned int kind_of_cpu(const struct kinds *kinds, uint32_t cpu)
{
	unsigned int k;
	size_t i;

	for (k = 0; k < kinds->count; k++)
		for (i = 0; i < kinds->kind[k].cpus_count; i++)
			if (kinds->kind[k].cpus[i] == cpu)
				return k;
	return 0;
}

/* Tasks are counted on all of them, a CPU by its own. */
static int add_targets(struct pmuctl_session *s, unsigned int k)
{
	struct pmuctl_session *of = s->parts->of[k];
	size_t i;
	int err = 0;

	of->nr_targets = 0;
	of->interval = s->interval;
	for (i = 0; !err && i < s->nr_targets; i++)
		if (s->target_kind != PMUCTL_A_SESSION_CPU ||
		    kind_of_cpu(s->parts->kinds, s->targets[i]) == k)
			err = tell(s, k, session_add_target(of, s->target_kind, s->targets[i]));
	return err;
}

/* ---- its life ---------------------------------------------------------------- */

static bool is_any_made(const struct parts *p)
{
	unsigned int k;

	for_each_made(k, p)
		return true;
	return false;
}

bool parts_are_created(const struct pmuctl_session *s)
{
	return s->parts && is_any_made(s->parts);
}

static int create_part(struct pmuctl_session *s, unsigned int k, uint64_t options)
{
	struct parts *p = s->parts;
	int err = add_targets(s, k);

	/* None of its events, or none of its CPUs. */
	if (err || !p->of[k]->nr_events || (!p->of[k]->nr_targets && s->nr_targets))
		return err;
	err = session_create(p->of[k], options);
	p->made[k] = !err;
	return tell(s, k, err);
}

int parts_create(struct pmuctl_session *s, uint64_t options)
{
	struct parts *p = s->parts;
	unsigned int k;
	int err = 0;

	if (is_any_made(p))
		return fail(s->ctx, -EINVAL, "the session exists already");
	if (!s->nr_events)
		return fail(s->ctx, -EINVAL, "a session needs an event");
	for (k = 0; !err && k < p->kinds->count; k++)
		err = create_part(s, k, options);
	if (!err && !is_any_made(p))
		err = fail(s->ctx, -EOPNOTSUPP, "none of these events is one of the kind of core "
			   "that is to be counted");
	/* All of it or nothing. */
	for (k = 0; err && k < p->kinds->count; k++) {
		session_end(p->of[k]);
		p->made[k] = false;
	}
	return err;
}

int parts_fit(struct pmuctl_session *s)
{
	struct parts *p = s->parts;
	unsigned int k;
	int fits = 1;

	for (k = 0; fits == 1 && k < p->kinds->count; k++)
		if (p->of[k]->nr_events)
			fits = session_fits(p->of[k]);
	return fits < 0 ? kind_failed(s->ctx, k - 1, fits) : fits;
}

/* One after the other: what a task does on the way from one kind to another may be missed. */
int parts_tell(struct pmuctl_session *s, int (*fn)(struct pmuctl_session *session))
{
	struct parts *p = s->parts;
	unsigned int k;
	int err = 0;

	if (!is_any_made(p))
		return fail(s->ctx, -EINVAL, "the session was not created");
	for_each_made(k, p)
		if (!err)
			err = tell(s, k, fn(p->of[k]));
	return err;
}

int parts_assignment(const struct pmuctl_session *s, unsigned int event, unsigned int kind,
		     struct pmuctl_assignment *assignment)
{
	const struct parts *p = s->parts;

	if (event >= s->nr_events || kind >= p->kinds->count || !p->made[kind] ||
	    p->number[kind][event] == NO_EVENT)
		return fail(s->ctx, -ENOENT, "event %u has no counter on cores of kind %u", event,
			    kind);
	return tell(s, kind, session_assignment(p->of[kind], p->number[kind][event],
						assignment));
}

/* ---- its counts --------------------------------------------------------------- */

struct part_reading {
	const struct parts *parts;
	unsigned int kind;
	pmuctl_part_fn *fn;
	void *data;
	int stop;
};

static int take_part(void *data, const struct pmuctl_value *value)
{
	struct part_reading *r = data;
	struct pmuctl_value own = *value;

	own.event = r->parts->event[r->kind][value->event];
	r->stop = r->fn(r->data, r->kind, &own);
	return r->stop;
}

static int read_parts(struct pmuctl_session *s, bool each, pmuctl_part_fn *fn, void *data)
{
	struct parts *p = s->parts;
	struct part_reading r = { .parts = p, .fn = fn, .data = data };
	int err = 0;

	if (!fn)
		return is_null(s->ctx, "the function for values");
	if (!is_any_made(p))
		return fail(s->ctx, -EINVAL, "the session was not created");
	for_each_made(r.kind, p) {
		if (!err)
			err = session_read(p->of[r.kind], each, take_part, &r);
		if (err && !r.stop)
			return kind_failed(s->ctx, r.kind, err);
	}
	return err;
}

int parts_read_parts(struct pmuctl_session *s, pmuctl_part_fn *fn, void *data)
{
	return read_parts(s, false, fn, data);
}

static int add_part(void *data, unsigned int kind, const struct pmuctl_value *value)
{
	struct pmuctl_value *sum = &((struct parts *)data)->sum[value->event];

	(void)kind;
	sum->flags |= value->flags;
	sum->value += value->value;
	sum->estimate += value->estimate;
	sum->enabled += value->enabled;
	sum->running += value->running;
	return 0;
}

int parts_read(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	struct parts *p = s->parts;
	uint32_t i;
	int err;

	if (!fn)
		return is_null(s->ctx, "the function for values");
	for (i = 0; i < s->nr_events; i++)
		p->sum[i] = (struct pmuctl_value){ .event = i, .cpu = -1 };
	err = read_parts(s, false, add_part, p);
	for (i = 0; !err && i < s->nr_events; i++)
		err = fn(data, &p->sum[i]);
	return err;
}

struct each_reading {
	pmuctl_value_fn *fn;
	void *data;
};

static int take_each(void *data, unsigned int kind, const struct pmuctl_value *value)
{
	const struct each_reading *r = data;

	(void)kind;
	return r->fn(r->data, value);
}

int parts_read_each(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	struct each_reading r = { fn, data };

	if (s->target_kind != PMUCTL_A_SESSION_CPU)
		return parts_read(s, fn, data);
	return fn ? read_parts(s, true, take_each, &r) : is_null(s->ctx, "the function for values");
}

const char *parts_disturbed(const struct kinds *kinds)
{
	unsigned int k;

	for (k = 0; k < kinds->count; k++)
		if (kinds->kind[k].ctx->disturbed[0])
			return kinds->kind[k].ctx->disturbed;
	return NULL;
}
