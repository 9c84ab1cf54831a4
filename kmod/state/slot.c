// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all counters have: how wide they are.
 */
#include <linux/cache.h>

#include "kmod/state/slot.h"

u64 pmuctl_slot_mask[PMUCTL_SLOTS] __read_mostly;

void pmuctl_slots_init(void)
{
	unsigned int slot;

	for (slot = 0; slot < PMUCTL_SLOTS; slot++)
		if (pmuctl_caps.counters & BIT_ULL(pmuctl_counter(slot)))
			pmuctl_slot_mask[slot] = pmuctl_backend->mask(slot);
}
