/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a request names, as the tasks that it means.
 */
#ifndef PMUCTL_TARGET_H
#define PMUCTL_TARGET_H

#include <linux/types.h>

struct pmuctl_plan;
struct pmuctl_proof;
struct pmuctl_session;
struct pmuctl_target;
struct pmuctl_why;

/* Calls fn for every session that is on a task that the plan is to be on. */
void pmuctl_targets_sessions(const struct pmuctl_plan *plan,
			     void (*fn)(struct pmuctl_session *session,
					void *data), void *data);

/*
 * Puts the session on the target's threads, and on those that it makes
 * meanwhile if the session inherits.
 */
int pmuctl_target_attach(struct pmuctl_session *session,
			 const struct pmuctl_target *target,
			 const struct pmuctl_proof *proof,
			 const struct pmuctl_why *why);

/*
 * Asks whether who makes the plan may look into its tasks; forget in any case.
 * Without a lock, see access/proof.h.
 */
int pmuctl_targets_prove(struct pmuctl_plan *plan,
			 const struct pmuctl_why *why);
void pmuctl_targets_forget(struct pmuctl_plan *plan);
/*
 * The same, for the maker of a session, of its tasks that have executed another
 * program: until then their registers and memory are not told.
 */
void pmuctl_session_prove_again(u32 id);

#endif
