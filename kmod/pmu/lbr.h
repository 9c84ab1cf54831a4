/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Last branch records: the ring of branches that the hardware keeps.
 */
#ifndef PMUCTL_LBR_H
#define PMUCTL_LBR_H

#include <linux/types.h>

#include "kmod/pmu/pmu.h"

/* Fills caps->lbr_depth and what goes with it; needs caps->model. */
void pmuctl_lbr_probe(struct pmuctl_caps *caps);

/* The registers that are given back as found; returns how many. */
unsigned int pmuctl_lbr_msrs(u32 *msrs);

/* On the CPU meant, IRQs off. */

/* Records what the events on this CPU want; off if none does. */
void pmuctl_lbr_program(struct pmuctl_regs *regs,
			const struct pmuctl_event *event);
/* Branches taken until now are another task's: not to be read from here on. */
void pmuctl_lbr_mark(const struct pmuctl_regs *regs);
/* The interrupt froze it: goes on. */
void pmuctl_lbr_go(const struct pmuctl_regs *regs);
/* The latest first, at most PMUCTL_LBR_MAX; returns how many. */
unsigned int pmuctl_lbr_read(struct pmuctl_branch *branches);
/* Of those, the ones that the event may see, in place. */
unsigned int pmuctl_lbr_filter(const struct pmuctl_event *event,
			       struct pmuctl_branch *branches, unsigned int n);

#endif
