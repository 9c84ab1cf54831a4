// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler's tracepoints: who runs next, who was forked, who execs.
 *
 * They are not exported by name, so they are looked for in the kernel's list.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "percpu.h"
#include "session.h"
#include "task.h"
#include "trace.h"
#include "why.h"

static noinline void switch_slow(struct pmuctl_cpu *cpu,
				 struct task_struct *next)
{
	struct pmuctl_session *want[PMUCTL_RUNS];

	pmuctl_cpu_switch(cpu, want, pmuctl_task_running(next, want));
}

/*
 * Under the runqueue's lock with IRQs off: no wake-up, no allocation, no
 * message.  Most switches are between tasks that nobody counts.
 */
static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(&pmuctl_cpu);

	if (cpu->nr_task || pmuctl_task_maybe(next))
		switch_slow(cpu, next);
	if (unlikely(prev_state == TASK_DEAD))
		pmuctl_task_dead(prev);
}

/* The child has not run and cannot before this returns. */
static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *child)
{
	if (pmuctl_task_maybe(parent))
		pmuctl_task_forked(parent, child);
}

/* Before the new program's first instruction. */
static void on_exec(void *data, struct task_struct *task, pid_t old_pid,
		    struct linux_binprm *bprm)
{
	if (pmuctl_task_maybe(task))
		pmuctl_task_exec(task);
}

static struct probe {
	const char *name;
	void *fn;
	struct tracepoint *tracepoint;
} probes[] = {
	/* Deaths are seen before the first birth: the switch comes first. */
	{ "sched_switch", on_switch },
	{ "sched_process_fork", on_fork },
	{ "sched_process_exec", on_exec },
};

static unsigned int holds;

static void find(struct tracepoint *tracepoint, void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(tracepoint->name, probes[i].name))
			probes[i].tracepoint = tracepoint;
}

static void unregister_below(unsigned int i)
{
	while (i--)
		tracepoint_probe_unregister(probes[i].tracepoint, probes[i].fn,
					    NULL);
	tracepoint_synchronize_unregister();
}

static int register_all(const struct pmuctl_why *why)
{
	unsigned int i;
	int err;

	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = probes[i].tracepoint ?
		      tracepoint_probe_register(probes[i].tracepoint,
						probes[i].fn, NULL) : -ENOENT;
		if (!err)
			continue;
		unregister_below(i);
		return pmuctl_why(why, err,
				  "this kernel does not let tracepoint %s be used, which counting tasks needs: count CPUs instead",
				  probes[i].name);
	}
	return 0;
}

int pmuctl_trace_hold(const struct pmuctl_why *why)
{
	int err = holds ? 0 : register_all(why);

	if (!err)
		holds++;
	return err;
}

void pmuctl_trace_release(void)
{
	if (!--holds)
		unregister_below(ARRAY_SIZE(probes));
}

static void sync_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_cpu_check(this_cpu_ptr(&pmuctl_cpu));
	switch_slow(this_cpu_ptr(&pmuctl_cpu), current);
	local_irq_restore(flags);
}

void pmuctl_trace_sync(void)
{
	on_each_cpu(sync_here, NULL, true);
}
