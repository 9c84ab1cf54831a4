// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds of tasks: their values are there while one of the tasks runs, and what
 * was found is there while it does not.
 *
 * A link is made for each thread of the process and when a task that has some
 * forks, and goes when the task has run for the last time or the hold ends.
 * Of all this nothing is on the way of a switch while there is no such hold.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "kmod/base/probes.h"
#include "kmod/base/why.h"
#include "kmod/features/cached.h"
#include "kmod/features/features.h"
#include "kmod/features/field.h"
#include "kmod/features/links.h"
#include "kmod/features/tasks.h"
#include "kmod/pmu/kinds.h"

/* Of one CPU. */
struct task_cpu {
	bool active;			/* switches write */
	bool own;			/* the task that runs has values */
	struct pmuctl_cached reg[PMUCTL_TASK_REGS];
	/* Lost, and not told yet. */
	struct pmuctl_wish wrote[PMUCTL_TASK_REGS];
	u64 read[PMUCTL_TASK_REGS];
};

/* Allocated: modules have little per CPU. */
static struct task_cpu __percpu *task_cpus;
static const struct pmuctl_feature_rows *rows;
/* The registers that tasks may have bits of, and which those are now. */
static u32 regs[PMUCTL_TASK_REGS];
static u64 held_bits[PMUCTL_TASK_REGS];
static unsigned int nr_regs;
static LIST_HEAD(task_holds);

static struct task_cpu *of_cpu(unsigned int cpu)
{
	return per_cpu_ptr(task_cpus, cpu);
}

/* --- which registers --- */

/* Which of the registers, -1: none. */
static int reg_of(const struct pmuctl_feature_row *row)
{
	unsigned int i;

	for (i = 0; i < nr_regs; i++)
		if (regs[i] == row->msr)
			return i;
	return -1;
}

static void list_regs(void)
{
	const struct pmuctl_feature_row *row = rows->row;
	unsigned int i;

	for (i = 0; i < rows->nr; i++, row++)
		if (!pmuctl_feature_no_task(row) && reg_of(row) < 0 &&
		    !WARN_ON_ONCE(nr_regs == ARRAY_SIZE(regs)))
			regs[nr_regs++] = row->msr;
}

/* --- one CPU's registers --- */

static void task_wishes(struct task_struct *task, struct pmuctl_wish *wish)
{
	struct pmuctl_feature_link *link;
	unsigned int i;

	memset(wish, 0, nr_regs * sizeof(*wish));
	pmuctl_for_each_feature_link(link, task)
		for (i = 0; i < nr_regs; i++) {
			wish[i].bits |= link->hold->wish[i].bits;
			wish[i].value |= link->hold->wish[i].value;
		}
}

/* Registers are as this task has them. */
static void task_set(struct task_cpu *cpu, struct task_struct *task)
{
	struct pmuctl_wish wish[PMUCTL_TASK_REGS];
	unsigned int i;

	cpu->own = false;
	task_wishes(task, wish);
	for (i = 0; i < nr_regs; i++) {
		cpu->own |= wish[i].bits != 0;
		if (cpu->reg[i].on)
			pmuctl_cached_set(&cpu->reg[i], regs[i], &wish[i]);
	}
}

void pmuctl_tasks_look_here(void)
{
	struct task_cpu *cpu = this_cpu_ptr(task_cpus);
	struct pmuctl_cached *reg = cpu->reg;
	unsigned int i;
	u64 wrote, lost;

	for (i = 0; i < nr_regs; i++, reg++) {
		if (!cpu->active || !reg->on)
			continue;
		wrote = reg->now;
		lost = pmuctl_cached_look(reg, regs[i]);
		cpu->wrote[i].bits |= lost;
		cpu->wrote[i].value = (cpu->wrote[i].value & ~lost) |
				      (wrote & lost);
		cpu->read[i] = reg->now;
	}
}

void pmuctl_tasks_off_here(void)
{
	static const struct pmuctl_wish none;
	struct task_cpu *cpu = this_cpu_ptr(task_cpus);
	unsigned int i;

	pmuctl_tasks_look_here();
	for (i = 0; cpu->active && i < nr_regs; i++)
		if (cpu->reg[i].on)
			pmuctl_cached_set(&cpu->reg[i], regs[i], &none);
}

