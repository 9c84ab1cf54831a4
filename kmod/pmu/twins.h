/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of Sandy Bridge to Haswell whose events also move the same counter
 * of the core's other thread (errata BJ122, BV98, HSD29): an event D0 to D3
 * has two, and counts with the first on one thread and with the second on the
 * other, so that what it moves over there is a counter that nothing is on.
 *
 * A slot stays the same on both.  Where the second thread has its event is
 * here: slots and counters are exchanged in pairs, so the way back is the same.
 */
#ifndef PMUCTL_TWINS_H
#define PMUCTL_TWINS_H

#include <linux/types.h>

#include "kmod/pmu/pmu.h"

/* General-purpose counters that each of two threads has. */
#define PMUCTL_TWINS		4

/* Of one CPU; everything but place is 0 on other processors. */
struct pmuctl_twins {
	bool second;			/* the core's second thread */
	u8 place[PMUCTL_TWINS];
};

struct pmuctl_twins *pmuctl_twins_here(void);

void pmuctl_twins_reset(bool second);
/* The slot has this counter from now on; true: another one than until now. */
bool pmuctl_twins_put(unsigned int slot, unsigned int counter);

static inline bool pmuctl_twins_exist(void)
{
	return pmuctl_caps.errata & PMUCTL_ERRATUM_TWIN;
}

/* From slots to counters of this CPU, and back. */
static inline unsigned int pmuctl_twins_place(unsigned int slot)
{
	if (!pmuctl_twins_exist() || slot >= PMUCTL_TWINS)
		return slot;
	return pmuctl_twins_here()->place[slot];
}

/* The same for masks of counters. */
u64 pmuctl_twins_bits(u64 bits);

#endif
