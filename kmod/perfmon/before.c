// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that have to be on a counter of Nehalem or Westmere before the one
 * that is to be counted (errata AAK100, AAP53, BD53).
 *
 * Linux has four events on all four counters whenever it adds one.  Here those
 * counters have them whose event is new: none of the others moves.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/msr.h"

/* In both rings, enabled: by counter, as Linux has them. */
static const u32 first_events[] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };

void pmuctl_events_before(u64 counters)
{
	unsigned int i;

	if (!(pmuctl_caps.errata & PMUCTL_ERRATUM_FIRST_EVENT))
		return;
	for (i = 0; i < ARRAY_SIZE(first_events); i++) {
		if (!(counters & BIT_ULL(i)))
			continue;
		hw_wrmsr(MSR_EVTSEL + i, first_events[i]);
		hw_wrmsr(MSR_PMC + i, 0);
	}
	hw_wrmsr(MSR_GLOBAL_CTRL, counters);
	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
}
