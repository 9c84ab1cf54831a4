// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which event goes on which counter: a bipartite matching.
 *
 * Events that were placed move aside for a later one if they can, so a plan
 * is found whenever there is one.  Fixed counters are tried first, since one
 * event alone can use them, then general-purpose ones from the top, since the
 * low ones are those that odd events insist on.
 */
#include <linux/bitops.h>
#include <linux/string.h>

#include "kmod/state/set.h"

struct matching {
	struct pmuctl_event *event;
	u64 free;
	u64 tried;			/* in this attempt */
	/* On a counter: 2 * event, + 1 if it is its second one; or -1. */
	int holder[64];
};

static bool assign_place(struct matching *m, int place);

static bool assign_take(struct matching *m, int place, unsigned int counter)
{
	m->tried |= BIT_ULL(counter);
	if (m->holder[counter] >= 0 && !assign_place(m, m->holder[counter]))
		return false;
	m->holder[counter] = place;
	if (place & 1)
		m->event[place / 2].twin = counter;
	else
		m->event[place / 2].counter = counter;
	return true;
}

/* Depth is bounded by the number of counters: each is tried once. */
static bool assign_place(struct matching *m, int place)
{
	u64 may;

	while ((may = m->event[place / 2].allowed & m->free & ~m->tried))
		if (assign_take(m, place, fls64(may) - 1))
			return true;
	return false;
}

int pmuctl_assign(struct pmuctl_event *event, unsigned int n, u64 free)
{
	struct matching m = { .event = event, .free = free };
	unsigned int place;

	memset(m.holder, -1, sizeof(m.holder));
	for (place = 0; place < 2 * n; place++) {
		if (place & 1 && !event[place / 2].twice)
			continue;
		m.tried = 0;
		if (!assign_place(&m, place))
			return place / 2;
	}
	return -1;
}

u64 pmuctl_assigned(const struct pmuctl_event *event, unsigned int n)
{
	u64 counters = 0;

	for (; n--; event++) {
		counters |= BIT_ULL(event->counter);
		if (event->twice)
			counters |= BIT_ULL(event->twin);
	}
	return counters;
}

static int assign_set(struct pmuctl_event *event, struct pmuctl_set *set,
		      u64 free)
{
	int failed = pmuctl_assign(event + set->first, set->nr, free);
	unsigned int i;

	if (failed >= 0)
		return set->first + failed;
	set->counters = 0;
	for (i = 0; i < set->nr; i++)
		set->counters |= BIT_ULL(event[set->first + i].counter);
	return -1;
}

/* The pinned set on these counters, each other set on the rest. */
static int assign_beside(struct pmuctl_event *event, struct pmuctl_set *set,
			 unsigned int nr_sets, u64 pinned, u64 free)
{
	int failed = assign_set(event, &set[0], pinned);
	u64 always = pmuctl_assigned(event + set[0].first, set[0].nr);
	unsigned int i;

	for (i = 1; i < nr_sets && failed < 0; i++)
		failed = assign_set(event, &set[i], free & ~always);
	return failed;
}

static u64 allowed_in(const struct pmuctl_event *event,
		      const struct pmuctl_set *set)
{
	u64 allowed = 0;
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		allowed |= event[set->first + i].allowed;
	return allowed;
}

static unsigned int taken_by(const struct pmuctl_event *event,
			     const struct pmuctl_set *set)
{
	unsigned int i, n = set->nr;

	for (i = 0; i < set->nr; i++)
		n += event[set->first + i].twice;
	return n;
}

/*
 * Where the pinned events go decides what is left for the others.  When the
 * usual place does not do, every choice of counters for them is tried: a few
 * hundred at most, of which most are no place for them at all.
 */
static int assign_pinned(struct pmuctl_event *event, struct pmuctl_set *set,
			 unsigned int nr_sets, u64 free)
{
	int failed = assign_beside(event, set, nr_sets, free, free);
	u64 pinned, all = allowed_in(event, &set[0]) & free;
	int last = set[0].first + set[0].nr;
	unsigned int n = taken_by(event, &set[0]);

	if (failed < last)
		return failed;
	for (pinned = all; pinned; pinned = (pinned - 1) & all)
		if (hweight64(pinned) == n &&
		    assign_beside(event, set, nr_sets, pinned, free) < 0)
			return -1;
	return failed;
}

int pmuctl_assign_sets(struct pmuctl_event *event, struct pmuctl_set *set,
		       unsigned int nr_sets, bool pinned, u64 free)
{
	int failed = -1;
	unsigned int i;

	if (pinned)
		return assign_pinned(event, set, nr_sets, free);
	for (i = 0; i < nr_sets && failed < 0; i++)
		failed = assign_set(event, &set[i], free);
	return failed;
}
