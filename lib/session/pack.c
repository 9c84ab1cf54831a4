// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Packing: units of events (a group, or one event) into as few sets as can be
 * found, such that the counters do for every set.
 *
 * First fit, in three orders; the best of them is taken.  It is not always the
 * least number, but never more than one set above it in what people ask for.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/session/session.h"

/* More than any PMU has counters. */
#define SET_COUNTERS (4 * UNIT_EVENTS + 1)

struct wanted {
	unsigned int event[SET_COUNTERS];
	uint64_t masks[SET_COUNTERS];
	size_t events;		/* that have extra registers, perhaps */
	size_t count;		/* with the yardstick */
};

static void want_counter(struct wanted *w, const struct packing *p, unsigned int event)
{
	w->event[w->count] = event;
	w->masks[w->count++] = p->s->events[event].only;
}

static bool want(struct wanted *w, const struct packing *p, const struct unit *unit)
{
	unsigned int i;

	if (!unit)
		return true;
	if (w->count + 2 * unit->count >= SET_COUNTERS)
		return false;
	for (i = 0; i < unit->count; i++) {
		want_counter(w, p, unit->event[i]);
		/* One for each thread of a core. */
		if (takes_two(p->s, unit->event[i]))
			want_counter(w, p, unit->event[i]);
	}
	w->events = w->count;
	return true;
}

static bool wanted_fit(const struct packing *p, struct wanted *w)
{
	if (is_p4(p->s))
		return p4_fits(p->s, w->event, w->events, p->available, p->yardstick, NULL);
	if (p->yardstick)
		w->masks[w->count++] = p->yardstick;
	return !extras_clash(p->s, w->event, w->events) &&
	       match_counters(w->masks, w->count, p->available, NULL);
}

bool units_fit(const struct packing *p, const struct unit *a, const struct unit *b)
{
	struct wanted w = { .count = 0 };

	return want(&w, p, p->pinned) && want(&w, p, a) && want(&w, p, b) && wanted_fit(p, &w);
}

/* Appends; the caller has made sure that it fits. */
static void join(struct unit *set, const struct unit *unit)
{
	memcpy(&set->event[set->count], unit->event, unit->count * sizeof(unit->event[0]));
	set->count += unit->count;
}

static bool joinable(const struct packing *p, const struct unit *set, const struct unit *unit)
{
	return set->count + unit->count <= UNIT_EVENTS && units_fit(p, set, unit);
}

static uint32_t first_fit(const struct packing *p, const struct unit *units,
			  const size_t *order, size_t count, uint32_t *set_of)
{
	struct unit *sets = calloc(count, sizeof(*sets));
	uint32_t nr = 0, set;
	size_t i;

	if (!sets)
		return UINT32_MAX;
	for (i = 0; i < count; i++) {
		for (set = 0; set < nr && !joinable(p, &sets[set], &units[order[i]]); set++)
			;
		join(&sets[set], &units[order[i]]);
		nr += set == nr;
		set_of[order[i]] = set;
	}
	free(sets);
	return nr;
}

/* How hard a unit is to place: few counters, and many events. */
static unsigned int narrowness(const struct packing *p, const struct unit *unit)
{
	unsigned int i, least = 64, n;

	for (i = 0; i < unit->count; i++) {
		n = (unsigned int)__builtin_popcountll(p->s->events[unit->event[i]].only &
						       p->available);
		least = n < least ? n : least;
	}
	return 64 - least;
}

enum order { AS_GIVEN, LARGE_FIRST, NARROW_FIRST, NR_ORDERS };

static unsigned int weight(const struct packing *p, const struct unit *unit, enum order how)
{
	switch (how) {
	case LARGE_FIRST:
		return 64 * unit->count + narrowness(p, unit);
	case NARROW_FIRST:
		return UNIT_EVENTS * narrowness(p, unit) + unit->count;
	default:
		return 0;
	}
}

/* By insertion, which keeps equals in the order that they were given in. */
static void sort(const struct packing *p, const struct unit *units, size_t *order, size_t count,
		 enum order how)
{
	size_t i, at;

	for (i = 0; i < count; i++) {
		for (at = i; at && weight(p, &units[order[at - 1]], how) <
				   weight(p, &units[i], how); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static uint32_t try_orders(const struct packing *p, struct unit *units, size_t count,
			   size_t *order, uint32_t *set_of)
{
	uint32_t best = UINT32_MAX, nr;
	enum order how;
	size_t i;

	for (how = AS_GIVEN; how < NR_ORDERS; how++) {
		sort(p, units, order, count, how);
		nr = first_fit(p, units, order, count, set_of);
		if (nr >= best)
			continue;
		best = nr;
		for (i = 0; i < count; i++)
			units[i].set = set_of[i];
	}
	return best;
}

uint32_t pack_units(const struct packing *p, struct unit *units, size_t count, size_t *bad)
{
	size_t *order = calloc(count, sizeof(*order));
	uint32_t *set_of = calloc(count, sizeof(*set_of));
	uint32_t best = UINT32_MAX;

	for (*bad = 0; *bad < count; ++*bad)
		if (!units_fit(p, &units[*bad], NULL))
			break;
	if (*bad < count)
		best = 0;
	else if (order && set_of)
		best = try_orders(p, units, count, order, set_of);
	free(order);
	free(set_of);
	return best;
}
