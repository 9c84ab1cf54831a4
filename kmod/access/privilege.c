// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may ask for what, and when a session must let go of a task.
 *
 * The PMU sees what other programs do, so by default it is for those with
 * CAP_PERFMON.  With unprivileged=1 everybody may count user mode of own
 * tasks: those whose registers they could read with a debugger anyway.
 */
#include <linux/binfmts.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/moduleparam.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/sched/coredump.h>
#include <linux/sched/task.h>
#include <linux/security.h>
#include <net/sock.h>

#include "kmod/access/privilege.h"
#include "kmod/base/compat.h"
#include "kmod/base/why.h"
#include "kmod/pmu/pmu.h"

static bool unprivileged;
module_param(unprivileged, bool, 0644);
MODULE_PARM_DESC(unprivileged,
		 "Let every user count user mode of own tasks (default 0: CAP_PERFMON or CAP_SYS_ADMIN is needed)");

bool pmuctl_unprivileged(void)
{
	return READ_ONCE(unprivileged);
}

/* --- credentials --- */

static void note_cred(const struct cred *cred, struct pmuctl_creds *creds)
{
	creds->uid = cred->uid;
	creds->euid = cred->euid;
	creds->suid = cred->suid;
	creds->gid = cred->gid;
	creds->egid = cred->egid;
	creds->sgid = cred->sgid;
	creds->permitted = cred->cap_permitted;
	creds->user_ns = cred->user_ns;
}

void pmuctl_creds_of(const struct task_struct *task,
		     struct pmuctl_creds *creds)
{
	rcu_read_lock();
	note_cred(__task_cred(task), creds);
	rcu_read_unlock();
}

static bool same_ids(const struct pmuctl_creds *a, const struct pmuctl_creds *b)
{
	return uid_eq(a->uid, b->uid) && uid_eq(a->euid, b->euid) &&
	       uid_eq(a->suid, b->suid) && gid_eq(a->gid, b->gid) &&
	       gid_eq(a->egid, b->egid) && gid_eq(a->sgid, b->sgid);
}

static bool no_more_than(const struct pmuctl_creds *now,
			 const struct pmuctl_creds *then)
{
	return now->user_ns == then->user_ns &&
	       cap_issubset(now->permitted, then->permitted);
}

/* --- who asks --- */

/*
 * A program can be made to write what another wants to a socket of that one's:
 * its rights are not for that.
 */
static bool opened_by_sender(const struct sk_buff *skb)
{
	struct pmuctl_creds opener, sender;

	note_cred(NETLINK_CB(skb).sk->sk_socket->file->f_cred, &opener);
	pmuctl_creds_of(current, &sender);
	return same_ids(&sender, &opener) && no_more_than(&sender, &opener);
}

int pmuctl_permitted(struct sk_buff *skb, bool *all,
		     const struct pmuctl_why *why)
{
	*all = netlink_capable(skb, CAP_PERFMON) ||
	       netlink_capable(skb, CAP_SYS_ADMIN);
	if (*all || (pmuctl_unprivileged() && opened_by_sender(skb)))
		return 0;
	/* Kept for nobody: those without rights are not to cost memory. */
	if (pmuctl_unprivileged())
		NL_SET_ERR_MSG(why->extack,
			       "the socket was opened by somebody else, or with fewer rights: open one after the change of user, or be given CAP_PERFMON (both who opens and who asks)");
	else
		NL_SET_ERR_MSG(why->extack,
			       "the PMU sees every program: CAP_PERFMON (or CAP_SYS_ADMIN) is needed; run as root, give the program that capability, or let root set the module's parameter unprivileged=1 to count own tasks");
	return -EPERM;
}

/* --- whose task it is --- */

/*
 * A task that does not run, or is the caller, keeps its mm meanwhile.  Without
 * pmuctl_creds_of(), since each switch to a watched task comes by here, and
 * compared before the call, across which all of them would have to be kept.
 */
