/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What PEBS needs of the machine, from the making of a session to its end.
 */
#ifndef PMUCTL_PEBS_HOLD_H
#define PMUCTL_PEBS_HOLD_H

struct pmuctl_session;
struct pmuctl_why;

/* NULL, or why PEBS is refused at present. */
const char *pmuctl_pebs_refusal(void);

/*
 * Nothing for a session without PEBS.  Process context, with the sessions'
 * lock; the PMU is held.
 */
int pmuctl_pebs_hold(const struct pmuctl_session *session,
		     const struct pmuctl_why *why);
void pmuctl_pebs_release(const struct pmuctl_session *session);

#endif
