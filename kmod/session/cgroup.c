// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions on a control group: which tasks they are on.
 *
 * Such a session is one on tasks, so a switch knows nothing of groups.  A task
 * gets it when the session is made, when it is forked into the group, and when
 * somebody moves it there; it loses it when it is moved out.  Every one of
 * these looks at where the task is, once more after it got the session: who
 * moves it meanwhile either finds the session there or is seen by that look.
 */
#include <linux/cgroup.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <net/netlink.h>

#include "kmod/base/probes.h"
#include "kmod/base/why.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/task.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* Changed with the sessions' lock held for writing; read by tracepoints. */
static LIST_HEAD(cgroups);

/* --- which group --- */

int pmuctl_cgroup_name(struct pmuctl_session *session,
		       const struct nlattr *attr, const struct pmuctl_why *why)
{
	struct cgroup *cgroup = cgroup_get_from_fd(nla_get_u32(attr));
	int err = PTR_ERR_OR_ZERO(cgroup);

	if (!err && cgroup->root != &cgrp_dfl_root) {
		cgroup_put(cgroup);
		err = -EBADF;
	}
	if (err == -EBADF)
		return pmuctl_why_attr(why, attr, err,
				       "descriptor %u is no folder of a control group (version 2)",
				       nla_get_u32(attr));
	if (err)
		return pmuctl_why_attr(why, attr, err,
				       "the control group of descriptor %u has been removed",
				       nla_get_u32(attr));
	session->cgroup = cgroup;
	return 0;
}

void pmuctl_cgroup_put(struct pmuctl_session *session)
{
	if (session->cgroup)
		cgroup_put(session->cgroup);
}

int pmuctl_cgroup_path(const struct pmuctl_session *session, char *path,
		       size_t size)
{
	int len = cgroup_path(session->cgroup, path, size);

	return len < 0 ? len : len >= size ? -E2BIG : 0;
}

/* --- tasks that come and go --- */

/* from: that it leaves, or NULL. */
static enum pmuctl_add join(struct pmuctl_session *session,
			    struct task_struct *task,
			    const struct pmuctl_session *from)
{
	enum pmuctl_add result = from ? pmuctl_task_move(task, from, session) :
					pmuctl_task_add(session, task, NULL);

	/* Somebody moved it away before it had the session to lose. */
	if (result == PMUCTL_ADDED && !pmuctl_cgroup_has(session, task)) {
		pmuctl_task_remove(task, session);
		return PMUCTL_ENDING;
	}
	return result;
}

static enum pmuctl_add join_all(struct pmuctl_session *session, pid_t *failed)
{
	struct task_struct *leader, *task;
	enum pmuctl_add result;

	rcu_read_lock();
	for_each_process_thread(leader, task) {
		if (!pmuctl_cgroup_has(session, task))
			continue;
		result = join(session, task, NULL);
		if (result < PMUCTL_IN_THE_WAY)
			continue;
		*failed = task_pid_vnr(task);
		rcu_read_unlock();
		return result;
	}
	rcu_read_unlock();
	return PMUCTL_ADDED;
}

int pmuctl_cgroup_attach(struct pmuctl_session *session,
			 const struct pmuctl_why *why)
{
	enum pmuctl_add result;
	pid_t failed;

	/* First: who comes from here on gets it, or is found then. */
	list_add_rcu(&session->cgroup_node, &cgroups);
	result = join_all(session, &failed);
	if (result == PMUCTL_ADDED)
		return 0;
	if (result == PMUCTL_IN_THE_WAY)
		return pmuctl_why(why, -EBUSY,
				  "task %d of the control group: another session came to be on it, with the same counters; try again",
				  failed);
	return pmuctl_why(why, -ENOMEM,
			  "task %d of the control group cannot be followed: no memory",
			  failed);
}

void pmuctl_cgroup_close(struct pmuctl_session *session)
{
	if (!list_empty(&session->cgroup_node))
		list_del_rcu(&session->cgroup_node);
}

/*
 * One whose group the task was in, with some of the counters of the one that
 * comes (NULL: with any), but not `but`; or NULL.
 */
