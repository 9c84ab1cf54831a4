// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tags of the Pentium 4 in a session's plan: a number for those that have none,
 * and the events upstream that set them, beside what counts them.
 */
#include <errno.h>
#include <string.h>

#include "lib/cpu/p4.h"
#include "lib/session/session.h"

#define TAGS 4

/* ---- numbers ------------------------------------------------------------------------ */

/* Who sets a tag, rings and all; by which two of them are told apart. */
struct tag {
	bool used;
	uint64_t setter, flags;
};

static uint64_t without_tag(uint64_t escr)
{
	return escr & ~(uint64_t)P4_ESCR_TAGS;
}

static unsigned int number_of(const struct upstream *u)
{
	return (unsigned int)__builtin_ctzll((u->reg[0].value & P4_ESCR_TAGS) >> P4_ESCR_TAG_SHIFT);
}

static bool sets_tag(uint64_t escr)
{
	return escr & P4_ESCR_TAG_ENABLE && escr & P4_ESCR_TAGS;
}

static void use_tag(struct tag *tags, unsigned int number, uint64_t escr, uint64_t flags)
{
	tags[number] = (struct tag){ true, without_tag(escr), flags };
}

/* Those that events name themselves. */
static void use_named(const struct session_event *e, struct tag *tags)
{
	unsigned int number;
	size_t i;

	for (number = 0; number < TAGS; number++)
		if (sets_tag(e->reg[0].value) &&
		    e->reg[0].value >> (P4_ESCR_TAG_SHIFT + number) & 1)
			use_tag(tags, number, e->reg[0].value, e->flags);
	for (i = 0; !e->tag_free && i < e->nr_upstreams; i++)
		if (sets_tag(e->upstream[i].reg[0].value))
			use_tag(tags, number_of(&e->upstream[i]), e->upstream[i].reg[0].value,
				e->flags);
}

/* NBOGUSn and BOGUSn move along. */
static void renumber(struct session_event *e, unsigned int number)
{
	unsigned int before = number_of(&e->upstream[0]);
	uint64_t escr = e->reg[0].value, counted;

	counted = escr >> (P4_ESCR_MASK_SHIFT + before) & 0x11;
	escr &= ~(0xffull << P4_ESCR_MASK_SHIFT);
	e->reg[0].value = escr | counted << (P4_ESCR_MASK_SHIFT + number);
	e->upstream[0].reg[0].value = without_tag(e->upstream[0].reg[0].value) |
				      1ull << (P4_ESCR_TAG_SHIFT + number);
}

/* The number that the same upstream event has already, or the next one. */
static int find_number(const struct session_event *e, const struct tag *tags)
{
	uint64_t setter = without_tag(e->upstream[0].reg[0].value);
	int i;

	for (i = 0; i < TAGS; i++)
		if (tags[i].used && tags[i].setter == setter && tags[i].flags == e->flags)
			return i;
	for (i = 0; i < TAGS; i++)
		if (!tags[i].used)
			return i;
	return -1;
}

/* Of the whole session: its sets may be on at the same time on two threads of a core. */
int p4_assign_tags(struct pmuctl_session *s)
{
	struct tag tags[TAGS] = { { .used = false } };
	struct session_event *e;
	int number;

	for (e = s->events; e < s->events + s->nr_events; e++)
		use_named(e, tags);
	for (e = s->events; e < s->events + s->nr_events; e++) {
		if (!e->tag_free)
			continue;
		number = find_number(e, tags);
		if (number < 0)
			return fail(s->ctx, -ENOSPC, "event '%s' wants one tag too many: there are "
				    "%d for uops at execution; count it in a run of its own",
				    e->name, TAGS);
		renumber(e, (unsigned int)number);
		use_tag(tags, (unsigned int)number, e->upstream[0].reg[0].value, e->flags);
	}
	return 0;
}

/* ---- what two threads of a core cannot have at once ------------------------------------ */

