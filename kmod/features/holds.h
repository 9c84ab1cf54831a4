/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who holds which feature of the processor where, and who may.
 */
#ifndef PMUCTL_FEATURE_HOLDS_H
#define PMUCTL_FEATURE_HOLDS_H

#include "kmod/features/features.h"

/* Those that are listed; with pmuctl_lock(true), as all that follows. */
extern struct list_head pmuctl_holds;

#define pmuctl_for_each_hold(hold)	\
	list_for_each_entry(hold, &pmuctl_holds, node)

/* 0, or why not: the parameter is none, or there are no rows. */
int pmuctl_holds_init(void);

/* 0, or who or what is in its way. */
int pmuctl_hold_check(const struct pmuctl_hold *hold,
		      const struct pmuctl_why *why);
/* It is one of them from now on, with a number; and it is none any more. */
void pmuctl_hold_list(struct pmuctl_hold *hold);
void pmuctl_hold_unlist(struct pmuctl_hold *hold);

/* Whether the place that has this CPU is one of its own. */
bool pmuctl_hold_is_at(const struct pmuctl_hold *hold, unsigned int row,
		       unsigned int cpu);
/* Who holds the row where this CPU is; NULL: nobody. */
struct pmuctl_hold *pmuctl_holder(unsigned int row, unsigned int cpu);

/* Nothing is held for this reason, though somebody holds it; NULL: all is. */
void pmuctl_holds_close(const char *reason);
bool pmuctl_holds_closed(void);

#endif
