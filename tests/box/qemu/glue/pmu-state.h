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
/* There is no room above; bit 2 is free in hflags. */
#define HF_PMU_KIND_MASK ((uint32_t)PMU_NEED_KIND >> 1)

#define PMU_NO_BRANCH UINT64_MAX
#define PMU_BRANCH_KIND_SHIFT 8

typedef struct X86PMU {
	struct pmu_hot hot;
	/*
	 * The branch that has retired but whose target is not known before the
	 * next TB starts (or an interrupt is delivered): its EIP, and its length
	 * with enum pmu_branch_kind above it.
	 */
	uint64_t branch_from;
	uint32_t branch_what;
	uint64_t step_ip, step_number;	/* instruction that was looked at last */
	struct pmu_cpu *before;		/* the CPU in front of it, if the model records that */
	uint64_t cr3;			/* as the truth has last seen it */
	bool watch;			/* the truth wants to see CR3 and class change */
	bool quiet;			/* restoring the state at a boundary, not a fault */
	bool soft_int;			/* delivering INT n, which may yet fault */
	uint64_t event_from;		/* EIP where what is being delivered came */
	bool keep;			/* an INIT, which leaves the PMU alone */
	bool wants_code;		/* the model wants to know what instructions are */
	uint32_t kind_mask;		/* HF_PMU_KIND_MASK, or 0: it is never told */
	struct pmu *model;		/* NULL: a CPU without PMU */
	struct truth_cpu *truth;	/* NULL: no truth is kept */
} X86PMU;

#endif