static struct pmuctl_session *to_leave(struct task_struct *task,
				       const struct pmuctl_session *comes,
				       const struct pmuctl_session *but)
{
	struct pmuctl_session *session;

	list_for_each_entry_rcu(session, &cgroups, cgroup_node)
		if (session != but &&
		    (comes ? pmuctl_session_contends(session, comes) :
			     session->counters) &&
		    !pmuctl_cgroup_has(session, task) &&
		    pmuctl_task_has(task, session))
			return session;
	return NULL;
}

/*
 * Groups that are apart are counted by the same counters, so the task changes
 * from one to the other; what else is in the way of that goes before.
 */
static enum pmuctl_add change_to(struct pmuctl_session *session,
				 struct task_struct *task)
{
	struct pmuctl_session *other, *from;

	from = to_leave(task, session, NULL);
	while ((other = to_leave(task, session, from)) != NULL)
		pmuctl_task_remove(task, other);
	return join(session, task, from);
}

bool pmuctl_cgroups_moved(struct task_struct *task)
{
	struct pmuctl_session *session;
	bool changed = false;

	list_for_each_entry_rcu(session, &cgroups, cgroup_node) {
		if (!pmuctl_cgroup_has(session, task) ||
		    pmuctl_task_has(task, session))
			continue;
		changed = true;
		/* Nobody waits for an answer here. */
		if (change_to(session, task) >= PMUCTL_IN_THE_WAY)
			pmuctl_session_trouble(session,
					       PMUCTL_COUNT_INCOMPLETE);
	}
	while ((session = to_leave(task, NULL, NULL)) != NULL) {
		pmuctl_task_remove(task, session);
		changed = true;
	}
	return changed;
}

/* --- tasks that are moved --- */

/* Who runs here may be another session's. */
static void look_again(void *info)
{
	pmuctl_task_count(this_cpu_ptr(pmuctl_cpus), current);
}

/*
 * It may be running there: if it is about to, or runs elsewhere by the time
 * this comes, it has been switched to since, and was seen.
 */
static void tell_its_cpu(struct task_struct *task)
{
	unsigned int cpu;
	unsigned long flags;

	/* Pairs with the barrier of a switch, before it looks for sessions. */
	smp_mb();
	cpu = task_cpu(task);
	local_irq_save(flags);
	if (task == current)
		look_again(NULL);
	/* One that is on its way has not looked yet. */
	else if (cpu != smp_processor_id())
		smp_call_function_single_async(cpu,
			&per_cpu_ptr(pmuctl_cpus, cpu)->look_again);
	local_irq_restore(flags);
}

static void on_move(void *data, struct cgroup *cgroup, const char *path,
		    struct task_struct *task, bool threads)
{
	struct task_struct *thread;

	/* Of version 1 a task has a group for each controller beside ours. */
	if (cgroup->root != &cgrp_dfl_root)
		return;
	rcu_read_lock();
	if (!threads && pmuctl_cgroups_moved(task))
		tell_its_cpu(task);
	if (threads)
		for_each_thread(task, thread)
			if (pmuctl_cgroups_moved(thread))
				tell_its_cpu(thread);
	rcu_read_unlock();
}

static struct pmuctl_probe moves[] = {
	{ "cgroup_attach_task", on_move },
};

static struct pmuctl_probes moves_set =
	PMUCTL_PROBES(moves,
		      "counting control groups needs: count CPUs instead");

int pmuctl_cgroup_hold_trace(const struct pmuctl_why *why)
{
	return pmuctl_probes_take(&moves_set, why);
}

void pmuctl_cgroup_release_trace(void)
{
	pmuctl_probes_release(&moves_set);
}

void pmuctl_cgroup_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		INIT_CSD(&per_cpu_ptr(pmuctl_cpus, cpu)->look_again, look_again,
			 NULL);
}

static void nothing(void *info)
{
}

void pmuctl_cgroup_exit(void)
{
	pmuctl_probes_exit(&moves_set);
	/* Comes behind those that are on their way. */
	on_each_cpu(nothing, NULL, true);
}
