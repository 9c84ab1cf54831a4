// SPDX-License-Identifier: GPL-2.0-only
/*
 * One session on one CPU: its counters are programmed, added up, and where its
 * samples stand is kept.
 */
#include <linux/sched.h>
#include <linux/seqlock.h>

#include "kmod/cpu/along.h"
#include "kmod/cpu/cascade.h"
#include "kmod/cpu/metrics.h"
#include "kmod/cpu/run.h"
#include "kmod/cpu/self.h"
#include "kmod/cpu/timer.h"
#include "kmod/pmu/lbr.h"
#include "kmod/sample/branches.h"
#include "kmod/session/task.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

/* --- a set on, off, and added up --- */

/* Branches kept for an event that goes off would be a later event's. */
static void program_event(struct pmuctl_cpu *cpu,
			  const struct pmuctl_event *event)
{
	u32 lbr = cpu->regs.lbr;

	static_call(hw_program)(&cpu->regs, event);
	if (unlikely(lbr && !cpu->regs.lbr))
		pmuctl_branches_drop();
}

static void program_set(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
			const struct pmuctl_set *set)
{
	const struct pmuctl_event *event = &run->session->event[set->first];
	u64 *value = pmuctl_values(run->session, run->counts) + set->first;
	struct pmuctl_slot *slot;
	unsigned int n;

	for (n = set->counted; n--; event++, value++) {
		slot = &cpu->slot[event->slot];
		/* Another event may have written the registers beside it. */
		if (slot->event == event && !event->again)
			continue;
		program_event(cpu, event);
		/* Other events are to be on it first, and move it. */
		if (unlikely(pmuctl_caps.errata & PMUCTL_ERRATUM_FIRST_EVENT))
			slot->last = pmuctl_backend->rearm(event->slot);
		slot->event = event;
		slot->value = value;
	}
	run->counters |= set->counters;
}

/* NULL: a task that is not followed any more. */
static struct pmuctl_phase *phases_of(const struct pmuctl_run *run)
{
	if (run->session->on_task)
		return pmuctl_task_phases(current, run->session);
	return pmuctl_phases(run->session, run->counts);
}

/* Phases of events that are not sampled. */
static bool has_others(const struct pmuctl_session *session)
{
	return session->nr_phases > session->nr_sampled;
}

/* Programmed: the next sample of each is as far as it was. */
static void samples_on(struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
		       const struct pmuctl_set *set,
		       const struct pmuctl_phase *phase, u64 now)
{
	const struct pmuctl_event *event = &run->session->event[set->first];
	unsigned int n;

	for (n = set->nr; n--; event++)
		if (event->sampled)
			pmuctl_period_on(cpu, event->slot,
					 phase ? &phase[event->phase] : NULL,
					 now);
	if (likely(!has_others(run->session)))
		return;
	if (run->session->cascades)
		pmuctl_cascades_on(cpu, run->session, set, phase);
	pmuctl_along_on(cpu, run->session, set, phase);
}

static void keep_others(const struct pmuctl_cpu *cpu,
			const struct pmuctl_session *session,
			const struct pmuctl_set *set,
			struct pmuctl_phase *phase)
{
	const struct pmuctl_event *event = &session->event[set->first];
	unsigned int n;

	for (n = set->nr; n--; event++)
		if (event->after || event->along)
			phase[event->phase] = cpu->slot[event->slot].phase;
}

/* Stopped and added up: what is due by now is taken. */
static void samples_off(struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
			const struct pmuctl_set *set, u64 now)
{
	const struct pmuctl_event *event = &run->session->event[set->first];
	struct pmuctl_phase *phase = phases_of(run);
	unsigned int n;

	for (n = set->nr; n--; event++)
		if (event->sampled)
			pmuctl_period_off(cpu, event->slot,
					  phase ? &phase[event->phase] : NULL,
					  now);
	if (unlikely(has_others(run->session)) && phase)
		keep_others(cpu, run->session, set, phase);
}

static void fold_set(struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
		     const struct pmuctl_set *set)
{
	const struct pmuctl_event *event = &run->session->event[set->first];
	unsigned int n;

	for (n = set->counted; n--; event++)
		pmuctl_fold_slot(&cpu->slot[event->slot], event->slot);
}

/*
 * What no ordinary session has: fields of PERF_METRICS, a pinned set, a page
 * for its thread.
 */

static void metrics_on(struct pmuctl_cpu *cpu, const struct pmuctl_set *set)
{
	if (set->slots)
		pmuctl_metrics_on(cpu, set->slots);
}

