/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How QEMU's CPUs keep the truth: pmu-glue.c calls, pmu-truth.c does.
 */
#ifndef PMUBOX_PMU_TRUTH_H
#define PMUBOX_PMU_TRUTH_H

#include "truth.h"

bool x86_truth_start(X86CPU *cpu, Error **errp);
/* At a boundary: the class or CR3 is another one. */
void x86_truth_change(CPUX86State *env);
/* In flight: user mode is being left, to come back to rip if at all. */
void x86_truth_leave(CPUX86State *env, uint64_t rip, bool syscall);
/* Counters overflowed and want a PMI; next: EIP behind the instruction. */
void x86_truth_overflow(CPUX86State *env, uint64_t counters, uint64_t next);
void x86_truth_pmi(CPUX86State *env, bool masked);
void x86_truth_record(CPUX86State *env, const struct pmu_written *written);
/* The guest wants the truth of slots from here on, or has had enough of it. */
void x86_truth_slots(CPUX86State *env, bool on);
void x86_truth_mark(CPUX86State *env, uint32_t label);

/* pmu-glue.c: nothing is in flight; count what has been consumed. */
void x86_pmu_stand(CPUX86State *env);
/* The same: the time stamp, wherever in a TB the CPU stands. */
uint64_t x86_pmu_tsc(CPUX86State *env);

#endif
