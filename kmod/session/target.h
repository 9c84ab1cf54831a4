/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a request names, as the tasks that it means.
 */
#ifndef PMUCTL_TARGET_H
#define PMUCTL_TARGET_H

struct pmuctl_session;
struct pmuctl_target;
struct pmuctl_why;

/* Calls fn for every session that is on a thread of the target. */
void pmuctl_target_sessions(const struct pmuctl_target *target,
			    void (*fn)(struct pmuctl_session *session,
				       void *data), void *data);

/*
 * Puts the session on the target's threads, and on those that it makes
 * meanwhile if the session inherits.
 */
int pmuctl_target_attach(struct pmuctl_session *session,
			 const struct pmuctl_target *target,
			 const struct pmuctl_why *why);

#endif
