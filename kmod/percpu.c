// SPDX-License-Identifier: GPL-2.0-only
/*
 * The schedule of one CPU's counters: sessions go on, come off, are added up.
 *
 * A switch costs one write to start or stop counters and one RDPMC a counter
 * that stops.  Counters are never written between overflows: each remembers
 * where it stood and goes on from there, whoever uses it next.
 */
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "percpu.h"
#include "session.h"

DEFINE_PER_CPU(struct pmuctl_cpu, pmuctl_cpu);

/* Until the backend is known; no session exists before. */
static void no_program(struct pmuctl_regs *regs,
		       const struct pmuctl_event *event) { }
static void no_enable(struct pmuctl_regs *regs, u64 counters) { }
static u64 no_read(unsigned int slot) { return 0; }

DEFINE_STATIC_CALL(hw_program, no_program);
DEFINE_STATIC_CALL(hw_enable, no_enable);
DEFINE_STATIC_CALL(hw_read, no_read);

static u64 slot_mask[PMUCTL_SLOTS] __read_mostly;

void pmuctl_cpu_init(void)
{
	unsigned int slot;

	static_call_update(hw_program, pmuctl_backend->program);
	static_call_update(hw_enable, pmuctl_backend->enable);
	static_call_update(hw_read, pmuctl_backend->read);
	for (slot = 0; slot < PMUCTL_SLOTS; slot++)
		if (pmuctl_caps.counters & BIT_ULL(pmuctl_counter(slot)))
			slot_mask[slot] = pmuctl_backend->mask(slot);
}

static void fold_slot(struct pmuctl_slot *slot, unsigned int i)
{
	u64 now = static_call(hw_read)(i);

	*slot->value += (now - slot->last) & slot_mask[i];
	slot->last = now;
}

/*
 * Between these two the NMI handler leaves slots alone and counters running;
 * an overflow that it saw is handled at the end.
 */
static void busy_begin(struct pmuctl_cpu *cpu)
{
	cpu->busy = true;
	barrier();
}

static void busy_end(struct pmuctl_cpu *cpu)
{
	barrier();
	cpu->busy = false;
	barrier();
	while (unlikely(cpu->missed)) {
		cpu->missed = false;
		busy_begin(cpu);
		pmuctl_cpu_overflow(cpu);
		barrier();
		cpu->busy = false;
		barrier();
	}
}

static void trouble_runs(const struct pmuctl_run *run, unsigned int n)
{
	while (n--)
		pmuctl_session_trouble(run[n].session, PMUCTL_COUNT_DISTURBED);
}

/*
 * Whoever wrote GLOBAL_CTRL stopped or started counters of every session here.
 * Looked for before it is written, which would hide it; a task switch alone
 * does not look, since that would double its accesses to MSRs.
 */
static void check(struct pmuctl_cpu *cpu)
{
	if (likely(!pmuctl_backend->disturbed(&cpu->regs)))
		return;
	trouble_runs(cpu->task, cpu->nr_task);
	trouble_runs(cpu->cpu, cpu->nr_cpu);
	static_call(hw_enable)(&cpu->regs, cpu->regs.enabled);
}

static void run_on(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
		   struct pmuctl_session *session, u64 now)
{
	struct pmuctl_counts *counts = this_cpu_ptr(session->counts);
	const struct pmuctl_event *event;
	struct pmuctl_slot *slot;
	unsigned int i;

	for (i = 0; i < session->nr_events; i++) {
		event = &session->event[i];
		slot = &cpu->slot[event->slot];
		if (slot->event == event)
			continue;
		static_call(hw_program)(&cpu->regs, event);
		slot->event = event;
		slot->value = &counts->value[i];
	}
	run->since = now;
	/* Readers look for it from other CPUs: see runs_here(). */
	smp_store_release(&run->session, session);
}

static void fold_run(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now)
{
	struct pmuctl_session *session = run->session;
	struct pmuctl_counts *counts = this_cpu_ptr(session->counts);
	unsigned int i, slot;

	for (i = 0; i < session->nr_events; i++) {
		slot = session->event[i].slot;
		fold_slot(&cpu->slot[slot], slot);
	}
	counts->time += now - run->since;
	run->since = now;
}

static u64 counters_of(const struct pmuctl_run *run, unsigned int n)
{
	u64 counters = 0;

	while (n--)
		counters |= run[n].session->counters;
	return counters;
}

static void tasks_off(struct pmuctl_cpu *cpu, u64 now)
{
	u64 keep = cpu->regs.enabled & ~counters_of(cpu->task, cpu->nr_task);
	unsigned int i;

	/* Stopped first: what a counter shows then is where it stands. */
	static_call(hw_enable)(&cpu->regs, keep);
	for (i = 0; i < cpu->nr_task; i++)
		fold_run(cpu, &cpu->task[i], now);
	/* Added up, so a reader need not come here any more. */
	smp_store_release(&cpu->nr_task, 0);
}

static void tasks_on(struct pmuctl_cpu *cpu, struct pmuctl_session **want,
		     unsigned int n, u64 now)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		run_on(cpu, &cpu->task[i], want[i], now);
	/* Pairs with runs_here(): the runs are whole before they count. */
	smp_store_release(&cpu->nr_task, n);
	static_call(hw_enable)(&cpu->regs, cpu->regs.enabled |
			       counters_of(cpu->task, n));
}

static bool same(const struct pmuctl_cpu *cpu, struct pmuctl_session **want,
		 unsigned int n)
{
	unsigned int i;

	if (n != cpu->nr_task)
		return false;
	for (i = 0; i < n; i++)
		if (cpu->task[i].session != want[i])
			return false;
	return true;
}