void pmuctl_tasks_on_here(void)
{
	struct task_cpu *cpu = this_cpu_ptr(task_cpus);
	unsigned int i;

	if (!cpu->active)
		return;
	for (i = 0; i < nr_regs; i++)
		pmuctl_cached_begin(&cpu->reg[i], regs[i], held_bits[i]);
	rcu_read_lock();
	task_set(cpu, current);
	rcu_read_unlock();
}

void pmuctl_tasks_stop_here(void)
{
	struct task_cpu *cpu = this_cpu_ptr(task_cpus);
	unsigned int i;

	pmuctl_tasks_off_here();
	cpu->active = false;
	for (i = 0; i < nr_regs; i++)
		cpu->reg[i].on = false;
}

void pmuctl_tasks_start_here(void)
{
	this_cpu_ptr(task_cpus)->active = true;
	pmuctl_tasks_on_here();
}

static void stop_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_tasks_stop_here();
	local_irq_restore(flags);
}

void pmuctl_tasks_pause(void)
{
	on_each_cpu(stop_here, NULL, true);
}

/* Holds have come or gone. */
static void sync_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_tasks_off_here();
	pmuctl_tasks_start_here();
	local_irq_restore(flags);
}

static void sync_all(void)
{
	const struct pmuctl_hold *hold;
	unsigned int i;

	memset(held_bits, 0, sizeof(held_bits));
	list_for_each_entry(hold, &task_holds, of_tasks)
		for (i = 0; !hold->dying && i < nr_regs; i++)
			held_bits[i] |= hold->wish[i].bits;
	on_each_cpu(sync_here, NULL, true);
}

bool pmuctl_tasks_lost(unsigned int cpu, unsigned int row,
		       struct pmuctl_field *field)
{
	const struct pmuctl_feature_row *feature = &rows->row[row];
	u64 mask = pmuctl_feature_mask(feature);
	struct pmuctl_wish *wrote;
	int i = reg_of(feature);

	if (i < 0)
		return false;
	wrote = &of_cpu(cpu)->wrote[i];
	if (!(wrote->bits & mask))
		return false;
	wrote->bits &= ~mask;
	field->wrote = (wrote->value & mask) >> feature->shift;
	field->read = (of_cpu(cpu)->read[i] & mask) >> feature->shift;
	return true;
}

bool pmuctl_tasks_found(unsigned int cpu, unsigned int row, u64 *found)
{
	const struct pmuctl_feature_row *feature = &rows->row[row];
	u64 mask = pmuctl_feature_mask(feature);
	int i = reg_of(feature);

	if (i < 0 || !of_cpu(cpu)->reg[i].on || !(held_bits[i] & mask))
		return false;
	*found = (of_cpu(cpu)->reg[i].found & mask) >> feature->shift;
	return true;
}

/* --- tracepoints --- */

/*
 * IRQs are off, as is preemption; under the runqueue's lock.  Its return is in
 * the second half of a cache line in every build, as session/trace.c has it:
 * what is seldom done stands in front of it.
 */
static notrace __aligned(64) void on_switch(void *data, bool preempt,
					    struct task_struct *prev,
					    struct task_struct *next,
					    unsigned int prev_state)
{
	struct task_cpu *cpu = this_cpu_ptr(task_cpus);

	/* Most switches are between two tasks that have none. */
	if (cpu->own || pmuctl_feature_links_maybe(next))
		task_set(cpu, next);
	if (likely(prev_state == TASK_DEAD)) {
		asm volatile(".nops 12");
		pmuctl_feature_links_remove(prev, NULL);
	}
}

/* The child has not run, and cannot before this returns. */
static void on_newtask(void *data, struct task_struct *child,
		       unsigned long clone_flags)
{
	const struct pmuctl_hold *other;
	struct pmuctl_feature_link *link;
	int err;

	rcu_read_lock();
	pmuctl_for_each_feature_link(link, current) {
		err = pmuctl_feature_link_add(link->hold, child, &other);
		if (err == -ENOMEM || err == -EBUSY)
			pr_notice_ratelimited("a task of pid %d (%s) is without the features that are held for its tasks: %s\n",
					      task_tgid_nr(current),
					      current->comm, err == -ENOMEM ?
					      "no memory" :
					      "another hold came in between");
	}
	rcu_read_unlock();
}

