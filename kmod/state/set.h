/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which event goes on which counter.
 */
#ifndef PMUCTL_ASSIGN_H
#define PMUCTL_ASSIGN_H

#include "kmod/pmu/pmu.h"

/* Events that count at the same time, as they stand in a row of events. */
struct pmuctl_set {
	u32 first;
	u32 nr;
	u32 counted;			/* but for fields of PERF_METRICS */
	const struct pmuctl_event *slots;	/* that those divide, or NULL */
	u64 counters;			/* as assigned */
};

/*
 * Gives each of the n events one of the free counters that it may use, or two:
 * sets event->counter, and event->twin.  Returns -1, or the event for which
 * none was left however the others move.
 */
int pmuctl_assign(struct pmuctl_event *event, unsigned int n, u64 free);

/* The counters of n events, with those of other threads. */
u64 pmuctl_assigned(const struct pmuctl_event *event, unsigned int n);

/*
 * The same for sets that take turns on these counters, beside the first if
 * that one is pinned.
 */
int pmuctl_assign_sets(struct pmuctl_event *event, struct pmuctl_set *set,
		       unsigned int nr_sets, bool pinned, u64 free);

#endif