/*
 * The next task is counted by these sessions.  Between two tasks of the same
 * sessions (threads of one program) nothing has to be done at all.
 */
void pmuctl_cpu_switch(struct pmuctl_cpu *cpu, struct pmuctl_session **want,
		       unsigned int n)
{
	u64 now;

	if (!cpu->held || same(cpu, want, n))
		return;
	now = sched_clock();
	busy_begin(cpu);
	if (cpu->nr_task)
		tasks_off(cpu, now);
	if (n)
		tasks_on(cpu, want, n, now);
	busy_end(cpu);
}

void pmuctl_cpu_add(struct pmuctl_cpu *cpu, struct pmuctl_session *session)
{
	if (!cpu->held || cpu->nr_cpu == PMUCTL_RUNS) {
		pmuctl_session_trouble(session, PMUCTL_COUNT_INCOMPLETE);
		return;
	}
	busy_begin(cpu);
	check(cpu);
	run_on(cpu, &cpu->cpu[cpu->nr_cpu], session, sched_clock());
	/* Pairs with runs_here(): the runs are whole before they count. */
	smp_store_release(&cpu->nr_cpu, cpu->nr_cpu + 1);
	static_call(hw_enable)(&cpu->regs,
			       cpu->regs.enabled | session->counters);
	busy_end(cpu);
}

void pmuctl_cpu_remove(struct pmuctl_cpu *cpu, struct pmuctl_session *session)
{
	unsigned int i;

	for (i = 0; i < cpu->nr_cpu; i++)
		if (cpu->cpu[i].session == session)
			break;
	if (i == cpu->nr_cpu)
		return;
	busy_begin(cpu);
	check(cpu);
	static_call(hw_enable)(&cpu->regs,
			       cpu->regs.enabled & ~session->counters);
	fold_run(cpu, &cpu->cpu[i], sched_clock());
	cpu->cpu[i] = cpu->cpu[cpu->nr_cpu - 1];
	/* Pairs with runs_here(): the runs are whole before they count. */
	smp_store_release(&cpu->nr_cpu, cpu->nr_cpu - 1);
	busy_end(cpu);
}

void pmuctl_cpu_check(struct pmuctl_cpu *cpu)
{
	if (!cpu->held)
		return;
	busy_begin(cpu);
	check(cpu);
	busy_end(cpu);
}

/* Everything off and added up: the CPU goes away, or the PMU does. */
void pmuctl_cpu_clear(struct pmuctl_cpu *cpu)
{
	pmuctl_cpu_switch(cpu, NULL, 0);
	while (cpu->nr_cpu)
		pmuctl_cpu_remove(cpu, cpu->cpu[0].session);
}

void pmuctl_cpu_reset(struct pmuctl_cpu *cpu)
{
	unsigned int slot;

	cpu->nr_task = 0;
	cpu->nr_cpu = 0;
	memset(cpu->slot, 0, sizeof(cpu->slot));
	pmuctl_backend->reset(&cpu->regs);
	for (slot = 0; slot < PMUCTL_SLOTS; slot++)
		if (slot_mask[slot])
			cpu->slot[slot].last = pmuctl_backend->read(slot);
}

/*
 * Adds up what overflowed and sends it back to its start.  Whether the wrap
 * was added up before, at a switch, makes no difference: see start_value()
 * of the backend.
 */
unsigned int pmuctl_cpu_overflow(struct pmuctl_cpu *cpu)
{
	u64 enabled = cpu->regs.enabled;
	unsigned int i, handled = 0;
	u64 overflows;

	check(cpu);
	pmuctl_backend->enable(&cpu->regs, 0);
	overflows = pmuctl_backend->overflows();
	for (i = 0; i < PMUCTL_SLOTS; i++) {
		if (!(overflows & BIT_ULL(pmuctl_counter(i))))
			continue;
		handled++;
		if (cpu->slot[i].value)
			fold_slot(&cpu->slot[i], i);
		cpu->slot[i].last = pmuctl_backend->rearm(i);
	}
	pmuctl_backend->enable(&cpu->regs, enabled);
	return handled;
}

static bool runs_here(int number, void *info)
{
	struct pmuctl_cpu *cpu = per_cpu_ptr(&pmuctl_cpu, number);
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

static void fold_if(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
		    unsigned int n, struct pmuctl_session *session)
{
	for (; n--; run++)
		if (run->session == session)
			fold_run(cpu, run, sched_clock());
}

static void fold_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(&pmuctl_cpu);
	struct pmuctl_session *session = info;
	unsigned long flags;

	local_irq_save(flags);
	busy_begin(cpu);
	if (cpu->held)
		check(cpu);
	fold_if(cpu, cpu->task, cpu->nr_task, session);
	fold_if(cpu, cpu->cpu, cpu->nr_cpu, session);
	busy_end(cpu);
	local_irq_restore(flags);
}

void pmuctl_cpu_fold(struct pmuctl_session *session)
{
	on_each_cpu_cond(runs_here, fold_here, session, true);
}

static void forget_here(void *info)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(&pmuctl_cpu);
	struct pmuctl_session *session = info;
	const struct pmuctl_event *event;
	struct pmuctl_slot *slot;
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	busy_begin(cpu);
	for (i = 0; i < session->nr_events; i++) {
		event = &session->event[i];
		slot = &cpu->slot[event->slot];
		if (slot->event != event)
			continue;
		slot->event = NULL;
		slot->value = NULL;
	}
	busy_end(cpu);
	local_irq_restore(flags);
}

void pmuctl_cpu_forget(struct pmuctl_session *session)
{
	on_each_cpu(forget_here, session, true);
}