static struct pmuctl_probe switches[] = {
	/* Deaths are seen before the first birth: the switch comes first. */
	{ "sched_switch", on_switch },
	{ "task_newtask", on_newtask },
};

static struct pmuctl_probes switches_set =
	PMUCTL_PROBES(switches,
		      "holding features for tasks needs: hold them on CPUs");

/* Tracepoints lock the CPUs themselves. */
int pmuctl_tasks_take(const struct pmuctl_why *why)
{
	int err;

	cpus_read_unlock();
	err = pmuctl_probes_take(&switches_set, why);
	cpus_read_lock();
	return err;
}

void pmuctl_tasks_release(void)
{
	cpus_read_unlock();
	pmuctl_probes_release(&switches_set);
	cpus_read_lock();
}

/* --- threads of cores --- */

/* Another thread of the core that is online; the CPU itself: none. */
static unsigned int sibling_of(unsigned int cpu)
{
	unsigned int other;

	for_each_cpu(other, topology_sibling_cpumask(cpu))
		if (other != cpu && cpu_online(other))
			return other;
	return cpu;
}

static int check_kinds(const struct pmuctl_why *why)
{
	if (pmuctl_nr_kinds == 1)
		return 0;
	return pmuctl_why(why, -EOPNOTSUPP,
			  "features are not switched with tasks here: cores are of several kinds, which have other features in the same bits, and tasks run on all of them: hold them on CPUs");
}

static int check_threads(const struct pmuctl_why *why)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (sibling_of(cpu) != cpu)
			return pmuctl_why(why, -EOPNOTSUPP,
					  "features are not switched with tasks here: the core of CPU %u has two threads, and a switch would be the other's (CPU %u) too: turn SMT off (echo off >/sys/devices/system/cpu/smt/control) or hold them on CPUs",
					  cpu, sibling_of(cpu));
	return 0;
}

void pmuctl_tasks_resume(void)
{
	/* No thread came meanwhile; if one did, the log has it. */
	if (!list_empty(&task_holds) && !check_threads(NULL))
		sync_all();
}

int pmuctl_tasks_online(unsigned int cpu)
{
	const struct pmuctl_hold *hold;

	if (list_empty(&task_holds) || sibling_of(cpu) == cpu)
		return 0;
	hold = list_first_entry(&task_holds, struct pmuctl_hold, of_tasks);
	pr_notice("CPU %u stays offline: it is a second thread of CPU %u's core, and pid %d (%s) holds features for tasks, which a switch would take from the other thread: wait until that has ended\n",
		  cpu, sibling_of(cpu), pid_nr(hold->pid), hold->comm);
	return -EBUSY;
}

/* --- life --- */

int pmuctl_tasks_check(const struct pmuctl_hold *hold,
		       const struct pmuctl_why *why)
{
	const struct pmuctl_feature_row *row;
	const char *refusal;
	unsigned int i;
	int err = check_kinds(why);

	if (err)
		return err;
	for (i = 0; i < hold->nr; i++) {
		row = &rows->row[hold->held[i].row];
		refusal = pmuctl_feature_no_task(row);
		if (refusal)
			return pmuctl_why(why, -EOPNOTSUPP,
					  "feature %u (bit %u of MSR 0x%x) cannot be held for tasks: %s; hold it on CPUs",
					  row->id, row->shift, row->msr,
					  refusal);
	}
	return check_threads(why);
}

const struct pmuctl_hold *pmuctl_tasks_holder(unsigned int row)
{
	const struct pmuctl_hold *hold;

	list_for_each_entry(hold, &task_holds, of_tasks)
		if (pmuctl_held_of(hold, row))
			return hold;
	return NULL;
}

static void fill_wishes(struct pmuctl_hold *hold)
{
	const struct pmuctl_feature_row *row;
	struct pmuctl_wish *wish;
	unsigned int i;

	for (i = 0; i < hold->nr; i++) {
		row = &rows->row[hold->held[i].row];
		wish = &hold->wish[reg_of(row)];
		wish->bits |= pmuctl_feature_mask(row);
		wish->value |= hold->held[i].value << row->shift;
	}
}

