// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What events cost by themselves, generation by generation, and by which events it is counted
 * how long they last.
 *
 * Codes are those of Intel's event lists (github.com/intel/perfmon at commit 6dadedf3), before
 * Sandy Bridge of the SDM's tables.  Latencies of caches are for one load behind the other,
 * of which a hit in the level before is taken off; that of memory is the machine's, not the
 * processor's, and has no row.
 */
#include "lib/cost/cost.h"

#define EVENT(event, umask, name)						\
	"cpu/event=" #event ",umask=" #umask ",name=" name "/"
#define EVENT_WITH(event, umask, how, name)					\
	"cpu/event=" #event ",umask=" #umask "," how ",name=" name "/"
/* With UMASK2, which is bits 40 to 47. */
#define EVENT2(select, name) "cpu/config=" #select ",name=" name "/"
#define PERIODS "cmask=1,edge"

/* Small cores have another tree: of what loads wait for it tells which buffer is full. */
const struct cost_class cost_classes[] = {
	{ "branch-misses", "mispredicted branches", "Branch_Mispredicts", "Branch_Mispredicts", 0 },
	{ "l1d-load-misses", "loads that missed the first level", "Memory_Bound", "Backend_Bound",
	  COST_COVERS },
	{ "llc-loads", "loads that asked the last level", "Memory_Bound", "Backend_Bound", COST_BEHIND },
	{ "llc-load-misses", "loads that missed the last level", "Memory_Bound", "Backend_Bound",
	  COST_BEHIND },
	{ "stlb-hits", "loads whose address the second TLB had", "Memory_Bound", "Backend_Bound", 0 },
	{ "dtlb-load-misses", "loads whose address no TLB had", "Memory_Bound", "Backend_Bound", 0 },
	{ "dtlb-store-misses", "stores whose address no TLB had", "Memory_Bound", "Backend_Bound", 0 },
	{ "itlb-misses", "fetches whose address no TLB had", "Fetch_Latency", "IFetch_Latency", 0 },
	{ "unknown-branches", "branches that the front end did not know", "Fetch_Latency",
	  "IFetch_Latency", 0 },
	{ "prefixes", "prefixes that change a length, in cycles of the decoder", "Fetch_Latency", NULL,
	  0 },
	{ "divisions", "divisions, and square roots", "Core_Bound", "Backend_Bound", 0 },
	{ "locks", "locked loads", "Memory_Bound", "Backend_Bound", 0 },
	{ "blocked-loads", "loads that a store in front of them blocked", "Memory_Bound",
	  "Backend_Bound", 0 },
	{ "aliased-loads", "loads that looked like a store of another page", "Memory_Bound",
	  "Backend_Bound", 0 },
	{ "bus-requests", "requests to the bus", NULL, NULL, 0 },
	{ "machine-clears", "machine clears", NULL, NULL, COST_WATCHED },
	{ "lines", "lines that came into the second level, prefetched ones too", NULL, NULL,
	  COST_WATCHED },
};

const size_t cost_classes_count = ARRAY_SIZE(cost_classes);

