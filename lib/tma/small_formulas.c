// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Formulas of small cores, as shares of 1: events count the slots of nearly every
 * node themselves.
 *
 * Figures are facts of github.com/intel/perfmon at commit 6dadedf3
 * (E-core_TMA_Metrics.csv).  Of Darkmont Intel has published no tree; all events of Skymont's are
 * in its list (pantherlake_darkmont_core.json) under the same codes, and it is eight slots wide.
 */
#include "lib/tma/tma.h"

#define OF_SLOTS(name, event)							\
	TMA_ROW(GRT, DKT, name, event " / SLOTS")

static const struct tma_row rows[] = {
	TMA_ROW(GRT, GRT, "SLOTS", "5 * CLKS"),
	TMA_ROW(CMT, CMT, "SLOTS", "6 * CLKS"),
	TMA_ROW(SKT, DKT, "SLOTS", "8 * CLKS"),
	TMA_ROW(GRT, DKT, "CLKS", "CPU_CLK_UNHALTED.THREAD"),

	OF_SLOTS("Frontend_Bound", "TOPDOWN_FE_BOUND.ALL"),
	OF_SLOTS("IFetch_Latency", "TOPDOWN_FE_BOUND.FRONTEND_LATENCY"),
	OF_SLOTS("ICache_Misses", "TOPDOWN_FE_BOUND.ICACHE"),
	TMA_ROW(GRT, CMT, "ITLB_Misses", "TOPDOWN_FE_BOUND.ITLB / SLOTS"),
	TMA_ROW(SKT, DKT, "ITLB_Misses", "TOPDOWN_FE_BOUND.ITLB_MISS / SLOTS"),
	OF_SLOTS("Branch_Detect", "TOPDOWN_FE_BOUND.BRANCH_DETECT"),
	OF_SLOTS("Branch_Resteer", "TOPDOWN_FE_BOUND.BRANCH_RESTEER"),
	OF_SLOTS("IFetch_Bandwidth", "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH"),
	OF_SLOTS("Cisc", "TOPDOWN_FE_BOUND.CISC"),
	OF_SLOTS("Decode", "TOPDOWN_FE_BOUND.DECODE"),
	OF_SLOTS("Predecode", "TOPDOWN_FE_BOUND.PREDECODE"),
	OF_SLOTS("Other_FB", "TOPDOWN_FE_BOUND.OTHER"),

	/* Intel takes what is left, and not Gracemont's own event. */
	TMA_ROW(GRT, GRT, "Bad_Speculation",
		"1 - ( Frontend_Bound + Backend_Bound + Retiring )"),
	OF_SLOTS("Bad_Speculation", "TOPDOWN_BAD_SPECULATION.ALL"),
	OF_SLOTS("Branch_Mispredicts", "TOPDOWN_BAD_SPECULATION.MISPREDICT"),
	OF_SLOTS("Machine_Clears", "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS"),
	OF_SLOTS("Nuke", "TOPDOWN_BAD_SPECULATION.NUKE"),
	OF_SLOTS("Fast_Nuke", "TOPDOWN_BAD_SPECULATION.FASTNUKE"),

	OF_SLOTS("Backend_Bound", "TOPDOWN_BE_BOUND.ALL"),
	OF_SLOTS("Core_Bound", "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS"),
	TMA_ROW(GRT, DKT, "Resource_Bound", "Backend_Bound - Core_Bound"),
	OF_SLOTS("Mem_Scheduler", "TOPDOWN_BE_BOUND.MEM_SCHEDULER"),
	OF_SLOTS("Non_Mem_Scheduler", "TOPDOWN_BE_BOUND.NON_MEM_SCHEDULER"),
	OF_SLOTS("Register", "TOPDOWN_BE_BOUND.REGISTER"),
	OF_SLOTS("Reorder_Buffer", "TOPDOWN_BE_BOUND.REORDER_BUFFER"),
	OF_SLOTS("Serialization", "TOPDOWN_BE_BOUND.SERIALIZATION"),

	OF_SLOTS("Retiring", "TOPDOWN_RETIRING.ALL"),
};

const struct tma_rows small_formulas = { rows, ARRAY_SIZE(rows) };
