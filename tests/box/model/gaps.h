/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gaps of retirement (pushouts): the cycles from the retirement of the instruction before to
 * an instruction's own, by what befell the instruction.
 */
#ifndef PMUBOX_GAPS_H
#define PMUBOX_GAPS_H

#include <stdint.h>

/*
 * The tags: name, what the truth calls it.  An instruction has one, the first of these that
 * is true of it; of what befalls a load the dearest counts, which is a level if nothing does.
 */
#define GAP_TAGS(X)								\
	X(MISPREDICT, "mispredict")	/* a branch that was mispredicted */	\
	X(MISPREDICT_NEXT, "mispredict_next")	/* ... the instruction behind it */ \
	X(CLEAR, "clear")		/* the one behind a machine clear */	\
	X(BLOCK, "block")		/* a load that a store in front of it blocks */ \
	X(ALIAS, "alias")		/* ... that looks like a store of another page */ \
	X(SPLIT, "split")		/* ... of two lines */			\
	X(WALK, "walk")			/* ... or a store, with a page walk */	\
	X(L1, "l1")			/* loads, by where their line comes from */ \
	X(L2, "l2")								\
	X(L3, "l3")								\
	X(MEMORY, "memory")							\
	X(FRONT_END, "front_end")	/* allocation has waited for it */	\
	X(OTHER, "other")

enum gap_tag {
#define TAG(name, text) GAP_##name,
	GAP_TAGS(TAG)
#undef TAG
	GAP_TAG_COUNT
};

/* Bins of a histogram: 0, 1, 2, 3, from there on two for each power of two, and the rest. */
#define GAP_EXACT 4
#define GAP_OCTAVES 10
#define GAP_BINS (GAP_EXACT + 2 * GAP_OCTAVES + 1)

/* The least gap of a bin. */
static inline unsigned int gap_bin_from(unsigned int bin)
{
	unsigned int octave = (bin - GAP_EXACT) / 2;

	return bin < GAP_EXACT ? bin : (2 + bin % 2) << (octave + 1);
}

/* The bin that has a gap. */
static inline unsigned int gap_bin_of(uint64_t gap)
{
	unsigned int power;

	if (gap < GAP_EXACT)
		return (unsigned int)gap;
	power = 63 - (unsigned int)__builtin_clzll(gap);
	if (power >= GAP_OCTAVES + 2)
		return GAP_BINS - 1;
	return GAP_EXACT + 2 * (power - 2) + (gap >> (power - 1) & 1);
}

#endif
