// SPDX-License-Identifier: GPL-2.0-only
/*
 * A register of one CPU in which tasks have bits at values of their own: what
 * it is without them, and what it is now, so that a switch need not read it.
 */
#include <linux/types.h>

#include "kmod/features/cached.h"
#include "kmod/pmu/msr.h"

void pmuctl_cached_begin(struct pmuctl_cached *cached, u32 msr, u64 bits)
{
	cached->bits = bits;
	cached->lost &= bits;
	cached->on = bits && hw_rdmsr_safe(msr, &cached->found);
	cached->now = cached->found;
}

/* Bits that still are tasks'. */
static u64 kept(const struct pmuctl_cached *cached)
{
	return cached->bits & ~cached->lost;
}

u64 pmuctl_cached_look(struct pmuctl_cached *cached, u32 msr)
{
	u64 read, lost;

	if (!hw_rdmsr_safe(msr, &read))
		return 0;
	lost = (read ^ cached->now) & kept(cached);
	cached->lost |= lost;
	cached->found = (cached->found & kept(cached)) |
			(read & ~kept(cached));
	cached->now = read;
	return lost;
}

void pmuctl_cached_set(struct pmuctl_cached *cached, u32 msr,
		       const struct pmuctl_wish *wish)
{
	u64 bits = wish->bits & kept(cached);
	u64 value = (cached->found & ~bits) | (wish->value & bits);

	if (value == cached->now)
		return;
	hw_wrmsr_safe(msr, value);
	cached->now = value;
}
