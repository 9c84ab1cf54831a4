// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The classical Top-Down equations: cycles of one thread, the front end by where
 * its uops come from, memory by level with one weight for the latency behind the
 * last cache, the core by what allocation waits for.
 *
 * They are those of the first public descriptions (2011 to 2013).  Later
 * generations count the same stalls under other names; what they do not count at
 * all has no row.
 */
#include "lib/tma/tma.h"

static const struct tma_row rows[] = {
	TMA_ROW(SNB, SKX, "#W", "4"),
	TMA_ROW(ICL, ICX, "#W", "5"),
	TMA_ROW(SPR, ADL, "#W", "6"),
	TMA_ROW(SNB, ADL, "CYC", "CPU_CLK_UNHALTED.THREAD"),
	/* A miss of the last cache in hits of it; a mispredicted branch in cycles. */
	TMA_ROW(SNB, ADL, "#Weight", "7"),
	TMA_ROW(SNB, ADL, "#Penalty", "20"),

	/* ---- level 1 ---------------------------------------------------------- */
	TMA_ROW(SNB, ADL, "Frontend_Bound", "IDQ_UOPS_NOT_DELIVERED.CORE / ( #W * CYC )"),
	TMA_ROW(SNB, ADL, "Bad_Speculation",
		"( UOPS_ISSUED.ANY - #Retired + #W * INT_MISC.RECOVERY_CYCLES ) / ( #W * CYC )"),
	TMA_ROW(SNB, ADL, "Retiring", "#Retired / ( #W * CYC )"),
	TMA_ROW(SNB, ADL, "Backend_Bound",
		"1 - ( Frontend_Bound + Bad_Speculation + Retiring )"),
	TMA_ROW(SNB, SKX, "#Retired", "UOPS_RETIRED.RETIRE_SLOTS"),
	TMA_ROW(ICL, ADL, "#Retired", "UOPS_RETIRED.SLOTS"),

	/* ---- front end -------------------------------------------------------- */
	TMA_ROW(SNB, BDW, "#Uops", "IDQ.DSB_UOPS + LSD.UOPS + IDQ.MITE_UOPS + IDQ.MS_UOPS"),
	TMA_ROW(SKL, SKX, "#Uops", "IDQ.DSB_UOPS + IDQ.MITE_UOPS + IDQ.MS_UOPS"),
	TMA_ROW(ICL, ICL, "#Uops", "IDQ.DSB_UOPS + LSD.UOPS + IDQ.MITE_UOPS + IDQ.MS_UOPS"),
	TMA_ROW(ICX, ADL, "#Uops", "IDQ.DSB_UOPS + IDQ.MITE_UOPS + IDQ.MS_UOPS"),
	TMA_ROW(SNB, ADL, "DSB_Uops", "IDQ.DSB_UOPS / #Uops"),
	TMA_ROW(SNB, ADL, "MITE_Uops", "IDQ.MITE_UOPS / #Uops"),
	TMA_ROW(SNB, ADL, "MS_Uops", "IDQ.MS_UOPS / #Uops"),
	TMA_ROW(IVB, IVB, "ICache",
		"( ICACHE.IFETCH_STALL - ITLB_MISSES.WALK_DURATION ) / CYC"),
	TMA_ROW(HSW, BDW, "ICache", "ICACHE.IFDATA_STALL / CYC"),
	TMA_ROW(SKL, SKX, "ICache", "ICACHE_16B.IFDATA_STALL / CYC"),
	TMA_ROW(ICL, ADL, "ICache", "ICACHE_DATA.STALLS / CYC"),

	/* ---- bad speculation -------------------------------------------------- */
	TMA_ROW(SNB, ADL, "Branch_Mispredicts",
		"#Penalty * BR_MISP_RETIRED.ALL_BRANCHES / CYC"),

	/* ---- back end: memory -------------------------------------------------- */
	TMA_ROW(IVB, BDW, "#Stalls_Memory", "CYCLE_ACTIVITY.STALLS_LDM_PENDING"),
	TMA_ROW(SKL, ICX, "#Stalls_Memory", "CYCLE_ACTIVITY.STALLS_MEM_ANY"),
	TMA_ROW(SPR, ADL, "#Stalls_Memory", "EXE_ACTIVITY.BOUND_ON_LOADS"),
	TMA_ROW(SNB, HSW, "#Stalls_L1", "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	TMA_ROW(BDW, ICX, "#Stalls_L1", "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	TMA_ROW(SPR, ADL, "#Stalls_L1", "MEMORY_ACTIVITY.STALLS_L1D_MISS"),
	TMA_ROW(SNB, HSW, "#Stalls_L2", "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	TMA_ROW(BDW, ICX, "#Stalls_L2", "CYCLE_ACTIVITY.STALLS_L2_MISS"),
	TMA_ROW(SPR, ADL, "#Stalls_L2", "MEMORY_ACTIVITY.STALLS_L2_MISS"),
	TMA_ROW(SNB, IVB, "#Hits", "MEM_LOAD_UOPS_RETIRED.LLC_HIT"),
	TMA_ROW(HSW, BDW, "#Hits", "MEM_LOAD_UOPS_RETIRED.L3_HIT"),
	TMA_ROW(SKL, ADL, "#Hits", "MEM_LOAD_RETIRED.L3_HIT"),
	TMA_ROW(SNB, SNB, "#Misses", "MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS"),
	TMA_ROW(IVB, IVB, "#Misses", "MEM_LOAD_UOPS_RETIRED.LLC_MISS"),
	TMA_ROW(HSW, BDW, "#Misses", "MEM_LOAD_UOPS_RETIRED.L3_MISS"),
	TMA_ROW(SKL, ADL, "#Misses", "MEM_LOAD_RETIRED.L3_MISS"),
	TMA_ROW(SNB, ADL, "#M", "#Hits / ( #Hits + #Weight * #Misses )"),
	TMA_ROW(SNB, ADL, "#N", "#Weight * #Misses / ( #Hits + #Weight * #Misses )"),
	TMA_ROW(IVB, ADL, "Memory_Bound", "#Stalls_Memory / CYC"),
	TMA_ROW(IVB, ADL, "L1_Bound", "( #Stalls_Memory - #Stalls_L1 ) / CYC"),
	TMA_ROW(SNB, ADL, "L2_Bound", "( #Stalls_L1 - #Stalls_L2 ) / CYC"),
	TMA_ROW(SNB, ADL, "L3_Bound", "#M * #Stalls_L2 / CYC"),
	TMA_ROW(SNB, ADL, "DRAM_Bound", "#N * #Stalls_L2 / CYC"),

	/* ---- back end: execution ------------------------------------------------ */
	TMA_ROW(IVB, HSW, "#Stalls_Execution", "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"),
	TMA_ROW(BDW, ADL, "#Stalls_Execution", "CYCLE_ACTIVITY.STALLS_TOTAL"),
	TMA_ROW(IVB, SKX, "#One_Uop",
		"UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC - UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC"),
	TMA_ROW(ICL, ADL, "#One_Uop", "UOPS_EXECUTED.THREAD:c1 - UOPS_EXECUTED.THREAD:c2"),
	TMA_ROW(IVB, ADL, "Execution_Bound",
		"( #Stalls_Execution + #One_Uop ) / CYC - Memory_Bound"),
	TMA_ROW(SNB, SKX, "Resource_Stalls", "RESOURCE_STALLS.ANY / CYC"),
	TMA_ROW(SNB, ADL, "Store_Buffer_Full", "RESOURCE_STALLS.SB / CYC"),
	TMA_ROW(SNB, SNB, "Load_Buffer_Full", "RESOURCE_STALLS.LB / CYC"),
	TMA_ROW(SNB, SNB, "Branch_Buffer_Full", "RESOURCE_STALLS2.BOB_FULL / CYC"),
	TMA_ROW(SNB, BDW, "RS_Full", "RESOURCE_STALLS.RS / CYC"),
	TMA_ROW(SNB, BDW, "ROB_Full", "RESOURCE_STALLS.ROB / CYC"),
};

const struct tma_rows classical_formulas = { rows, ARRAY_SIZE(rows) };
