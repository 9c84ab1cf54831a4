/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A register of one CPU in which tasks have bits at values of their own: what
 * it is without them, and what it is now, so that a switch need not read it.
 */
#ifndef PMUCTL_CACHED_H
#define PMUCTL_CACHED_H

#include <linux/types.h>

/* Bits of a register, and what they are to be. */
struct pmuctl_wish {
	u64 bits;
	u64 value;
};

struct pmuctl_cached {
	bool on;
	u64 bits;		/* that tasks may have */
	u64 lost;		/* of these: somebody else wrote them */
	u64 found;		/* the register, with no task's value */
	u64 now;		/* as it was written or read last */
};

/* All with interrupts off, on the CPU meant. */

/* What is there now is what was found; it is on if there is such a register. */
void pmuctl_cached_begin(struct pmuctl_cached *cached, u32 msr, u64 bits);
/*
 * Reads the register, and takes bits that tasks may not have as they are.
 * Returns those of tasks that somebody else wrote since the last time, which
 * are his from now on.
 */
u64 pmuctl_cached_look(struct pmuctl_cached *cached, u32 msr);
/* Writes the register if it is not so already; reads nothing. */
void pmuctl_cached_set(struct pmuctl_cached *cached, u32 msr,
		       const struct pmuctl_wish *wish);

#endif
