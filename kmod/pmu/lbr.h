/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Last branch records: the ring of branches that the hardware keeps.
 */
#ifndef PMUCTL_LBR_H
#define PMUCTL_LBR_H

#include <linux/types.h>

#include "kmod/pmu/pmu.h"

/* Beside rings: as a stack of calls, from which returns take. */
#define LBR_CALLS	BIT(31)

/* The calls of a task that does not run, as the registers have had them. */
struct pmuctl_calls {
	u32 nr;
	u64 from[PMUCTL_LBR_MAX];	/* the innermost first */
	u64 to[PMUCTL_LBR_MAX];
};

/* Fills caps->lbr_depth and what goes with it; needs caps->model. */
void pmuctl_lbr_probe(struct pmuctl_caps *caps);

/* As if this processor had none. */
void pmuctl_lbr_none(struct pmuctl_caps *caps);
/*
 * Architectural ones: entries that move as each is added, and a register of
 * their own that has them on.
 */
bool pmuctl_lbr_is_list(void);

/* The registers that are given back as found; returns how many. */
unsigned int pmuctl_lbr_msrs(u32 *msrs);

/* On the CPU meant, IRQs off. */

/* Off, whoever has it on. */
void pmuctl_lbr_reset(void);
/* Records what the events on this CPU want; off if none does. */
void pmuctl_lbr_program(struct pmuctl_regs *regs,
			const struct pmuctl_event *event);
/* Branches taken until now are another task's: not to be read from here on. */
void pmuctl_lbr_mark(const struct pmuctl_regs *regs);
/* With LBR_CALLS: where the task stands; where it goes on (NULL: no call). */
void pmuctl_lbr_keep(struct pmuctl_calls *calls);
void pmuctl_lbr_put(const struct pmuctl_calls *calls);
/* What DEBUGCTL has for these rings, and LBR_CTL, where that is. */
u64 pmuctl_lbr_debugctl(u32 rings);
u64 pmuctl_lbr_ctl(u32 rings);
/* The interrupt froze it: goes on. */
void pmuctl_lbr_go(const struct pmuctl_regs *regs);
/* The latest first, at most PMUCTL_LBR_MAX; returns how many. */
unsigned int pmuctl_lbr_read(const struct pmuctl_regs *regs,
			     struct pmuctl_branch *branches);
/* Of those, the ones that the event may see, in place. */
unsigned int pmuctl_lbr_filter(const struct pmuctl_event *event,
			       struct pmuctl_branch *branches, unsigned int n);

#endif
