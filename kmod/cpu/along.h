/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that are read along: a sample of their group tells what they counted
 * since the one before.  How much that is by now is kept with the task, as the
 * rest of a period is: what is left of an event that is not sampled is what it
 * has counted, below zero.
 */
#ifndef PMUCTL_ALONG_H
#define PMUCTL_ALONG_H

struct pmuctl_cpu;
struct pmuctl_phase;
struct pmuctl_session;
struct pmuctl_set;
struct pmuctl_why;

/* Of a session whose cascades are built: which ones are, or what is wrong. */
int pmuctl_along_build(struct pmuctl_session *session,
		       const struct pmuctl_why *why);

/* Events have their counters. */
void pmuctl_along_assigned(struct pmuctl_session *session);

/*
 * A set comes on: goes on from the phases, or begins (NULL as well).  On the
 * CPU meant, IRQs off, the counters do not run.
 */
void pmuctl_along_on(struct pmuctl_cpu *cpu,
		     const struct pmuctl_session *session,
		     const struct pmuctl_set *set,
		     const struct pmuctl_phase *phase);

#endif
