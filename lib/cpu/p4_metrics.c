// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The Pentium 4's metrics of tagged uops, by the manual's names: what has to be
 * set and what has to run beside them.
 *
 * SDM vol. 3, tables of metrics for front-end, execution and replay tagging.
 */
#include "lib/cpu/p4.h"

#define LOADS	0x1		/* of PEBS_MATRIX_VERT */
#define STORES	0x2
#define BRANCHES 0x10

const struct p4_metric p4_metrics[] = {
	{ "1stL_cache_load_miss_retired", "l1_ld_miss_retired", "L1_LD_MISS", P4_REPLAY, 0x1, LOADS,
	  .text = "loads retired that missed the first-level cache" },
	{ "2ndL_cache_load_miss_retired", "l2_ld_miss_retired", "L2_LD_MISS", P4_REPLAY, 0x2, LOADS,
	  .text = "loads retired that missed the second level" },
	{ "DTLB_load_miss_retired", NULL, "DTLB_LD_MISS", P4_REPLAY, 0x4, LOADS,
	  .text = "loads retired whose address the DTLB lacked" },
	{ "DTLB_store_miss_retired", NULL, "DTLB_ST_MISS", P4_REPLAY, 0x4, STORES,
	  .text = "stores retired whose address the DTLB lacked" },
	{ "DTLB_all_miss_retired", NULL, "DTLB_ALL_MISS", P4_REPLAY, 0x4, LOADS | STORES,
	  .text = "loads and stores retired whose address the DTLB lacked" },
	{ "Tagged_mispred_branch", NULL, "BR_MSP", P4_REPLAY, 0x18000, BRANCHES,
	  .text = "mispredicted branches retired, tagged" },
	{ "MOB_load_replay_retired", NULL, "MOB_LD_REPLAY", P4_REPLAY, 0x200, LOADS,
	  "MOB_load_replay", 0x30, 3,
	  .text = "loads retired that the memory order buffer replayed" },
	/* Which ESCR the two have upstream is the SDM's; perfctr has the second for both. */
	{ "split_load_retired", NULL, "SP_LD_RET", P4_REPLAY, 0x400, LOADS,
	  "load_port_replay", 0x2, 2, .text = "loads retired that crossed a cache line" },
	{ "split_store_retired", NULL, "SP_ST_RET", P4_REPLAY, 0x400, STORES,
	  "store_port_replay", 0x2, 1, .text = "stores retired that crossed a cache line" },
	{ "memory_loads", "loads_retired", NULL, P4_FRONT, 0, 0, "uops_type", 0x2, 3,
	  .text = "load uops retired" },
	{ "memory_stores", "stores_retired", NULL, P4_FRONT, 0, 0, "uops_type", 0x4, 3,
	  .text = "store uops retired" },
	{ "packed_SP_retired", "packed_SP_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "packed_SP_uop", 0x8000, 3, .text = "packed single precision uops retired" },
	{ "packed_DP_retired", "packed_DP_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "packed_DP_uop", 0x8000, 3, .text = "packed double precision uops retired" },
	{ "scalar_SP_retired", "scalar_SP_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "scalar_SP_uop", 0x8000, 3, .text = "scalar single precision uops retired" },
	{ "scalar_DP_retired", "scalar_DP_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "scalar_DP_uop", 0x8000, 3, .text = "scalar double precision uops retired" },
	{ "64_bit_MMX_retired", "64bit_MMX_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "64bit_MMX_uop", 0x8000, 3, .text = "uops of 64-bit SIMD integers retired" },
	{ "128_bit_MMX_retired", "128bit_MMX_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "128bit_MMX_uop", 0x8000, 3, .text = "uops of 128-bit SIMD integers retired" },
	{ "X87_FP_retired", "x87_FP_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "x87_FP_uop", 0x8000, 3, .text = "x87 floating point uops retired" },
	{ "X87_SIMD_memory_moves_retired", "x87_SIMD_moves_uop_retired", NULL, P4_EXECUTION, 0, 0,
	  "x87_SIMD_moves_uop", 0x18, 3, .text = "x87, MMX and SSE moves retired" },
};

const size_t p4_metrics_count = ARRAY_SIZE(p4_metrics);
