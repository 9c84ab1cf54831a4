/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler's tracepoints, while there are sessions on tasks.
 */
#ifndef PMUCTL_TRACE_H
#define PMUCTL_TRACE_H

struct pmuctl_why;

/* Counted: each hold needs its release. */
int pmuctl_trace_hold(const struct pmuctl_why *why);
/* After the last they go within a moment. */
void pmuctl_trace_release(void);
/* The same for sessions on CPUs whose samples are tasks' (PEBS, branches). */
int pmuctl_trace_hold_leaves(const struct pmuctl_why *why);
void pmuctl_trace_release_leaves(void);
/* There is no hold; after it no probe runs any more. */
void pmuctl_trace_exit(void);
/* The current tasks of all CPUs are counted as their sessions say now. */
void pmuctl_trace_sync(void);

#endif
