// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDPMC for programs: CR4.PCE of one process.
 *
 * Linux sets the bit as it goes to an mm that has a count of those who want it,
 * and clears it as it goes to any other; that count is all that a module can
 * reach.  Where the mm is loaded already nothing would happen, so each CPU is
 * made to go to another one and back.
 *
 * As Linux sets the bit it writes 0 to each counter of that CPU which perf has
 * used and not cleared since, whoever has it now.  So it is made to do that
 * once, on all CPUs, while nothing of ours counts there.
 */
#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "kmod/pmu/msr.h"
#include "kmod/pmu/pmu.h"
#include "kmod/session/rdpmc.h"
#include "kmod/session/task.h"
#include "kmod/state/cpu.h"
#include "kmod/state/self.h"
#include "kmod/state/session.h"

/* What workers go to, one after the other; NULL: the second is left out. */
static struct mm_struct *first, *second;

static DEFINE_PER_CPU(struct work_struct, work);

/* Nothing of that memory is touched: only its page tables are loaded. */
static void go_to(struct mm_struct *mm)
{
	kthread_use_mm(mm);
	kthread_unuse_mm(mm);
}

static void go_to_both(void)
{
	go_to(first);
	if (second)
		go_to(second);
}

/* --- where perf's counters are to be cleared --- */

struct aside {
	unsigned int n;
	struct pmuctl_session *session[PMUCTL_RUNS];
};

static void put_aside(struct pmuctl_cpu *cpu, struct aside *aside)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_cpu_switch(cpu, NULL, NULL, 0);
	for (aside->n = 0; cpu->nr_cpu; aside->n++) {
		aside->session[aside->n] = cpu->cpu[0].session;
		pmuctl_cpu_remove(cpu, cpu->cpu[0].session);
	}
	local_irq_restore(flags);
}

/*
 * From 0 a whole round would go by before an overflow; but the slots that
 * PERF_METRICS divides begin there.
 */
static void find_cleared(struct pmuctl_cpu *cpu)
{
	u64 counters = pmuctl_caps_here()->counters & ~PMUCTL_METRICS, now;
	struct pmuctl_slot *slot;
	unsigned int i;

	for (i = 0; i < PMUCTL_SLOTS; i++) {
		slot = &cpu->slot[i];
		if (!(counters & BIT_ULL(pmuctl_counter(i))))
			continue;
		now = pmuctl_backend->read(i);
		if (now == slot->last)
			continue;
		slot->last = pmuctl_counter(i) == PMUCTL_METRICS_OF ?
			     now : pmuctl_backend->rearm(i);
	}
}

static void put_back(struct pmuctl_cpu *cpu, const struct aside *aside)
{
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	pmuctl_busy_begin(cpu);
	find_cleared(cpu);
	pmuctl_busy_end(cpu);
	for (i = 0; i < aside->n; i++)
		pmuctl_cpu_add(cpu, aside->session[i]);
	pmuctl_task_count(cpu, current);
	local_irq_restore(flags);
}

/* No task comes in between, so that none goes uncounted. */
static void go_uncounted(struct pmuctl_cpu *cpu)
{
	struct aside aside;

	preempt_disable();
	put_aside(cpu, &aside);
	go_to_both();
	put_back(cpu, &aside);
	preempt_enable();
	cpu->cleared = true;
}

static void go_here(struct work_struct *unused)
{
	struct pmuctl_cpu *cpu = raw_cpu_ptr(pmuctl_cpus);

	if (second && cpu->held && !cpu->cleared)
		go_uncounted(cpu);
	else
		go_to_both();
}

/* --- all CPUs --- */

static void send(const struct cpumask *mask)
{
	unsigned int cpu;

	for_each_cpu_and(cpu, mask, cpu_online_mask) {
		INIT_WORK(per_cpu_ptr(&work, cpu), go_here);
		queue_work_on(cpu, system_highpri_wq, per_cpu_ptr(&work, cpu));
	}
	for_each_cpu_and(cpu, mask, cpu_online_mask)
		flush_work(per_cpu_ptr(&work, cpu));
}

