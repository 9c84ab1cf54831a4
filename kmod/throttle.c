// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many samples a CPU takes at most: so many in a window of time outside
 * the handler, then none until a timer ends the throttle, which is when their
 * time is over.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/sched/clock.h>
#include <linux/time64.h>
#include <asm/tsc.h>

#include "percpu.h"
#include "rotate.h"
#include "throttle.h"
#include "wake.h"

/* Windows a second. */
#define WINDOWS		250
#define WINDOW_NS	(NSEC_PER_SEC / WINDOWS)
#define RATE_MIN	1000

static unsigned int max_sample_rate = 50000;
module_param(max_sample_rate, uint, 0644);
MODULE_PARM_DESC(max_sample_rate,
		 "The most samples a second on a CPU before it is throttled (default 50000, at least 1000)");

u32 pmuctl_max_sample_rate(void)
{
	return max_t(u32, READ_ONCE(max_sample_rate), RATE_MIN);
}

static u64 window_cycles(void)
{
	return div_u64((u64)(tsc_khz ?: 1000000) * 1000, WINDOWS);
}

static void new_window(struct pmuctl_meter *meter)
{
	meter->outside = 0;
	meter->samples = 0;
	meter->most = pmuctl_max_sample_rate() / WINDOWS;
}

/*
 * PEBS brings in a lump what was recorded in several windows.  The part of a
 * window that is over with them counts for what comes, or lumps that are no
 * whole number of windows apart would seem to be more often than they are.
 */
static void next_window(struct pmuctl_meter *meter)
{
	u64 windows = div64_u64(meter->outside, window_cycles());
	u64 may = windows * meter->most;

	if (meter->samples <= may) {
		new_window(meter);
		return;
	}
	meter->samples -= may;
	meter->outside -= windows * window_cycles();
}

void pmuctl_throttle_reset(struct pmuctl_cpu *cpu)
{
	cpu->meter.until = 0;
	cpu->meter.left_at = rdtsc();
	new_window(&cpu->meter);
}

void pmuctl_throttle_enter(struct pmuctl_cpu *cpu)
{
	struct pmuctl_meter *meter = &cpu->meter;

	meter->outside += rdtsc() - meter->left_at;
}

void pmuctl_throttle_settle(struct pmuctl_cpu *cpu)
{
	if (unlikely(cpu->meter.outside >= window_cycles()))
		next_window(&cpu->meter);
}

void pmuctl_throttle_leave(struct pmuctl_cpu *cpu)
{
	cpu->meter.left_at = rdtsc();
}

/* Samples come from switches as well, which no handler goes with. */
static bool too_many(struct pmuctl_cpu *cpu)
{
	if (likely(cpu->meter.samples < cpu->meter.most))
		return false;
	if (!cpu->at) {
		pmuctl_throttle_enter(cpu);
		pmuctl_throttle_settle(cpu);
		pmuctl_throttle_leave(cpu);
	}
	return cpu->meter.samples >= cpu->meter.most;
}

bool pmuctl_throttle_is_near(const struct pmuctl_cpu *cpu)
{
	return cpu->meter.until || cpu->meter.samples >= cpu->meter.most;
}

/*
 * ns until the samples are no more than may be in their time: of a lump, many
 * windows.  At least enough for something else to be done.
 */
static u64 time_owed(const struct pmuctl_meter *meter)
{
	u64 cycles = window_cycles(), gone = min(meter->outside, cycles);
	u64 owed = div_u64((u64)WINDOW_NS * meter->samples, meter->most);

	return max_t(s64, owed - div64_u64(WINDOW_NS * gone, cycles),
		     WINDOW_NS / 16);
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
	pmuctl_throttle_reset(cpu);
	return true;
}
