// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that overflowed, and whatever else stops all of them for a moment:
 * the end of a throttle, a look at frequencies.
 */
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/sched/clock.h>
#include <linux/time64.h>

#include "kmod/cpu/cascade.h"
#include "kmod/cpu/metrics.h"
#include "kmod/cpu/run.h"
#include "kmod/cpu/self.h"
#include "kmod/pmu/hot.h"
#include "kmod/pmu/msr.h"
#include "kmod/sample/branches.h"
#include "kmod/sample/pebs_drain.h"
#include "kmod/sample/sample.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

/*
 * From an overflow to its NMI pass less than that, unless IRET of another NMI
 * is what it waits for; what comes later is somebody else's.
 */
#define PMI_LATE_MAX	NSEC_PER_MSEC

/*
 * An NMI does not say who sent it.  One that finds nothing is ours all the
 * same if an earlier one took care of several overflows, each of which may
 * have sent its own, or if this CPU's PMU has just been stopped.
 */
void pmuctl_pmi_expect(struct pmuctl_cpu *cpu, unsigned int n)
{
	cpu->late = n;
	if (n)
		cpu->late_until = local_clock() + PMI_LATE_MAX;
}

void pmuctl_busy_missed(struct pmuctl_cpu *cpu)
{
	unsigned int handled;
	struct pt_regs at;

	while (cpu->missed) {
		/* The next one leaves its own while this one is handled. */
		at = cpu->missed_at;
		barrier();
		cpu->missed = false;
		pmuctl_busy_begin(cpu);
		handled = pmuctl_cpu_overflow(cpu, &at, true);
		/* One of them came; each of the others may have its own. */
		if (handled > 1)
			pmuctl_pmi_expect(cpu, handled - 1);
		barrier();
		cpu->busy = false;
		barrier();
	}
}

/*
 * A buffer without room has perhaps stopped PEBS, and who overflowed since is
 * set back by nobody.  What passed makes no samples: it is in the shortfall.
 */
static void start_again(struct pmuctl_cpu *cpu)
{
	u64 counters = pmuctl_pebs_counters(cpu);
	unsigned int i;

	for (; counters; counters &= counters - 1) {
		i = pmuctl_slot(__ffs64(counters));
		if (!cpu->slot[i].event || !pmuctl_has_wrapped(i))
			continue;
		pmuctl_fold_slot(&cpu->slot[i], i);
		pmuctl_period_catch_up(cpu, i);
	}
}

/*
 * While they are read nothing is recorded: the counters meant are stopped
 * already, others may not be.
 */
void pmuctl_cpu_drain_pebs(struct pmuctl_cpu *cpu)
{
	struct pmuctl_filled filled = pmuctl_pebs_look();
	u64 enabled = cpu->regs.enabled, running;

	if (!filled.bytes && !filled.stopped)
		return;
	running = enabled & pmuctl_pebs_counters(cpu);
	if (running) {
		static_call(hw_enable)(&cpu->regs, enabled & ~running);
		filled = pmuctl_pebs_look();
	}
	pmuctl_pebs_drain(cpu, filled);
	if (unlikely(filled.stopped))
		start_again(cpu);
	/* Not those of a later interrupt; one that is due has them still. */
	if (!cpu->at && !cpu->missed)
		pmuctl_branches_done(&cpu->regs);
	if (running)
		static_call(hw_enable)(&cpu->regs, enabled);
}

static void trouble_runs(const struct pmuctl_run *run, unsigned int n, u32 msr)
{
	while (n--)
		pmuctl_session_disturbed(run[n].session, msr);
}

/*
 * Whoever wrote a register of ours changed what any session here counts.
 * Looked for before it is written, which would hide it; a task switch alone
 * does not look, since that would multiply its accesses to MSRs.
 */
void pmuctl_cpu_look(struct pmuctl_cpu *cpu)
{
	u32 msr = pmuctl_backend->disturbed(&cpu->regs);

	if (likely(!msr))
		return;
	/* For those that are not on now: see pmuctl_session_counts(). */
	WRITE_ONCE(cpu->disturbed, msr);
	WRITE_ONCE(cpu->disturbances, cpu->disturbances + 1);
	trouble_runs(cpu->task, cpu->nr_task, msr);
	trouble_runs(cpu->cpu, cpu->nr_cpu, msr);
	static_call(hw_enable)(&cpu->regs, cpu->regs.enabled);
}