bool pmuctl_creds_hold(const struct task_struct *task,
		       const struct pmuctl_creds *creds)
{
	struct pmuctl_creds now;
	bool hold;

	rcu_read_lock();
	note_cred(__task_cred(task), &now);
	hold = same_ids(&now, creds) && no_more_than(&now, creds);
	rcu_read_unlock();
	return hold && pmuctl_dumpable(task, READ_ONCE(task->mm));
}

/* What the task would have to be: all of its IDs the sender's real ones. */
static void creds_of_sender(struct pmuctl_creds *creds)
{
	pmuctl_creds_of(current, creds);
	creds->euid = creds->uid;
	creds->suid = creds->uid;
	creds->egid = creds->gid;
	creds->sgid = creds->gid;
}

static bool task_dumpable(struct task_struct *task)
{
	bool result;

	task_lock(task);
	result = pmuctl_dumpable(task, task->mm);
	task_unlock(task);
	return result;
}

const char *pmuctl_task_refusal(struct task_struct *task)
{
	struct pmuctl_creds sender, its;

	creds_of_sender(&sender);
	pmuctl_creds_of(task, &its);
	if (!same_ids(&its, &sender))
		return "it belongs to another user, or can change its user or group";
	if (!no_more_than(&its, &sender))
		return "it has capabilities that the asker has not, or is in another user namespace";
	/* Exiting, it has no mm: who attaches it says that it is over. */
	if (!task_dumpable(task) && !(READ_ONCE(task->flags) & PF_EXITING))
		return "it may not be looked into (not dumpable: PR_SET_DUMPABLE in prctl(2))";
	return NULL;
}

int pmuctl_may_count_task(struct task_struct *task, const struct nlattr *attr,
			  const struct pmuctl_why *why)
{
	const char *refusal = pmuctl_task_refusal(task);

	if (!refusal)
		return 0;
	return pmuctl_why_attr(why, attr, -EACCES,
			       "task %d is not the asker's own: %s; CAP_PERFMON is needed to count it",
			       task_pid_vnr(task), refusal);
}

/* --- what is counted --- */

int pmuctl_may_count_event(const struct pmuctl_event *event,
			   const struct nlattr *attr,
			   const struct pmuctl_why *why)
{
	if (event->flags & PMUCTL_EVENT_KERNEL)
		return pmuctl_why_attr(why, attr, -EACCES,
				       "event 0x%llx counts the kernel: without CAP_PERFMON only user mode can be counted (:u)",
				       event->evtsel);
	if (event->sees_sibling ||
	    (pmuctl_caps_of(event)->any && event->evtsel & PMUCTL_EVTSEL_ANY))
		return pmuctl_why_attr(why, attr, -EACCES,
				       "event 0x%llx counts the other thread of the core as well: CAP_PERFMON is needed",
				       event->evtsel);
	if (event->nr_extra)
		return pmuctl_why_attr(why, attr, -EACCES,
				       "event 0x%llx sets a register beside its event select, which may be shared with others: CAP_PERFMON is needed",
				       event->evtsel);
	return 0;
}

int pmuctl_locked_down(const struct pmuctl_event *event,
		       const struct nlattr *attr,
		       const struct pmuctl_why *why)
{
	if (!(event->flags & PMUCTL_EVENT_KERNEL) ||
	    !security_locked_down(LOCKDOWN_PERF))
		return 0;
	return pmuctl_why_attr(why, attr, -EPERM,
			       "event 0x%llx counts the kernel, which is locked down (/sys/kernel/security/lockdown): count user mode only (:u)",
			       event->evtsel);
}

/* --- letting go --- */

/*
 * The new credentials are committed by then.  A program that its user may
 * not read is not to be looked into either.
 */
bool pmuctl_exec_gains(const struct task_struct *task,
		       const struct linux_binprm *bprm)
{
	return bprm->secureexec || !pmuctl_dumpable(task, task->mm);
}
