/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many samples a CPU takes at most.
 */
#ifndef PMUCTL_THROTTLE_H
#define PMUCTL_THROTTLE_H

#include <linux/types.h>

struct pmuctl_cpu;
struct pmuctl_session;

/*
 * Samples of one CPU, and the time that it had for anything else meanwhile:
 * what the handler takes does not count, or a storm of interrupts that leaves
 * nothing else would look as slow as it makes everything.  A buffer of records
 * is the sample of its interrupt, and in a switch none.
 */
struct pmuctl_meter {
	u32 samples;		/* in this window */
	u32 most;		/* that it may have */
	u32 share;		/* quarters of outside for the handler */
	u64 window;		/* TSC cycles */
	u64 outside;		/* of them outside the handler so far */
	u64 debt;		/* TSC cycles of the handler beyond its part */
	u64 most_debt;		/* that it may have */
	u64 at;			/* TSC when the handler was entered or left */
	u64 until;		/* ns: throttled until then; 0: it is not */
};

/* The parameter. */
u32 pmuctl_max_sample_rate(void);

void pmuctl_throttle_reset(struct pmuctl_cpu *cpu);
/* Around the handler. */
void pmuctl_throttle_enter(struct pmuctl_cpu *cpu);
void pmuctl_throttle_leave(struct pmuctl_cpu *cpu);
/* In the handler, once records are drained, which came in the time outside. */
void pmuctl_throttle_settle(struct pmuctl_cpu *cpu);
/* A buffer of records was emptied in so many TSC cycles. */
void pmuctl_throttle_drained(struct pmuctl_cpu *cpu, u64 cycles);
/* Are there so many that the next question may be answered with yes? */
bool pmuctl_throttle_is_near(const struct pmuctl_cpu *cpu);
/* No more samples now; the session is who is told of, if that begins here. */
bool pmuctl_throttled(struct pmuctl_cpu *cpu, struct pmuctl_session *session);
/* The timer: true if a throttle is over. */
bool pmuctl_throttle_end(struct pmuctl_cpu *cpu, u64 now);

#endif