/*
 * What overflowed goes back to its start, or to its next sample.  Whether the
 * wrap was added up before, at a switch, makes no difference: see
 * start_value() of the backend.
 */
static void overflow_take(struct pmuctl_cpu *cpu, unsigned int i, u64 enabled)
{
	struct pmuctl_slot *slot = &cpu->slot[i];

	if (slot->value)
		pmuctl_fold_slot(slot, i);
	if (slot->event && slot->event->sampled &&
	    enabled & BIT_ULL(slot->event->counter)) {
		pmuctl_period_overflow(cpu, i);
	} else if (slot->event && slot->event->starts &&
		   enabled & BIT_ULL(slot->event->counter)) {
		pmuctl_cascade_overflow(cpu, i);
	} else {
		slot->last = pmuctl_backend->rearm(i);
		pmuctl_self_rearmed(cpu, i);
	}
}

/* The hardware goes on by itself, unless there are too many samples. */
static void buffer_full(struct pmuctl_cpu *cpu, u64 enabled)
{
	u64 counters = pmuctl_pebs_counters(cpu) & enabled;

	if (likely(!pmuctl_throttle_is_near(cpu)))
		return;
	for (; counters; counters &= counters - 1)
		overflow_take(cpu, pmuctl_slot(__ffs64(counters)), enabled);
}

#define SLOTS_OVERFLOWS	(PMUCTL_METRICS | BIT_ULL(PMUCTL_METRICS_OF))
#define ODD_OVERFLOWS	(PMUCTL_STATUS_BUFFER | SLOTS_OVERFLOWS)

/* Not of one counter alone; leaves those that are like any other. */
static unsigned int odd_overflows(struct pmuctl_cpu *cpu, u64 *overflows,
				  u64 enabled)
{
	u64 slots = *overflows & SLOTS_OVERFLOWS;
	unsigned int handled = 0;

	if (*overflows & PMUCTL_STATUS_BUFFER) {
		buffer_full(cpu, enabled);
		handled++;
	}
	*overflows &= ~(PMUCTL_STATUS_BUFFER | PMUCTL_METRICS);
	if (!slots)
		return handled;
	if (!pmuctl_metrics_overflow(cpu, *overflows & SLOTS_OVERFLOWS))
		return handled + !!(slots & PMUCTL_METRICS);
	*overflows &= ~SLOTS_OVERFLOWS;
	return handled + hweight64(slots);
}

void pmuctl_cpu_look_once(struct pmuctl_cpu *cpu)
{
	unsigned long tick = READ_ONCE(jiffies);

	if (likely(cpu->checked == tick))
		return;
	cpu->checked = tick;
	pmuctl_cpu_look(cpu);
}

/* Those that ran, acknowledged; not all processors have a bit for a buffer. */
static u64 take_overflows(const struct pmuctl_cpu *cpu, u64 enabled)
{
	u64 pebs = pmuctl_pebs_counters(cpu), overflows;

	overflows = static_call(hw_overflows)(enabled &
					      ~(pebs | PMUCTL_METRICS));
	if (pebs && !(overflows & PMUCTL_STATUS_BUFFER) &&
	    pmuctl_pebs_look().due)
		overflows |= PMUCTL_STATUS_BUFFER;
	/* An overflow with PEBS is the hardware's own affair, if it shows. */
	return overflows & ~pebs;
}

unsigned int pmuctl_cpu_overflow(struct pmuctl_cpu *cpu, struct pt_regs *at,
				 bool masked)
{
	u64 counter, overflows, enabled = cpu->regs.enabled;
	/* Counters of user mode stand still: two accesses to MSRs less. */
	bool stop = enabled & ~cpu->regs.user_only;
	unsigned int handled = 0;

	cpu->at = at;
	pmuctl_throttle_enter(cpu);
	pmuctl_cpu_look_once(cpu);
	if (stop)
		static_call(hw_enable)(&cpu->regs, 0);
	pmuctl_branches_keep(&cpu->regs);
	overflows = take_overflows(cpu, enabled);
	pmuctl_cpu_drain(cpu);
	pmuctl_throttle_settle(cpu);
	if (unlikely(overflows & ODD_OVERFLOWS))
		handled += odd_overflows(cpu, &overflows, enabled);
	for (; overflows; overflows &= overflows - 1, handled++) {
		counter = __ffs64(overflows);
		overflow_take(cpu, pmuctl_slot(counter), enabled);
	}
	pmuctl_branches_done(&cpu->regs);
	/*
	 * Armed, but not running: an interrupt from before would be a spurious
	 * one, one that comes while it is masked is lost.
	 */
	if (masked) {
		/* First: the next PMI's mask is its own. */
		cpu->kept_masked = false;
		barrier();
		hw_write_lvtpc(APIC_DM_NMI);
	}
	if (stop)
		static_call(hw_enable)(&cpu->regs, enabled);
	pmuctl_throttle_leave(cpu);
	cpu->at = NULL;
	return handled;
}

