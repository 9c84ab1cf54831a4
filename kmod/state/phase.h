/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Periods: how many events there are from one sample to the next.
 */
#ifndef PMUCTL_PERIOD_H
#define PMUCTL_PERIOD_H

#include <linux/types.h>

struct pmuctl_cpu;
struct pmuctl_event;

/* Of an event that has a frequency; others do without, so that switches do. */
struct pmuctl_pace {
	u64 ns;			/* that it was on since the last sample */
	/* Of the last samples, the older the less. */
	u64 lately_events;
	u64 lately_ns;
};

/*
 * Of a task and event, or of a CPU and event: where it stands between two
 * samples.  All zeroes: before its first.
 */
struct pmuctl_phase {
	s64 left;		/* events until the next sample */
	u64 period;		/* of which these are the rest */
	struct pmuctl_pace pace;
};

/* How often sampled events are looked at, in ns: their frequency, their PMI. */
#define PMUCTL_TICK		10000000

/*
 * All of these: on the CPU meant, by the counter's slot, which does not run
 * and is added up.
 */

/* It comes on: goes on from the phase, or begins (NULL as well). */
void pmuctl_period_on(struct pmuctl_cpu *cpu, unsigned int i,
		      const struct pmuctl_phase *phase, u64 now);
/* It goes off: takes the sample that is due, keeps the phase if not NULL. */
void pmuctl_period_off(struct pmuctl_cpu *cpu, unsigned int i,
		       struct pmuctl_phase *phase, u64 now);
/*
 * The nearest of what this processor takes: a period, and how many events
 * before an overflow can be written to the counter.
 */
u64 pmuctl_period_that_is(const struct pmuctl_event *event, u64 period);
u64 pmuctl_period_to_arm(const struct pmuctl_event *event, s64 left);
/* How long the period after this one is, which had so many events. */
u64 pmuctl_period_next(struct pmuctl_cpu *cpu, unsigned int i, u64 events);
/* It overflowed, and goes on. */
void pmuctl_period_overflow(struct pmuctl_cpu *cpu, unsigned int i);
/* It has a frequency, and may have too long a period for it; true: had. */
bool pmuctl_period_shrink(struct pmuctl_cpu *cpu, unsigned int i, u64 now);
/* PEBS was off: what passed has no record, and nothing set the counter back. */
void pmuctl_period_catch_up(struct pmuctl_cpu *cpu, unsigned int i);
/* The throttle ends. */
void pmuctl_period_release(struct pmuctl_cpu *cpu, unsigned int i);

#endif
