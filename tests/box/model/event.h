/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that the PMU model knows.
 */
#ifndef PMUBOX_EVENT_H
#define PMUBOX_EVENT_H

#include "pmu.h"

#define PMU_MAX_GP 10
#define MAX_WIDTH 4			/* instructions that can retire in a cycle */

/*
 * What a counter can count.  The first ones are also truth totals, under the
 * same number; EV_NONE is what an event code means that the profile lacks.
 */
enum event {
	EV_INSTRUCTIONS = PMU_INSTRUCTIONS,
	EV_CYCLES = PMU_CYCLES,
	EV_REF_CYCLES = PMU_REF_CYCLES,		/* at the rate of the TSC */
	EV_BRANCHES = PMU_BRANCHES,
	EV_BRANCH_MISSES = PMU_BRANCH_MISSES,
	EV_LOADS = PMU_LOADS,
	EV_STORES = PMU_STORES,
	EV_L1D_MISSES = PMU_L1D_MISSES,
	EV_CACHE_REFERENCES = PMU_CACHE_REFERENCES,
	EV_CACHE_MISSES = PMU_CACHE_MISSES,
	EV_TOTALS,
	EV_BUS_CYCLES = EV_TOTALS,		/* at the rate of the bus */
	EV_SLOTS,				/* what the core could issue in its cycles */
	EV_TAKEN,
	EV_NOT_TAKEN,
	EV_MISSED_TAKEN,
	EV_MISSED_NOT_TAKEN,
	EV_PREDICTED_TAKEN,
	EV_PREDICTED_NOT_TAKEN,
	EV_ACCESSES,				/* loads and stores */
	EV_L1D_HITS,				/* of loads, as the next seven */
	EV_L2_HITS,
	EV_L2_MISSES,
	EV_L3_HITS,
	EV_BEHIND_L1D,				/* L2 or L3 hits */
	EV_LLC_LOADS,
	EV_LLC_LOAD_MISSES,
	EV_L1D_STORE_MISSES,
	EV_LLC_STORES,
	EV_LLC_STORE_MISSES,
	EV_L1D_FILLS,				/* lines, for loads and stores */
	EV_L2_REFERENCES,
	EV_OFFCORE_0,				/* what OFFCORE_RSP_0 asks for */
	EV_OFFCORE_1,
	EV_L2_FILLS,
	EV_SLOW_LOADS,				/* slower than PEBS_LD_LAT_THRESHOLD */
	EV_L2_STORE_HITS,
	/* Of a core without a pipeline, as the next three. */
	EV_DTLB_LOAD_MISSES,
	EV_DTLB_STORE_MISSES,
	EV_ITLB_MISSES,
	EV_L1I_MISSES,
	EV_CONDITIONAL,				/* branches by kind */
	EV_CONDITIONAL_TAKEN,
	EV_CALLS,
	EV_RETURNS,
	EV_INDIRECT,				/* jumps and calls */
	EV_RING0,				/* cycles */
	EV_RING123,
	EV_RING0_ENTRIES,
	EV_DISTRIBUTED,				/* cycles; threads that run at once share them */
	EV_BUS_ALONE,				/* bus cycles in which no other thread runs */
	/* Cycles in which at least 1, 2, 3, 4 instructions retire; runs of such cycles. */
	EV_BUSY,
	EV_RUNS = EV_BUSY + MAX_WIDTH,
	/* Cycles of a class begin: because it is entered, or because HLT ended. */
	EV_ENTRIES = EV_RUNS + MAX_WIDTH,
	EV_WAKES,
	EV_COUNT,
	EV_NONE = EV_COUNT,
	/* What the comparison of a general-purpose counter has found, one for each. */
	EV_COMPARED,
	/* Of a pipeline, besides its signals: sums of them, and what MSR_FRONTEND asks for. */
	EV_FRONTEND = EV_COMPARED + PMU_MAX_GP,
	EV_LBR_INSERTS,				/* branch records */
	EV_BEHIND_MISS,				/* the instruction behind a mispredicted branch */
	EV_ALLOCATION,				/* cycles of its clock */
	EV_FETCH_STALLS,			/* cycles, for lines and for pages */
	EV_STALLS_LB_SB,			/* ... for load or store buffers */
	EV_STALLS_MEM_RS,			/* ... and for the scheduler */
	EV_PORTS_2_3,
	EV_LOAD_PORTS,				/* uops that each of these ports executes */
	EV_DATA_PORTS,
	EV_ADDRESS_PORTS,
	EV_PORTS_5_10,
	/* Of a small core: parts of Top-Down that a general-purpose counter adds up. */
	EV_PARTS,
	EV_PENDING = EV_PARTS + PMU_MAX_GP,
	/* A Pentium 4's: never compared as those above. */
	EV_P4 = EV_PENDING,
	EV_P4_BEFORE = EV_P4 - 1,
#define EVENT(name, text, needs) EV_P4_##name,
	P4_SIGNALS(EVENT)
#undef EVENT
	/* A pipeline's: slots by their cause, then signals; not compared as those above. */
	EV_PIPE,
	EV_PIPE_BEFORE = EV_PIPE - 1,
#define EVENT(name, text, part) EV_SLOT_##name,
	SLOT_CAUSES(EVENT)
#undef EVENT
#define EVENT(name, text) EV_SIG_##name,
	PIPE_SIGNALS(EVENT)
#undef EVENT
	EV_ALL
};

#define EV_P4_END EV_PIPE
#define EV_SIGNALS (EV_PIPE + SLOT_CAUSE_COUNT)

#endif
