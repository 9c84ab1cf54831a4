// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a request names, as the tasks that it means.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "kmod/access/limits.h"
#include "kmod/access/privilege.h"
#include "kmod/access/proof.h"
#include "kmod/base/why.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/target.h"
#include "kmod/session/task.h"
#include "kmod/session/vhost.h"
#include "kmod/state/session.h"

static struct task_struct *target_task(const struct pmuctl_target *target)
{
	return get_pid_task(target->pid, target->process ? PIDTYPE_TGID :
							   PIDTYPE_PID);
}

/*
 * A thread that a thread without a link makes gets none; but it is on the
 * list by then, so go round until there is nobody new.  Without inheritance
 * those that are there now are meant: a process that goes on making threads
 * would have us go round for ever.
 */
static enum pmuctl_add attach_threads(struct pmuctl_session *session,
				      struct task_struct *leader,
				      const struct pmuctl_proof *proof)
{
	bool added, any = false;
	struct task_struct *task;
	enum pmuctl_add result;

	do {
		added = false;
		rcu_read_lock();
		for_each_thread(leader, task) {
			result = pmuctl_task_add(session, task, proof);
			added |= result == PMUCTL_ADDED;
			any |= result == PMUCTL_ADDED ||
			       result == PMUCTL_PRESENT;
			if (result >= PMUCTL_IN_THE_WAY) {
				rcu_read_unlock();
				return result;
			}
		}
		rcu_read_unlock();
	} while (added && session->flags & PMUCTL_SESSION_INHERIT);
	return any ? PMUCTL_ADDED : PMUCTL_ENDING;
}

static void attach_worker(struct task_struct *worker, void *session)
{
	if (pmuctl_task_add(session, worker, NULL) >= PMUCTL_IN_THE_WAY)
		pmuctl_session_trouble(session, PMUCTL_COUNT_INCOMPLETE);
}

/* As pmuctl_task_helped(), of what there is already. */
static void attach_workers(struct pmuctl_session *session,
			   const struct task_struct *leader)
{
	if (!PMUCTL_VHOST_BY_NAME || !session->privileged)
		return;
	rcu_read_lock();
	pmuctl_vhost_workers(leader, attach_worker, session);
	rcu_read_unlock();
}

static int attach_error(enum pmuctl_add result, struct task_struct *task,
			const struct pmuctl_target *target,
			const struct pmuctl_why *why)
{
	const struct nlattr *attr = target->attr;
	pid_t nr = pid_vnr(target->pid);

	switch (result) {
	case PMUCTL_IN_THE_WAY:
		return pmuctl_why_attr(why, attr, -EBUSY,
				       "task %d: another session came to be on it, with the same counters; try again",
				       nr);
	case PMUCTL_TOO_MANY:
		return pmuctl_why_attr(why, attr, -EDQUOT,
				       "task %d cannot be followed: a user's sessions follow %llu tasks at most, and take %llu bytes of memory; end some, or let root raise max_tasks or max_memory_kib in /sys/module/pmuctl/parameters",
				       nr, pmuctl_limit(PMUCTL_LIMIT_TASKS),
				       pmuctl_limit(PMUCTL_LIMIT_MEMORY));
	case PMUCTL_NO_MEMORY:
		return pmuctl_why_attr(why, attr, -ENOMEM,
				       "task %d cannot be followed: no memory",
				       nr);
	case PMUCTL_NOT_OWN:
		return pmuctl_why_attr(why, attr, -EACCES,
				       "task %d or one of its threads is not the asker's own: %s; CAP_PERFMON is needed to count it",
				       nr, pmuctl_task_refusal(task) ?:
				       "its credentials change");
	case PMUCTL_EXECS:
		return pmuctl_why_attr(why, attr, -EAGAIN,
				       "task %d executes another program just now: try again",
				       nr);
	case PMUCTL_ENDING:
		return pmuctl_why_attr(why, attr, -ESRCH,
				       "task %d is exiting: there is nothing left to count",
				       nr);
	default:
		return 0;
	}
}

