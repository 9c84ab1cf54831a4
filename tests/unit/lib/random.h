/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that look random, the same each time for one seed, for programs of one file.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

static uint64_t seed;

static inline double uniform(void)
{
	uint64_t z = (seed += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static inline double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

#endif
