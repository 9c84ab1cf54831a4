// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A session where cores are of several kinds: one of each kind, which has the events that this
 * kind has, and is on while a task runs on such cores, or on those of the CPUs that are such.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

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
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	free(s->parts);
	s->parts = NULL;
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

/* For who asks the whole what an event is: as the first kind has it. */
static int keep_event(struct pmuctl_session *s, const struct pmuctl_event *event)
{
	struct parts *p = s->parts;
	struct session_event *e = session_grow(s);
	unsigned int k;

	if (!e)
		return -ENOMEM;
	for (k = 0; p->number[k][s->nr_events] == NO_EVENT; k++)
		;
	*e = p->of[k]->events[p->number[k][s->nr_events]];
	e->name = strdup(event->info.name);
	if (!e->name)
		return fail(s->ctx, -ENOMEM, "out of memory");
	s->nr_events++;
	return 0;
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
	return err ? err : keep_event(s, event);
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
	for (i = 0; !err && i < count; i++)
		err = keep_event(s, events[i]);
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
	of->ring = s->ring;
	of->watermark = s->watermark;
	of->beside = 0;
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

/* Its sampled events, as the whole's, one after the other. */
static size_t sampled_of(const struct parts *p, unsigned int k, uint32_t *list)
{
	size_t i, count = 0;

	for (i = 0; i < p->of[k]->nr_events; i++)
		if (is_sampled(&p->of[k]->events[i].sampling))
			list[count++] = p->event[k][i];
	return count;
}

static bool have_common(const uint32_t *a, size_t count, const uint32_t *b, size_t others)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < others; j++)
			if (a[i] == b[j])
				return true;
	return false;
}

/*
 * A task that goes from one kind to another takes along how far the next sample is: so there is a
 * pair of each sampled event, or none.
 */
static int put_beside(struct pmuctl_session *s, unsigned int k)
{
	uint32_t own[PMUCTL_SESSION_EVENTS_MAX], first[PMUCTL_SESSION_EVENTS_MAX];
	struct parts *p = s->parts;
	size_t count = sampled_of(p, k, own), others;
	unsigned int f;

	for (f = 0; f < k && !p->made[f]; f++)
		;
	if (f == k || !count || s->target_kind == PMUCTL_A_SESSION_CPU)
		return 0;
	others = sampled_of(p, f, first);
	if (!have_common(own, count, first, others))
		return 0;
	if (others != count || memcmp(own, first, count * sizeof(own[0])) != 0)
		return fail(s->ctx, -EOPNOTSUPP, "not yet: samples of events of one kind of core "
			    "beside those of events that several have; record them in runs of "
			    "their own, or name the kind of each (%s/.../)",
			    p->kinds->kind[0].pmu);
	p->of[k]->beside = p->of[f]->id;
	return 0;
}

static int create_part(struct pmuctl_session *s, unsigned int k, uint64_t options)
{
	struct parts *p = s->parts;
	int err = add_targets(s, k);

	/* None of its events, or none of its CPUs. */
	if (err || !p->of[k]->nr_events || (!p->of[k]->nr_targets && s->nr_targets))
		return err;
	err = put_beside(s, k);
	if (err)
		return err;
	err = session_create(p->of[k], options);
	p->made[k] = !err;
	return tell(s, k, err);
}

/* One descriptor that wakes with any of them. */
static int open_poll(struct pmuctl_session *s)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct parts *p = s->parts;
	unsigned int k;

	s->fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->fd < 0)
		return fail(s->ctx, -errno, "cannot wait for samples: %s", strerror(errno));
	for_each_made(k, p)
		if (p->of[k]->fd >= 0 && epoll_ctl(s->fd, EPOLL_CTL_ADD, p->of[k]->fd, &event))
			return fail(s->ctx, -errno, "cannot wait for samples: %s",
				    strerror(errno));
	return 0;
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
		err = fail(s->ctx, -EOPNOTSUPP, "'%s'%s: not an event of %s, of which CPU %u is one; "
			   "count CPUs that have it, or another event", s->events[0].name,
			   s->nr_events > 1 ? " and the others" : "",
			   p->kinds->kind[kind_of_cpu(p->kinds, s->targets[0])].name,
			   s->targets[0]);
	if (!err && !(options & PMUCTL_DRY_RUN))
		err = open_poll(s);
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

