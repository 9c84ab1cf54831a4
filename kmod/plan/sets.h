/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets that a session's events are in.
 */
#ifndef PMUCTL_SETS_H
#define PMUCTL_SETS_H

struct pmuctl_session;
struct pmuctl_why;

/*
 * Sorts the events by set, those that are pinned first, and finds the sets;
 * or says what is wrong with them: a group that is split, a set of which only
 * a part is pinned.
 */
int pmuctl_sets_build(struct pmuctl_session *session,
		      const struct pmuctl_why *why);

#endif