static struct session_event as_of_session(const struct pmuctl_event *e)
{
	struct session_event own = { .nr_regs = e->info.registers_count,
				     .nr_upstreams = e->info.upstreams_count };

	memcpy(own.reg, e->reg, sizeof(own.reg));
	/* Tags that are free do not get into anybody's way. */
	if (e->tag_free)
		own.nr_upstreams = 0;
	memcpy(own.upstream, e->upstream, sizeof(own.upstream));
	return own;
}

bool pmuctl_events_clash(const struct pmuctl_event *a, const struct pmuctl_event *b)
{
	struct session_event x, y;

	if (!a || !b)
		return false;
	x = as_of_session(a);
	y = as_of_session(b);
	return a->ctx->facts.backend == BACKEND_P4 && a->ctx->facts.threads && p4_clash(&x, &y);
}

/* On another thread another set may be on. */
int p4_check_threads(struct pmuctl_session *s)
{
	size_t i, j;

	if (!is_p4(s) || !s->ctx->facts.threads)
		return 0;
	for (i = 0; i < s->nr_events; i++)
		for (j = 0; j < i; j++)
			if (p4_clash(&s->events[i], &s->events[j]))
				return fail(s->ctx, -ENOSPC, "events '%s' and '%s' want uops "
					    "tagged in different ways, for which the threads of a "
					    "core have one register: count them one after the "
					    "other", s->events[j].name, s->events[i].name);
	return 0;
}

/* ---- upstream events ------------------------------------------------------------------ */

#define RINGS (PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL)

/* Among those of ours in the same set; NULL: not yet. */
static struct session_event *find_upstream(const struct pmuctl_session *s, uint32_t set,
					   uint64_t flags, const struct upstream *u)
{
	struct session_event *e;

	for (e = s->events + s->nr_events; e < s->events + all_events(s); e++)
		if (e->set == set && (e->flags & RINGS) == (flags & RINGS) &&
		    e->reg[0].value == u->reg[0].value && e->reg[1].value == u->reg[1].value)
			return e;
	return NULL;
}

static int add_upstream(struct pmuctl_session *s, size_t event, const struct upstream *u)
{
	struct session_event *e;

	if (find_upstream(s, s->events[event].set, s->events[event].flags, u))
		return 0;
	if (all_events(s) == PMUCTL_SESSION_EVENTS_MAX)
		return fail(s->ctx, -E2BIG, "'%s' needs an event beside it (%s), and a session has "
			    "%d at most", s->events[event].name, u->name,
			    PMUCTL_SESSION_EVENTS_MAX);
	e = session_grow(s);
	if (!e)
		return -ENOMEM;
	s->nr_hidden++;
	/* Growing may have moved them all. */
	e->flags = s->events[event].flags;
	e->group = s->events[event].group;
	e->set = s->events[event].set;
	e->counters = e->only = u->counters;
	memcpy(e->reg, u->reg, sizeof(u->reg));
	e->nr_regs = ARRAY_SIZE(u->reg);
	return 0;
}

int p4_add_upstreams(struct pmuctl_session *s)
{
	struct upstream u;
	size_t i, k;
	int err = 0;

	for (i = 0; i < s->nr_events; i++)
		for (k = 0; !err && k < s->events[i].nr_upstreams; k++) {
			u = s->events[i].upstream[k];
			err = add_upstream(s, i, &u);
		}
	return err;
}

int pmuctl_session_upstream(const struct pmuctl_session *s, unsigned int event,
			    unsigned int upstream, struct pmuctl_assignment *assignment)
{
	const struct session_event *e, *of;

	if (s->parts || event >= s->nr_events || upstream >= s->events[event].nr_upstreams)
		return fail(s->ctx, -ENOENT, "event %u has no upstream %u", event, upstream);
	of = &s->events[event];
	e = find_upstream(s, of->set, of->flags, &of->upstream[upstream]);
	if (!e || !e->assigned)
		return fail(s->ctx, -ENOENT, "event %u has no counter", event);
	return assignment_of(s, e, assignment);
}
