/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last branches as they were when the interrupt came.
 */
#ifndef PMUCTL_BRANCHES_H
#define PMUCTL_BRANCHES_H

#include "kmod/pmu/pmu.h"

/* Once the backend is known. */
int pmuctl_branches_init(void);
void pmuctl_branches_exit(void);

/*
 * All of these on the CPU meant, IRQs off, from the NMI handler or with it kept
 * away.
 */

/* First of all in the handler: what it does itself must not get into them. */
void pmuctl_branches_keep(const struct pmuctl_regs *regs);
/* What the event may see, the latest first; good until asked again. */
const struct pmuctl_branch *
pmuctl_branches_of(const struct pmuctl_event *event, unsigned int *n);
/* The same of those that a record holds. */
const struct pmuctl_branch *
pmuctl_branches_in(const struct pmuctl_branch *all, unsigned int nr,
		   const struct pmuctl_event *event, unsigned int *n);
/* The ones kept are nobody's any more, and none are recorded. */
void pmuctl_branches_drop(void);
/* Last of all: branches are recorded again, and the ones kept are forgotten. */
void pmuctl_branches_done(const struct pmuctl_regs *regs);

#endif