/* ---- its samples ----------------------------------------------------------------- */

/* What comes of one kind's session has the whole's numbers of events before anybody sees it. */
struct mapping {
	struct pmuctl *ctx;
	const uint32_t *event;
	size_t count;
	pmuctl_records_fn *records;
	pmuctl_ledger_fn *ledger;
	void *data;
};

static bool is_same(const struct mapping *m)
{
	uint32_t i;

	for (i = 0; i < m->count; i++)
		if (m->event[i] != i)
			return false;
	return true;
}

static void number_records(const struct mapping *m, unsigned char *at, size_t bytes)
{
	unsigned char *end = at + bytes;
	struct pmuctl_record head;

	/* What is malformed stays so, and is the reader's to find. */
	for (; (size_t)(end - at) >= sizeof(head); at += head.size) {
		memcpy(&head, at, sizeof(head));
		if (head.size < sizeof(head) || head.size > (size_t)(end - at))
			return;
		head.event = head.event < m->count ? (uint16_t)m->event[head.event] : UINT16_MAX;
		memcpy(at, &head, sizeof(head));
	}
}

static int map_records(void *data, unsigned int cpu, const void *records, size_t bytes)
{
	const struct mapping *m = data;
	unsigned char *own;
	int err;

	if (is_same(m))
		return m->records(m->data, cpu, records, bytes);
	own = malloc(bytes + 1);
	if (!own)
		return fail(m->ctx, -ENOMEM, "out of memory");
	memcpy(own, records, bytes);
	number_records(m, own, bytes);
	err = m->records(m->data, cpu, own, bytes);
	free(own);
	return err;
}

static struct mapping mapping_of(const struct parts *p, unsigned int k)
{
	return (struct mapping){ .event = p->event[k], .count = p->of[k]->nr_events };
}

int parts_drain(struct pmuctl *ctx, const struct pmuctl_session *s, int cpu, bool flush,
		pmuctl_records_fn *fn, void *data)
{
	const struct parts *p = s->parts;
	struct mapping m;
	unsigned int k;
	int err = 0;

	if (!is_any_made(p))
		return fail(ctx, -EINVAL, "the session was not created");
	for_each_made(k, p) {
		if (err || (cpu >= 0 && kind_of_cpu(p->kinds, (uint32_t)cpu) != k))
			continue;
		m = mapping_of(p, k);
		m.ctx = ctx;
		m.records = fn;
		m.data = data;
		err = session_drain(ctx, p->of[k], cpu, flush, map_records, &m);
	}
	return err;
}

static int map_entry(void *data, const struct pmuctl_ledger_entry *entry)
{
	const struct mapping *m = data;
	struct pmuctl_ledger_entry own = *entry;

	own.event = m->event[entry->event];
	return m->ledger(m->data, &own);
}

int parts_ledger(struct pmuctl_session *s, pmuctl_ledger_fn *fn, void *data)
{
	struct parts *p = s->parts;
	struct mapping m;
	unsigned int k;
	int err = 0;

	if (!is_any_made(p))
		return fail(s->ctx, -EINVAL, "the session was not created");
	for_each_made(k, p) {
		m = mapping_of(p, k);
		m.ledger = fn;
		m.data = data;
		if (!err)
			err = tell(s, k, session_ledger(p->of[k], map_entry, &m));
	}
	return err;
}

const struct session_event *parts_event_on(const struct pmuctl_session *s, unsigned int event,
					   unsigned int cpu, struct pmuctl **of)
{
	const struct parts *p = s->parts;
	unsigned int k = kind_of_cpu(p->kinds, cpu);

	*of = p->kinds->kind[k].ctx;
	return p->number[k][event] == NO_EVENT ? NULL :
						 &p->of[k]->events[p->number[k][event]];
}

const char *parts_disturbed(const struct kinds *kinds)
{
	unsigned int k;

	for (k = 0; k < kinds->count; k++)
		if (kinds->kind[k].ctx->disturbed[0])
			return kinds->kind[k].ctx->disturbed;
	return NULL;
}
