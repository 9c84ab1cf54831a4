// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What TMA 5.2's formulas have in common: widths, clocks, costs and parts.
 *
 * Figures are facts of github.com/intel/perfmon at commit 6dadedf3.
 */
#include "lib/tma/tma.h"

static const struct tma_row rows[] = {
	TMA_ROW(SNB, SKX, "#Pipeline_Width", "4"),
	TMA_ROW(ICL, ICX, "#Pipeline_Width", "5"),
	TMA_ROW(SPR, ADL, "#Pipeline_Width", "6"),

	TMA_ROW(SNB, ADL, "CLKS", "CPU_CLK_UNHALTED.THREAD"),
	TMA_ROW(SNB, ADL, "IPC", "INST_RETIRED.ANY / CLKS"),
	TMA_ROW(SNB, SKX, "SLOTS", "#Pipeline_Width * CORE_CLKS"),
	TMA_ROW_WHEN(TMA_SLOTS, ICL, ADL, "SLOTS", "TOPDOWN.SLOTS"),
	TMA_ROW(ICL, ADL, "SLOTS", "TOPDOWN.SLOTS_P"),

	/*
	 * Both threads of a core share its slots; from Ice Lake on they are divided.  With
	 * AnyThread a clock runs while either of them does, and the sum over both is right.
	 * A task is counted on one, and has all slots while the other one is idle: its
	 * recovery is its own thread's, and of what both executed it has as much as of the
	 * slots.  (Intel's formulas halve these two of tasks as well.)
	 */
	TMA_ROW_WHEN(TMA_SMT | TMA_ANY | TMA_CPUS, SNB, SKX, "CORE_CLKS",
		     "CPU_CLK_UNHALTED.THREAD_ANY / 2"),
	TMA_ROW_WHEN(TMA_SMT, SNB, SKX, "CORE_CLKS",
		     "( CPU_CLK_UNHALTED.THREAD / 2 ) * ( 1"
		     " + CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE / CPU_CLK_UNHALTED.REF_XCLK )"),
	TMA_ROW_WHEN(TMA_SMT, ICL, ADL, "CORE_CLKS", "CPU_CLK_UNHALTED.DISTRIBUTED"),
	TMA_ROW(SNB, ADL, "CORE_CLKS", "CLKS"),
	TMA_ROW_WHEN(TMA_SMT | TMA_ANY | TMA_CPUS, SNB, SKX, "#Recovery_Cycles",
		     "INT_MISC.RECOVERY_CYCLES_ANY / 2"),
	TMA_ROW(SNB, SKX, "#Recovery_Cycles", "INT_MISC.RECOVERY_CYCLES"),

	TMA_ROW(SNB, SKX, "#Retired_Slots", "UOPS_RETIRED.RETIRE_SLOTS"),
	TMA_ROW(SNB, SKX, "#Retire_Fraction", "#Retired_Slots / UOPS_ISSUED.ANY"),
	TMA_ROW(ICL, ADL, "#Retire_Fraction", "UOPS_RETIRED.SLOTS / UOPS_ISSUED.ANY"),
	TMA_ROW(ICL, ADL, "#PERF_METRICS_SUM",
		"PERF_METRICS.FRONTEND_BOUND + PERF_METRICS.BAD_SPECULATION"
		" + PERF_METRICS.RETIRING + PERF_METRICS.BACKEND_BOUND"),

	/* Front end and bad speculation. */
	TMA_ROW(SNB, HSW, "#Frontend_Latency_Cycles",
		"min( CPU_CLK_UNHALTED.THREAD ,"
		" IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE )"),
	TMA_ROW(SNB, ICX, "#Mispred_Clears_Fraction",
		"BR_MISP_RETIRED.ALL_BRANCHES"
		" / ( BR_MISP_RETIRED.ALL_BRANCHES + MACHINE_CLEARS.COUNT )"),
	TMA_ROW(SPR, ADL, "#Mispred_Clears_Fraction", "Branch_Mispredicts / Bad_Speculation"),
	TMA_ROW(SNB, BDW, "#BAClear_Cost", "12"),
	TMA_ROW(SKL, SKX, "#BAClear_Cost", "9"),
	TMA_ROW(ICL, ICX, "#BAClear_Cost", "10"),
	TMA_ROW(SNB, IVB, "#MS_Switches_Cost", "3"),
	TMA_ROW(HSW, SKX, "#MS_Switches_Cost", "2"),
	TMA_ROW(ICL, ADL, "#MS_Switches_Cost", "3"),

	/* Back end: cycles without, and with few uops executed. */
	TMA_ROW(SNB, SNB, "#STALLS_MEM_ANY",
		"min( CPU_CLK_UNHALTED.THREAD , CYCLE_ACTIVITY.STALLS_L1D_PENDING )"),
	TMA_ROW(IVB, HSW, "#STALLS_MEM_ANY",
		"min( CPU_CLK_UNHALTED.THREAD , CYCLE_ACTIVITY.STALLS_LDM_PENDING )"),
	TMA_ROW(SNB, SNB, "#STALLS_TOTAL",
		"min( CPU_CLK_UNHALTED.THREAD , CYCLE_ACTIVITY.CYCLES_NO_DISPATCH )"),
	TMA_ROW(IVB, HSW, "#STALLS_TOTAL",
		"min( CPU_CLK_UNHALTED.THREAD , CYCLE_ACTIVITY.CYCLES_NO_EXECUTE )"),
	TMA_ROW(SNB, SNB, "#Few_Uops_Executed_Threshold",
		"( UOPS_DISPATCHED.THREAD:c3 if ( IPC > 1.8 ) else UOPS_DISPATCHED.THREAD:c2 )"),
	TMA_ROW(HSW, HSW, "#Few_Uops_Executed_Threshold",
		"( UOPS_EXECUTED.CORE:c3 if ( IPC > 1.8 ) else UOPS_EXECUTED.CORE:c2 )"),
	TMA_ROW(IVB, BDW, "#Few_Uops_Executed_Threshold",
		"( UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC if ( IPC > 1.8 )"
		" else UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC )"),
	TMA_ROW(SKL, ICX, "#Few_Uops_Executed_Threshold",
		"EXE_ACTIVITY.1_PORTS_UTIL + Retiring * EXE_ACTIVITY.2_PORTS_UTIL"),
	TMA_ROW(SPR, ADL, "#Few_Uops_Executed_Threshold",
		"EXE_ACTIVITY.1_PORTS_UTIL + Retiring * EXE_ACTIVITY.2_3_PORTS_UTIL"),
	TMA_ROW(SNB, BDW, "#Frontend_RS_Empty_Cycles",
		"( RS_EVENTS.EMPTY_CYCLES if ( Fetch_Latency > 0.1 ) else 0 )"),
	TMA_ROW(SNB, SNB, "#Backend_Bound_Cycles",
		"#STALLS_TOTAL + UOPS_DISPATCHED.THREAD:c1 - #Few_Uops_Executed_Threshold"
		" - #Frontend_RS_Empty_Cycles + RESOURCE_STALLS.SB"),
	TMA_ROW(IVB, IVB, "#Backend_Bound_Cycles",
		"#STALLS_TOTAL + UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"
		" - #Few_Uops_Executed_Threshold - #Frontend_RS_Empty_Cycles"
		" + RESOURCE_STALLS.SB"),
	TMA_ROW_WHEN(TMA_SMT | TMA_CPUS, HSW, HSW, "#Backend_Bound_Cycles",
		     "#STALLS_TOTAL + ( UOPS_EXECUTED.CORE:c1 - #Few_Uops_Executed_Threshold ) / 2"
		     " - #Frontend_RS_Empty_Cycles + RESOURCE_STALLS.SB"),
	TMA_ROW_WHEN(TMA_SMT, HSW, HSW, "#Backend_Bound_Cycles",
		     "#STALLS_TOTAL + ( UOPS_EXECUTED.CORE:c1 - #Few_Uops_Executed_Threshold )"
		     " * CORE_CLKS / CLKS - #Frontend_RS_Empty_Cycles + RESOURCE_STALLS.SB"),
	TMA_ROW(HSW, HSW, "#Backend_Bound_Cycles",
		"#STALLS_TOTAL + UOPS_EXECUTED.CORE:c1 - #Few_Uops_Executed_Threshold"
		" - #Frontend_RS_Empty_Cycles + RESOURCE_STALLS.SB"),
	TMA_ROW(BDW, BDW, "#Backend_Bound_Cycles",
		"CYCLE_ACTIVITY.STALLS_TOTAL + UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"
		" - #Few_Uops_Executed_Threshold - #Frontend_RS_Empty_Cycles"
		" + RESOURCE_STALLS.SB"),
	TMA_ROW(SKL, ICX, "#Backend_Bound_Cycles",
		"CYCLE_ACTIVITY.STALLS_TOTAL + #Few_Uops_Executed_Threshold"
		" + EXE_ACTIVITY.BOUND_ON_STORES"),
	TMA_ROW(SNB, HSW, "#Memory_Bound_Fraction",
		"( #STALLS_MEM_ANY + RESOURCE_STALLS.SB ) / #Backend_Bound_Cycles"),
	TMA_ROW(BDW, BDW, "#Memory_Bound_Fraction",
		"( CYCLE_ACTIVITY.STALLS_MEM_ANY + RESOURCE_STALLS.SB ) / #Backend_Bound_Cycles"),
	TMA_ROW(SKL, ICX, "#Memory_Bound_Fraction",
		"( CYCLE_ACTIVITY.STALLS_MEM_ANY + EXE_ACTIVITY.BOUND_ON_STORES )"
		" / #Backend_Bound_Cycles"),
	TMA_ROW(SKL, SKX, "#Ports_Utilized_0_Cycles", "EXE_ACTIVITY.EXE_BOUND_0_PORTS"),
	TMA_ROW(ICL, ICX, "#Ports_Utilized_0_Cycles", "EXE_ACTIVITY.EXE_BOUND_0_PORTS"),
	TMA_ROW(SPR, ADL, "#Ports_Utilized_0_Cycles",
		"( EXE_ACTIVITY.EXE_BOUND_0_PORTS"
		" + max( RS.EMPTY_RESOURCE - RESOURCE_STALLS.SCOREBOARD , 0 ) ) / CLKS"
		" * ( CYCLE_ACTIVITY.STALLS_TOTAL - EXE_ACTIVITY.BOUND_ON_LOADS )"),
	TMA_ROW(SKL, ADL, "#Core_Bound_Cycles",
		"#Ports_Utilized_0_Cycles + #Few_Uops_Executed_Threshold"),

	/* Memory, by level. */
	TMA_ROW(SNB, BDW, "#Mem_L3_Weight", "7"),
	TMA_ROW(SNB, SNB, "#Mem_L3_Hit_Fraction",
		"MEM_LOAD_UOPS_RETIRED.LLC_HIT / ( MEM_LOAD_UOPS_RETIRED.LLC_HIT"
		" + #Mem_L3_Weight * MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS )"),
	TMA_ROW(IVB, IVB, "#Mem_L3_Hit_Fraction",
		"MEM_LOAD_UOPS_RETIRED.LLC_HIT / ( MEM_LOAD_UOPS_RETIRED.LLC_HIT"
		" + #Mem_L3_Weight * MEM_LOAD_UOPS_RETIRED.LLC_MISS )"),
	TMA_ROW(HSW, BDW, "#Mem_L3_Hit_Fraction",
		"MEM_LOAD_UOPS_RETIRED.L3_HIT / ( MEM_LOAD_UOPS_RETIRED.L3_HIT"
		" + #Mem_L3_Weight * MEM_LOAD_UOPS_RETIRED.L3_MISS )"),
	TMA_ROW(SKL, ICX, "#L2_Bound_Ratio",
		"( CYCLE_ACTIVITY.STALLS_L1D_MISS - CYCLE_ACTIVITY.STALLS_L2_MISS ) / CLKS"),
	TMA_ROW(SKL, ICX, "#MEM_Bound_Ratio",
		"CYCLE_ACTIVITY.STALLS_L3_MISS / CLKS + #L2_Bound_Ratio - L2_Bound"),
	TMA_ROW(SPR, ADL, "#MEM_Bound_Ratio", "MEMORY_ACTIVITY.STALLS_L3_MISS / CLKS"),
	TMA_ROW(SKL, ICX, "#LOAD_L2_HIT", "MEM_LOAD_RETIRED.L2_HIT * ( 1 + #FBHit_per_L1Miss )"),
	TMA_ROW(SKL, ICX, "#FBHit_per_L1Miss",
		"MEM_LOAD_RETIRED.FB_HIT / MEM_LOAD_RETIRED.L1_MISS"),
};

const struct tma_rows tma_helpers = { rows, ARRAY_SIZE(rows) };
