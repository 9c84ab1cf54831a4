// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers of vhost before 6.4.
 *
 * A kernel thread is kthreadd's child, and nothing in it says for whom it
 * works.  vhost calls its own "vhost-" and the number of the thread that asked
 * for it (drivers/vhost/vhost.c), and it is that thread that gives the name,
 * before the new one has worked (kernel/kthread.c).
 */
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>

#include "kmod/session/vhost.h"

#if PMUCTL_VHOST_BY_NAME

static bool owner_of(const struct task_struct *task, const char *comm,
		     pid_t *nr)
{
	return task->flags & PF_KTHREAD && sscanf(comm, "vhost-%d", nr) == 1;
}

bool pmuctl_vhost_is_worker(const struct task_struct *task, const char *comm)
{
	pid_t nr;

	return owner_of(task, comm, &nr) && nr == current->pid;
}

void pmuctl_vhost_workers(const struct task_struct *leader,
			  void (*fn)(struct task_struct *worker, void *data),
			  void *data)
{
	const struct task_struct *owner;
	struct task_struct *task;
	pid_t nr;

	for_each_process(task) {
		if (!owner_of(task, task->comm, &nr))
			continue;
		owner = pid_task(find_pid_ns(nr, &init_pid_ns), PIDTYPE_PID);
		if (owner && owner->signal == leader->signal)
			fn(task, data);
	}
}

#endif
