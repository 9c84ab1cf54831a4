/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU's part of QEMU's CPU state: what translated code touches stands here,
 * everything else is behind the pointers (a change of cpu.h rebuilds all of QEMU).
 */
#ifndef PMUBOX_STATE_H
#define PMUBOX_STATE_H

#include "pmu.h"

/* TB flags, never in hflags: enum pmu_need of the class that the TB runs in. */
#define HF_PMU_SHIFT 29
#define HF_PMU_INSN_MASK ((uint32_t)PMU_NEED_INSN << HF_PMU_SHIFT)
#define HF_PMU_MEM_MASK ((uint32_t)PMU_NEED_MEM << HF_PMU_SHIFT)
#define HF_PMU_BRANCH_MASK ((uint32_t)PMU_NEED_BRANCH << HF_PMU_SHIFT)

#define PMU_NO_BRANCH UINT64_MAX

typedef struct X86PMU {
	struct pmu_hot hot;
	/*
	 * The branch that has retired but whose target is not known before the
	 * next TB starts (or an interrupt is delivered); EIP of it and behind it.
	 */
	uint64_t branch_from;
	uint64_t branch_next;
	uint64_t cr3;			/* as the truth has last seen it */
	bool watch;			/* the truth wants to see CR3 and class change */
	bool quiet;			/* restoring the state at a boundary, not a fault */
	bool soft_int;			/* delivering INT n, which may yet fault */
	bool keep;			/* an INIT, which leaves the PMU alone */
	struct pmu *model;		/* NULL: a CPU without PMU */
	struct truth_cpu *truth;	/* NULL: no truth is kept */
} X86PMU;

#endif
