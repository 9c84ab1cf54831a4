// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In which order the runs of pmuctl compare come, and what differs between them by chance.
 *
 * Chance is a hash of the seed and of the run's place, so that a comparison can be had again, and
 * a run's place decides alone, whatever else is compared beside it.
 */
#include "tools/compare/compare.h"

/* More environment moves the stack by up to a page: how it lies there has cost up to 40 %. */
#define PADDING_MOST 4096

enum { DRAW_FIRST, DRAW_PADDING };

/* The mixer of SplitMix64, which turns counting into what passes for chance. */
static uint64_t mix(uint64_t z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static uint64_t draw(uint64_t seed, uint64_t what, uint64_t contest, uint64_t number)
{
	return mix(mix(mix(mix(seed) + what) + contest) + number);
}

/*
 * ABBA or BAAB: what drifts evenly over both pairs (a machine that becomes warm) is the same to
 * either side.  The warm-up is pair 0 and stands alone.
 */
unsigned int order_first(uint64_t seed, size_t contest, size_t pair)
{
	size_t block = (pair + 1) / 2;

	return (draw(seed, DRAW_FIRST, contest, block) & 1) ^ (pair % 2);
}

size_t order_padding(uint64_t seed, size_t contest, size_t pair, unsigned int side)
{
	return draw(seed, DRAW_PADDING, contest, 2 * (uint64_t)pair + side) % PADDING_MOST;
}
