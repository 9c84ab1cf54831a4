/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may ask for what, and when a session must let go of a task.
 */
#ifndef PMUCTL_PRIVILEGE_H
#define PMUCTL_PRIVILEGE_H

#include <linux/capability.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct linux_binprm;
struct nlattr;
struct pmuctl_event;
struct pmuctl_why;
struct sk_buff;
struct task_struct;
struct user_namespace;

/* The parameter. */
bool pmuctl_unprivileged(void);

/*
 * *all: CAP_PERFMON or CAP_SYS_ADMIN, of the sender and of the socket's
 * opener.  Without, an error unless the parameter unprivileged is set and both
 * are one and the same.
 */
int pmuctl_permitted(struct sk_buff *skb, bool *all,
		     const struct pmuctl_why *why);

/*
 * For those without: may the sender (current) count this task, and this
 * event?  attr is what to blame.
 */
/* NULL, or why not; under RCU as well. */
const char *pmuctl_task_refusal(struct task_struct *task);
/* May sleep, as all that says why. */
int pmuctl_may_count_task(struct task_struct *task, const struct nlattr *attr,
			  const struct pmuctl_why *why);
int pmuctl_may_count_event(const struct pmuctl_event *event,
			   const struct nlattr *attr,
			   const struct pmuctl_why *why);
/* LOCKDOWN_PERF, for sessions that count the kernel; all senders. */
int pmuctl_locked_down(const struct pmuctl_event *event,
		       const struct nlattr *attr,
		       const struct pmuctl_why *why);

/*
 * At sched_process_exec, on the task: did it gain privilege, or is it a
 * program that its user may not read?
 */
bool pmuctl_exec_gains(const struct task_struct *task,
		       const struct linux_binprm *bprm);

/* Whose task it was when it was put into an unprivileged session. */
struct pmuctl_creds {
	kuid_t uid, euid, suid;
	kgid_t gid, egid, sgid;
	kernel_cap_t permitted;
	const struct user_namespace *user_ns;	/* compared, never followed */
};

/* Any context but NMI. */
void pmuctl_creds_of(const struct task_struct *task,
		     struct pmuctl_creds *creds);
/*
 * Still the same, with no more capabilities, and dumpable.  Of current, of a
 * task that is being switched to, or of one that was just forked: its mm must
 * not change meanwhile.  Any context but NMI.  An exec is to be followed by it
 * as well: pmuctl_exec_gains() does not see all that a session without
 * privilege must not.
 */
bool pmuctl_creds_hold(const struct task_struct *task,
		       const struct pmuctl_creds *creds);

#endif
