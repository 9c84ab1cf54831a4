/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a thread that counts itself sees of its counters.
 */
#ifndef PMUCTL_CPU_SELF_H
#define PMUCTL_CPU_SELF_H

#include <linux/types.h>

struct pmuctl_cpu;
struct pmuctl_run;

/* All of these: on the CPU meant, IRQs off, the NMI handler kept away. */

/* It comes on: counters are programmed. */
void pmuctl_self_begin(struct pmuctl_cpu *cpu, const struct pmuctl_run *run);
/* Added up; on: its counters run, or will before the thread does. */
void pmuctl_self_show(struct pmuctl_cpu *cpu, const struct pmuctl_run *run,
		      bool on);
/* A counter was written, whosever it is. */
void pmuctl_self_rearmed(struct pmuctl_cpu *cpu, unsigned int slot);

#endif