int pmuctl_target_attach(struct pmuctl_session *session,
			 const struct pmuctl_target *target,
			 const struct pmuctl_proof *proof,
			 const struct pmuctl_why *why)
{
	struct task_struct *task = target_task(target);
	enum pmuctl_add result;
	int err;

	if (!task)
		return attach_error(PMUCTL_ENDING, NULL, target, why);
	result = target->process ? attach_threads(session, task, proof) :
				   pmuctl_task_add(session, task, proof);
	if (target->process && result == PMUCTL_ADDED)
		attach_workers(session, task);
	err = attach_error(result, task, target, why);
	put_task_struct(task);
	return err;
}

static void target_sessions(const struct pmuctl_target *target,
			    void (*fn)(struct pmuctl_session *session,
				       void *data), void *data)
{
	struct task_struct *task = target_task(target), *thread;

	if (!task)
		return;
	rcu_read_lock();
	if (target->process)
		for_each_thread(task, thread)
			pmuctl_task_sessions(thread, fn, data);
	else
		pmuctl_task_sessions(task, fn, data);
	rcu_read_unlock();
	put_task_struct(task);
}

void pmuctl_targets_sessions(const struct pmuctl_plan *plan,
			     void (*fn)(struct pmuctl_session *session,
					void *data), void *data)
{
	struct task_struct *leader, *task;
	unsigned int i;

	for (i = 0; i < plan->nr_targets; i++)
		target_sessions(&plan->target[i], fn, data);
	if (!plan->session->cgroup)
		return;
	rcu_read_lock();
	for_each_process_thread(leader, task)
		if (pmuctl_task_maybe(task) &&
		    pmuctl_cgroup_has(plan->session, task))
			pmuctl_task_sessions(task, fn, data);
	rcu_read_unlock();
}

/* --- who asks may look into them --- */

/* All threads have one memory, and the first of them may be gone. */
static struct task_struct *find_living(const struct pmuctl_target *target)
{
	struct task_struct *task = target_task(target), *thread, *found = NULL;

	if (!task || !target->process)
		return task;
	rcu_read_lock();
	for_each_thread(task, thread) {
		if (!READ_ONCE(thread->mm))
			continue;
		found = get_task_struct(thread);
		break;
	}
	rcu_read_unlock();
	put_task_struct(task);
	return found;
}

static int target_prove(const struct pmuctl_target *target,
			struct pmuctl_proof *proof,
			const struct pmuctl_why *why)
{
	struct task_struct *task = find_living(target);
	int err;

	if (!task)
		return 0;
	err = pmuctl_prove_or_say(task, proof, target->attr, why);
	put_task_struct(task);
	return err;
}

int pmuctl_targets_prove(struct pmuctl_plan *plan,
			 const struct pmuctl_why *why)
{
	unsigned int i;
	int err = 0;

	plan->proof = kvcalloc(plan->nr_targets, sizeof(*plan->proof),
			       GFP_KERNEL_ACCOUNT);
	if (!plan->proof)
		return pmuctl_why(why, -ENOMEM, "no memory for %u targets",
				  plan->nr_targets);
	for (i = 0; i < plan->nr_targets && !err; i++)
		err = target_prove(&plan->target[i], &plan->proof[i], why);
	return err;
}

void pmuctl_targets_forget(struct pmuctl_plan *plan)
{
	unsigned int i;

	for (i = 0; plan->proof && i < plan->nr_targets; i++)
		pmuctl_proof_drop(&plan->proof[i]);
	kvfree(plan->proof);
	plan->proof = NULL;
}

/* So many at once; the rest is for the next time. */
#define ASKED_AGAIN	32

void pmuctl_session_prove_again(u32 id)
{
	struct task_struct *tasks[ASKED_AGAIN];
	struct pmuctl_session *session;
	struct pmuctl_proof proof;
	unsigned int i, n = 0;

	pmuctl_lock(false);
	session = pmuctl_session_find(id);
	if (session && uid_eq(session->uid, current_uid()))
		n = pmuctl_task_unproved(session, tasks, ASKED_AGAIN);
	pmuctl_unlock(false);
	for (i = 0; i < n; i++) {
		pmuctl_prove(tasks[i], &proof);
		pmuctl_lock(false);
		session = pmuctl_session_find(id);
		if (session)
			pmuctl_task_proved(session, tasks[i], &proof);
		pmuctl_unlock(false);
		pmuctl_proof_drop(&proof);
		put_task_struct(tasks[i]);
	}
}
