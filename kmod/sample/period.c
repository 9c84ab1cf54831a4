// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods: when a sample is due, how long it takes to the next, and the
 * sample that an interrupt or a switch makes of it.
 *
 * What counts is how many events are left, which every reading of the counter
 * tells; an overflow only says that it is time to look.  So it does not matter
 * whether the interrupt comes before or after the task has gone.
 */
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/time64.h>
#include <asm/irq_regs.h>

#include "kmod/pmu/hot.h"
#include "kmod/sample/branches.h"
#include "kmod/sample/pebs_drain.h"
#include "kmod/sample/sample.h"
#include "kmod/sample/user.h"
#include "kmod/state/cpu.h"
#include "kmod/state/meter.h"
#include "kmod/state/phase.h"
#include "kmod/state/session.h"

/* By frequency: the first period, and by how much one grows at most. */
#define FREQ_FIRST	64
#define FREQ_GROWTH	16
/*
 * As many samples are remembered as come in 12 to 25 ms, 16 to 1024: each makes
 * this part of what was lately forgotten.
 */
#define FREQ_SHIFT_MIN	4
#define FREQ_SHIFT_MAX	10
#define FREQ_MEMORIES	40	/* in a second */
/* With these the quotient below has room: 2^44 * 10^9 / 1000 < 2^64. */
#define FREQ_PERIOD_MAX	BIT_ULL(40)
#define FREQ_NS_MIN	1024ULL

static u32 random_bits(struct pmuctl_cpu *cpu)
{
	u32 x = cpu->random ?: 1;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	cpu->random = x;
	return x;
}

/* --- what a processor takes --- */

static u64 coarse(const struct pmuctl_event *event, s64 events)
{
	u64 least = max_t(s64, events, event->least);

	return round_up(least, (u64)event->step);
}

/* What is written is what is wrong: with PEBS that can be one less. */
static u64 coarse_period(const struct pmuctl_event *event, u64 period)
{
	bool recorded = event->precise && event->step > 1 &&
			!pmuctl_tried.pebs_counts_recorded;

	return coarse(event, period - recorded) + recorded;
}

u64 pmuctl_period_to_arm(const struct pmuctl_event *event, s64 left)
{
	return unlikely(event->coarse) ? coarse(event, left) :
					 max_t(s64, 1, left);
}

u64 pmuctl_period_that_is(const struct pmuctl_event *event, u64 period)
{
	return unlikely(event->coarse) ? coarse_period(event, period) : period;
}

/* --- how long the next is --- */

static u64 first_period(struct pmuctl_cpu *cpu,
			const struct pmuctl_event *event)
{
	s64 off, half = BIT_ULL(event->random) / 2;
	u64 period = event->freq ? FREQ_FIRST : event->period;

	if (event->random) {
		/* As often above as below: the one without counterpart is 0. */
		off = random_bits(cpu) & (BIT_ULL(event->random) - 1);
		period += off ? off - half : 0;
	}
	return pmuctl_period_that_is(event, period);
}

/* From one sample to the next; 0 above 10^9 a second. */
static u64 interval_ns(const struct pmuctl_event *event)
{
	return NSEC_PER_SEC / event->freq;
}

/* Of so many events in so much time. */
static u64 by_frequency(const struct pmuctl_event *event, u64 events, u64 ns)
{
	return min(mul_u64_u64_div_u64(events, interval_ns(event), ns),
		   FREQ_PERIOD_MAX);
}

/*
 * Events and time are added up, not the rates of single periods: where events
 * come in bursts there are most periods within these, and the mean of theirs
 * would give too few samples.
 */
static void period_lately(struct pmuctl_pace *pace, u32 freq, u64 events,
			  s64 ns)
{
	unsigned int shift = clamp(ilog2(freq / FREQ_MEMORIES | 1),
				   FREQ_SHIFT_MIN, FREQ_SHIFT_MAX);

	pace->lately_events += min(events, FREQ_PERIOD_MAX) -
			       (pace->lately_events >> shift);
	pace->lately_ns += max_t(s64, ns, FREQ_NS_MIN) -
			   (pace->lately_ns >> shift);
}

u64 pmuctl_period_next(struct pmuctl_cpu *cpu, unsigned int i, u64 events)
{
	struct pmuctl_slot *slot = &cpu->slot[i];
	const struct pmuctl_event *event = slot->event;
	struct pmuctl_pace *pace = &slot->phase.pace;
	u64 now, next;

	if (likely(!event->freq))
		return first_period(cpu, event);
	now = local_clock();
	period_lately(pace, event->freq, events, pace->ns + now - slot->on);
	pace->ns = 0;
	slot->on = now;
	/* Of PEBS the last one was perhaps shorter than what is loaded now. */
	next = clamp_t(u64, by_frequency(event, pace->lately_events,
					 pace->lately_ns),
		       1, min(slot->phase.period, events) * FREQ_GROWTH);
	return pmuctl_period_that_is(event, next);
}

/* --- the sample --- */

/*
 * Where the event was.  One of a program's own events that was noticed in the
 * kernel is the program's all the same: at where it entered the kernel.
 */
static void find_place(const struct pmuctl_cpu *cpu,
		       struct pmuctl_taken *taken)
{
	struct pt_regs *regs = cpu->at ?: get_irq_regs();
	bool user = regs && user_mode(regs);

	if (user || taken->event->flags & PMUCTL_EVENT_KERNEL) {
		taken->ip = regs ? regs->ip : cpu->switch_ip;
		taken->regs = regs;
	} else {
		user = true;
		taken->regs = pmuctl_user_entered(regs, taken->task,
						  &taken->ip);
		taken->entering = !taken->regs;
	}
	if (user)
		taken->flags |= PMUCTL_RECORD_USER;
}

