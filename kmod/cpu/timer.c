// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long the turns of sets are, and the timer that ends them.
 *
 * Each CPU has its own timer.  It is armed when a session with several sets
 * comes on and not cancelled when that goes off, which would cost more than
 * to find nothing due; then it stays off.  Where no overflow interrupts it is
 * armed for every session, and adds the counters up before they come round.
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>

#include "kmod/base/compat.h"
#include "kmod/cpu/gate.h"
#include "kmod/cpu/timer.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

/* The first round has turns of this part of the interval; then they double. */
#define FIRST_TURN	16

void pmuctl_rotate_begin(const struct pmuctl_session *session,
			 struct pmuctl_counts *counts)
{
	counts->turn = session->interval / FIRST_TURN;
	counts->left = counts->turn;
}

static u32 random_here(void)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);

	cpu->random = cpu->random * 1664525 + 1013904223;
	return cpu->random >> 16;
}

/*
 * From half a turn to one and a half: turns of one length would fall in with
 * the tick, or with the program's own rhythm, and a set see always the same.
 */
s64 pmuctl_rotate_time(const struct pmuctl_counts *counts)
{
	return counts->turn / 2 + ((u64)counts->turn * random_here() >> 16);
}

void pmuctl_rotate_next(const struct pmuctl_session *session,
			struct pmuctl_counts *counts)
{
	if (unlikely(session->gated)) {
		pmuctl_gate_next(session, counts);
		return;
	}
	if (++counts->set == session->nr_sets) {
		counts->set = session->first_turn;
		counts->turn = min(2 * counts->turn, session->interval);
	}
	counts->left = pmuctl_rotate_time(counts);
}

static u64 rotate_soonest(const struct pmuctl_run *run, unsigned int n, u64 now,
			  u64 soonest)
{
	for (; n--; run++) {
		if (run->session->rotates)
			soonest = min(soonest, pmuctl_cpu_left(run, now));
		if (run->session->nr_sampled)
			soonest = min_t(u64, soonest, PMUCTL_TICK);
		if (unlikely(!pmuctl_interrupts()))
			soonest = min(soonest, pmuctl_caps.fold_every);
	}
	return soonest;
}

/*
 * ns until the first of the turns here ends, a throttle does, or samples are to
 * be looked at; U64_MAX: nothing will be.
 */
static u64 next_end(const struct pmuctl_cpu *cpu, u64 now)
{
	u64 left = rotate_soonest(cpu->task, cpu->nr_task, now, U64_MAX);

	left = rotate_soonest(cpu->cpu, cpu->nr_cpu, now, left);
	if (unlikely(cpu->meter.until))
		left = min_t(u64, left, max_t(s64, cpu->meter.until - now, 0));
	return left == U64_MAX ? left : max_t(u64, left, PMUCTL_TURN_SOON);
}

void pmuctl_rotate_arm(struct pmuctl_cpu *cpu, u64 now)
{
	u64 left = next_end(cpu, now);

	if (left == U64_MAX ||
	    (cpu->timer_at > now && cpu->timer_at <= now + left))
		return;
	cpu->timer_at = now + left;
	hrtimer_start(&cpu->timer, ns_to_ktime(left),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

void pmuctl_rotate_cancel(struct pmuctl_cpu *cpu)
{
	/* Pinned, and IRQs are off: it does not run now. */
	hrtimer_try_to_cancel(&cpu->timer);
	cpu->timer_at = 0;
}

static bool some_sample(const struct pmuctl_run *run, unsigned int n)
{
	while (n--)
		if (run[n].session->nr_sampled)
			return true;
	return false;
}

static bool looks_at_samples(const struct pmuctl_cpu *cpu)
{
	return some_sample(cpu->task, cpu->nr_task) ||
	       some_sample(cpu->cpu, cpu->nr_cpu);
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	u64 left, now = local_clock();

	cpu->timer_at = 0;
	if (!cpu->held)
		return HRTIMER_NORESTART;
	pmuctl_cpu_turn(cpu, now);
	if (pmuctl_throttle_end(cpu, now))
		pmuctl_cpu_release(cpu);
	if (looks_at_samples(cpu))
		pmuctl_cpu_tick(cpu, now);
	if (unlikely(!pmuctl_interrupts()))
		pmuctl_cpu_fold_all(cpu, now);
	left = next_end(cpu, now);
	if (left == U64_MAX)
		return HRTIMER_NORESTART;
	cpu->timer_at = now + left;
	hrtimer_set_expires(timer, ktime_add_ns(ktime_get(), left));
	return HRTIMER_RESTART;
}

void pmuctl_rotate_init(void)
{
	struct pmuctl_cpu *cpu;
	unsigned int number;

	for_each_possible_cpu(number) {
		cpu = per_cpu_ptr(pmuctl_cpus, number);
		cpu->random = number;
		pmuctl_hrtimer_setup(&cpu->timer, on_timer, CLOCK_MONOTONIC,
				     HRTIMER_MODE_REL_PINNED_HARD);
	}
}
