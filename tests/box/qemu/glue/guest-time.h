/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What -icount of this QEMU adds to guest time: turns, a limit, and a report.
 */
#ifndef PMUBOX_GUEST_TIME_H
#define PMUBOX_GUEST_TIME_H

/* Takes seed=N and limit=MILLISECONDS out of the options of -icount. */
void pmubox_guest_time(QemuOpts *opts);

/* Another command begins, on this CPU, which has the limit for itself. */
void pmubox_limit_again(CPUState *cpu);

/* The length in instructions of a turn that the CPU begins after so many of all CPUs. */
int64_t pmubox_turn(CPUState *cpu, int64_t executed);

/*
 * With PMUBOX_REPORT in the environment the place of each CPU goes to stderr
 * when the machine stops: "pmubox: CPU 0 at 0x... ring 0 halted".
 */
void pmubox_report_cpus(void);

#endif
