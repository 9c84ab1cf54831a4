// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler's tracepoints: who runs next, who was forked, who execs.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "kmod/base/probes.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/rdpmc.h"
#include "kmod/session/task.h"
#include "kmod/session/trace.h"
#include "kmod/session/vhost.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/*
 * Under the runqueue's lock with IRQs off: no wake-up, no allocation, no
 * message.  Most switches are between tasks that nobody counts: four
 * instructions are all that they pay here.  Where a return in the first half
 * of a cache line is not safe (ITS), the kernel makes two instructions of it,
 * so what is seldom done stands in front of this one and fills that half.
 * Arguments stay where they are: moving them would be all tasks' loss.
 */
static notrace __aligned(64) void on_switch(void *data, bool preempt,
					    struct task_struct *prev,
					    struct task_struct *next,
					    unsigned int prev_state)
{
	if (likely(pmuctl_task_maybe_any(prev, next))) {
		asm volatile(".nops 24");
		pmuctl_task_switch(data, preempt, prev, next, prev_state);
	}
}

/*
 * The child has not run and cannot before this returns.  Workers that the
 * kernel adds to a process (io_uring's, vhost's from 6.4 on) come by here,
 * and do not by sched_process_fork.  vhost's before that: vhost.c.
 */
static void on_newtask(void *data, struct task_struct *child,
		       unsigned long clone_flags)
{
	if (pmuctl_task_maybe_any(current, child))
		pmuctl_task_forked(current, child);
	/* It can be made in another group than its parent's. */
	pmuctl_cgroups_moved(child);
	pmuctl_rdpmc_forked(child);
}

#if PMUCTL_VHOST_BY_NAME
static void on_rename(void *data, struct task_struct *task, const char *comm)
{
	if (pmuctl_task_maybe(current) && pmuctl_vhost_is_worker(task, comm))
		pmuctl_task_helped(current, task);
}
#endif

/* Before the new program's first instruction. */
static void on_exec(void *data, struct task_struct *task, pid_t old_pid,
		    struct linux_binprm *bprm)
{
	if (pmuctl_task_maybe(task))
		pmuctl_task_exec(task, bprm);
}

static struct pmuctl_probe tasks[] = {
	/* Deaths are seen before the first birth: the switch comes first. */
	{ "sched_switch", on_switch },
	{ "task_newtask", on_newtask },
#if PMUCTL_VHOST_BY_NAME
	{ "task_rename", on_rename },
#endif
	{ "sched_process_exec", on_exec },
};

/* One that still runs finds no link: nothing of ours goes with them. */
static struct pmuctl_probes tasks_set =
	PMUCTL_PROBES(tasks, "counting tasks needs: count CPUs instead");

/* --- sessions on CPUs --- */

static notrace void on_leave(void *data, bool preempt,
			     struct task_struct *prev,
			     struct task_struct *next, unsigned int prev_state)
{
	pmuctl_cpu_task_leaves(this_cpu_ptr(pmuctl_cpus));
}

static void on_new_stack(void *data, struct task_struct *task, pid_t old_pid,
			 struct linux_binprm *bprm)
{
	pmuctl_cpu_new_stack();
}

static struct pmuctl_probe leaves[] = {
	{ "sched_switch", on_leave },
	{ "sched_process_exec", on_new_stack },
};

static struct pmuctl_probes leaves_set =
	PMUCTL_PROBES(leaves,
		      "PEBS and branches on CPUs need: sample by interrupt");

/* --- who holds them --- */

int pmuctl_trace_hold(const struct pmuctl_why *why)
{
	return pmuctl_probes_take(&tasks_set, why);
}

void pmuctl_trace_release(void)
{
	pmuctl_probes_release(&tasks_set);
}

int pmuctl_trace_hold_leaves(const struct pmuctl_why *why)
{
	return pmuctl_probes_take(&leaves_set, why);
}

void pmuctl_trace_release_leaves(void)
{
	pmuctl_probes_release(&leaves_set);
}

void pmuctl_trace_exit(void)
{
	pmuctl_probes_exit(&tasks_set);
	pmuctl_probes_exit(&leaves_set);
}

static void sync_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_cpu_check(this_cpu_ptr(pmuctl_cpus));
	pmuctl_task_count(this_cpu_ptr(pmuctl_cpus), current);
	local_irq_restore(flags);
}

void pmuctl_trace_sync(void)
{
	on_each_cpu(sync_here, NULL, true);
}
