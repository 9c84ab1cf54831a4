/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an event adds to the gaps of the instructions that have it: each gap less the mean of the
 * same instruction without the event, never a factor.
 */
#ifndef PMUCTL_EXCESS_H
#define PMUCTL_EXCESS_H

#include "tools/pushout/tally.h"

/* Events of a tally by their numbers. */
#define EXCESS_TAG		0	/* those that have it */
#define EXCESS_ALL		1	/* any instruction */
#define EXCESS_OTHERWISE	2	/* those that have another one instead, if there is one */

struct excess {
	double cycles, error;	/* an event; half of its interval, below 0: there is none */
	double over_nothing;	/* share of the events whose instruction is never seen without */
	uint64_t samples;
};

/*
 * Of the events of the first tally; what their instructions are like without is in any of the
 * tallies, each of a run of its own.  Returns 0 or -ENOMEM.
 */
int excess_find(const struct tally *tallies, size_t count, struct excess *to);

#endif
