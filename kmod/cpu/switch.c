// SPDX-License-Identifier: GPL-2.0-only
/*
 * The schedule of one CPU's counters: sessions go on, come off, are added up.
 *
 * A switch costs one write to start or stop counters and one RDPMC a counter
 * that stops.  Counters are never written between overflows: each remembers
 * where it stood and goes on from there, whoever uses it next.
 */
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "kmod/cpu/gate.h"
#include "kmod/cpu/run.h"
#include "kmod/cpu/timer.h"
#include "kmod/pmu/hot.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/msr.h"
#include "kmod/sample/branches.h"
#include "kmod/sample/pebs_drain.h"
#include "kmod/sample/sample.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

struct pmuctl_cpu __percpu *pmuctl_cpus;
DEFINE_PER_CPU(const struct pmuctl_session *, pmuctl_lasting);

void pmuctl_cpu_exit(void)
{
	unsigned int number;

	for_each_possible_cpu(number)
		kfree(per_cpu_ptr(pmuctl_cpus, number)->saved);
	free_percpu(pmuctl_cpus);
}

int pmuctl_cpu_init(void)
{
	struct pmuctl_cpu *cpu;
	unsigned int number;

	pmuctl_cpus = alloc_percpu(struct pmuctl_cpu);
	if (!pmuctl_cpus)
		return -ENOMEM;
	for_each_possible_cpu(number) {
		cpu = per_cpu_ptr(pmuctl_cpus, number);
		cpu->saved = kcalloc(PMUCTL_SAVED_MAX, sizeof(*cpu->saved),
				     GFP_KERNEL);
		if (!cpu->saved) {
			pmuctl_cpu_exit();
			return -ENOMEM;
		}
	}
	pmuctl_hot_init();
	pmuctl_slots_init();
	pmuctl_rotate_init();
	return 0;
}

static u64 counters_of(const struct pmuctl_run *run, unsigned int n)
{
	u64 counters = 0;

	while (n--)
		counters |= run[n].counters;
	return counters;
}

/* A stack of calls is one task's: kept where a session has room for it. */
static noinline void keep_calls(const struct pmuctl_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < cpu->nr_task; i++)
		if (cpu->task[i].session->calls)
			pmuctl_run_keep_calls(&cpu->task[i]);
}

/* What branched until now is another task. */
static noinline void branches_on(struct pmuctl_cpu *cpu,
				 const struct pmuctl_want *want, unsigned int n)
{
	unsigned int i;

	for (i = 0; cpu->regs.lbr & LBR_CALLS && i < n; i++)
		if (want[i].session->calls && want[i].phase) {
			pmuctl_lbr_put(pmuctl_calls(want[i].session,
						    want[i].phase));
			return;
		}
	pmuctl_lbr_mark(&cpu->regs);
}

static void tasks_off(struct pmuctl_cpu *cpu, u64 now)
{
	u64 keep = cpu->regs.enabled & ~counters_of(cpu->task, cpu->nr_task);
	unsigned int i;

	/* Stopped first: what a counter shows then is where it stands. */
	static_call(hw_enable)(&cpu->regs, keep);
	pmuctl_cpu_drain(cpu);
	for (i = 0; i < cpu->nr_task; i++)
		pmuctl_run_off(cpu, &cpu->task[i], now);
	if (unlikely(cpu->regs.lbr & LBR_CALLS))
		keep_calls(cpu);
	pmuctl_branches_done(&cpu->regs);
	this_cpu_write(pmuctl_lasting, NULL);
	/* Added up, so a reader need not come here any more. */
	smp_store_release(&cpu->nr_task, 0);
}

static void tasks_on(struct pmuctl_cpu *cpu, const struct pmuctl_want *want,
		     unsigned int n, u64 now)
{
	const struct pmuctl_session *lasting;
	bool timed = false, samples = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		pmuctl_run_on(cpu, &cpu->task[i], want[i].session,
			      want[i].phase, now);
		timed |= want[i].session->timed;
		samples |= want[i].session->nr_phases;
	}
	cpu->samples = samples;
	lasting = n == 1 && !samples ? want->session : NULL;
	this_cpu_write(pmuctl_lasting, lasting);
	if (unlikely(cpu->regs.lbr))
		branches_on(cpu, want, n);
	/* Pairs with runs_here(): the runs are whole before they count. */
	smp_store_release(&cpu->nr_task, n);
	if (timed)
		pmuctl_rotate_arm(cpu, now);
	static_call(hw_enable)(&cpu->regs, cpu->regs.enabled |
			       counters_of(cpu->task, n));
}