/* One that exits may have run for the last time before its link was there. */
static int attach_thread(struct pmuctl_hold *hold, struct task_struct *task,
			 const struct pmuctl_hold **other)
{
	int err = pmuctl_feature_link_add(hold, task, other);

	if (err)
		return err;
	/* Not exiting after the link can be found: its last run is to come. */
	smp_mb();
	if (!(READ_ONCE(task->flags) & PF_EXITING))
		return 0;
	pmuctl_feature_links_remove(task, hold);
	return -ESRCH;
}

/*
 * A thread that a thread without a link makes gets none; but it is on the list
 * by then, so go round until there is nobody new.
 */
static int attach_threads(struct pmuctl_hold *hold, struct task_struct *leader,
			  const struct pmuctl_hold **other)
{
	bool added, any = false;
	struct task_struct *task;
	int err;

	do {
		added = false;
		rcu_read_lock();
		for_each_thread(leader, task) {
			err = attach_thread(hold, task, other);
			added |= !err;
			any |= !err || err == -EEXIST;
			if (err == -EBUSY || err == -ENOMEM) {
				rcu_read_unlock();
				return err;
			}
		}
		rcu_read_unlock();
	} while (added);
	return any ? 0 : -ESRCH;
}

static int refuse_value(const struct pmuctl_hold *hold,
			const struct pmuctl_hold *other,
			const struct pmuctl_why *why)
{
	const struct pmuctl_held *held, *theirs;

	for (held = hold->held; held < hold->held + hold->nr; held++) {
		theirs = pmuctl_held_of(other, held->row);
		if (theirs && theirs->value != held->value)
			break;
	}
	return pmuctl_why(why, -EBUSY,
			  "feature %u is asked to be %llu for process %d, but pid %d (%s) holds it at %llu for that: wait until that has ended, or ask for its value",
			  rows->row[held->row].id, held->value,
			  pid_vnr(hold->process), pid_vnr(other->pid),
			  other->comm, theirs->value);
}

static int attach_error(int err, const struct pmuctl_hold *hold,
			const struct pmuctl_hold *other,
			const struct pmuctl_why *why)
{
	pid_t nr = pid_vnr(hold->process);

	switch (err) {
	case -EBUSY:
		return refuse_value(hold, other, why);
	case -ENOMEM:
		return pmuctl_why(why, err,
				  "process %d cannot be followed: no memory",
				  nr);
	case -EINVAL:
		return pmuctl_why(why, err,
				  "process %d is a kernel thread: hold features on the CPUs that it runs on",
				  nr);
	case -ESRCH:
		return pmuctl_why(why, err,
				  "process %d is exiting, or is no process but a thread: there is nothing to hold features for",
				  nr);
	default:
		return 0;
	}
}

static int attach(struct pmuctl_hold *hold, const struct pmuctl_why *why)
{
	struct task_struct *task = get_pid_task(hold->process, PIDTYPE_TGID);
	const struct pmuctl_hold *other;
	int err = -ESRCH;

	if (task && READ_ONCE(task->flags) & PF_KTHREAD)
		err = -EINVAL;
	else if (task)
		err = attach_threads(hold, task, &other);
	if (task)
		put_task_struct(task);
	return attach_error(err, hold, other, why);
}

int pmuctl_tasks_begin(struct pmuctl_hold *hold, const struct pmuctl_why *why)
{
	int err;

	fill_wishes(hold);
	list_add_tail(&hold->of_tasks, &task_holds);
	err = attach(hold, why);
	if (err)
		pmuctl_tasks_end(hold);
	else
		sync_all();
	return err;
}

void pmuctl_tasks_end(struct pmuctl_hold *hold)
{
	while (pmuctl_feature_links_detach(hold))
		cond_resched();
	sync_all();
	list_del(&hold->of_tasks);
	pmuctl_feature_links_bury();
}

int pmuctl_tasks_init(const struct pmuctl_feature_rows *of)
{
	task_cpus = alloc_percpu(struct task_cpu);
	if (!task_cpus)
		return -ENOMEM;
	rows = of;
	list_regs();
	return 0;
}

void pmuctl_tasks_exit(void)
{
	pmuctl_probes_exit(&switches_set);
	pmuctl_feature_links_bury();
	rcu_barrier();
	free_percpu(task_cpus);
}
