// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many samples a CPU takes at most: so many in a window of time outside
 * the handler, then none until a timer ends the throttle, which is when the
 * window is over.  And none for a window whenever the handler has been taking
 * more than its part of the time, however few its samples are.  Records of
 * PEBS come many at once, and are held to the time alone.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/sched/clock.h>
#include <linux/time64.h>
#include <asm/tsc.h>

#include "kmod/cpu/timer.h"
#include "kmod/session/wake.h"
#include "kmod/state/cpu.h"
#include "kmod/state/meter.h"

/* Windows a second. */
#define WINDOWS		250
#define WINDOW_NS	(NSEC_PER_SEC / WINDOWS)
#define RATE_MIN	1000
#define RATE		50000

/*
 * The handler may take 5 us for each sample of RATE: ten times what a processor
 * needs, and a quarter of the time outside of it.  Where it takes more (a
 * hypervisor has the registers and emulates each access) so many samples would
 * leave no time for anything else.
 */
#define PART		4
/* That far beyond it, as samples come in lumps.  16 ms delay nobody much. */
#define DEBT_WINDOWS	16

static unsigned int max_sample_rate = RATE;
module_param(max_sample_rate, uint, 0644);
MODULE_PARM_DESC(max_sample_rate,
		 "The most interrupts of samples a second on a CPU before it is throttled (default 50000, at least 1000); for twice as many their handler may take twice the time");

u32 pmuctl_max_sample_rate(void)
{
	return max_t(u32, READ_ONCE(max_sample_rate), RATE_MIN);
}

static void new_window(struct pmuctl_meter *meter)
{
	u32 rate = pmuctl_max_sample_rate();

	meter->window = div_u64((u64)(tsc_khz ?: 1000000) * 1000, WINDOWS);
	meter->outside = 0;
	meter->samples = 0;
	meter->most = rate / WINDOWS;
	/* What a lower rate is for is the number of samples. */
	meter->share = max_t(u32, rate / RATE, 1);
	meter->most_debt = meter->window / PART * DEBT_WINDOWS * meter->share;
}

void pmuctl_throttle_reset(struct pmuctl_cpu *cpu)
{
	memset(&cpu->meter, 0, sizeof(cpu->meter));
	cpu->meter.at = rdtsc();
	new_window(&cpu->meter);
}

void pmuctl_throttle_enter(struct pmuctl_cpu *cpu)
{
	struct pmuctl_meter *meter = &cpu->meter;
	u64 now = rdtsc(), outside = now - meter->at;

	meter->at = now;
	meter->outside += outside;
	meter->debt -= min(meter->debt, outside / PART * meter->share);
}

void pmuctl_throttle_settle(struct pmuctl_cpu *cpu)
{
	if (unlikely(cpu->meter.outside >= cpu->meter.window))
		new_window(&cpu->meter);
}

/* In a switch or a look there is no interrupt, and nobody sees the time. */
void pmuctl_throttle_drained(struct pmuctl_cpu *cpu, u64 cycles)
{
	struct pmuctl_meter *meter = &cpu->meter;

	if (cpu->at) {
		meter->samples++;
		return;
	}
	meter->debt += min(cycles, meter->window);
	meter->at += cycles;
}

void pmuctl_throttle_leave(struct pmuctl_cpu *cpu)
{
	struct pmuctl_meter *meter = &cpu->meter;
	u64 now = rdtsc();

	/*
	 * What takes the CPU away for a while does so outside as well, in
	 * proportion; but by one long pause nobody is throttled.
	 */
	meter->debt += min(now - meter->at, meter->window);
	meter->at = now;
}

static bool is_full(const struct pmuctl_meter *meter)
{
	return meter->samples >= meter->most ||
	       meter->debt >= meter->most_debt;
}

/* Samples come from switches as well, which no handler goes with. */
static bool too_many(struct pmuctl_cpu *cpu)
{
	if (likely(!is_full(&cpu->meter)))
		return false;
	if (!cpu->at) {
		pmuctl_throttle_enter(cpu);
		pmuctl_throttle_settle(cpu);
		pmuctl_throttle_leave(cpu);
	}
	return is_full(&cpu->meter);
}

bool pmuctl_throttle_is_near(const struct pmuctl_cpu *cpu)
{
	return cpu->meter.until || is_full(&cpu->meter);
}

/*
 * ns until the window is over.  At least enough for something else to be done,
 * a whole window where that is what was missing.
 */
static u64 time_owed(const struct pmuctl_meter *meter)
{
	u64 gone = min(meter->outside, meter->window);
	u64 least = meter->debt < meter->most_debt ? WINDOW_NS / 16 : WINDOW_NS;

	return max(WINDOW_NS - div64_u64(WINDOW_NS * gone, meter->window),
		   least);
}

bool pmuctl_throttled(struct pmuctl_cpu *cpu, struct pmuctl_session *session)
{
	struct pmuctl_meter *meter = &cpu->meter;

	if (meter->until)
		return true;
	if (likely(!too_many(cpu)))
		return false;
	meter->until = local_clock() + time_owed(meter);
	pmuctl_wake(cpu, session, PMUCTL_WAKE_THROTTLED);
	return true;
}

bool pmuctl_throttle_end(struct pmuctl_cpu *cpu, u64 now)
{
	struct pmuctl_meter *meter = &cpu->meter;

	if (!meter->until || now + PMUCTL_TURN_SOON < meter->until)
		return false;
	/* Its time was the samples' before it, not of those behind. */
	pmuctl_busy_begin(cpu);
	pmuctl_throttle_enter(cpu);
	new_window(meter);
	meter->until = 0;
	pmuctl_busy_end(cpu);
	return true;
}
