// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler's tracepoints: who runs next, who was forked, who execs.
 *
 * They are not exported by name, so they are looked for in the kernel's list.
 */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <asm/cpufeature.h>

#include "kmod/base/compat.h"
#include "kmod/base/why.h"
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

static struct probe {
	const char *name;
	void *fn;
	struct tracepoint *tracepoint;
} probes[] = {
	/* Deaths are seen before the first birth: the switch comes first. */
	{ "sched_switch", on_switch },
	{ "task_newtask", on_newtask },
#if PMUCTL_VHOST_BY_NAME
	{ "task_rename", on_rename },
#endif
	{ "sched_process_exec", on_exec },
};

/*
 * The tracepoint calls its only probe directly, and where no CPU looks for
 * ENDBR64 nobody needs to execute one.  Several it calls by their addresses,
 * with clang's CFI comparing what is in front of each.
 */
static void *entry_of(void *fn)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	if (IS_ENABLED(CONFIG_CFI_CLANG) || boot_cpu_has(X86_FEATURE_IBT) ||
	    memcmp(fn, endbr64, sizeof(endbr64)))
		return fn;
	return fn + sizeof(endbr64);
}

static void trace_find(struct tracepoint *tracepoint, void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(tracepoint->name, probes[i].name))
			probes[i].tracepoint = tracepoint;
}

static void unregister_below(unsigned int i)
{
	while (i--)
		tracepoint_probe_unregister(probes[i].tracepoint,
					    entry_of(probes[i].fn), NULL);
}

static void unregister_all(void)
{
	unregister_below(ARRAY_SIZE(probes));
}

static int register_all(const struct pmuctl_why *why)
{
	unsigned int i;
	int err;

	for_each_kernel_tracepoint(trace_find, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = probes[i].tracepoint ?
		      tracepoint_probe_register(probes[i].tracepoint,
						entry_of(probes[i].fn), NULL) :
		      -ENOENT;
		if (!err)
			continue;
		unregister_below(i);
		return pmuctl_why(why, err,
				  "this kernel does not let tracepoint %s be used, which counting tasks needs: count CPUs instead",
				  probes[i].name);
	}
	return 0;
}

/* --- sessions on CPUs --- */

static notrace void on_leave(void *data, bool preempt,
			     struct task_struct *prev,
			     struct task_struct *next, unsigned int prev_state)
{
	pmuctl_cpu_task_leaves(this_cpu_ptr(pmuctl_cpus));
}

static struct tracepoint *switches;

static void find_switches(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "sched_switch"))
		switches = tracepoint;
}

static int register_leaves(const struct pmuctl_why *why)
{
	int err;

	for_each_kernel_tracepoint(find_switches, NULL);
	err = switches ? tracepoint_probe_register(switches, on_leave, NULL) :
			 -ENOENT;
	if (!err)
		return 0;
	return pmuctl_why(why, err,
			  "this kernel does not let tracepoint sched_switch be used, which PEBS and branches on CPUs need: sample by interrupt");
}

static void unregister_leaves(void)
{
	tracepoint_probe_unregister(switches, on_leave, NULL);
}

/* --- who holds them --- */

struct hold {
	int (*register_probes)(const struct pmuctl_why *why);
	void (*unregister_probes)(void);
	unsigned int holds;
	bool registered;
};

static struct hold on_tasks = { register_all, unregister_all };
static struct hold on_leaves = { register_leaves, unregister_leaves };

static DEFINE_MUTEX(holds_lock);

static void drop_unheld(struct hold *hold)
{
	if (hold->holds || !hold->registered)
		return;
	hold->unregister_probes();
	hold->registered = false;
}

/*
 * Probes that come back right after they went wait for a grace period, so they
 * stay for a moment: whoever wants them next does not wait for another's end.
 * One that runs all the same finds no link: nothing of ours goes with them.
 */
static void drop_later(struct work_struct *work)
{
	mutex_lock(&holds_lock);
	drop_unheld(&on_tasks);
	drop_unheld(&on_leaves);
	mutex_unlock(&holds_lock);
}

static DECLARE_DELAYED_WORK(drop_work, drop_later);
#define DROP_AFTER	(HZ / 10)

static int take_hold(struct hold *hold, const struct pmuctl_why *why)
{
	int err = 0;

	mutex_lock(&holds_lock);
	if (!hold->registered)
		err = hold->register_probes(why);
	if (!err) {
		hold->registered = true;
		hold->holds++;
	}
	mutex_unlock(&holds_lock);
	return err;
}

static void release_hold(struct hold *hold)
{
	mutex_lock(&holds_lock);
	if (!--hold->holds)
		mod_delayed_work(pmuctl_unbound_wq, &drop_work, DROP_AFTER);
	mutex_unlock(&holds_lock);
}

int pmuctl_trace_hold(const struct pmuctl_why *why)
{
	return take_hold(&on_tasks, why);
}

void pmuctl_trace_release(void)
{
	release_hold(&on_tasks);
}

int pmuctl_trace_hold_leaves(const struct pmuctl_why *why)
{
	return take_hold(&on_leaves, why);
}

void pmuctl_trace_release_leaves(void)
{
	release_hold(&on_leaves);
}

void pmuctl_trace_exit(void)
{
	cancel_delayed_work_sync(&drop_work);
	drop_later(NULL);
	tracepoint_synchronize_unregister();
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
