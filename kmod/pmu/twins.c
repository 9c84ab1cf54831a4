// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which counter of this CPU each slot has, where threads of a core must not use
 * the same ones.
 */
#include <linux/bits.h>

#include "kmod/pmu/twins.h"

void pmuctl_twins_reset(bool second)
{
	struct pmuctl_twins *twins = pmuctl_twins_here();
	unsigned int i;

	twins->second = second;
	for (i = 0; i < PMUCTL_TWINS; i++)
		twins->place[i] = i;
}

static void put_home(struct pmuctl_twins *twins, unsigned int slot)
{
	unsigned int other = twins->place[slot];

	twins->place[other] = other;
	twins->place[slot] = slot;
}

bool pmuctl_twins_put(unsigned int slot, unsigned int counter)
{
	struct pmuctl_twins *twins = pmuctl_twins_here();

	if (slot >= PMUCTL_TWINS || twins->place[slot] == counter)
		return false;
	put_home(twins, slot);
	put_home(twins, counter);
	twins->place[slot] = counter;
	twins->place[counter] = slot;
	return true;
}

u64 pmuctl_twins_bits(u64 bits)
{
	const struct pmuctl_twins *twins;
	u64 here = bits & ~GENMASK_ULL(PMUCTL_TWINS - 1, 0);
	unsigned int i;

	if (!pmuctl_twins_exist())
		return bits;
	twins = pmuctl_twins_here();
	for (i = 0; i < PMUCTL_TWINS; i++)
		if (bits & BIT_ULL(i))
			here |= BIT_ULL(twins->place[i]);
	return here;
}
