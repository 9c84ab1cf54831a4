/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Penalties that the box can take away, so that what they cost is known: the time alone
 * goes, and whatever is counted of them stays.
 */
#ifndef PMUBOX_IDEAL_H
#define PMUBOX_IDEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Name, what --ideal calls it; what is free then. */
#define IDEAL_PENALTIES(X)							\
	X(BRANCH, "branch")	/* wrong path and recovery of a misprediction */ \
	X(L1, "l1")		/* a miss of the first level is as fast as a hit */ \
	X(L2, "l2")		/* one of the second as a hit there */		\
	X(L3, "l3")		/* one of the last as a hit there */		\
	X(WALK, "walk")		/* a page walk as a hit of the second TLB */	\
	X(DIVIDER, "divider")	/* a division as an addition */			\
	X(ALIAS, "alias")	/* a load that looks like a store of another page */ \
	X(BLOCK, "block")	/* ... that a store in front of it blocks */	\
	X(ICACHE, "icache")	/* code that is not in its first level */

enum ideal_penalty {
#define PENALTY(name, text) IDEAL_##name,
	IDEAL_PENALTIES(PENALTY)
#undef PENALTY
	IDEAL_NR
};

struct ideal {
	uint32_t free;			/* bit per penalty */
	uint64_t share;			/* of 2^32: so many of its occurrences are free */
	uint64_t random[IDEAL_NR];	/* which of them */
};

bool ideal_draw(struct ideal *ideal, enum ideal_penalty what);

/* Is this occurrence of a penalty free? */
static inline bool ideal_takes(struct ideal *ideal, enum ideal_penalty what)
{
	return __builtin_expect(ideal->free >> what & 1, 0) && ideal_draw(ideal, what);
}

#endif
