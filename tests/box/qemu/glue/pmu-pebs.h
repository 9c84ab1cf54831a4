/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens at a boundary besides counting: where the CPU stands is noted, a PEBS
 * record written; pmu-glue.c calls, pmu-pebs.c does.
 */
#ifndef PMUBOX_PMU_PEBS_H
#define PMUBOX_PMU_PEBS_H

/* The instruction that starts now, in translated code that returns to retaddr. */
void x86_pebs_step(CPUX86State *env, uintptr_t retaddr);
/* Its state is all in env, and stands behind the instruction that is recorded. */
void x86_pebs_write(CPUX86State *env);
/* EIP of the instruction that retired last, if it was looked at; else false. */
bool x86_pebs_last(CPUX86State *env, uint64_t *ip);
/* EIP of the instruction that starts now, in translated code. */
uint64_t x86_pebs_eip(CPUX86State *env, uintptr_t retaddr);

#endif
