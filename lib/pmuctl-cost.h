/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Costs: what an event costs by itself, by published figures, and what tells how long it takes.
 */
#ifndef LIBPMUCTL_COST_H
#define LIBPMUCTL_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct pmuctl;

/* What is known of one kind of event on this processor. */
struct pmuctl_cost {
	const char *name;	/* the same on all processors: "branch-misses" */
	const char *text;	/* what happens */
	const char *event;	/* that counts it, for pmuctl_event_parse() */
	/*
	 * Cycles that one takes when nothing else goes on meanwhile: where things overlap it
	 * costs less, where it holds up others more.  0: nobody has published any.
	 */
	double cycles;
	const char *source;	/* of that figure; NULL: there is none */
	/*
	 * Cycles and occurrences, for pmuctl_event_parse(), to be counted as a group: the one by
	 * the other is how long one lasts, in the mean.  NULL: not to be had here.
	 */
	const char *duration, *periods;
	const char *meaning;	/* whose duration that is; NULL: the event's own */
	const char *why_not;	/* why there is no duration; NULL: there is one */
	/*
	 * Where PEBS tells how long retirement stood still (PMUCTL_CAN_RETIRE): the event at whose
	 * instructions it does for this one's sake, NULL: none is known; the event that the same
	 * instructions have otherwise, NULL: none of its own; and what that is called.
	 */
	const char *tag, *otherwise, *against;
	const char *node;	/* of this core's TMA, which its cycles are a part of; NULL: none */
	bool covers;		/* its duration has those of the levels behind in it */
	bool behind;		/* it is such a level */
	/* It has no cost of its own, but where it moves others do not stand alone. */
	bool watched;
};

/* What it is returned ends the walk if not 0, and is returned. */
typedef int pmuctl_cost_fn(void *data, const struct pmuctl_cost *cost);

/* -EOPNOTSUPP: nothing is known of this processor's costs, and the error says which it is. */
int pmuctl_list_costs(struct pmuctl *ctx, pmuctl_cost_fn *fn, void *data);

struct pmuctl_cost_floor {
	size_t size;
	uint32_t width;		/* uops that it issues a cycle */
	const char *event;	/* uops retired, for pmuctl_event_parse() */
	uint32_t load;		/* cycles of a load that the first level has; 0: not known */
};

/* What no program can be faster than: its uops by the width; -EOPNOTSUPP as above. */
int pmuctl_cost_get_floor(struct pmuctl *ctx, struct pmuctl_cost_floor *lowest);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