static void fold_with_metrics(struct pmuctl_cpu *cpu,
			      const struct pmuctl_run *run,
			      const struct pmuctl_set *set)
{
	const struct pmuctl_slot *slot;
	u64 before;

	if (!set->slots) {
		fold_set(cpu, run, set);
		return;
	}
	slot = &cpu->slot[set->slots->slot];
	before = *slot->value;
	fold_set(cpu, run, set);
	pmuctl_metrics_fold(cpu, set->slots, *slot->value - before);
}

static void odd_on(struct pmuctl_cpu *cpu, struct pmuctl_run *run)
{
	const struct pmuctl_session *session = run->session;

	if (session->pinned) {
		metrics_on(cpu, &session->set[0]);
		program_set(cpu, run, &session->set[0]);
	}
	metrics_on(cpu, &session->set[run->counts->set]);
	if (session->self) {
		program_set(cpu, run, &session->set[run->counts->set]);
		pmuctl_self_begin(cpu, run);
	}
}

/* phase: of the task that comes; for a session on CPUs it is found here. */
void pmuctl_run_on(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
		   struct pmuctl_session *session,
		   const struct pmuctl_phase *phase, u64 now)
{
	struct pmuctl_counts *counts = this_cpu_ptr(session->counts);

	run->counts = counts;
	run->counters = 0;
	run->since = now;
	/* Readers look for it from other CPUs: see runs_here(). */
	smp_store_release(&run->session, session);
	if (session->rotates && counts->left <= 0)
		pmuctl_rotate_next(session, counts);
	if (unlikely(session->odd))
		odd_on(cpu, run);
	program_set(cpu, run, &session->set[counts->set]);
	if (likely(!session->nr_phases))
		return;
	if (!session->on_task)
		phase = pmuctl_phases(session, counts);
	if (session->pinned)
		samples_on(cpu, run, &session->set[0], phase, now);
	samples_on(cpu, run, &session->set[counts->set], phase, now);
}

static void fold_time(struct pmuctl_run *run, u64 now)
{
	struct pmuctl_counts *counts = run->counts;
	u64 ns = now - run->since;

	run->since = now;
	counts->cell[0] += ns;
	if (!run->session->rotates)
		return;
	counts->cell[1 + counts->set] += ns;
	counts->left -= ns;
}

/*
 * Stopped, if they run: what a counter counts between being read and starting
 * from 0 would be lost, and the others of its group are to lose the same.
 */
static void fold_odd(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now)
{
	const struct pmuctl_session *session = run->session;
	u64 enabled = cpu->regs.enabled;
	bool stop = session->metrics && enabled & run->counters;

	if (stop)
		static_call(hw_enable)(&cpu->regs, enabled & ~run->counters);
	raw_write_seqcount_begin(&run->counts->seq);
	if (session->pinned)
		fold_with_metrics(cpu, run, &session->set[0]);
	fold_with_metrics(cpu, run, &session->set[run->counts->set]);
	fold_time(run, now);
	raw_write_seqcount_end(&run->counts->seq);
	if (session->self)
		pmuctl_self_show(cpu, run, enabled & run->counters);
	if (stop)
		static_call(hw_enable)(&cpu->regs, enabled);
}

void pmuctl_run_fold(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now)
{
	struct pmuctl_session *session = run->session;

	if (unlikely(session->odd)) {
		fold_odd(cpu, run, now);
		return;
	}
	raw_write_seqcount_begin(&run->counts->seq);
	fold_set(cpu, run, &session->set[run->counts->set]);
	fold_time(run, now);
	raw_write_seqcount_end(&run->counts->seq);
}

/* It goes off: its counters are stopped. */
void pmuctl_run_off(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now)
{
	struct pmuctl_session *session = run->session;

	pmuctl_run_fold(cpu, run, now);
	if (likely(!session->nr_phases))
		return;
	if (session->pinned)
		samples_off(cpu, run, &session->set[0], now);
	samples_off(cpu, run, &session->set[run->counts->set], now);
}

void pmuctl_run_keep_calls(const struct pmuctl_run *run)
{
	struct pmuctl_phase *phase = phases_of(run);

	if (phase)
		pmuctl_lbr_keep(pmuctl_calls(run->session, phase));
}

void pmuctl_run_turn(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now)
{
	struct pmuctl_session *session = run->session;
	const struct pmuctl_set *set = &session->set[run->counts->set];

	raw_write_seqcount_begin(&run->counts->seq);
	fold_with_metrics(cpu, run, set);
	fold_time(run, now);
	raw_write_seqcount_end(&run->counts->seq);
	if (session->nr_phases)
		samples_off(cpu, run, set, now);
	run->counters &= ~set->counters;
	pmuctl_rotate_next(session, run->counts);
	set = &session->set[run->counts->set];
	metrics_on(cpu, set);
	program_set(cpu, run, set);
	if (session->nr_phases)
		samples_on(cpu, run, set, phases_of(run), now);
	if (unlikely(session->self))
		pmuctl_self_show(cpu, run, true);
}