static bool percpu_same(const struct pmuctl_cpu *cpu,
			const struct pmuctl_want *want, unsigned int n)
{
	unsigned int i;

	if (n != cpu->nr_task)
		return false;
	for (i = 0; i < n; i++)
		if (cpu->task[i].session != want[i].session)
			return false;
	return true;
}

/*
 * The next task is counted by these sessions.  Between two tasks of the same
 * sessions (threads of one program) nothing has to be done at all, unless they
 * are sampled, each by itself.
 */
void pmuctl_cpu_switch(struct pmuctl_cpu *cpu, struct task_struct *task,
		       const struct pmuctl_want *want, unsigned int n)
{
	u64 now;

	if (!cpu->held || (percpu_same(cpu, want, n) &&
			   (!n || !cpu->samples || cpu->whose == task)))
		return;
	/* sched_clock() steps back where the TSC is not steady. */
	now = local_clock();
	pmuctl_busy_begin(cpu);
	if (cpu->nr_task)
		tasks_off(cpu, now);
	else
		pmuctl_cpu_drain(cpu);
	/* Samples that were due until here are those of the one before. */
	cpu->whose = task;
	if (n)
		tasks_on(cpu, want, n, now);
	/* Without a session on CPUs nobody looks until a task's are put. */
	else if (unlikely(cpu->nr_cpu && cpu->regs.lbr & LBR_CALLS))
		pmuctl_lbr_mark(&cpu->regs);
	pmuctl_busy_end(cpu);
}

/* Virtual machines may run here, with our counters on. */
void pmuctl_cpu_look_for_guests(struct pmuctl_session *session)
{
	if (unlikely(hw_cr4() & X86_CR4_VMXE))
		pmuctl_session_trouble(session, PMUCTL_COUNT_GUESTS);
}

void pmuctl_cpu_add(struct pmuctl_cpu *cpu, struct pmuctl_session *session)
{
	struct pmuctl_run *run = &cpu->cpu[cpu->nr_cpu];
	u64 now = local_clock();

	/* It may be another one by now, of another kind. */
	if (!cpu->held || cpu->nr_cpu == PMUCTL_RUNS ||
	    session->kind != pmuctl_kind_here()) {
		pmuctl_session_trouble(session, PMUCTL_COUNT_INCOMPLETE);
		return;
	}
	pmuctl_cpu_look_for_guests(session);
	pmuctl_busy_begin(cpu);
	pmuctl_cpu_look(cpu);
	/* What is recorded already is from before. */
	pmuctl_cpu_drain(cpu);
	if (pmuctl_caps.threads > 1)
		pmuctl_gate_add(cpu->nr_cpu, session);
	pmuctl_run_on(cpu, run, session, NULL, now);
	/* Another session may have branches on: these begin here. */
	if (unlikely(cpu->regs.lbr))
		pmuctl_lbr_mark(&cpu->regs);
	/* Pairs with runs_here(): the runs are whole before they count. */
	smp_store_release(&cpu->nr_cpu, cpu->nr_cpu + 1);
	if (session->timed)
		pmuctl_rotate_arm(cpu, now);
	static_call(hw_enable)(&cpu->regs, cpu->regs.enabled | run->counters);
	pmuctl_busy_end(cpu);
}

void pmuctl_cpu_remove(struct pmuctl_cpu *cpu, struct pmuctl_session *session)
{
	struct pmuctl_run *run;
	unsigned int i;

	for (i = 0; i < cpu->nr_cpu; i++)
		if (cpu->cpu[i].session == session)
			break;
	if (i == cpu->nr_cpu)
		return;
	run = &cpu->cpu[i];
	pmuctl_cpu_look_for_guests(session);
	pmuctl_busy_begin(cpu);
	pmuctl_cpu_look(cpu);
	static_call(hw_enable)(&cpu->regs, cpu->regs.enabled & ~run->counters);
	pmuctl_cpu_drain(cpu);
	pmuctl_run_off(cpu, run, local_clock());
	*run = cpu->cpu[cpu->nr_cpu - 1];
	if (pmuctl_caps.threads > 1)
		pmuctl_gate_move(i, cpu->nr_cpu - 1);
	/* Pairs with runs_here(): the runs are whole before they count. */
	smp_store_release(&cpu->nr_cpu, cpu->nr_cpu - 1);
	pmuctl_busy_end(cpu);
}

/* --- turns --- */

u64 pmuctl_cpu_left(const struct pmuctl_run *run, u64 now)
{
	s64 left = run->counts->left - (s64)(now - run->since);

	return max_t(s64, left, 0);
}