/* --- guests: PEBS was off, their events were counted --- */

static u64 wrapped_pebs(const struct pmuctl_cpu *cpu)
{
	u64 counter, counters = pmuctl_pebs_counters(cpu) & cpu->regs.enabled;
	u64 wrapped = 0;

	for (; counters; counters &= counters - 1) {
		counter = __ffs64(counters);
		if (pmuctl_has_wrapped(pmuctl_slot(counter)))
			wrapped |= BIT_ULL(counter);
	}
	return wrapped;
}

/*
 * A counter that overflowed in the guest interrupted nobody and would go on for
 * ever without a record.  What passed in the guest makes no samples: it is in
 * the shortfall.
 */
void pmuctl_cpu_resume_pebs(struct pmuctl_cpu *cpu)
{
	u64 enabled = cpu->regs.enabled, wrapped;
	unsigned int i;

	pmuctl_busy_begin(cpu);
	wrapped = wrapped_pebs(cpu);
	if (unlikely(wrapped)) {
		static_call(hw_enable)(&cpu->regs, enabled & ~wrapped);
		pmuctl_cpu_drain(cpu);
	}
	for (; wrapped; wrapped &= wrapped - 1) {
		i = pmuctl_slot(__ffs64(wrapped));
		pmuctl_fold_slot(&cpu->slot[i], i);
		pmuctl_period_catch_up(cpu, i);
	}
	pmuctl_backend->pebs_resume(&cpu->regs);
	if (cpu->regs.enabled != enabled)
		static_call(hw_enable)(&cpu->regs, enabled);
	pmuctl_busy_end(cpu);
}

/* --- throttles and frequencies: the same for each sampled event here --- */

static u64 samples_of_set(struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
			  const struct pmuctl_set *set,
			  bool (*wanted)(const struct pmuctl_slot *slot))
{
	const struct pmuctl_event *event = &run->session->event[set->first];
	unsigned int n;
	u64 slots = 0;

	for (n = set->nr; n--; event++)
		if (event->sampled && wanted(&cpu->slot[event->slot]))
			slots |= BIT_ULL(event->slot);
	return slots;
}

static u64 samples_of(struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
		      unsigned int n,
		      bool (*wanted)(const struct pmuctl_slot *slot))
{
	const struct pmuctl_session *session;
	u64 slots = 0;

	for (; n--; run++) {
		session = run->session;
		if (session->pinned)
			slots |= samples_of_set(cpu, run, &session->set[0],
						wanted);
		slots |= samples_of_set(cpu, run,
					&session->set[run->counts->set],
					wanted);
	}
	return slots;
}

static u64 all_samples(struct pmuctl_cpu *cpu,
		       bool (*wanted)(const struct pmuctl_slot *slot))
{
	return samples_of(cpu, cpu->task, cpu->nr_task, wanted) |
	       samples_of(cpu, cpu->cpu, cpu->nr_cpu, wanted);
}

static bool is_throttled(const struct pmuctl_slot *slot)
{
	return slot->throttled;
}

static bool is_by_freq(const struct pmuctl_slot *slot)
{
	return slot->event->freq && !slot->throttled;
}

void pmuctl_cpu_release(struct pmuctl_cpu *cpu)
{
	u64 enabled = cpu->regs.enabled;
	unsigned long slots;
	unsigned int i;

	pmuctl_busy_begin(cpu);
	slots = all_samples(cpu, is_throttled);
	static_call(hw_enable)(&cpu->regs, 0);
	pmuctl_cpu_drain(cpu);
	for_each_set_bit(i, &slots, PMUCTL_SLOTS) {
		pmuctl_fold_slot(&cpu->slot[i], i);
		pmuctl_period_release(cpu, i);
	}
	static_call(hw_enable)(&cpu->regs, enabled);
	pmuctl_busy_end(cpu);
}

