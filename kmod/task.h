/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tasks which sessions count.
 */
#ifndef PMUCTL_TASK_H
#define PMUCTL_TASK_H

#include <linux/types.h>

struct pmuctl_session;
struct pmuctl_target;
struct pmuctl_why;
struct task_struct;

/* Calls fn for every session that is on a thread of the target. */
void pmuctl_task_sessions(const struct pmuctl_target *target,
			  void (*fn)(struct pmuctl_session *session,
				     void *data), void *data);

/*
 * Puts the session on the target's threads, and on those that it makes
 * meanwhile if the session inherits.
 */
int pmuctl_task_attach(struct pmuctl_session *session,
		       const struct pmuctl_target *target,
		       const struct pmuctl_why *why);
/* Takes it off every task; may not run any more. */
void pmuctl_task_detach(struct pmuctl_session *session);

/* Whether a task of that address has sessions; a hint, any context. */
bool pmuctl_task_maybe(const struct task_struct *task);
/* Sessions that count task now; RCU. */
unsigned int pmuctl_task_running(const struct task_struct *task,
				 struct pmuctl_session **want);

/* What the tracepoints tell. */
void pmuctl_task_forked(struct task_struct *parent, struct task_struct *child);
void pmuctl_task_exec(struct task_struct *task);
void pmuctl_task_dead(struct task_struct *task);

/* Frees what dead tasks left behind; no tracepoint may run. */
void pmuctl_task_exit(void);

#endif