/* Of anybody, the first process as a rule; the caller puts it. */
static struct mm_struct *other_mm(const struct mm_struct *mm)
{
	struct mm_struct *other = NULL;
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task) {
		other = get_task_mm(task);
		if (other && other != mm)
			break;
		if (other)
			mmput_async(other);
		other = NULL;
	}
	rcu_read_unlock();
	return other;
}

static bool all_cleared(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (!per_cpu_ptr(pmuctl_cpus, cpu)->cleared)
			return false;
	return true;
}

/* The caller is of that mm, and on a CPU that has been told. */
static bool is_allowed_here(void)
{
	return hw_cr4() & X86_CR4_PCE;
}

static enum pmuctl_self_why tell_all(struct mm_struct *mm)
{
	first = other_mm(mm);
	if (!first)
		return PMUCTL_SELF_WHY_SWITCH;
	second = mm;
	send(cpu_online_mask);
	mmput_async(first);
	return PMUCTL_SELF_WHY_NOT;
}

static enum pmuctl_self_why rdpmc_allow(struct mm_struct *mm)
{
	atomic_t *count = &mm->context.perf_rdpmc_allowed;
	enum pmuctl_self_why why = PMUCTL_SELF_WHY_NOT;

	/* The workers' switches would have to be allowed to sleep there. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return PMUCTL_SELF_WHY_SWITCH;
	if (atomic_inc_return(count) == 1 || !all_cleared())
		why = tell_all(mm);
	/* rdpmc is 0: nobody is ever given it, or any more. */
	if (why == PMUCTL_SELF_WHY_NOT && !is_allowed_here())
		why = PMUCTL_SELF_WHY_KERNEL;
	if (why != PMUCTL_SELF_WHY_NOT)
		atomic_dec(count);
	return why;
}

static void rdpmc_forbid(struct mm_struct *mm)
{
	if (!atomic_dec_and_test(&mm->context.perf_rdpmc_allowed))
		return;
	/* Nobody runs there any more. */
	if (!atomic_read(&mm->mm_users))
		return;
	first = other_mm(mm);
	second = NULL;
	if (!first)
		return;
	send(mm_cpumask(mm));
	mmput_async(first);
}

void pmuctl_rdpmc_cpu_online(void)
{
	struct pmuctl_session *session;

	for_each_session(session) {
		if (!session->self || !session->self->allowed ||
		    !mmget_not_zero(session->self->mm))
			continue;
		go_to(session->self->mm);
		mmput_async(session->self->mm);
		break;
	}
}

/* --- sessions --- */

static enum pmuctl_self_why allow(const struct pmuctl_session *session)
{
	/* Every counter of the CPU can be read, whoever counts there. */
	if (!session->privileged)
		return PMUCTL_SELF_WHY_PRIVILEGE;
	if (!pmuctl_backend->user_index)
		return PMUCTL_SELF_WHY_PMU;
	return rdpmc_allow(session->self->mm);
}

void pmuctl_rdpmc_open(struct pmuctl_session *session)
{
	struct pmuctl_self *self = session->self;

	if (!self)
		return;
	self->shown->why = allow(session);
	self->allowed = self->shown->why == PMUCTL_SELF_WHY_NOT;
	if (self->allowed)
		self->shown->flags |= PMUCTL_SELF_RDPMC;
}

/* It is off all CPUs, so nobody begins to read a counter any more. */
void pmuctl_rdpmc_close(struct pmuctl_session *session)
{
	struct pmuctl_self *self = session->self;

	if (!self)
		return;
	WRITE_ONCE(self->shown->flags,
		   self->shown->flags | PMUCTL_SELF_ENDED);
	if (self->allowed)
		rdpmc_forbid(self->mm);
	self->allowed = false;
}