static void turn_run(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now)
{
	u64 keep = cpu->regs.enabled &
		   ~run->session->set[run->counts->set].counters;

	static_call(hw_enable)(&cpu->regs, keep);
	pmuctl_cpu_drain(cpu);
	pmuctl_run_turn(cpu, run, now);
	static_call(hw_enable)(&cpu->regs, keep | run->counters);
}

static void turn_runs(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
		      unsigned int n, u64 now)
{
	for (; n--; run++)
		if (run->session->rotates &&
		    pmuctl_cpu_left(run, now) < PMUCTL_TURN_SOON)
			turn_run(cpu, run, now);
}

void pmuctl_cpu_turn(struct pmuctl_cpu *cpu, u64 now)
{
	pmuctl_busy_begin(cpu);
	pmuctl_cpu_look(cpu);
	turn_runs(cpu, cpu->task, cpu->nr_task, now);
	turn_runs(cpu, cpu->cpu, cpu->nr_cpu, now);
	pmuctl_busy_end(cpu);
}

static void fold_runs(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
		      unsigned int n, u64 now)
{
	for (; n--; run++)
		pmuctl_run_fold(cpu, run, now);
}

void pmuctl_cpu_fold_all(struct pmuctl_cpu *cpu, u64 now)
{
	pmuctl_busy_begin(cpu);
	fold_runs(cpu, cpu->task, cpu->nr_task, now);
	fold_runs(cpu, cpu->cpu, cpu->nr_cpu, now);
	pmuctl_busy_end(cpu);
}

void pmuctl_cpu_check(struct pmuctl_cpu *cpu)
{
	if (!cpu->held)
		return;
	pmuctl_busy_begin(cpu);
	pmuctl_cpu_look(cpu);
	pmuctl_busy_end(cpu);
}

/* Everything off and added up: the CPU goes away, or the PMU does. */
void pmuctl_cpu_clear(struct pmuctl_cpu *cpu)
{
	pmuctl_cpu_switch(cpu, NULL, NULL, 0);
	while (cpu->nr_cpu)
		pmuctl_cpu_remove(cpu, cpu->cpu[0].session);
	pmuctl_rotate_cancel(cpu);
}

void pmuctl_cpu_reset(struct pmuctl_cpu *cpu)
{
	u64 counters = pmuctl_caps_here()->counters;
	unsigned int slot;

	cpu->nr_task = 0;
	this_cpu_write(pmuctl_lasting, NULL);
	cpu->nr_cpu = 0;
	memset(cpu->slot, 0, sizeof(cpu->slot));
	pmuctl_throttle_reset(cpu);
	pmuctl_backend->reset(&cpu->regs);
	for (slot = 0; slot < PMUCTL_SLOTS; slot++)
		if (counters & BIT_ULL(pmuctl_counter(slot)))
			cpu->slot[slot].last = pmuctl_backend->read(slot);
}

/*
 * Nothing must be recorded, and no counter set back, between the drain and the
 * reading of the counters.
 */
static u64 pebs_stop(struct pmuctl_cpu *cpu)
{
	u64 enabled = cpu->regs.enabled;

	if (likely(!cpu->regs.pebs))
		return enabled;
	static_call(hw_enable)(&cpu->regs,
			       enabled & ~pmuctl_pebs_counters(cpu));
	pmuctl_cpu_drain(cpu);
	return enabled;
}

static void pebs_go(struct pmuctl_cpu *cpu, u64 enabled)
{
	if (unlikely(cpu->regs.enabled != enabled))
		static_call(hw_enable)(&cpu->regs, enabled);
}

/* Sessions on CPUs go on, but from here on their samples are another task's. */
void pmuctl_cpu_task_leaves(struct pmuctl_cpu *cpu)
{
	if (!cpu->nr_cpu || !(cpu->regs.pebs | cpu->regs.lbr))
		return;
	pmuctl_busy_begin(cpu);
	pmuctl_cpu_drain(cpu);
	pmuctl_branches_done(&cpu->regs);
	/* Calls of a session on tasks are seen to where it goes and comes. */
	if (!cpu->nr_task || !(cpu->regs.lbr & LBR_CALLS))
		pmuctl_lbr_mark(&cpu->regs);
	pmuctl_busy_end(cpu);
}

void pmuctl_cpu_new_stack(void)
{
	struct pmuctl_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(pmuctl_cpus);
	if (unlikely(cpu->regs.lbr & LBR_CALLS)) {
		pmuctl_busy_begin(cpu);
		pmuctl_lbr_mark(&cpu->regs);
		pmuctl_busy_end(cpu);
	}
	local_irq_restore(flags);
}

