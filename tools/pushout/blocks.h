/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gaps from one taken branch to the next, by the cycles that branch records have.
 */
#ifndef PMUCTL_BLOCKS_H
#define PMUCTL_BLOCKS_H

#include "tools/base/table.h"
#include "tools/pushout/gaps.h"
#include "tools/pushout/sampling.h"

/* Which branch led into a block. */
enum led_by { LED_RIGHT, LED_MISPREDICTED, LED_BY };

struct gap_block {
	struct table_entry key;		/* DSO and address of its first instruction */
	uint64_t seen[LED_BY];
	struct gap_sum of[LED_BY];
	double squares[LED_BY];		/* of its cycles */
};

struct blocks {
	struct sampling s;
	struct gaps gaps[LED_BY];	/* of all blocks, by what led into them */
	struct gaps all;
	struct table places;
};

/* Returns 0, or the exit code. */
int blocks_run(struct blocks *b, const struct side *side, const struct pair_args *args);
void blocks_free(struct blocks *b);
/*
 * What is added to a block by the misprediction of the branch in front of it, by the blocks that
 * both kinds of branches led into: cycles, and half of the interval (below 0: there is none).
 * Returns which share of mispredictions that is of; 0: of none.
 */
double blocks_added(const struct blocks *b, double *cycles, double *error);

#endif
