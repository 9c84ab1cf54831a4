// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which event goes on which counter and ESCR of the Pentium 4.
 *
 * Counters come in four groups, each in two halves.  In a half each value of
 * the CCCR's select leads to one ESCR, the same for all counters of the half;
 * so an event's counter decides its ESCR, and events whose ESCRs hold the same
 * share it.  A group has six counters at most: all ways are tried.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/p4/p4.h"
#include "kmod/state/set.h"

/* --- routes --- */

static const struct {
	u32 first;
	u32 second;			/* the first's mirror image */
} groups[P4_GROUPS] = {
	[P4_BPU] = { 0x00003, 0x0000c },
	[P4_MS] = { 0x00030, 0x000c0 },
	[P4_FLAME] = { 0x00300, 0x00c00 },
	[P4_IQ] = { 0x13000, 0x2c000 },
};

static const u8 mirrors[P4_COUNTERS] = {
	2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 17, 16,
};

#define SELECTS		8
#define NO_ESCR		0xff
#define NONE		NO_ESCR

/* By group, half and select. */
static const u8 routes[P4_GROUPS][2][SELECTS] = {
	[P4_BPU] = {
		{ 0x12, 0x14, 0x0a, 0x16, 0x0c, 0x28, 0x02, 0x00 },
		{ 0x13, 0x15, 0x0b, 0x17, 0x0d, 0x29, 0x03, 0x01 },
	},
	[P4_MS] = {
		{ 0x20, 0x24, 0x22, NONE, NONE, NONE, NONE, NONE },
		{ 0x21, 0x25, 0x23, NONE, NONE, NONE, NONE, NONE },
	},
	[P4_FLAME] = {
		{ 0x06, 0x04, 0x0e, 0x10, NONE, 0x08, NONE, NONE },
		{ 0x07, 0x05, 0x0f, 0x11, NONE, 0x09, NONE, NONE },
	},
	[P4_IQ] = {
		{ 0x1a, 0x2a, 0x1c, 0x1e, 0x18, 0x2c, 0x40, NONE },
		{ 0x1b, 0x2b, 0x1d, NONE, 0x19, 0x2d, 0x41, NONE },
	},
};

enum pmuctl_p4_group pmuctl_p4_group_of(unsigned int counter)
{
	unsigned int group = 0;

	while (group < P4_IQ &&
	       !((groups[group].first | groups[group].second) & BIT(counter)))
		group++;
	return group;
}

u32 pmuctl_p4_counters_of(enum pmuctl_p4_group group, u8 halves)
{
	return (halves & P4_FIRST ? groups[group].first : 0) |
	       (halves & P4_SECOND ? groups[group].second : 0);
}

static unsigned int half_of(unsigned int counter)
{
	return !(groups[pmuctl_p4_group_of(counter)].first & BIT(counter));
}

u8 pmuctl_p4_route(unsigned int counter, unsigned int select)
{
	return routes[pmuctl_p4_group_of(counter)][half_of(counter)][select];
}

unsigned int pmuctl_p4_mirror(unsigned int counter)
{
	return mirrors[counter];
}

/* --- the search --- */

/* What is left, and what the session's own events have. */
struct room {
	u32 counters;
	u32 escr[P4_ESCRS];		/* with P4_TAKEN */
};

struct search {
	struct pmuctl_event *event;	/* of the set */
	unsigned int nr;
	enum pmuctl_p4_group group;
	unsigned int thread;
	bool split;			/* the mirror image is the other's */
	const struct pmuctl_p4_taken *taken;
	struct room *room;
	unsigned int failed;		/* the last that found no seat */
};

static unsigned int select_of(const struct pmuctl_event *event)
{
	return (event->cccr & CCCR_SELECT) >> CCCR_SELECT_SHIFT;
}

/* The hardware records what counter 16 counts; 17 for the second thread. */
#define PEBS_COUNTER		16

/* On that thread the counter and what it leads to are there for it. */
static bool can_sit(const struct search *search,
		    const struct pmuctl_event *event, unsigned int counter,
		    unsigned int thread)
{
	u8 escr = pmuctl_p4_route(counter, select_of(event));
	u32 theirs;

	if (!(event->allowed & BIT_ULL(counter)) ||
	    search->taken->counters & BIT(counter) || escr == NO_ESCR)
		return false;
	if (event->precise && counter != PEBS_COUNTER + thread)
		return false;
	theirs = search->taken->escr[escr];
	return !theirs ||
	       theirs == (pmuctl_p4_escr(event, thread) | P4_TAKEN);
}

