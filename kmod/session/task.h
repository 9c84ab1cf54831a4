/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tasks which sessions count.
 */
#ifndef PMUCTL_TASK_H
#define PMUCTL_TASK_H

#include <linux/types.h>

#include "kmod/state/link.h"

struct linux_binprm;
struct pmuctl_cpu;
struct pmuctl_phase;
struct pmuctl_proof;
struct pmuctl_session;
struct task_struct;

/* Calls fn for every session that is on the task; RCU. */
void pmuctl_task_sessions(const struct task_struct *task,
			  void (*fn)(struct pmuctl_session *session,
				     void *data), void *data);

/* The caller has the task, or is in RCU's care.  proof NULL: needs none. */
enum pmuctl_add pmuctl_task_add(struct pmuctl_session *session,
				struct task_struct *task,
				const struct pmuctl_proof *proof);
/*
 * Tasks that have executed another program, which nobody has asked for yet;
 * they are the caller's to put.
 */
unsigned int pmuctl_task_unproved(struct pmuctl_session *session,
				  struct task_struct **tasks,
				  unsigned int most);
/* And whether that may be looked into: proof->mm NULL: it may not. */
void pmuctl_task_proved(struct pmuctl_session *session,
			const struct task_struct *task,
			const struct pmuctl_proof *proof);
/* From one session to another: no switch in between finds both or neither. */
enum pmuctl_add pmuctl_task_move(struct task_struct *task,
				 const struct pmuctl_session *from,
				 struct pmuctl_session *to);
/* Takes it off the task; NULL: all that are on it. */
void pmuctl_task_remove(const struct task_struct *task,
			const struct pmuctl_session *session);
/* RCU. */
bool pmuctl_task_has(const struct task_struct *task,
		     const struct pmuctl_session *session);
/* No task gets it any more, and on those that it has it is in nobody's way. */
void pmuctl_task_close(struct pmuctl_session *session);
/* Takes one that was closed off every task; may not run any more. */
void pmuctl_task_detach(struct pmuctl_session *session);

/* task, which runs next or now, is counted by its sessions; IRQs are off. */
void pmuctl_task_count(struct pmuctl_cpu *cpu, struct task_struct *task);
/*
 * Where the task stands between two samples of the session, by the events'
 * phase; NULL: it is not followed (any more).  RCU.
 */
struct pmuctl_phase *pmuctl_task_phases(const struct task_struct *task,
					const struct pmuctl_session *session);

/* What the tracepoints tell. */
void pmuctl_task_forked(struct task_struct *parent, struct task_struct *child);
/* A kernel thread will work for the parent, and has not begun to. */
void pmuctl_task_helped(struct task_struct *parent, struct task_struct *worker);
void pmuctl_task_exec(struct task_struct *task,
		      const struct linux_binprm *bprm);
/* IRQs are off; one of the two may have sessions. */
void pmuctl_task_switch(void *data, bool preempt, struct task_struct *prev,
			struct task_struct *next, unsigned int prev_state);

/* Once it is known what kinds of cores there are. */
void pmuctl_task_init(void);
/* Frees what dead tasks left behind; no tracepoint may run. */
void pmuctl_task_exit(void);

#endif
