/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who gets which counter, of all sessions that there are.
 */
#ifndef PMUCTL_ARBITRATE_H
#define PMUCTL_ARBITRATE_H

#include <linux/types.h>

struct pmuctl_plan;
struct pmuctl_session;
struct pmuctl_why;

/* Finds the sets and counters for every event, or says why not. */
int pmuctl_session_assign(struct pmuctl_plan *plan,
			  const struct pmuctl_why *why);

/* --- for backends that assign counters themselves --- */

/*
 * Marks the sessions that are in the way of the plan's; returns the counters
 * that they hold.
 */
u64 pmuctl_mark_in_the_way(struct pmuctl_plan *plan);
/* Whatever it has, the plan may have it. */
bool pmuctl_plan_passes(const struct pmuctl_plan *plan,
			const struct pmuctl_session *session);

/* Those that are marked, in words: a line of so many bytes. */
#define PMUCTL_HOLDERS		280
void pmuctl_name_holders(char *line, const struct pmuctl_why *why);

#endif