static void period_take(struct pmuctl_cpu *cpu,
			const struct pmuctl_event *event, u64 events)
{
	struct pmuctl_taken taken = {
		.event = event,
		.task = pmuctl_cpu_task(cpu, event->session->on_task),
		.period = events,
	};

	cpu->meter.samples++;
	find_place(cpu, &taken);
	if (unlikely(event->lbr))
		taken.branches = pmuctl_branches_of(event, &taken.nr_branches);
	pmuctl_sample_take(cpu, &taken);
}

/* Whole periods that have passed, and the one that goes on from there. */
static u64 period_passed(struct pmuctl_phase *phase)
{
	u64 over = -phase->left, n = 1;

	if (unlikely(over >= phase->period))
		n += div64_u64(over, phase->period);
	phase->left += n * phase->period;
	return n;
}

/* The hardware takes those of PEBS itself; only a throttle has kept it off. */
static void period_due(struct pmuctl_cpu *cpu, unsigned int i)
{
	struct pmuctl_slot *slot = &cpu->slot[i];
	struct pmuctl_phase *phase = &slot->phase;
	u64 n, events, next;

	if (slot->event->precise && !slot->throttled)
		return;
	n = period_passed(phase);
	events = n * phase->period;
	if (unlikely(slot->throttled)) {
		pmuctl_sample_throttled(slot->event, n);
		return;
	}
	period_take(cpu, slot->event, events);
	next = pmuctl_period_next(cpu, i, events);
	phase->left += next - phase->period;
	phase->period = next;
}

/* --- the counter --- */

static void period_throttle(struct pmuctl_slot *slot)
{
	if (slot->throttled)
		return;
	slot->throttled = true;
	pmuctl_sample_note(slot->event, PMUCTL_RECORD_THROTTLE);
}

static void period_arm(struct pmuctl_cpu *cpu, struct pmuctl_slot *slot,
		       unsigned int i)
{
	if (slot->event->precise)
		pmuctl_pebs_unready_slot(cpu, i);
	if (unlikely(pmuctl_throttled(cpu, slot->event->session))) {
		period_throttle(slot);
		slot->last = pmuctl_backend->rearm(i);
		return;
	}
	if (slot->event->precise)
		slot->last = pmuctl_pebs_arm(cpu, i);
	else
		slot->last = static_call(hw_arm)
			(i, pmuctl_period_to_arm(slot->event,
						 slot->phase.left));
}

void pmuctl_period_on(struct pmuctl_cpu *cpu, unsigned int i,
		      const struct pmuctl_phase *phase, u64 now)
{
	struct pmuctl_slot *slot = &cpu->slot[i];

	if (phase && phase->period) {
		slot->phase.left = phase->left;
		slot->phase.period = phase->period;
	} else {
		slot->phase.period = first_period(cpu, slot->event);
		slot->phase.left = slot->phase.period;
	}
	if (slot->event->freq)
		slot->phase.pace = phase ? phase->pace : (struct pmuctl_pace){};
	slot->on = now;
	slot->reloaded = 0;
	slot->throttled = false;
	period_arm(cpu, slot, i);
}

static void period_unthrottle(struct pmuctl_slot *slot)
{
	slot->throttled = false;
	pmuctl_sample_note(slot->event, PMUCTL_RECORD_UNTHROTTLE);
}

void pmuctl_period_off(struct pmuctl_cpu *cpu, unsigned int i,
		       struct pmuctl_phase *phase, u64 now)
{
	struct pmuctl_slot *slot = &cpu->slot[i];

	if (unlikely(slot->phase.left <= 0))
		period_due(cpu, i);
	if (unlikely(slot->throttled))
		period_unthrottle(slot);
	if (!phase)
		return;
	phase->left = slot->phase.left;
	phase->period = slot->phase.period;
	if (slot->event->freq) {
		phase->pace = slot->phase.pace;
		phase->pace.ns += now - slot->on;
	}
}

void pmuctl_period_overflow(struct pmuctl_cpu *cpu, unsigned int i)
{
	struct pmuctl_slot *slot = &cpu->slot[i];

	if (likely(slot->phase.left <= 0))
		period_due(cpu, i);
	period_arm(cpu, slot, i);
}

bool pmuctl_period_shrink(struct pmuctl_cpu *cpu, unsigned int i, u64 now)
{
	struct pmuctl_slot *slot = &cpu->slot[i];
	struct pmuctl_phase *phase = &slot->phase;
	s64 done = phase->period - phase->left;
	/* Below 0: its last sample came behind now. */
	s64 ns = phase->pace.ns + now - slot->on;
	u64 wanted;

	if (phase->left <= 0 || ns <= 0 ||
	    ns < 2 * interval_ns(slot->event))
		return false;
	/* What was before this period says too little of why it is so long. */
	wanted = by_frequency(slot->event, done, ns);
	wanted = (phase->period + 3 * wanted) / 4;
	if (wanted >= phase->period)
		return false;
	phase->left = max_t(s64, wanted - done, 1);
	phase->period = done + phase->left;
	period_arm(cpu, slot, i);
	return true;
}

void pmuctl_period_catch_up(struct pmuctl_cpu *cpu, unsigned int i)
{
	struct pmuctl_slot *slot = &cpu->slot[i];

	/* With one event left it was ready for a record that did not come. */
	if (slot->throttled || slot->phase.left > 1)
		return;
	if (slot->phase.left <= 0)
		period_passed(&slot->phase);
	period_arm(cpu, slot, i);
}

void pmuctl_period_release(struct pmuctl_cpu *cpu, unsigned int i)
{
	struct pmuctl_slot *slot = &cpu->slot[i];

	if (slot->phase.left <= 0)
		period_due(cpu, i);
	period_unthrottle(slot);
	period_arm(cpu, slot, i);
}