const struct cost_event cost_events[] = {
	{ GEN_P4, GEN_P4, "branch-misses", "branch-misses" },
	{ GEN_P6, GEN_DKT, "branch-misses", "branch-misses" },
	{ GEN_P4, GEN_P4, "l1d-load-misses", "1stL_cache_load_miss_retired" },
	{ GEN_P6, GEN_DKT, "l1d-load-misses", "l1d-load-misses" },
	/* The last level of those before, and of Goldmont, is the second. */
	{ GEN_NHM, GEN_CGC, "llc-loads", "llc-loads" },
	{ GEN_TNT, GEN_DKT, "llc-loads", "llc-loads" },
	{ GEN_SKT_ALONE, GEN_SKT_ALONE, "llc-loads", NULL },
	{ GEN_P4, GEN_P4, "llc-load-misses", "2ndL_cache_load_miss_retired" },
	{ GEN_CORE2, GEN_DKT, "llc-load-misses", "llc-load-misses" },
	{ GEN_SNB, GEN_SNB, "stlb-hits", EVENT(0x08, 0x10, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_IVB, GEN_IVB, "stlb-hits", EVENT(0x5f, 0x04, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_HSW, GEN_BDW, "stlb-hits", EVENT(0x08, 0x60, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_SKL, GEN_ICX, "stlb-hits", EVENT(0x08, 0x20, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_SPR, GEN_ADL, "stlb-hits", EVENT(0x12, 0x20, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_LNC, GEN_CGC, "stlb-hits", EVENT2(0x30000002012, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_TNT, GEN_TNT, "stlb-hits", EVENT(0x08, 0x20, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_CMT, GEN_DKT, "stlb-hits", EVENT(0x08, 0x20, "DTLB_LOAD_MISSES.STLB_HIT") },
	{ GEN_P4, GEN_P4, "dtlb-load-misses", "page_walk_type:DTMISS" },
	{ GEN_CORE2, GEN_DKT, "dtlb-load-misses", "dtlb-load-misses" },
	{ GEN_CORE2, GEN_DKT, "dtlb-store-misses", "dtlb-store-misses" },
	{ GEN_P4, GEN_P4, "itlb-misses", "page_walk_type:ITMISS" },
	{ GEN_P6, GEN_DKT, "itlb-misses", "itlb-misses" },
	{ GEN_SNB, GEN_BDW, "unknown-branches", EVENT(0xe6, 0x1f, "BACLEARS.ANY") },
	{ GEN_SKL, GEN_ICX, "unknown-branches", EVENT(0xe6, 0x01, "BACLEARS.ANY") },
	{ GEN_SPR, GEN_CGC, "unknown-branches", EVENT(0x60, 0x01, "BACLEARS.ANY") },
	{ GEN_GLM, GEN_GLP, "unknown-branches", EVENT(0xe6, 0x01, "BACLEARS.ALL") },
	{ GEN_TNT, GEN_DKT, "unknown-branches", EVENT(0xe6, 0x01, "BACLEARS.ANY") },
	{ GEN_SNB, GEN_BDW, "prefixes", EVENT(0x87, 0x01, "ILD_STALL.LCP") },
	{ GEN_SKL, GEN_CGC, "prefixes", EVENT(0x87, 0x01, "DECODE.LCP") },
	{ GEN_P6, GEN_P6, "divisions", EVENT(0x13, 0x00, "DIV") },
	{ GEN_CORE2, GEN_CORE2, "divisions", EVENT(0x13, 0x00, "DIV") },
	{ GEN_NHM, GEN_WSM, "divisions", EVENT_WITH(0x14, 0x01, "cmask=1,inv,edge", "ARITH.DIV") },
	{ GEN_SNB, GEN_SNB, "divisions", EVENT_WITH(0x14, 0x01, PERIODS, "ARITH.FPU_DIV") },
	{ GEN_IVB, GEN_IVB, "divisions", EVENT_WITH(0x14, 0x04, PERIODS, "ARITH.FPU_DIV") },
	{ GEN_HSW, GEN_HSW, "divisions", EVENT(0x14, 0x02, "ARITH.DIVIDER_UOPS") },
	{ GEN_BDW, GEN_BDW, "divisions", EVENT_WITH(0x14, 0x01, PERIODS, "FPU_DIV_ACTIVE.periods") },
	{ GEN_SKL, GEN_SKX, "divisions", EVENT_WITH(0x14, 0x01, PERIODS, "DIVIDER_ACTIVE.periods") },
	{ GEN_ICL, GEN_ICX, "divisions", EVENT_WITH(0x14, 0x09, PERIODS, "DIVIDER_ACTIVE.periods") },
	{ GEN_SPR, GEN_CGC, "divisions", EVENT_WITH(0xb0, 0x09, PERIODS, "DIV_ACTIVE.periods") },
	{ GEN_GLM, GEN_TNT, "divisions", EVENT(0xc2, 0x18, "UOPS_RETIRED.DIV") },
	{ GEN_GRT, GEN_DKT, "divisions", EVENT(0xcd, 0x0c, "ARITH.DIV_UOPS") },
	{ GEN_SNB, GEN_BDW, "locks", EVENT(0xd0, 0x21, "MEM_UOPS_RETIRED.LOCK_LOADS") },
	{ GEN_SKL, GEN_CGC, "locks", EVENT(0xd0, 0x21, "MEM_INST_RETIRED.LOCK_LOADS") },
	{ GEN_GLM, GEN_DKT, "locks", EVENT(0xd0, 0x21, "MEM_UOPS_RETIRED.LOCK_LOADS") },
	{ GEN_SNB, GEN_ICX, "blocked-loads", EVENT(0x03, 0x02, "LD_BLOCKS.STORE_FORWARD") },
	{ GEN_SPR, GEN_CGC, "blocked-loads", EVENT(0x03, 0x82, "LD_BLOCKS.STORE_FORWARD") },
	{ GEN_GLM, GEN_TNT, "blocked-loads", EVENT(0x03, 0x02, "LD_BLOCKS.STORE_FORWARD") },
	{ GEN_CMT, GEN_DKT, "blocked-loads", EVENT(0x03, 0x02, "LD_BLOCKS.STORE_FORWARD") },
	{ GEN_SNB, GEN_ICX, "aliased-loads", EVENT(0x07, 0x01, "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS") },
	{ GEN_SPR, GEN_CGC, "aliased-loads", EVENT(0x03, 0x04, "LD_BLOCKS.ADDRESS_ALIAS") },
	{ GEN_GLM, GEN_TNT, "aliased-loads", EVENT(0x03, 0x04, "LD_BLOCKS.4K_ALIAS") },
	{ GEN_GRT, GEN_DKT, "aliased-loads", EVENT(0x03, 0x04, "LD_BLOCKS.ADDRESS_ALIAS") },
	{ GEN_P4, GEN_P4, "bus-requests", "IOQ_allocation:TYPE_BIT0:ALL_READ:MEM_WB:OWN:edge" },
	{ GEN_P6, GEN_P6, "bus-requests", EVENT_WITH(0x60, 0x00, PERIODS, "BUS_REQ_OUTSTANDING.periods") },
	{ GEN_SNB, GEN_CGC, "machine-clears", EVENT_WITH(0xc3, 0x01, PERIODS, "MACHINE_CLEARS.COUNT") },
	{ GEN_GLM, GEN_GLP, "machine-clears", EVENT(0xc3, 0x00, "MACHINE_CLEARS.ALL") },
	{ GEN_TNT, GEN_TNT, "machine-clears", EVENT(0xc3, 0x00, "MACHINE_CLEARS.ANY") },
	{ GEN_GRT, GEN_GRT, "machine-clears", EVENT(0xc3, 0x6f, "MACHINE_CLEARS.SLOW") },
	{ GEN_CMT, GEN_DKT, "machine-clears", EVENT(0xc3, 0x00, "MACHINE_CLEARS.ANY") },
	{ GEN_P6, GEN_P6, "lines", EVENT(0x24, 0x00, "L2_LINES_IN") },
	{ GEN_CORE2, GEN_CORE2, "lines", EVENT(0x24, 0x70, "L2_LINES_IN.SELF.ANY") },
	{ GEN_NHM, GEN_WSM, "lines", EVENT(0xf1, 0x07, "L2_LINES_IN.ANY") },
	{ GEN_SNB, GEN_BDW, "lines", EVENT(0xf1, 0x07, "L2_LINES_IN.ALL") },
	{ GEN_SKL, GEN_ICX, "lines", EVENT(0xf1, 0x1f, "L2_LINES_IN.ALL") },
	{ GEN_SPR, GEN_CGC, "lines", EVENT(0x25, 0x1f, "L2_LINES_IN.ALL") },
	/* Lines in any state that a line can come in. */
	{ GEN_CMT, GEN_SKT, "lines", EVENT(0x25, 0x1e, "L2_LINES_IN.MESF") },
};

const size_t cost_events_count = ARRAY_SIZE(cost_events);

#define FOG "A. Fog, The microarchitecture of Intel, AMD and VIA CPUs"
/* Not at hand when this was written: the figures are remembered, and say so. */
#define UNVERIFIED ", unverified"
#define MANUAL "Intel's optimization manual, parameters of caches" UNVERIFIED
#define TMA "Intel's TMA 5.2"
#define TMA_LNC "Intel's TMA 5.1 of Lion Cove"

const struct cost_figure cost_figures[] = {
	{ GEN_P4, GEN_P4, "branch-misses", 31, "Intel's patent CN101427223A, of 2005" },
	{ GEN_P6, GEN_P6, "branch-misses", 15, FOG " (10 to 20)" },
	{ GEN_CORE2, GEN_CORE2, "branch-misses", 15, FOG },
	{ GEN_NHM, GEN_WSM, "branch-misses", 17, FOG },
	{ GEN_SNB, GEN_IVB, "branch-misses", 15, FOG " (15 or more)" },
	{ GEN_HSW, GEN_SKX, "branch-misses", 18, FOG UNVERIFIED " (15 to 20)" },
	{ GEN_ICL, GEN_ADL, "branch-misses", 17, "Intel, Architecture Day 2021" UNVERIFIED },
	{ GEN_CORE2, GEN_CORE2, "l1d-load-misses", 11, MANUAL " (14 less 3)" },
	{ GEN_NHM, GEN_WSM, "l1d-load-misses", 6, MANUAL " (10 less 4)" },
	{ GEN_SNB, GEN_SNB, "l1d-load-misses", 8, MANUAL " (12 less 4)" },
	{ GEN_IVB, GEN_IVB, "l1d-load-misses", 8, "7-cpu.com, i7-3770 (12 less 4)" },
	{ GEN_HSW, GEN_BDW, "l1d-load-misses", 7, MANUAL " (11 less 4)" },
	{ GEN_SKL, GEN_SKL, "l1d-load-misses", 8, MANUAL " (12 less 4)" },
	{ GEN_SKX, GEN_SKX, "l1d-load-misses", 10, MANUAL " (14 less 4)" },
	{ GEN_ICL, GEN_ICL, "l1d-load-misses", 8, MANUAL " (13 less 5)" },
	{ GEN_ICX, GEN_ICX, "l1d-load-misses", 9, MANUAL " (14 less 5)" },
	{ GEN_SPR, GEN_SPR, "l1d-load-misses", 9, MANUAL " (14 less 5)" },
	{ GEN_ADL, GEN_ADL, "l1d-load-misses", 10, MANUAL " (15 less 5)" },
	/* Of the larger one of its two first levels. */
	{ GEN_LNC, GEN_LNC, "l1d-load-misses", 8, "Intel of Lunar Lake, 2024, by the press (17 less 9)" },
	{ GEN_NHM, GEN_WSM, "llc-loads", 28, MANUAL " (38 less 10)" },
	{ GEN_SNB, GEN_SNB, "llc-loads", 19, MANUAL " (26 to 31, less 12)" },
	{ GEN_IVB, GEN_IVB, "llc-loads", 18, "7-cpu.com, i7-3770 (30 less 12)" },
	{ GEN_HSW, GEN_BDW, "llc-loads", 23, MANUAL " (34 less 11)" },
	{ GEN_SKL, GEN_SKL, "llc-loads", 32, MANUAL " (44 less 12)" },
	{ GEN_SKX, GEN_SKX, "llc-loads", 56, MANUAL " (50 to 70, less 14)" },
	{ GEN_SNB, GEN_IVB, "stlb-hits", 7, TMA },
	{ GEN_HSW, GEN_BDW, "stlb-hits", 8, TMA },
	{ GEN_SKL, GEN_SKX, "stlb-hits", 9, TMA },
	{ GEN_ICL, GEN_ADL, "stlb-hits", 7, TMA },
	{ GEN_LNC, GEN_LNC, "stlb-hits", 7, TMA_LNC },
	{ GEN_SNB, GEN_BDW, "unknown-branches", 12, TMA },
	{ GEN_SKL, GEN_SKX, "unknown-branches", 9, TMA },
	{ GEN_ICL, GEN_ICX, "unknown-branches", 10, TMA },
	{ GEN_SNB, GEN_CGC, "prefixes", 1, "the event counts cycles" },
	{ GEN_SNB, GEN_ADL, "blocked-loads", 13, TMA },
	{ GEN_LNC, GEN_LNC, "blocked-loads", 13, TMA_LNC },
	{ GEN_SNB, GEN_ADL, "aliased-loads", 7, "Intel's optimization manual, LD_BLOCKS_PARTIAL" UNVERIFIED " (up to)" },
};

const size_t cost_figures_count = ARRAY_SIZE(cost_figures);

#define ALL_LEVELS "from the first level's miss to the data, wherever they are"
/* Of a miss that nothing waits for there is none, so that it is the mean of all. */
#define STALLS "cycles in which the core stands still: "

const struct cost_duration cost_durations[] = {
	{ GEN_P4, GEN_P4, "bus-requests", "IOQ_active_entries:TYPE_BIT0:ALL_READ:MEM_WB:OWN",
	  "IOQ_allocation:TYPE_BIT0:ALL_READ:MEM_WB:OWN:edge", "entries of the bus's queue, in cycles of the bus" },
	{ GEN_P6, GEN_P6, "bus-requests",
	  EVENT_WITH(0x60, 0x00, "cmask=1", "BUS_REQ_OUTSTANDING.cycles"),
	  EVENT_WITH(0x60, 0x00, PERIODS, "BUS_REQ_OUTSTANDING.periods"),
	  "periods in which the queue to the bus is not empty" },
	{ GEN_CORE2, GEN_CORE2, "l1d-load-misses", EVENT(0x48, 0x00, "L1D_PEND_MISS"),
	  EVENT(0x45, 0x0f, "L1D_REPL"), ALL_LEVELS },
	{ GEN_SNB, GEN_ADL, "l1d-load-misses", EVENT(0x48, 0x01, "L1D_PEND_MISS.PENDING"),
	  "l1d-load-misses", ALL_LEVELS },
	{ GEN_LNC, GEN_CGC, "l1d-load-misses", EVENT(0x48, 0x01, "L1D_PENDING.LOAD"),
	  "l1d-load-misses", ALL_LEVELS },
	{ GEN_TNT, GEN_GRT, "l1d-load-misses", EVENT(0x34, 0x07, "MEM_BOUND_STALLS.LOAD"),
	  "l1d-load-misses", STALLS ALL_LEVELS },
	{ GEN_CMT, GEN_DKT, "l1d-load-misses", EVENT(0x34, 0x7f, "MEM_BOUND_STALLS_LOAD.ALL"),
	  "l1d-load-misses", STALLS ALL_LEVELS },
	{ GEN_WSM, GEN_WSM, "llc-loads",
	  EVENT(0x60, 0x01, "OFFCORE_REQUESTS_OUTSTANDING.DEMAND.READ_DATA"),
	  EVENT(0xb0, 0x01, "OFFCORE_REQUESTS.DEMAND.READ_DATA"), "from the second level's miss on" },
	{ GEN_SNB, GEN_ICX, "llc-loads",
	  EVENT(0x60, 0x01, "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD"),
	  EVENT(0xb0, 0x01, "OFFCORE_REQUESTS.DEMAND_DATA_RD"), "from the second level's miss on" },
	{ GEN_TNT, GEN_GRT, "llc-loads", EVENT(0x34, 0x06, "MEM_BOUND_STALLS.LOAD_L2_MISS"),
	  "llc-loads", STALLS "from the second level's miss on" },
	{ GEN_CMT, GEN_DKT, "llc-loads", EVENT(0x34, 0x7e, "MEM_BOUND_STALLS_LOAD.L2_MISS"),
	  "llc-loads", STALLS "from the second level's miss on" },
	{ GEN_TNT, GEN_GRT, "llc-load-misses", EVENT(0x34, 0x04, "MEM_BOUND_STALLS.LOAD_DRAM_HIT"),
	  "llc-load-misses", STALLS "from the last level's miss on" },
	{ GEN_CMT, GEN_SKT, "llc-load-misses", EVENT(0x34, 0x78, "MEM_BOUND_STALLS_LOAD.LLC_MISS"),
	  "llc-load-misses", STALLS "from the last level's miss on" },
	{ GEN_DKT, GEN_DKT, "llc-load-misses", EVENT(0x34, 0x38, "MEM_BOUND_STALLS_LOAD.LLC_MISS"),
	  "llc-load-misses", STALLS "from the last level's miss on" },
	{ GEN_SPR, GEN_CGC, "llc-loads",
	  EVENT(0x20, 0x01, "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD"),
	  EVENT(0x21, 0x01, "OFFCORE_REQUESTS.DEMAND_DATA_RD"), "from the second level's miss on" },
	{ GEN_SKL, GEN_SKX, "llc-load-misses",
	  EVENT(0x60, 0x10, "OFFCORE_REQUESTS_OUTSTANDING.L3_MISS_DEMAND_DATA_RD"),
	  EVENT(0xb0, 0x10, "OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD"),
	  "from the last level's miss on" },
	{ GEN_ICX, GEN_ICX, "llc-load-misses",
	  EVENT(0x60, 0x10, "OFFCORE_REQUESTS_OUTSTANDING.L3_MISS_DEMAND_DATA_RD"),
	  EVENT(0xb0, 0x10, "OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD"),
	  "from the last level's miss on" },
	{ GEN_SPR, GEN_CGC, "llc-load-misses",
	  EVENT(0x20, 0x10, "OFFCORE_REQUESTS_OUTSTANDING.L3_MISS_DEMAND_DATA_RD"),
	  EVENT(0x21, 0x10, "OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD"),
	  "from the last level's miss on" },
	{ GEN_CORE2, GEN_CORE2, "dtlb-load-misses", EVENT(0x0c, 0x02, "PAGE_WALKS.CYCLES"),
	  EVENT(0x0c, 0x01, "PAGE_WALKS.COUNT"), "page walks, for stores and code as well" },
	{ GEN_WSM, GEN_WSM, "dtlb-load-misses", EVENT(0x08, 0x04, "DTLB_LOAD_MISSES.WALK_CYCLES"),
	  EVENT(0x08, 0x02, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SNB, GEN_SNB, "dtlb-load-misses", EVENT(0x08, 0x04, "DTLB_LOAD_MISSES.WALK_DURATION"),
	  EVENT(0x08, 0x02, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_IVB, GEN_IVB, "dtlb-load-misses", EVENT(0x08, 0x84, "DTLB_LOAD_MISSES.WALK_DURATION"),
	  EVENT(0x08, 0x82, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_HSW, GEN_BDW, "dtlb-load-misses", EVENT(0x08, 0x10, "DTLB_LOAD_MISSES.WALK_DURATION"),
	  EVENT(0x08, 0x0e, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SKL, GEN_ICX, "dtlb-load-misses", EVENT(0x08, 0x10, "DTLB_LOAD_MISSES.WALK_PENDING"),
	  EVENT(0x08, 0x0e, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SPR, GEN_CGC, "dtlb-load-misses", EVENT(0x12, 0x10, "DTLB_LOAD_MISSES.WALK_PENDING"),
	  EVENT(0x12, 0x0e, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_GLP, GEN_TNT, "dtlb-load-misses", EVENT(0x08, 0x10, "DTLB_LOAD_MISSES.WALK_PENDING"),
	  EVENT(0x08, 0x0e, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_CMT, GEN_SKT, "dtlb-load-misses", EVENT(0x08, 0x10, "DTLB_LOAD_MISSES.WALK_PENDING"),
	  EVENT(0x08, 0x0e, "DTLB_LOAD_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_GLM, GEN_GLM, "dtlb-load-misses", EVENT(0x05, 0x01, "PAGE_WALKS.D_SIDE_CYCLES"),
	  EVENT_WITH(0x05, 0x01, PERIODS, "PAGE_WALKS.D_SIDE_CYCLES.periods"),
	  "periods in which page walks go on, for stores as well" },
	{ GEN_SNB, GEN_IVB, "dtlb-store-misses", EVENT(0x49, 0x04, "DTLB_STORE_MISSES.WALK_DURATION"),
	  EVENT(0x49, 0x02, "DTLB_STORE_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_HSW, GEN_BDW, "dtlb-store-misses", EVENT(0x49, 0x10, "DTLB_STORE_MISSES.WALK_DURATION"),
	  EVENT(0x49, 0x0e, "DTLB_STORE_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SKL, GEN_ICX, "dtlb-store-misses", EVENT(0x49, 0x10, "DTLB_STORE_MISSES.WALK_PENDING"),
	  EVENT(0x49, 0x0e, "DTLB_STORE_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SPR, GEN_CGC, "dtlb-store-misses", EVENT(0x13, 0x10, "DTLB_STORE_MISSES.WALK_PENDING"),
	  EVENT(0x13, 0x0e, "DTLB_STORE_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_GLP, GEN_TNT, "dtlb-store-misses", EVENT(0x49, 0x10, "DTLB_STORE_MISSES.WALK_PENDING"),
	  EVENT(0x49, 0x0e, "DTLB_STORE_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_CMT, GEN_SKT, "dtlb-store-misses", EVENT(0x49, 0x10, "DTLB_STORE_MISSES.WALK_PENDING"),
	  EVENT(0x49, 0x0e, "DTLB_STORE_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SNB, GEN_IVB, "itlb-misses", EVENT(0x85, 0x04, "ITLB_MISSES.WALK_DURATION"),
	  EVENT(0x85, 0x02, "ITLB_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_HSW, GEN_BDW, "itlb-misses", EVENT(0x85, 0x10, "ITLB_MISSES.WALK_DURATION"),
	  EVENT(0x85, 0x0e, "ITLB_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SKL, GEN_ICX, "itlb-misses", EVENT(0x85, 0x10, "ITLB_MISSES.WALK_PENDING"),
	  EVENT(0x85, 0x0e, "ITLB_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_SPR, GEN_CGC, "itlb-misses", EVENT(0x11, 0x10, "ITLB_MISSES.WALK_PENDING"),
	  EVENT(0x11, 0x0e, "ITLB_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_GLP, GEN_TNT, "itlb-misses", EVENT(0x85, 0x10, "ITLB_MISSES.WALK_PENDING"),
	  EVENT(0x85, 0x0e, "ITLB_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_CMT, GEN_DKT, "itlb-misses", EVENT(0x85, 0x10, "ITLB_MISSES.WALK_PENDING"),
	  EVENT(0x85, 0x0e, "ITLB_MISSES.WALK_COMPLETED"), "page walks" },
	{ GEN_GLM, GEN_GLM, "itlb-misses", EVENT(0x05, 0x02, "PAGE_WALKS.I_SIDE_CYCLES"),
	  EVENT_WITH(0x05, 0x02, PERIODS, "PAGE_WALKS.I_SIDE_CYCLES.periods"),
	  "periods in which page walks go on" },
	{ GEN_P6, GEN_P6, "divisions", EVENT(0x14, 0x00, "CYCLES_DIV_BUSY"), EVENT(0x13, 0x00, "DIV"),
	  NULL },
	{ GEN_CORE2, GEN_CORE2, "divisions", EVENT(0x14, 0x00, "CYCLES_DIV_BUSY"),
	  EVENT(0x13, 0x00, "DIV"), NULL },
	{ GEN_NHM, GEN_WSM, "divisions", EVENT(0x14, 0x01, "ARITH.CYCLES_DIV_BUSY"),
	  EVENT_WITH(0x14, 0x01, "cmask=1,inv,edge", "ARITH.DIV"), NULL },
	{ GEN_SNB, GEN_SNB, "divisions", EVENT(0x14, 0x01, "ARITH.FPU_DIV_ACTIVE"),
	  EVENT_WITH(0x14, 0x01, PERIODS, "ARITH.FPU_DIV"), NULL },
	{ GEN_IVB, GEN_IVB, "divisions", EVENT(0x14, 0x01, "ARITH.FPU_DIV_ACTIVE"),
	  EVENT_WITH(0x14, 0x04, PERIODS, "ARITH.FPU_DIV"), NULL },
	{ GEN_BDW, GEN_BDW, "divisions", EVENT(0x14, 0x01, "ARITH.FPU_DIV_ACTIVE"),
	  EVENT_WITH(0x14, 0x01, PERIODS, "FPU_DIV_ACTIVE.periods"),
	  "periods in which the divider works" },
	{ GEN_SKL, GEN_SKX, "divisions", EVENT_WITH(0x14, 0x01, "cmask=1", "ARITH.DIVIDER_ACTIVE"),
	  EVENT_WITH(0x14, 0x01, PERIODS, "DIVIDER_ACTIVE.periods"),
	  "periods in which the divider works" },
	{ GEN_ICL, GEN_ICX, "divisions", EVENT_WITH(0x14, 0x09, "cmask=1", "ARITH.DIVIDER_ACTIVE"),
	  EVENT_WITH(0x14, 0x09, PERIODS, "DIVIDER_ACTIVE.periods"),
	  "periods in which the divider works" },
	{ GEN_SPR, GEN_CGC, "divisions", EVENT_WITH(0xb0, 0x09, "cmask=1", "ARITH.DIV_ACTIVE"),
	  EVENT_WITH(0xb0, 0x09, PERIODS, "DIV_ACTIVE.periods"),
	  "periods in which the divider works" },
	{ GEN_GLM, GEN_GLP, "divisions", EVENT(0xcd, 0x00, "CYCLES_DIV_BUSY.ALL"),
	  EVENT(0xc2, 0x18, "UOPS_RETIRED.DIV"), NULL },
	{ GEN_GRT, GEN_DKT, "divisions", EVENT(0xcd, 0x03, "ARITH.DIV_OCCUPANCY"),
	  EVENT(0xcd, 0x0c, "ARITH.DIV_UOPS"), NULL },
	{ GEN_SNB, GEN_BDW, "locks", EVENT(0x63, 0x02, "LOCK_CYCLES.CACHE_LOCK_DURATION"),
	  EVENT(0xd0, 0x21, "MEM_UOPS_RETIRED.LOCK_LOADS"), NULL },
	{ GEN_SPR, GEN_CGC, "locks", EVENT(0x42, 0x02, "LOCK_CYCLES.CACHE_LOCK_DURATION"),
	  EVENT(0xd0, 0x21, "MEM_INST_RETIRED.LOCK_LOADS"), NULL },
};

const size_t cost_durations_count = ARRAY_SIZE(cost_durations);

#define NO_STALLS "Goldmont counts no cycles in which it waits for loads"
#define NO_WALKS(core) "Intel's list of " core " counts page walks, and not their cycles"

/* What is missing on one core alone; what is on many is in cost.c. */
const struct cost_reason cost_reasons[] = {
	{ GEN_GLM, GEN_GLP, "l1d-load-misses", NO_STALLS },
	{ GEN_GLM, GEN_GLP, "llc-load-misses", NO_STALLS },
	{ GEN_GLM, GEN_GLM, "dtlb-store-misses", "Goldmont counts the cycles of page walks for loads and "
	  "stores together: they are the duration of dtlb-load-misses" },
	{ GEN_TNT, GEN_TNT, "divisions", "Tremont counts the cycles of each divider, and Intel has taken "
	  "back the event that counts those of both" },
	{ GEN_GRT, GEN_GRT, "dtlb-load-misses", NO_WALKS("Gracemont") },
	{ GEN_GRT, GEN_GRT, "dtlb-store-misses", NO_WALKS("Gracemont") },
	{ GEN_GRT, GEN_GRT, "itlb-misses", NO_WALKS("Gracemont") },
	{ GEN_DKT, GEN_DKT, "dtlb-load-misses", NO_WALKS("Darkmont") " but for code" },
	{ GEN_DKT, GEN_DKT, "dtlb-store-misses", NO_WALKS("Darkmont") " but for code" },
	{ GEN_GLM, GEN_DKT, "locks", "small cores count the cycles of locks of the bus at most, and of no "
	  "others" },
};

const size_t cost_reasons_count = ARRAY_SIZE(cost_reasons);

/*
 * Of those whose records tell it; no big core's do before Granite Rapids and Meteor Lake.  A
 * misprediction holds up the instruction behind it, for which small cores have no event.
 */
const struct cost_tag cost_tags[] = {
	{ GEN_SPR, GEN_LNC, "branch-misses", EVENT(0xc5, 0x44, "BR_MISP_RETIRED.ALL_BRANCHES_COST"), NULL,
	  "predicted" },
	{ GEN_CGC, GEN_CGC, "branch-misses", EVENT2(0x8000000000c5, "BR_MISP_RETIRED.ALL_BRANCHES_COST"),
	  NULL, "predicted" },
	{ GEN_SPR, GEN_ADL, "l1d-load-misses", EVENT(0xd1, 0x08, "MEM_LOAD_RETIRED.L1_MISS"),
	  EVENT(0xd1, 0x01, "MEM_LOAD_RETIRED.L1_HIT"), "l1-hit" },
	{ GEN_LNC, GEN_CGC, "l1d-load-misses", EVENT(0xd1, 0x08, "MEM_LOAD_RETIRED.L1_MISS"),
	  EVENT2(0x100000001d1, "MEM_LOAD_RETIRED.L1_HIT"), "l1-hit" },
	{ GEN_CMT, GEN_DKT, "l1d-load-misses", EVENT(0xd1, 0x40, "MEM_LOAD_UOPS_RETIRED.L1_MISS"),
	  EVENT(0xd1, 0x01, "MEM_LOAD_UOPS_RETIRED.L1_HIT"), "l1-hit" },
	{ GEN_SPR, GEN_CGC, "llc-loads", EVENT(0xd1, 0x10, "MEM_LOAD_RETIRED.L2_MISS"),
	  EVENT(0xd1, 0x02, "MEM_LOAD_RETIRED.L2_HIT"), "l2-hit" },
	{ GEN_CMT, GEN_DKT, "llc-loads", EVENT(0xd1, 0x80, "MEM_LOAD_UOPS_RETIRED.L2_MISS"),
	  EVENT(0xd1, 0x02, "MEM_LOAD_UOPS_RETIRED.L2_HIT"), "l2-hit" },
	{ GEN_SPR, GEN_CGC, "llc-load-misses", EVENT(0xd1, 0x20, "MEM_LOAD_RETIRED.L3_MISS"),
	  EVENT(0xd1, 0x04, "MEM_LOAD_RETIRED.L3_HIT"), "l3-hit" },
	/* The portable name, whose code is not the same in all parts. */
	{ GEN_CMT, GEN_DKT, "llc-load-misses", "llc-load-misses",
	  EVENT(0xd1, 0x1c, "MEM_LOAD_UOPS_RETIRED.L3_HIT"), "l3-hit" },
	{ GEN_SKT_ALONE, GEN_SKT_ALONE, "llc-load-misses",
	  EVENT(0xd1, 0x80, "MEM_LOAD_UOPS_RETIRED.L2_MISS"),
	  EVENT(0xd1, 0x02, "MEM_LOAD_UOPS_RETIRED.L2_HIT"), "l2-hit" },
	{ GEN_SPR, GEN_CGC, "dtlb-load-misses", EVENT(0xd0, 0x11, "MEM_INST_RETIRED.STLB_MISS_LOADS"),
	  NULL, "no walk" },
	{ GEN_CMT, GEN_DKT, "dtlb-load-misses", EVENT(0xd0, 0x11, "MEM_UOPS_RETIRED.STLB_MISS_LOADS"),
	  NULL, "no walk" },
	{ GEN_SPR, GEN_CGC, "locks", EVENT(0xd0, 0x21, "MEM_INST_RETIRED.LOCK_LOADS"), NULL, "no lock" },
	{ GEN_CMT, GEN_DKT, "locks", EVENT(0xd0, 0x21, "MEM_UOPS_RETIRED.LOCK_LOADS"), NULL, "no lock" },
};

const size_t cost_tags_count = ARRAY_SIZE(cost_tags);

const struct cost_width cost_widths[] = {
	{ GEN_P6, GEN_P6, 3, 3, EVENT(0xc2, 0x00, "UOPS_RETIRED") },
	{ GEN_CORE2, GEN_CORE2, 4, 3, EVENT(0xc2, 0x0f, "UOPS_RETIRED.ANY") },
	{ GEN_NHM, GEN_SKX, 4, 4, EVENT(0xc2, 0x02, "UOPS_RETIRED.RETIRE_SLOTS") },
	{ GEN_ICL, GEN_ICX, 5, 5, EVENT(0xc2, 0x02, "UOPS_RETIRED.SLOTS") },
	{ GEN_SPR, GEN_ADL, 6, 5, EVENT(0xc2, 0x02, "UOPS_RETIRED.SLOTS") },
	/* That of its smaller first level, by what Intel told the press of Lunar Lake in 2024. */
	{ GEN_LNC, GEN_LNC, 8, 4, EVENT(0xc2, 0x02, "UOPS_RETIRED.SLOTS") },
	{ GEN_CGC, GEN_CGC, 8, 0, EVENT(0xc2, 0x02, "UOPS_RETIRED.SLOTS") },
	{ GEN_GLM, GEN_GLM, 3, 0, EVENT(0xc2, 0x00, "UOPS_RETIRED.ANY") },
	{ GEN_GLP, GEN_GLP, 4, 0, EVENT(0xc2, 0x00, "UOPS_RETIRED.ANY") },
	{ GEN_TNT, GEN_TNT, 4, 0, EVENT(0xc2, 0x00, "UOPS_RETIRED.ALL") },
	{ GEN_GRT, GEN_GRT, 5, 0, EVENT(0xc2, 0x00, "UOPS_RETIRED.ALL") },
	{ GEN_CMT, GEN_CMT, 6, 0, EVENT(0xc2, 0x00, "UOPS_RETIRED.ALL") },
	{ GEN_SKT, GEN_DKT, 8, 0, EVENT(0xc2, 0x02, "TOPDOWN_RETIRING.ALL_P") },
	{ GEN_P4, GEN_P4, 3, 0, "uops_retired:NBOGUS" },
};

const size_t cost_widths_count = ARRAY_SIZE(cost_widths);
