// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Formulas of TMA 5.2's nodes, levels 1 to 3, from Sandy Bridge to Sapphire
 * Rapids and its core in clients, as shares of 1.
 *
 * Figures are facts of github.com/intel/perfmon at commit 6dadedf3.
 */
#include "lib/tma/tma.h"

static const struct tma_row rows[] = {
	/* ---- front end -------------------------------------------------------- */
	TMA_ROW(SNB, SKX, "Frontend_Bound", "IDQ_UOPS_NOT_DELIVERED.CORE / SLOTS"),
	TMA_ROW_WHEN(TMA_METRICS, ICL, ADL, "Frontend_Bound",
		     "PERF_METRICS.FRONTEND_BOUND / #PERF_METRICS_SUM"
		     " - INT_MISC.UOP_DROPPING / SLOTS"),
	TMA_ROW(ICL, ICX, "Frontend_Bound",
		"( IDQ_UOPS_NOT_DELIVERED.CORE - INT_MISC.UOP_DROPPING ) / SLOTS"),
	TMA_ROW(SPR, ADL, "Frontend_Bound",
		"( IDQ_BUBBLES.CORE - INT_MISC.UOP_DROPPING ) / SLOTS"),

	TMA_ROW(SNB, HSW, "Fetch_Latency", "#Pipeline_Width * #Frontend_Latency_Cycles / SLOTS"),
	TMA_ROW(BDW, SKX, "Fetch_Latency",
		"#Pipeline_Width * IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE / SLOTS"),
	TMA_ROW(ICL, ICX, "Fetch_Latency",
		"( #Pipeline_Width * IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE"
		" - INT_MISC.UOP_DROPPING ) / SLOTS"),
	TMA_ROW_WHEN(TMA_METRICS, SPR, ADL, "Fetch_Latency",
		     "PERF_METRICS.FETCH_LATENCY / #PERF_METRICS_SUM"
		     " - INT_MISC.UOP_DROPPING / SLOTS"),
	TMA_ROW(SPR, ADL, "Fetch_Latency",
		"( IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE * #Pipeline_Width"
		" - INT_MISC.UOP_DROPPING ) / SLOTS"),

	TMA_ROW(IVB, IVB, "ICache_Misses", "ICACHE.IFETCH_STALL / CLKS - ITLB_Misses"),
	TMA_ROW(HSW, BDW, "ICache_Misses", "ICACHE.IFDATA_STALL / CLKS"),
	TMA_ROW(SKL, SKX, "ICache_Misses",
		"( ICACHE_16B.IFDATA_STALL + 2 * ICACHE_16B.IFDATA_STALL:c1:e1 ) / CLKS"),
	TMA_ROW(ICL, ADL, "ICache_Misses", "ICACHE_DATA.STALLS / CLKS"),

	TMA_ROW(SNB, IVB, "ITLB_Misses",
		"( 12 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION ) / CLKS"),
	TMA_ROW(HSW, HSW, "ITLB_Misses",
		"( 14 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION ) / CLKS"),
	TMA_ROW(BDW, BDW, "ITLB_Misses",
		"( 14 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION:c1"
		" + 7 * ITLB_MISSES.WALK_COMPLETED ) / CLKS"),
	TMA_ROW(SKL, ADL, "ITLB_Misses", "ICACHE_TAG.STALLS / CLKS"),

	TMA_ROW(SNB, BDW, "Branch_Resteers",
		"#BAClear_Cost * ( BR_MISP_RETIRED.ALL_BRANCHES + MACHINE_CLEARS.COUNT"
		" + BACLEARS.ANY ) / CLKS"),
	TMA_ROW(SKL, ICX, "Branch_Resteers",
		"INT_MISC.CLEAR_RESTEER_CYCLES / CLKS + #BAClear_Cost * BACLEARS.ANY / CLKS"),
	TMA_ROW(SPR, ADL, "Branch_Resteers",
		"INT_MISC.CLEAR_RESTEER_CYCLES / CLKS + INT_MISC.UNKNOWN_BRANCH_CYCLES / CLKS"),

	TMA_ROW(SNB, ICX, "MS_Switches", "#MS_Switches_Cost * IDQ.MS_SWITCHES / CLKS"),
	TMA_ROW(SPR, ADL, "MS_Switches",
		"#MS_Switches_Cost * UOPS_RETIRED.MS:c1:e1 / #Retire_Fraction / CLKS"),

	TMA_ROW(SNB, BDW, "LCP", "ILD_STALL.LCP / CLKS"),
	TMA_ROW(SKL, ADL, "LCP", "DECODE.LCP / CLKS"),

	TMA_ROW(SNB, ADL, "DSB_Switches", "DSB2MITE_SWITCHES.PENALTY_CYCLES / CLKS"),

	TMA_ROW(SNB, SKX, "Fetch_Bandwidth", "Frontend_Bound - Fetch_Latency"),
	TMA_ROW(ICL, ADL, "Fetch_Bandwidth", "max( 0 , Frontend_Bound - Fetch_Latency )"),

	TMA_ROW(IVB, SKX, "MITE",
		"( IDQ.ALL_MITE_CYCLES_ANY_UOPS - IDQ.ALL_MITE_CYCLES_4_UOPS ) / CORE_CLKS / 2"),
	TMA_ROW(ICL, ADL, "MITE",
		"( IDQ.MITE_CYCLES_ANY - IDQ.MITE_CYCLES_OK ) / CORE_CLKS / 2"),
	TMA_ROW(IVB, BDW, "DSB",
		"( IDQ.ALL_DSB_CYCLES_ANY_UOPS - IDQ.ALL_DSB_CYCLES_4_UOPS ) / CORE_CLKS / 2"),
	TMA_ROW(SKL, ADL, "DSB", "( IDQ.DSB_CYCLES_ANY - IDQ.DSB_CYCLES_OK ) / CORE_CLKS / 2"),
	TMA_ROW(ICL, ICL, "LSD", "( LSD.CYCLES_ACTIVE - LSD.CYCLES_OK ) / CORE_CLKS / 2"),
	TMA_ROW(ADL, ADL, "LSD", "( LSD.CYCLES_ACTIVE - LSD.CYCLES_OK ) / CORE_CLKS / 2"),
	TMA_ROW(ICL, ICX, "MS", "IDQ.MS_UOPS:c1 / CORE_CLKS / 3.3"),
	TMA_ROW(SPR, ADL, "MS",
		"max( IDQ.MS_CYCLES_ANY , UOPS_RETIRED.MS:c1 / #Retire_Fraction )"
		" / CORE_CLKS / 2.4"),

	/* ---- bad speculation -------------------------------------------------- */
	TMA_ROW(SNB, SKX, "Bad_Speculation",
		"( UOPS_ISSUED.ANY - #Retired_Slots + #Pipeline_Width * #Recovery_Cycles )"
		" / SLOTS"),
	TMA_ROW(ICL, ADL, "Bad_Speculation",
		"max( 1 - ( Frontend_Bound + Backend_Bound + Retiring ) , 0 )"),
	TMA_ROW(SNB, ICX, "Branch_Mispredicts", "#Mispred_Clears_Fraction * Bad_Speculation"),
	TMA_ROW_WHEN(TMA_METRICS, SPR, ADL, "Branch_Mispredicts",
		     "PERF_METRICS.BRANCH_MISPREDICTS / #PERF_METRICS_SUM"),
	TMA_ROW(SPR, ADL, "Branch_Mispredicts", "TOPDOWN.BR_MISPREDICT_SLOTS / SLOTS"),
	TMA_ROW(SNB, SKX, "Machine_Clears", "Bad_Speculation - Branch_Mispredicts"),
	TMA_ROW(ICL, ADL, "Machine_Clears", "max( 0 , Bad_Speculation - Branch_Mispredicts )"),

	/* ---- back end --------------------------------------------------------- */
	TMA_ROW(SNB, BDW, "Backend_Bound", "1 - ( Frontend_Bound + Bad_Speculation + Retiring )"),
	TMA_ROW(SKL, SKX, "Backend_Bound",
		"1 - Frontend_Bound"
		" - ( UOPS_ISSUED.ANY + #Pipeline_Width * #Recovery_Cycles ) / SLOTS"),
	TMA_ROW_WHEN(TMA_METRICS, ICL, ICX, "Backend_Bound",
		     "PERF_METRICS.BACKEND_BOUND / #PERF_METRICS_SUM"
		     " + ( #Pipeline_Width * INT_MISC.CLEARS_COUNT ) / SLOTS"),
	TMA_ROW_WHEN(TMA_METRICS, SPR, ADL, "Backend_Bound",
		     "PERF_METRICS.BACKEND_BOUND / #PERF_METRICS_SUM"),
	TMA_ROW(ICL, ICX, "Backend_Bound",
		"( TOPDOWN.BACKEND_BOUND_SLOTS + #Pipeline_Width * INT_MISC.CLEARS_COUNT )"
		" / SLOTS"),
	TMA_ROW(SPR, ADL, "Backend_Bound", "TOPDOWN.BACKEND_BOUND_SLOTS / SLOTS"),

	TMA_ROW(SNB, ICX, "Memory_Bound", "#Memory_Bound_Fraction * Backend_Bound"),
	TMA_ROW_WHEN(TMA_METRICS, SPR, ADL, "Memory_Bound",
		     "PERF_METRICS.MEMORY_BOUND / #PERF_METRICS_SUM"),
	TMA_ROW(SPR, ADL, "Memory_Bound", "TOPDOWN.MEMORY_BOUND_SLOTS / SLOTS"),

	TMA_ROW(IVB, HSW, "L1_Bound",
		"max( ( #STALLS_MEM_ANY - CYCLE_ACTIVITY.STALLS_L1D_PENDING ) / CLKS , 0 )"),
	TMA_ROW(BDW, ICX, "L1_Bound",
		"max( ( CYCLE_ACTIVITY.STALLS_MEM_ANY - CYCLE_ACTIVITY.STALLS_L1D_MISS ) / CLKS"
		" , 0 )"),
	TMA_ROW(SPR, ADL, "L1_Bound",
		"max( ( EXE_ACTIVITY.BOUND_ON_LOADS - MEMORY_ACTIVITY.STALLS_L1D_MISS ) / CLKS"
		" , 0 )"),
	TMA_ROW(IVB, HSW, "L2_Bound",
		"( CYCLE_ACTIVITY.STALLS_L1D_PENDING - CYCLE_ACTIVITY.STALLS_L2_PENDING ) / CLKS"),
	TMA_ROW(BDW, BDW, "L2_Bound",
		"( CYCLE_ACTIVITY.STALLS_L1D_MISS - CYCLE_ACTIVITY.STALLS_L2_MISS ) / CLKS"),
	TMA_ROW(SKL, SKX, "L2_Bound",
		"( #LOAD_L2_HIT / ( #LOAD_L2_HIT + L1D_PEND_MISS.FB_FULL:c1 ) )"
		" * #L2_Bound_Ratio"),
	TMA_ROW(ICL, ICX, "L2_Bound",
		"( #LOAD_L2_HIT / ( #LOAD_L2_HIT + L1D_PEND_MISS.FB_FULL_PERIODS ) )"
		" * #L2_Bound_Ratio"),
	TMA_ROW(SPR, ADL, "L2_Bound",
		"( MEMORY_ACTIVITY.STALLS_L1D_MISS - MEMORY_ACTIVITY.STALLS_L2_MISS ) / CLKS"),
	TMA_ROW(SNB, HSW, "L3_Bound",
		"#Mem_L3_Hit_Fraction * CYCLE_ACTIVITY.STALLS_L2_PENDING / CLKS"),
	TMA_ROW(BDW, BDW, "L3_Bound",
		"#Mem_L3_Hit_Fraction * CYCLE_ACTIVITY.STALLS_L2_MISS / CLKS"),
	TMA_ROW(SKL, ICX, "L3_Bound",
		"( CYCLE_ACTIVITY.STALLS_L2_MISS - CYCLE_ACTIVITY.STALLS_L3_MISS ) / CLKS"),
	TMA_ROW(SPR, ADL, "L3_Bound",
		"( MEMORY_ACTIVITY.STALLS_L2_MISS - MEMORY_ACTIVITY.STALLS_L3_MISS ) / CLKS"),
	TMA_ROW(SNB, HSW, "L3_Miss_Bound",
		"( 1 - #Mem_L3_Hit_Fraction ) * CYCLE_ACTIVITY.STALLS_L2_PENDING / CLKS"),
	TMA_ROW(BDW, BDW, "L3_Miss_Bound",
		"( 1 - #Mem_L3_Hit_Fraction ) * CYCLE_ACTIVITY.STALLS_L2_MISS / CLKS"),
	/* On servers without what is attributed to CXL: there the memory would have to be known. */
	TMA_ROW(SKL, ADL, "L3_Miss_Bound", "#MEM_Bound_Ratio"),
	TMA_ROW(SNB, BDW, "Store_Bound", "RESOURCE_STALLS.SB / CLKS"),
	TMA_ROW(SKL, ADL, "Store_Bound", "EXE_ACTIVITY.BOUND_ON_STORES / CLKS"),

	TMA_ROW(SNB, SKX, "Core_Bound", "Backend_Bound - Memory_Bound"),
	TMA_ROW(ICL, ADL, "Core_Bound", "max( 0 , Backend_Bound - Memory_Bound )"),
	TMA_ROW(SNB, IVB, "Divider", "ARITH.FPU_DIV_ACTIVE / CORE_CLKS"),
	TMA_ROW(HSW, HSW, "Divider", "10 * ARITH.DIVIDER_UOPS / CORE_CLKS"),
	TMA_ROW(BDW, BDW, "Divider", "ARITH.FPU_DIV_ACTIVE / CORE_CLKS"),
	TMA_ROW(SKL, ICX, "Divider", "ARITH.DIVIDER_ACTIVE / CLKS"),
	TMA_ROW(SPR, ADL, "Divider", "ARITH.DIV_ACTIVE / CLKS"),
	TMA_ROW(SKL, SKX, "Serializing_Operation", "PARTIAL_RAT_STALLS.SCOREBOARD / CLKS"),
	TMA_ROW(ICL, ICX, "Serializing_Operation", "RESOURCE_STALLS.SCOREBOARD / CLKS"),
	TMA_ROW(SPR, ADL, "Serializing_Operation",
		"RESOURCE_STALLS.SCOREBOARD / CLKS + CPU_CLK_UNHALTED.C02 / CLKS"),
	TMA_ROW(SPR, SPR, "AMX_Busy", "EXE.AMX_BUSY / CORE_CLKS"),
	TMA_ROW(SNB, HSW, "Ports_Utilization",
		"( #Backend_Bound_Cycles - RESOURCE_STALLS.SB - #STALLS_MEM_ANY ) / CLKS"),
	TMA_ROW(BDW, BDW, "Ports_Utilization",
		"( #Backend_Bound_Cycles - RESOURCE_STALLS.SB - CYCLE_ACTIVITY.STALLS_MEM_ANY )"
		" / CLKS"),
	TMA_ROW(SKL, ICX, "Ports_Utilization",
		"#Core_Bound_Cycles / CLKS if ( ARITH.DIVIDER_ACTIVE <"
		" ( CYCLE_ACTIVITY.STALLS_TOTAL - CYCLE_ACTIVITY.STALLS_MEM_ANY ) )"
		" else #Few_Uops_Executed_Threshold / CLKS"),
	TMA_ROW(SPR, ADL, "Ports_Utilization",
		"#Core_Bound_Cycles / CLKS if ( ARITH.DIV_ACTIVE <"
		" ( CYCLE_ACTIVITY.STALLS_TOTAL - EXE_ACTIVITY.BOUND_ON_LOADS ) )"
		" else #Few_Uops_Executed_Threshold / CLKS"),

	/* ---- retiring --------------------------------------------------------- */
	TMA_ROW(SNB, SKX, "Retiring", "#Retired_Slots / SLOTS"),
	TMA_ROW_WHEN(TMA_METRICS, ICL, ADL, "Retiring",
		     "PERF_METRICS.RETIRING / #PERF_METRICS_SUM"),
	TMA_ROW(ICL, ADL, "Retiring", "UOPS_RETIRED.SLOTS / SLOTS"),
	TMA_ROW(SNB, SKX, "Light_Operations", "Retiring - Heavy_Operations"),
	TMA_ROW(ICL, ADL, "Light_Operations", "max( 0 , Retiring - Heavy_Operations )"),
	TMA_ROW(SNB, BDW, "Heavy_Operations", "Microcode_Sequencer"),
	TMA_ROW(SKL, SKX, "Heavy_Operations",
		"( #Retired_Slots + UOPS_RETIRED.MACRO_FUSED - INST_RETIRED.ANY ) / SLOTS"),
	TMA_ROW(ICL, ICX, "Heavy_Operations",
		"Microcode_Sequencer + Retiring * ( UOPS_DECODED.DEC0 - UOPS_DECODED.DEC0:c1 )"
		" / IDQ.MITE_UOPS"),
	TMA_ROW_WHEN(TMA_METRICS, SPR, ADL, "Heavy_Operations",
		     "PERF_METRICS.HEAVY_OPERATIONS / #PERF_METRICS_SUM"),
	TMA_ROW(SPR, ADL, "Heavy_Operations", "UOPS_RETIRED.HEAVY / SLOTS"),
	TMA_ROW(SNB, ICX, "Microcode_Sequencer", "#Retire_Fraction * IDQ.MS_UOPS / SLOTS"),
	TMA_ROW(SPR, ADL, "Microcode_Sequencer", "UOPS_RETIRED.MS / SLOTS"),
};

const struct tma_rows tma_formulas = { rows, ARRAY_SIZE(rows) };