static bool runs_here(int number, void *info)
{
	struct pmuctl_cpu *cpu = per_cpu_ptr(pmuctl_cpus, number);
	unsigned int i, n;

	/* From another CPU; pairs with the releases of whoever changes them. */
	n = smp_load_acquire(&cpu->nr_task);
	for (i = 0; i < n; i++)
		/* Pairs with run_on(). */
		if (smp_load_acquire(&cpu->task[i].session) == info)
			return true;
	/* As above. */
	n = smp_load_acquire(&cpu->nr_cpu);
	for (i = 0; i < n; i++)
		/* Pairs with run_on(). */
		if (smp_load_acquire(&cpu->cpu[i].session) == info)
			return true;
	return false;
}

/* Off since, and nobody has looked: a look that finds nothing says so. */
static bool was_here(int number, const struct pmuctl_session *session)
{
	const struct pmuctl_counts *counts = per_cpu_ptr(session->counts,
							 number);

	return raw_read_seqcount(&counts->seq) != READ_ONCE(counts->looked);
}

static bool folds_here(int number, void *info)
{
	return runs_here(number, info) || was_here(number, info);
}

static void fold_if(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
		    unsigned int n, struct pmuctl_session *session)
{
	for (; n--; run++)
		if (run->session == session)
			pmuctl_run_fold(cpu, run, local_clock());
}

static void fold_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	struct pmuctl_session *session = info;
	struct pmuctl_counts *counts;
	unsigned long flags;
	u64 enabled;

	local_irq_save(flags);
	pmuctl_busy_begin(cpu);
	/* One that has gone is read for the last time, perhaps. */
	if (cpu->held && !runs_here(smp_processor_id(), session))
		pmuctl_cpu_look(cpu);
	else if (cpu->held)
		pmuctl_cpu_look_once(cpu);
	pmuctl_cpu_recover(cpu);
	enabled = pebs_stop(cpu);
	fold_if(cpu, cpu->task, cpu->nr_task, session);
	fold_if(cpu, cpu->cpu, cpu->nr_cpu, session);
	pebs_go(cpu, enabled);
	counts = this_cpu_ptr(session->counts);
	WRITE_ONCE(counts->looked, raw_read_seqcount(&counts->seq));
	pmuctl_busy_end(cpu);
	local_irq_restore(flags);
}

void pmuctl_cpu_fold(struct pmuctl_session *session)
{
	/* Of all CPUs at once, as long as there is a virtual machine. */
	pmuctl_cpu_look_for_guests(session);
	on_each_cpu_cond(folds_here, fold_here, session, true);
}

struct lost {
	struct pmuctl_session *session;
	unsigned int cpu;
};

static void tell_lost_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	const struct lost *lost = info;
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_busy_begin(cpu);
	pmuctl_sample_tell_lost(lost->session, lost->cpu);
	pmuctl_busy_end(cpu);
	local_irq_restore(flags);
}

/* Of a CPU that is off, anybody may say it. */
void pmuctl_cpu_tell_lost(struct pmuctl_session *session, unsigned int cpu)
{
	struct lost lost = { session, cpu };

	if (cpu_online(cpu))
		smp_call_function_single(cpu, tell_lost_here, &lost, true);
	else
		pmuctl_sample_tell_lost(session, cpu);
}

static void forget_one(struct pmuctl_cpu *cpu,
		       const struct pmuctl_session *session)
{
	const struct pmuctl_event *event;
	struct pmuctl_slot *slot;
	unsigned int i;

	pmuctl_busy_begin(cpu);
	for (i = 0; i < session->nr_events; i++) {
		event = &session->event[i];
		slot = &cpu->slot[event->slot];
		if (slot->event != event)
			continue;
		/* From 0, what overflowed would not show in a difference. */
		if (event->nr_metrics && cpu->held)
			slot->last = pmuctl_backend->rearm(event->slot);
		slot->event = NULL;
		slot->value = NULL;
	}
	if (session->gated)
		pmuctl_gate_forget(session);
	pmuctl_busy_end(cpu);
}

static void forget_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	const struct list_head *sessions = info;
	const struct pmuctl_session *session;
	unsigned long flags;

	list_for_each_entry(session, sessions, node) {
		local_irq_save(flags);
		forget_one(cpu, session);
		local_irq_restore(flags);
	}
}

void pmuctl_cpu_forget(struct list_head *sessions)
{
	on_each_cpu(forget_here, sessions, true);
}
