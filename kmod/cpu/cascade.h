/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cascades: an event that counts only after so many of another one.
 *
 * The hardware starts its counter when the other one overflows, at that very
 * event; the interrupt that follows makes an ordinary counter of it.  How many
 * are missing is kept with each task, as the rest of a period is.
 */
#ifndef PMUCTL_CASCADE_H
#define PMUCTL_CASCADE_H

#include <linux/types.h>

struct pmuctl_cpu;
struct pmuctl_phase;
struct pmuctl_session;
struct pmuctl_set;
struct pmuctl_why;

/* Of a session whose sets are built: who starts whom, or what is wrong. */
int pmuctl_cascades_build(struct pmuctl_session *session,
			  const struct pmuctl_why *why);

/* All of these: on the CPU meant, IRQs off, the counters do not run. */

/* A set comes on: goes on from the phases, or begins (NULL as well). */
void pmuctl_cascades_on(struct pmuctl_cpu *cpu,
			const struct pmuctl_session *session,
			const struct pmuctl_set *set,
			const struct pmuctl_phase *phase);
/* A counter of one that starts others overflowed, is added up, goes on. */
void pmuctl_cascade_overflow(struct pmuctl_cpu *cpu, unsigned int slot);

#endif
