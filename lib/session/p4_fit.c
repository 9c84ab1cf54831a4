// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whether events of the Pentium 4 fit together: a counter of its own for each,
 * and ESCRs that no two of them want to set differently.
 *
 * A counter's group knows nothing of the other groups, so each is searched by
 * itself, those with the fewest counters first.
 */
#include <string.h>

#include "lib/cpu/p4.h"
#include "lib/session/session.h"

/* Eighteen counters, so that more than that never fit. */
#define WANTED_MAX P4_COUNTERS
#define ESCRS 0x42

struct wanted {
	uint64_t counters;
	uint64_t escr;		/* with the rings above it */
	unsigned int select;	/* which ESCR of a counter */
	int event;		/* place among the caller's; -1: none of those */
	uint8_t got;
};

struct fit {
	uint64_t available;
	struct wanted wanted[WANTED_MAX];
	size_t count;
	uint64_t escr[ESCRS];
	unsigned int users[ESCRS];
};

/* ---- what is wanted -------------------------------------------------------------- */

static bool add(struct fit *f, uint64_t counters, const struct pmuctl_register *reg,
		uint64_t flags, int event)
{
	struct wanted *w = &f->wanted[f->count];

	if (f->count == WANTED_MAX)
		return false;
	w->counters = counters & f->available;
	w->escr = reg[0].value | (flags & (PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL)) << 32;
	w->select = reg[1].value >> P4_CCCR_SELECT_SHIFT & 7;
	w->event = event;
	f->count++;
	return true;
}

/* One upstream event does for all that want the same. */
static bool add_upstream(struct fit *f, const struct upstream *u, uint64_t flags)
{
	uint64_t escr = u->reg[0].value | (flags & (PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL)) << 32;
	size_t i;

	for (i = 0; i < f->count; i++)
		if (f->wanted[i].event < 0 && f->wanted[i].escr == escr)
			return true;
	return add(f, u->counters, u->reg, flags, -1);
}

static bool add_event(struct fit *f, const struct session_event *e, int place)
{
	size_t i;

	if (!add(f, e->only, e->reg, e->flags, place))
		return false;
	for (i = 0; i < e->nr_upstreams; i++)
		if (!add_upstream(f, &e->upstream[i], e->flags))
			return false;
	return true;
}

/* ---- registers of which there is one ----------------------------------------------- */

static uint32_t tags_of(uint64_t escr)
{
	return escr & P4_ESCR_TAG_ENABLE ? (uint32_t)(escr & P4_ESCR_TAGS) : 0;
}

static bool is_front_end(const struct pmuctl_register *reg)
{
	const struct p4_event *e = p4_find_event("uops_type");

	return reg[0].value >> P4_ESCR_SELECT_SHIFT == e->select &&
	       (reg[1].value >> P4_CCCR_SELECT_SHIFT & 7) == e->cccr_select;
}

/* One sets a tag that another event sets, too, or the front end's only one. */
static bool tags_clash(const struct pmuctl_register *a, const struct pmuctl_register *b)
{
	if (a[0].value == b[0].value)
		return false;
	return tags_of(a[0].value) & tags_of(b[0].value) || (is_front_end(a) && is_front_end(b));
}

static const struct pmuctl_register *tagger(const struct session_event *e, size_t i)
{
	return i ? e->upstream[i - 1].reg : e->reg;
}

static bool replays_clash(const struct session_event *a, const struct session_event *b)
{
	return a->nr_regs > 2 && b->nr_regs > 2 &&
	       (a->reg[2].value != b->reg[2].value || a->reg[3].value != b->reg[3].value);
}

bool p4_clash(const struct session_event *a, const struct session_event *b)
{
	size_t i, j;

	for (i = 0; i <= a->nr_upstreams; i++)
		for (j = 0; j <= b->nr_upstreams; j++)
			if (tags_clash(tagger(a, i), tagger(b, j)))
				return true;
	return replays_clash(a, b);
}

/* PEBS has one counter a thread. */
static bool both_precise(const struct session_event *a, const struct session_event *b)
{
	return a->sampling.precise && b->sampling.precise;
}

static bool any_clash(const struct pmuctl_session *s, const unsigned int *events, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < i; j++)
			if (p4_clash(&s->events[events[i]], &s->events[events[j]]) ||
			    both_precise(&s->events[events[i]], &s->events[events[j]]))
				return true;
	return false;
}

/* ---- the search ---------------------------------------------------------------------- */

static bool take(struct fit *f, struct wanted *w, unsigned int counter)
{
	int escr = p4_route(counter, w->select);

	if (escr < 0 || (f->users[escr] && f->escr[escr] != w->escr))
		return false;
	f->users[escr]++;
	f->escr[escr] = w->escr;
	f->available &= ~(1ull << counter);
	w->got = (uint8_t)counter;
	return true;
}

static void release(struct fit *f, const struct wanted *w)
{
	f->users[p4_route(w->got, w->select)]--;
	f->available |= 1ull << w->got;
}

/* The order is the array's; the last counters first, which can do least else. */
static bool place(struct fit *f, struct wanted **order, size_t count)
{
	uint64_t left;
	unsigned int counter;

	if (!count)
		return true;
	left = order[0]->counters & f->available;
	while (left) {
		counter = 63 - (unsigned int)__builtin_clzll(left);
		left &= ~(1ull << counter);
		if (!take(f, order[0], counter))
			continue;
		if (place(f, order + 1, count - 1))
			return true;
		release(f, order[0]);
	}
	return false;
}

static size_t sort_group(struct fit *f, enum p4_group group, struct wanted **order)
{
	struct wanted *w;
	size_t count = 0, at;

	for (w = f->wanted; w < f->wanted + f->count; w++) {
		if (p4_group_of(w->counters) != group)
			continue;
		for (at = count++; at && __builtin_popcountll(order[at - 1]->counters) >
					 __builtin_popcountll(w->counters); at--)
			order[at] = order[at - 1];
		order[at] = w;
	}
	return count;
}

static bool search(struct fit *f)
{
	struct wanted *order[WANTED_MAX];
	unsigned int group;
	size_t count, i;

	for (i = 0; i < f->count; i++)
		if (!f->wanted[i].counters)
			return false;
	for (group = 0; group < P4_GROUPS; group++) {
		count = sort_group(f, (enum p4_group)group, order);
		/* Six counters at most, and then there is nothing to search for. */
		if (count > 6 || !place(f, order, count))
			return false;
	}
	return true;
}

bool p4_fits(const struct pmuctl_session *s, const unsigned int *events, size_t count,
	     uint64_t available, uint64_t yardstick, uint8_t *got)
{
	struct fit f = { .available = available };
	struct pmuctl_register cycles[2];
	size_t i;

	cycles_event(&s->ctx->facts, cycles);
	if (any_clash(s, events, count))
		return false;
	for (i = 0; i < count; i++)
		if (!add_event(&f, &s->events[events[i]], (int)i))
			return false;
	if (yardstick && !add(&f, yardstick, cycles, 0, -1))
		return false;
	if (!search(&f))
		return false;
	for (i = 0; got && i < f.count; i++)
		if (f.wanted[i].event >= 0)
			got[f.wanted[i].event] = f.wanted[i].got;
	return true;
}
