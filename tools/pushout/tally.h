/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gaps at the instructions that samples by PEBS name, which tell how long retirement stood still
 * in front of them: of all samples of an event, and by place.
 */
#ifndef PMUCTL_TALLY_H
#define PMUCTL_TALLY_H

#include "tools/base/table.h"
#include "tools/pushout/gaps.h"
#include "tools/pushout/sampling.h"

/* Events that are sampled at a time. */
#define TALLY_EVENTS 4

struct gap_place {
	struct table_entry key;		/* DSO and address */
	uint64_t samples[TALLY_EVENTS];
	struct gap_sum of[TALLY_EVENTS];
	double squares[TALLY_EVENTS];	/* of cycles, weighted by events */
};

struct tally {
	struct sampling s;		/* filled in by the caller up to its count */
	size_t count;			/* of its events those that are sampled */
	struct gaps gaps[TALLY_EVENTS];
	struct table places;
};

/* Returns 0, or the exit code. */
int tally_run(struct tally *t, const struct side *side, const struct pair_args *args);
/* Takes the events of the second one away from the first, of which they are a part. */
void tally_subtract(struct tally *t, size_t event, size_t part);
void tally_free(struct tally *t);

#endif
