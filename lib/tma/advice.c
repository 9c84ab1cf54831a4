// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What to record when a node stands out: the event whose samples are at the
 * instructions that it is about.  Where Intel's lists name several, the one that
 * costs least to take.
 */
#include <string.h>

#include "lib/tma/tma.h"

struct advice {
	uint8_t first, last;		/* enum generation */
	const char *node, *event;
};

#define ADVICE(first_, last_, node_, event_)					\
	{ GEN_##first_, GEN_##last_, (node_), (event_) }

static const struct advice advices[] = {
	ADVICE(SKL, ADL, "Frontend_Bound", "FRONTEND_RETIRED.LATENCY_GE_4"),
	ADVICE(SKL, ADL, "Fetch_Latency", "FRONTEND_RETIRED.LATENCY_GE_8"),
	ADVICE(SNB, BDW, "Fetch_Latency", "RS_EVENTS.EMPTY_END"),
	ADVICE(SKL, ADL, "Fetch_Bandwidth", "FRONTEND_RETIRED.LATENCY_GE_2_BUBBLES_GE_1"),
	ADVICE(SKL, ADL, "ICache_Misses", "FRONTEND_RETIRED.L1I_MISS"),
	ADVICE(SNB, BDW, "ICache_Misses", "ICACHE.MISSES"),
	ADVICE(SKL, ADL, "ICache", "FRONTEND_RETIRED.L1I_MISS"),
	ADVICE(SNB, BDW, "ICache", "ICACHE.MISSES"),
	ADVICE(SKL, ADL, "ITLB_Misses", "FRONTEND_RETIRED.ITLB_MISS"),
	ADVICE(SNB, BDW, "ITLB_Misses", "ITLB_MISSES.WALK_COMPLETED"),
	/* The portable name, for which another code stands in with PEBS. */
	ADVICE(SNB, SKX, "Branch_Resteers", "branch-misses"),
	ADVICE(ICL, ADL, "Branch_Resteers", "BR_MISP_RETIRED.ALL_BRANCHES"),
	ADVICE(SPR, ADL, "MS_Switches", "FRONTEND_RETIRED.MS_FLOWS"),
	ADVICE(SNB, ICX, "MS_Switches", "IDQ.MS_SWITCHES"),
	ADVICE(SKL, ADL, "LCP", "DECODE.LCP"),
	ADVICE(SNB, BDW, "LCP", "ILD_STALL.LCP"),
	ADVICE(SKL, ADL, "DSB_Switches", "FRONTEND_RETIRED.DSB_MISS"),
	ADVICE(SKL, ADL, "MITE", "FRONTEND_RETIRED.ANY_DSB_MISS"),
	ADVICE(SKL, ADL, "MITE_Uops", "FRONTEND_RETIRED.ANY_DSB_MISS"),

	ADVICE(SNB, SKX, "Bad_Speculation", "branch-misses"),
	ADVICE(ICL, ADL, "Bad_Speculation", "BR_MISP_RETIRED.ALL_BRANCHES"),
	ADVICE(SNB, SKX, "Branch_Mispredicts", "branch-misses"),
	ADVICE(ICL, ADL, "Branch_Mispredicts", "BR_MISP_RETIRED.ALL_BRANCHES"),
	ADVICE(GRT, DKT, "Bad_Speculation", "branch-misses"),
	ADVICE(GRT, DKT, "Branch_Mispredicts", "branch-misses"),
	ADVICE(SNB, ADL, "Machine_Clears", "MACHINE_CLEARS.COUNT"),

	/* What hits the first level has a latency below this. */
	ADVICE(SNB, ADL, "Memory_Bound", "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=8"),
	ADVICE(SNB, BDW, "L1_Bound", "MEM_LOAD_UOPS_RETIRED.L1_HIT"),
	ADVICE(SKL, ADL, "L1_Bound", "MEM_LOAD_RETIRED.L1_HIT"),
	ADVICE(SNB, BDW, "L2_Bound", "MEM_LOAD_UOPS_RETIRED.L2_HIT"),
	ADVICE(SKL, ADL, "L2_Bound", "MEM_LOAD_RETIRED.L2_HIT"),
	ADVICE(SNB, IVB, "L3_Bound", "MEM_LOAD_UOPS_RETIRED.LLC_HIT"),
	ADVICE(HSW, BDW, "L3_Bound", "MEM_LOAD_UOPS_RETIRED.L3_HIT"),
	ADVICE(SKL, ADL, "L3_Bound", "MEM_LOAD_RETIRED.L3_HIT"),
	/* Sandy Bridge's own event of these is not precise: its loads by latency are. */
	ADVICE(SNB, SNB, "L3_Miss_Bound", "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=128"),
	ADVICE(SNB, SNB, "DRAM_Bound", "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=128"),
	ADVICE(IVB, IVB, "L3_Miss_Bound", "MEM_LOAD_UOPS_RETIRED.LLC_MISS"),
	ADVICE(IVB, IVB, "DRAM_Bound", "MEM_LOAD_UOPS_RETIRED.LLC_MISS"),
	ADVICE(HSW, BDW, "L3_Miss_Bound", "MEM_LOAD_UOPS_RETIRED.L3_MISS"),
	ADVICE(HSW, BDW, "DRAM_Bound", "MEM_LOAD_UOPS_RETIRED.L3_MISS"),
	ADVICE(SKL, ADL, "L3_Miss_Bound", "MEM_LOAD_RETIRED.L3_MISS"),
	ADVICE(SKL, ADL, "DRAM_Bound", "MEM_LOAD_RETIRED.L3_MISS"),
	ADVICE(SNB, BDW, "Store_Bound", "MEM_UOPS_RETIRED.ALL_STORES"),
	ADVICE(SKL, ADL, "Store_Bound", "MEM_INST_RETIRED.ALL_STORES"),
	ADVICE(SNB, BDW, "Store_Buffer_Full", "MEM_UOPS_RETIRED.ALL_STORES"),
	ADVICE(SKL, ADL, "Store_Buffer_Full", "MEM_INST_RETIRED.ALL_STORES"),

	ADVICE(SNB, IVB, "Divider", "ARITH.FPU_DIV_ACTIVE"),
	ADVICE(HSW, HSW, "Divider", "ARITH.DIVIDER_UOPS"),
	ADVICE(BDW, BDW, "Divider", "ARITH.FPU_DIV_ACTIVE"),
	ADVICE(SKL, ICX, "Divider", "ARITH.DIVIDER_ACTIVE"),
	ADVICE(SPR, ADL, "Divider", "ARITH.DIV_ACTIVE"),
	ADVICE(SKL, SKX, "Serializing_Operation", "PARTIAL_RAT_STALLS.SCOREBOARD"),
	ADVICE(ICL, ADL, "Serializing_Operation", "RESOURCE_STALLS.SCOREBOARD"),
	ADVICE(SPR, SPR, "AMX_Busy", "EXE.AMX_BUSY"),

	/* Which instructions there are, however long they take. */
	ADVICE(SNB, ADL, "Retiring", "INST_RETIRED.PREC_DIST"),
	ADVICE(SNB, ADL, "Light_Operations", "INST_RETIRED.PREC_DIST"),
	ADVICE(SPR, ADL, "Heavy_Operations", "UOPS_RETIRED.HEAVY"),
	ADVICE(SNB, ICX, "Microcode_Sequencer", "IDQ.MS_UOPS"),
	ADVICE(SPR, ADL, "Microcode_Sequencer", "UOPS_RETIRED.MS"),
};

/* Where there is no event of its own: the instructions that retirement waits for. */
const char *tma_advice(enum generation generation, const char *node)
{
	const struct advice *a;

	for (a = advices; a < advices + ARRAY_SIZE(advices); a++)
		if (a->first <= generation && generation <= a->last && *a->node == *node &&
		    !strcmp(a->node, node))
			return a->event;
	return TMA_ADVICE_ANY;
}