static bool may_sit(const struct search *search,
		    const struct pmuctl_event *event, unsigned int counter)
{
	unsigned int i = event - search->event;
	u8 escr = pmuctl_p4_route(counter, select_of(event));
	u32 own;

	if (!(search->room->counters & BIT(counter)) ||
	    !can_sit(search, event, counter, search->thread) ||
	    !pmuctl_p4_cascade_fits(search->event, i, counter, search->thread))
		return false;
	/* No cascade has a mirror image that is one as well. */
	if (search->split && (event->cascaded || event->starts ||
			      !can_sit(search, event,
				       pmuctl_p4_mirror(counter),
				       !search->thread)))
		return false;
	own = search->room->escr[escr];
	return !own ||
	       own == (pmuctl_p4_escr(event, search->thread) | P4_TAKEN);
}

static bool seat_from(struct search *search, unsigned int i);

static bool p4_sit(struct search *search, unsigned int i, unsigned int counter)
{
	struct pmuctl_event *event = &search->event[i];
	u8 escr = pmuctl_p4_route(counter, select_of(event));
	u32 before = search->room->escr[escr];

	search->room->counters &= ~BIT(counter);
	search->room->escr[escr] = pmuctl_p4_escr(event, search->thread) |
				   P4_TAKEN;
	event->seat[search->thread].counter = counter;
	event->seat[search->thread].escr = escr;
	if (seat_from(search, i + 1))
		return true;
	search->room->counters |= BIT(counter);
	search->room->escr[escr] = before;
	return false;
}

/* Depth is bounded by the counters of a group: each takes one. */
static bool seat_from(struct search *search, unsigned int i)
{
	unsigned int counter;

	while (i < search->nr &&
	       pmuctl_p4_group_of(__builtin_ctzll(search->event[i].allowed)) !=
	       search->group)
		i++;
	if (i == search->nr)
		return true;
	for (counter = 0; counter < P4_COUNTERS; counter++)
		if (may_sit(search, &search->event[i], counter) &&
		    p4_sit(search, i, counter))
			return true;
	if (i > search->failed)
		search->failed = i;
	return false;
}

/* Returns -1, or the place in the set of one that found none. */
static int seat_set(struct search *search)
{
	for (search->group = 0; search->group < P4_GROUPS; search->group++) {
		search->failed = 0;
		if (!seat_from(search, 0))
			return search->failed;
	}
	return -1;
}

/* --- sets, threads --- */

static u32 p4_half(unsigned int which)
{
	u32 counters = 0;
	unsigned int group;

	for (group = 0; group < P4_GROUPS; group++)
		counters |= which ? groups[group].second : groups[group].first;
	return counters;
}

/* Every set beside the first, if that is pinned. */
static int seat_sets(struct search *search, struct pmuctl_event *event,
		     const struct pmuctl_set *set, unsigned int nr_sets,
		     bool pinned, u32 counters)
{
	struct room always = { .counters = counters }, room;
	unsigned int i;
	int failed;

	for (i = 0; i < nr_sets; i++) {
		room = always;
		search->room = &room;
		search->event = event + set[i].first;
		search->nr = set[i].nr;
		failed = seat_set(search);
		if (failed >= 0)
			return set[i].first + failed;
		if (pinned && !i)
			always = room;
	}
	return -1;
}

static void p4_mirror(struct pmuctl_event *event, unsigned int n)
{
	struct pmuctl_seat *seat;

	for (; n--; event++) {
		seat = event->seat;
		seat[1].counter = pmuctl_p4_mirror(seat[0].counter);
		seat[1].escr = pmuctl_p4_route(seat[1].counter,
					       select_of(event));
	}
}

static unsigned int nr_events(const struct pmuctl_set *set,
			      unsigned int nr_sets)
{
	return set[nr_sets - 1].first + set[nr_sets - 1].nr;
}

#define THREAD_0	BIT(0)
#define THREAD_1	BIT(1)

/*
 * Half and half if that can be, so that threads never wait for each other; a
 * session on one of the threads leaves the other its half.
 */
int pmuctl_p4_seat(struct pmuctl_event *event, const struct pmuctl_set *set,
		   unsigned int nr_sets, bool pinned, unsigned int threads,
		   const struct pmuctl_p4_taken *taken,
		   enum pmuctl_p4_sharing *sharing)
{
	struct search search = { .taken = taken };
	unsigned int thread;
	int failed;

	search.thread = threads == THREAD_1;
	search.split = threads == (THREAD_0 | THREAD_1);
	*sharing = P4_SPLIT;
	failed = seat_sets(&search, event, set, nr_sets, pinned,
			   p4_half(search.thread));
	if (failed < 0) {
		if (search.split)
			p4_mirror(event, nr_events(set, nr_sets));
		return -1;
	}
	*sharing = P4_WHOLE;
	search.split = false;
	for (thread = 0; thread < PMUCTL_THREADS_MAX; thread++) {
		if (!(threads & BIT(thread)))
			continue;
		search.thread = thread;
		failed = seat_sets(&search, event, set, nr_sets, pinned, ~0U);
		if (failed >= 0)
			return failed;
	}
	return -1;
}