static void shrink_periods(struct pmuctl_cpu *cpu, u64 now)
{
	u64 enabled = cpu->regs.enabled;
	unsigned long slots = all_samples(cpu, is_by_freq);
	unsigned int i;

	if (!slots)
		return;
	static_call(hw_enable)(&cpu->regs, 0);
	pmuctl_cpu_drain(cpu);
	for_each_set_bit(i, &slots, PMUCTL_SLOTS) {
		pmuctl_fold_slot(&cpu->slot[i], i);
		pmuctl_period_shrink(cpu, i, now);
	}
	static_call(hw_enable)(&cpu->regs, enabled);
}

/* --- interrupts that do not come --- */

static bool is_armed(const struct pmuctl_slot *slot)
{
	return !slot->throttled && !slot->event->precise;
}

static bool is_recorded(const struct pmuctl_slot *slot)
{
	return !slot->throttled && slot->event->precise;
}

/* Each has interrupted by now, or never will. */
static u64 stalled_slots(struct pmuctl_cpu *cpu)
{
	unsigned long slots = all_samples(cpu, is_armed);
	u64 stalled = 0;
	unsigned int i;

	for_each_set_bit(i, &slots, PMUCTL_SLOTS)
		if (pmuctl_has_wrapped(i))
			stalled |= BIT_ULL(i);
	if (unlikely(pmuctl_pebs_counters(cpu) && pmuctl_pebs_look().due))
		stalled |= all_samples(cpu, is_recorded);
	return stalled;
}

/* As the handler would have; what the tick interrupted is where it was seen. */
static void handle_stalled(struct pmuctl_cpu *cpu, unsigned long slots)
{
	u64 enabled = cpu->regs.enabled;
	unsigned int i;

	static_call(hw_enable)(&cpu->regs, 0);
	static_call(hw_overflows)(0);
	pmuctl_cpu_drain(cpu);
	for_each_set_bit(i, &slots, PMUCTL_SLOTS) {
		pmuctl_sample_stalled(cpu->slot[i].event);
		if (!cpu->slot[i].event->precise)
			overflow_take(cpu, i, enabled);
	}
	/* It may come all the same, or be masked by one that was lost. */
	pmuctl_pmi_expect(cpu, hweight_long(slots));
	hw_write_lvtpc(APIC_DM_NMI);
	static_call(hw_enable)(&cpu->regs, enabled);
}

void pmuctl_cpu_recover(struct pmuctl_cpu *cpu)
{
	u64 stalled = stalled_slots(cpu);

	/* One that came while busy will be handled. */
	if (unlikely(stalled) && !READ_ONCE(cpu->missed))
		handle_stalled(cpu, stalled);
}

void pmuctl_cpu_tick(struct pmuctl_cpu *cpu, u64 now)
{
	pmuctl_busy_begin(cpu);
	pmuctl_cpu_recover(cpu);
	shrink_periods(cpu, now);
	pmuctl_busy_end(cpu);
}

/* --- what the processor does where the manual leaves it open --- */

bool pmuctl_cpu_try_pebs(struct pmuctl_cpu *cpu, const struct pmuctl_ds *ds)
{
	u64 enabled = cpu->regs.enabled;
	unsigned int i;

	if (!pmuctl_backend->pebs_try)
		return true;
	if (!cpu->held || cpu->regs.pebs)
		return false;
	pmuctl_busy_begin(cpu);
	static_call(hw_enable)(&cpu->regs, 0);
	for (i = 0; i < PMUCTL_TRIED_COUNTERS; i++)
		if (cpu->slot[i].value)
			pmuctl_fold_slot(&cpu->slot[i], i);
	pmuctl_backend->pebs_try(&cpu->regs, ds);
	if (pmuctl_tried.pebs_silent)
		pr_notice_once("PEBS leaves no record of a loop that is known: N + 1 events are taken to be between records with a reset of -N, and counts by PEBS may lack one a record\n");
	/* As they were, but that ours moved them, for nobody. */
	for (i = 0; i < PMUCTL_TRIED_COUNTERS; i++) {
		cpu->slot[i].last = static_call(hw_read)(i);
		overflow_take(cpu, i, enabled);
	}
	static_call(hw_enable)(&cpu->regs, enabled);
	/* Of the others, what had overflowed is acknowledged. */
	pmuctl_cpu_recover(cpu);
	pmuctl_busy_end(cpu);
	return true;
}
