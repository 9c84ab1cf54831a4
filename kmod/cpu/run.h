/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One session on one CPU.
 */
#ifndef PMUCTL_RUN_H
#define PMUCTL_RUN_H

#include <linux/types.h>

struct pmuctl_cpu;
struct pmuctl_phase;
struct pmuctl_run;
struct pmuctl_session;

/*
 * All of these: on the CPU meant, IRQs off, the NMI handler kept away (or in
 * it); records of PEBS are drained before anything is added up.
 */

/*
 * It comes on: programmed, not enabled.  phase: of the task that comes; that of
 * a session on CPUs is found here.
 */
void pmuctl_run_on(struct pmuctl_cpu *cpu, struct pmuctl_run *run,
		   struct pmuctl_session *session,
		   const struct pmuctl_phase *phase, u64 now);
/* It goes off: its counters are stopped, its task is still current. */
void pmuctl_run_off(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now);
/* With calls: the task that goes is to come back to them. */
void pmuctl_run_keep_calls(const struct pmuctl_run *run);
/* Added up, and goes on. */
void pmuctl_run_fold(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now);
/* Its next set is on; the counters of the old one are stopped. */
void pmuctl_run_turn(struct pmuctl_cpu *cpu, struct pmuctl_run *run, u64 now);

#endif
