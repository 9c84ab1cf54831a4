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

static void close_poll(struct pmuctl_session *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void parts_free(struct pmuctl_session *s)
{
	unsigned int k;

	if (!s->parts)
		return;
	for (k = 0; k < PMUCTL_KINDS_MAX; k++)
		session_free(s->parts->of[k]);
	close_poll(s);
	free(s->parts);
	s->parts = NULL;
}

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
		if (err) {
			kind_failed(s->ctx, k, err);
			parts_free(s);
			return err;
		}
	}
	return 0;
}

static int tell(const struct pmuctl_session *s, unsigned int k, int err)
{
	return err ? kind_failed(s->ctx, k, err) : 0;
}

/* ---- what it counts --------------------------------------------------------- */

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

static int add_to(struct pmuctl_session *s, unsigned int k, const struct pmuctl_event *event,
		  uint32_t group)
{
	struct parts *p = s->parts;
	size_t number = p->of[k]->nr_events;
	int err = session_add(p->of[k], event, group);

	if (err)
		return kind_failed(s->ctx, k, err);
	p->number[k][s->nr_events] = (uint32_t)number;
	p->event[k][number] = (uint32_t)s->nr_events;
	return 0;
}

static int add(struct pmuctl_session *s, const struct pmuctl_event *event, uint32_t group)
{
	const struct pmuctl_event *own;
	struct parts *p = s->parts;
	unsigned int k;
	int err = 0;

	if (s->nr_events == PMUCTL_SESSION_EVENTS_MAX)
		return too_many_events(s);
	for (k = 0; k < p->kinds->count; k++)
		p->number[k][s->nr_events] = NO_EVENT;
	for (k = 0; !err && k < p->kinds->count; k++) {
		own = pmuctl_event_of_kind(event, k);
		if (own)
			err = add_to(s, k, own, group);
	}
	return err ? err : keep_event(s, event);
}

/* All of it or nothing: back to so many events. */
static void take_back(struct pmuctl_session *s, size_t count)
{
	struct parts *p = s->parts;
	unsigned int k;
	size_t i, own;

	for (k = 0; k < p->kinds->count; k++) {
		for (i = own = 0; i < count; i++)
			own += p->number[k][i] != NO_EVENT;
		session_cut(p->of[k], own);
	}
	session_cut(s, count);
}

int parts_add_event(struct pmuctl_session *s, const struct pmuctl_event *event)
{
	int err = add(s, event, 0);

	if (err)
		take_back(s, s->nr_events);
	return err;
}

int parts_add_group(struct pmuctl_session *s, struct pmuctl_event *const *events, size_t count)
{
	size_t i, before = s->nr_events;
	int err = 0;

	for (i = 1; !err && i < count; i++)
		err = pmuctl_events_same_kinds(s->ctx, events[0], events[i]);
	for (i = 0; !err && i < count; i++)
		err = add(s, events[i], s->nr_groups + 1);
	if (err)
		take_back(s, before);
	else
		s->nr_groups++;
	return err;
}

unsigned int parts_kind(const struct parts *p, uint32_t cpu)
{
	unsigned int k;

	for (k = 0; k < p->kinds->count; k++)
		if (pmuctl_kind_has_cpu(&p->kinds->kind[k], cpu))
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
		    parts_kind(s->parts, s->targets[i]) == k)
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

int parts_check(struct pmuctl *ctx, const struct pmuctl_session *s)
{
	return session_is_made(s) ? 0 : fail(ctx, -EINVAL, "the session was not created");
}

/* NULL: the kind does not have it, or takes no samples of it. */
static struct session_event *sampled_in(const struct parts *p, unsigned int k, uint32_t event)
{
	uint32_t i = p->number[k][event];
	struct session_event *e = i != NO_EVENT ? &p->of[k]->events[i] : NULL;

	return e && is_sampled(&e->sampling) ? e : NULL;
}

static size_t count_sampled(const struct pmuctl_session *of)
{
	size_t i, count = 0;

	for (i = 0; i < of->nr_events; i++)
		count += is_sampled(&of->events[i].sampling);
	return count;
}

/*
 * A task that goes from one kind to another takes along how far the next sample of each event is,
 * also of those that it will have again on a third only: numbered, unless each kind has all.
 */
static void number_places(struct pmuctl_session *s)
{
	struct parts *p = s->parts;
	struct session_event *e;
	uint32_t i, places = 0, having;
	bool all_have_all = true;
	unsigned int k;

	p->samples_go_on = false;
	for (i = 0; i < s->nr_events && s->target_kind != PMUCTL_A_SESSION_CPU; i++) {
		for (k = 0, having = 0; k < p->kinds->count; k++) {
			e = sampled_in(p, k, i);
			if (e)
				e->place = places;
			having += e != NULL;
		}
		places += having > 0;
		p->samples_go_on |= having > 1;
	}
	for (k = 0; k < p->kinds->count; k++)
		all_have_all &= !count_sampled(p->of[k]) || count_sampled(p->of[k]) == places;
	for (k = 0; k < p->kinds->count; k++)
		p->of[k]->places = p->samples_go_on && !all_have_all && count_sampled(p->of[k]) ?
				   places : 0;
}

/* The first that takes samples keeps where tasks stand. */
static void put_beside(struct pmuctl_session *s, unsigned int k)
{
	struct parts *p = s->parts;
	unsigned int f;

	if (!p->samples_go_on || !count_sampled(p->of[k]))
		return;
	for (f = 0; f < k; f++) {
		if (!p->made[f] || !count_sampled(p->of[f]))
			continue;
		p->of[k]->beside = p->of[f]->id;
		return;
	}
}

static int create_part(struct pmuctl_session *s, unsigned int k, uint64_t options)
{
	struct parts *p = s->parts;
	int err = add_targets(s, k);

	p->made[k] = false;
	/* None of its events, or none of its CPUs. */
	if (err || !p->of[k]->nr_events || (!p->of[k]->nr_targets && s->nr_targets))
		return err;
	put_beside(s, k);
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

	if (!s->nr_events)
		return no_events(s);
	number_places(s);
	for (k = 0; !err && k < p->kinds->count; k++)
		err = create_part(s, k, options);
	if (!err && !is_any_made(p))
		err = fail(s->ctx, -EOPNOTSUPP, "'%s'%s: not an event of %s, of which CPU %u is one; "
			   "count CPUs that have it, or another event", s->events[0].name,
			   s->nr_events > 1 ? " and the others" : "",
			   p->kinds->kind[parts_kind(p, s->targets[0])].name,
			   s->targets[0]);
	if (!err && !(options & PMUCTL_DRY_RUN))
		err = open_poll(s);
	/* All of it or nothing. */
	for (k = 0; err && k < p->kinds->count; k++) {
		session_end(p->of[k]);
		p->made[k] = false;
	}
	if (err)
		close_poll(s);
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
	int err = parts_check(s->ctx, s);

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

const char *parts_disturbed(const struct kinds *kinds)
{
	unsigned int k;

	for (k = 0; k < kinds->count; k++)
		if (kinds->kind[k].ctx->disturbed[0])
			return kinds->kind[k].ctx->disturbed;
	return NULL;
}
