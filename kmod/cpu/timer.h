/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long the turns of sets are, and the timer that ends them.
 */
#ifndef PMUCTL_ROTATE_H
#define PMUCTL_ROTATE_H

#include <linux/types.h>

struct pmuctl_counts;
struct pmuctl_cpu;
struct pmuctl_session;

/* ns; a turn of which less is left is over: no timer is worth setting. */
#define PMUCTL_TURN_SOON	2000

/* Before the first: the first round of turns is short. */
void pmuctl_rotate_begin(const struct pmuctl_session *session,
			 struct pmuctl_counts *counts);
/* The next set is on from here. */
void pmuctl_rotate_next(const struct pmuctl_session *session,
			struct pmuctl_counts *counts);
/* ns that it stays on. */
s64 pmuctl_rotate_time(const struct pmuctl_counts *counts);

void pmuctl_rotate_init(void);

/* All of these: on the CPU meant, IRQs off. */

/* A session whose sets take turns came on: no turn becomes too long. */
void pmuctl_rotate_arm(struct pmuctl_cpu *cpu, u64 now);
void pmuctl_rotate_cancel(struct pmuctl_cpu *cpu);

#endif
