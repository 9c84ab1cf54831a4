/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One counter on one CPU: what it has counted since it was added up last, and
 * whether it has overflowed.  On the CPU meant, IRQs off, the NMI handler kept
 * away (or in it).
 */
#ifndef PMUCTL_SLOT_H
#define PMUCTL_SLOT_H

#include "kmod/pmu/hot.h"
#include "kmod/state/cpu.h"

/* Bits that the counter of each slot has. */
extern u64 pmuctl_slot_mask[PMUCTL_SLOTS];

/* Once the backend is known. */
void pmuctl_slots_init(void);

/* Armed it is negative until it overflows: with this value, and now. */
static inline bool pmuctl_is_past(unsigned int i, u64 value)
{
	return !(value & ((pmuctl_slot_mask[i] >> 1) + 1));
}

static inline bool pmuctl_has_wrapped(unsigned int i)
{
	return pmuctl_is_past(i, static_call(hw_read)(i));
}

/*
 * Records of PEBS are drained before.  What is left is of no use to an event
 * that is not sampled, but cheap.
 */
static inline void pmuctl_fold_slot(struct pmuctl_slot *slot, unsigned int i)
{
	u64 now = static_call(hw_read)(i);
	u64 events = (now - slot->last + slot->reloaded) & pmuctl_slot_mask[i];

	*slot->value += events;
	slot->phase.left -= events - slot->reloaded;
	slot->reloaded = 0;
	slot->last = now;
}

#endif
