// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Formulas of Lion Cove, as shares of 1: levels 1 and 2 are fields of PERF_METRICS, and stalls on
 * memory are counted by the level that they wait for.  Cycles in which a path delivered some uops,
 * but fewer than 8, are compared for equality.  Cougar Cove has the same register; what is below it
 * Intel has not published, so that these two levels are all.
 *
 * Figures are facts of github.com/intel/perfmon at commit 6dadedf3
 * (arrowlake_metrics_lioncove_core.json).
 */
#include "lib/tma/tma.h"

/* Of Cougar Cove as well. */
#define BOTH(name, formula) TMA_ROW_WHEN(TMA_METRICS, LNC, CGC, name, formula)
#define FIELD(name, field) BOTH(name, "PERF_METRICS." field " / #PERF_METRICS_SUM")
#define ROW(name, formula) TMA_ROW_WHEN(TMA_METRICS, LNC, LNC, name, formula)
#define OF_CLOCKS(name, event) ROW(name, event " / CLKS")

static const struct tma_row rows[] = {
	BOTH("CLKS", "CPU_CLK_UNHALTED.THREAD"),
	BOTH("#PERF_METRICS_SUM",
	     "PERF_METRICS.FRONTEND_BOUND + PERF_METRICS.BAD_SPECULATION + PERF_METRICS.RETIRING"
	     " + PERF_METRICS.BACKEND_BOUND"),
	ROW("#Few_Ports", "EXE_ACTIVITY.1_PORTS_UTIL + Retiring * EXE_ACTIVITY.2_3_PORTS_UTIL"),

	FIELD("Frontend_Bound", "FRONTEND_BOUND"),
	FIELD("Fetch_Latency", "FETCH_LATENCY"),
	OF_CLOCKS("ICache_Misses", "ICACHE_DATA.STALLS"),
	OF_CLOCKS("ITLB_Misses", "ICACHE_TAG.STALLS"),
	ROW("Branch_Resteers",
	    "( INT_MISC.CLEAR_RESTEER_CYCLES + INT_MISC.UNKNOWN_BRANCH_CYCLES ) / CLKS"),
	OF_CLOCKS("MS_Switches", "3 * IDQ.MS_SWITCHES"),
	OF_CLOCKS("LCP", "DECODE.LCP"),
	OF_CLOCKS("DSB_Switches", "DSB2MITE_SWITCHES.PENALTY_CYCLES"),
	BOTH("Fetch_Bandwidth", "max( 0 , Frontend_Bound - Fetch_Latency )"),
	/* Of starved cycles that are no latency each path has its part of all uops. */
	ROW("#Starved", "( IDQ_BUBBLES.STARVATION_CYCLES - IDQ_BUBBLES.FETCH_LATENCY )"
	    " / ( IDQ.DSB_UOPS + IDQ.MITE_UOPS )"),
	ROW("MITE", "( IDQ.MITE_UOPS:c8:i1:eq1 / 2 + IDQ.MITE_UOPS * #Starved ) / CLKS"),
	ROW("DSB", "( IDQ.DSB_UOPS:c8:i1:eq1 / 2 + IDQ.DSB_UOPS * #Starved ) / CLKS"),
	OF_CLOCKS("LSD", "LSD.UOPS:c8:i1:eq1 / 2"),
	ROW("MS", "IDQ.MS_CYCLES_ANY / CLKS / 1.8"),

	FIELD("Bad_Speculation", "BAD_SPECULATION"),
	FIELD("Branch_Mispredicts", "BRANCH_MISPREDICTS"),
	BOTH("Machine_Clears", "max( 0 , Bad_Speculation - Branch_Mispredicts )"),

	FIELD("Backend_Bound", "BACKEND_BOUND"),
	FIELD("Memory_Bound", "MEMORY_BOUND"),
	OF_CLOCKS("L1_Bound", "MEMORY_STALLS.L1"),
	OF_CLOCKS("L2_Bound", "MEMORY_STALLS.L2"),
	OF_CLOCKS("L3_Bound", "MEMORY_STALLS.L3"),
	OF_CLOCKS("L3_Miss_Bound", "MEMORY_STALLS.MEM"),
	OF_CLOCKS("Store_Bound", "EXE_ACTIVITY.BOUND_ON_STORES"),
	BOTH("Core_Bound", "max( 0 , Backend_Bound - Memory_Bound )"),
	OF_CLOCKS("Divider", "ARITH.DIV_ACTIVE"),
	ROW("Serializing_Operation", "( BE_STALLS.SCOREBOARD + CPU_CLK_UNHALTED.C02 ) / CLKS"),
	ROW("Ports_Utilization",
	    "( EXE_ACTIVITY.EXE_BOUND_0_PORTS + #Few_Ports ) / CLKS if ( ARITH.DIV_ACTIVE <"
	    " ( CYCLE_ACTIVITY.STALLS_TOTAL - EXE_ACTIVITY.BOUND_ON_LOADS ) )"
	    " else #Few_Ports / CLKS"),

	FIELD("Retiring", "RETIRING"),
	BOTH("Light_Operations", "max( 0 , Retiring - Heavy_Operations )"),
	FIELD("Heavy_Operations", "HEAVY_OPERATIONS"),
	ROW("Microcode_Sequencer", "UOPS_RETIRED.MS / TOPDOWN.SLOTS"),
};

const struct tma_rows lioncove_formulas = { rows, ARRAY_SIZE(rows) };
