/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a core with a pipeline (Sandy Bridge and later) can do with an issue slot, and
 * what else happens in it that an event or the truth may count: a row for each.
 *
 * A slot has one cause.  It is told as the model allocates, by what stood in the way,
 * and adds up: slots = sum of all causes; cycles = slots / width.
 */
#ifndef PMUBOX_SLOTS_H
#define PMUBOX_SLOTS_H

/* Level 1 and level 2 of the tree; names as in the truth. */
#define SLOT_GROUPS(X)								\
	X(RETIRING, "retiring")							\
	X(BAD_SPECULATION, "bad_speculation")					\
	X(FRONT_END, "front_end")						\
	X(BACK_END, "back_end")

#define SLOT_PARTS(X)								\
	X(LIGHT, "light", RETIRING)						\
	X(HEAVY, "heavy", RETIRING)						\
	X(MISPREDICTS, "mispredicts", BAD_SPECULATION)				\
	X(CLEARS, "clears", BAD_SPECULATION)					\
	X(LATENCY, "latency", FRONT_END)					\
	X(BANDWIDTH, "bandwidth", FRONT_END)					\
	X(MEMORY, "memory", BACK_END)						\
	X(CORE, "core", BACK_END)

/*
 * The causes: name, what the truth calls it, the part it belongs to.
 * A slot of a cycle in which the front end delivers something is one of its bandwidth,
 * by where uops come from; of one in which it delivers nothing it is one of latency.
 */
#define SLOT_CAUSES(X)								\
	X(LIGHT, "retiring_light", LIGHT)					\
	/* all uops but one of an instruction that has several */		\
	X(HEAVY, "retiring_heavy", HEAVY)					\
	/* uops of a wrong path */						\
	X(MISPREDICTED, "mispredicted_uops", MISPREDICTS)			\
	X(MISPREDICT_RECOVERY, "mispredict_recovery", MISPREDICTS)		\
	X(CLEARED, "cleared_uops", CLEARS)					\
	X(CLEAR_RECOVERY, "clear_recovery", CLEARS)				\
	X(ICACHE, "icache", LATENCY)						\
	X(ITLB, "itlb", LATENCY)						\
	/* behind a misprediction or clear */					\
	X(RESTEER, "resteer", LATENCY)						\
	X(UNKNOWN_BRANCH, "unknown_branch", LATENCY)				\
	X(MS_SWITCH, "ms_switch", LATENCY)					\
	X(DSB_SWITCH, "dsb_switch", LATENCY)					\
	X(LCP, "lcp", LATENCY)							\
	X(MITE, "mite", BANDWIDTH)						\
	X(DSB, "dsb", BANDWIDTH)						\
	/* of the microcode sequencer, too */					\
	X(MS, "ms", BANDWIDTH)							\
	X(L1, "l1", MEMORY)							\
	X(L2, "l2", MEMORY)							\
	X(L3, "l3", MEMORY)							\
	X(DRAM, "dram", MEMORY)							\
	X(STORE, "store", MEMORY)						\
	X(DIVIDER, "divider", CORE)						\
	/* ports, and latencies of what computes */				\
	X(PORTS, "ports", CORE)							\
	X(SERIALIZING, "serializing", CORE)					\
	/* the cycle behind a clear that Ice Lake's metrics leave out */	\
	X(RESTART, "restart", CORE)

/*
 * Signals, for events.  Unless it says "cycles", it counts how often.  Cycles are
 * those of the allocation clock.  *_GE1 and so on are cycles with at least so many;
 * they stand one behind the other.
 */
#define PIPE_SIGNALS(X)								\
	X(UOPS_ISSUED, "uops_issued")		/* fused, of wrong paths too */	\
	X(ISSUED_GE1, "issued_ge1")						\
	X(ISSUED_GE2, "issued_ge2")						\
	X(ISSUED_GE3, "issued_ge3")						\
	X(ISSUED_GE4, "issued_ge4")						\
	X(ISSUED_GE5, "issued_ge5")						\
	X(ISSUED_GE6, "issued_ge6")						\
	X(ISSUED_GE7, "issued_ge7")						\
	X(ISSUED_GE8, "issued_ge8")						\
	X(ISSUE_STALLS_BEGUN, "issue_stalls_begun")				\
	X(UOPS_EXECUTED, "uops_executed")	/* unfused, retiring */		\
	X(EXECUTED_GE1, "executed_ge1")						\
	X(EXECUTED_GE2, "executed_ge2")						\
	X(EXECUTED_GE3, "executed_ge3")						\
	X(EXECUTED_GE4, "executed_ge4")						\
	X(UOPS_RETIRED, "uops_retired")		/* slots: fused */		\
	X(UOPS_RETIRED_ALL, "uops_retired_all")	/* unfused */			\
	X(UOPS_HEAVY, "uops_heavy")						\
	X(UOPS_MS, "uops_ms")			/* retired, of microcode */	\
	X(RETIRED_GE1, "retired_ge1")						\
	X(RETIRED_GE2, "retired_ge2")						\
	X(RETIRED_GE3, "retired_ge3")						\
	X(RETIRED_GE4, "retired_ge4")						\
	X(RETIRED_GE5, "retired_ge5")						\
	X(RETIRED_GE6, "retired_ge6")						\
	X(RETIRED_GE7, "retired_ge7")						\
	X(RETIRED_GE8, "retired_ge8")						\
	X(MACRO_FUSED, "macro_fused")		/* pairs retired */		\
	X(NOT_DELIVERED, "not_delivered")	/* slots that the front end lost */ \
	/* cycles in which it delivered 0, at most 1, 2 and so on, and could more */	\
	X(DELIVERED_0, "delivered_0")						\
	X(DELIVERED_LE1, "delivered_le1")					\
	X(DELIVERED_LE2, "delivered_le2")					\
	X(DELIVERED_LE3, "delivered_le3")					\
	X(DELIVERED_LE4, "delivered_le4")					\
	X(DELIVERED_LE5, "delivered_le5")					\
	X(DELIVERED_LE6, "delivered_le6")					\
	X(DELIVERED_LE7, "delivered_le7")					\
	X(BACK_END_SLOTS, "back_end_slots")	/* all causes of the back end */ \
	/* what PERF_METRICS and TOPDOWN.* show: RESTART is not in the back end */ \
	X(METRIC_BACK_END, "metric_back_end")					\
	X(METRIC_BAD_SPECULATION, "metric_bad_speculation")			\
	X(METRIC_MISPREDICTS, "metric_mispredicts")				\
	X(METRIC_MEMORY, "metric_memory")					\
	X(METRIC_FETCH_LATENCY, "metric_fetch_latency")				\
	X(FETCH_LATENCY_CYCLES, "fetch_latency_cycles")	/* without any uop */	\
	X(CLEAR_SLOTS, "clear_slots")		/* machine clears, and faults */ \
	/* slots of the back end by what is full, which small cores count */	\
	X(MEM_SCHEDULER_SLOTS, "mem_scheduler_slots")	/* load and store buffers, too */ \
	X(OTHER_SCHEDULER_SLOTS, "other_scheduler_slots")			\
	X(SERIALIZING_SLOTS, "serializing_slots")	/* nothing is full */	\
	X(ROB_SLOTS, "rob_slots")						\
	X(RECOVERY_CYCLES, "recovery_cycles")					\
	X(CLEARS_COUNT, "clears_count")		/* mispredictions and clears */	\
	X(CLEAR_RESTEER_CYCLES, "clear_resteer_cycles")				\
	X(UNKNOWN_BRANCH_CYCLES, "unknown_branch_cycles")			\
	X(MACHINE_CLEARS, "machine_clears")					\
	X(CLEARS_MEMORY, "clears_memory")					\
	X(CLEARS_CODE, "clears_code")						\
	X(BACLEARS, "baclears")							\
	X(DSB_UOPS, "dsb_uops")							\
	X(MITE_UOPS, "mite_uops")						\
	X(MS_UOPS, "ms_uops")							\
	X(DSB_CYCLES_ANY, "dsb_cycles_any")					\
	X(DSB_CYCLES_OK, "dsb_cycles_ok")	/* ... of full width */		\
	X(MITE_CYCLES_ANY, "mite_cycles_any")					\
	X(MITE_CYCLES_OK, "mite_cycles_ok")					\
	X(MS_CYCLES_ANY, "ms_cycles_any")					\
	X(MS_SWITCHES, "ms_switches")						\
	X(DSB_SWITCHES, "dsb_switches")		/* to MITE */			\
	X(DSB_SWITCH_CYCLES, "dsb_switch_cycles")				\
	X(LCP_CYCLES, "lcp_cycles")						\
	X(DEC0_UOPS, "dec0_uops")		/* of instructions of several, by MITE */ \
	X(DEC0_CYCLES, "dec0_cycles")						\
	X(INSTRUCTIONS_DECODED, "instructions_decoded")	/* by MITE */		\
	X(ICACHE_MISSES, "icache_misses")					\
	X(ICACHE_STALL_CYCLES, "icache_stall_cycles")				\
	X(ICACHE_STALLS, "icache_stalls")					\
	X(CODE_L2_MISS_CYCLES, "code_l2_miss_cycles")				\
	X(ITLB_STLB_HITS, "itlb_stlb_hits")					\
	X(ITLB_WALKS, "itlb_walks")						\
	X(ITLB_WALK_CYCLES, "itlb_walk_cycles")					\
	X(ITLB_STALL_CYCLES, "itlb_stall_cycles")				\
	X(RS_EMPTY_CYCLES, "rs_empty_cycles")					\
	X(RS_EMPTY_END, "rs_empty_end")						\
	X(STALLS_ANY, "stalls_any")		/* cycles of allocation: RESOURCE_STALLS */ \
	X(STALLS_RS, "stalls_rs")						\
	X(STALLS_ROB, "stalls_rob")						\
	X(STALLS_LB, "stalls_lb")						\
	X(STALLS_SB, "stalls_sb")						\
	X(STALLS_SERIALIZING, "stalls_serializing")				\
	/* cycles in which nothing begins to execute, and ... */		\
	X(EXE_STALLS, "exe_stalls")		/* ... not for a full store buffer only */ \
	X(EXE_STALLS_MEM, "exe_stalls_mem")	/* a load is under way */	\
	X(EXE_STALLS_L1D, "exe_stalls_l1d")	/* ... that missed L1D */	\
	X(EXE_STALLS_L2, "exe_stalls_l2")					\
	X(EXE_STALLS_L3, "exe_stalls_l3")					\
	X(BOUND_0_PORTS, "bound_0_ports")	/* something waits, nothing above */ \
	X(BOUND_ON_STORES, "bound_on_stores")	/* SB full, no load under way */ \
	X(BOUND_ON_LOADS, "bound_on_loads")					\
	X(PORTS_1, "ports_1")			/* cycles in which so many begin */ \
	X(PORTS_2, "ports_2")							\
	X(PORTS_3, "ports_3")							\
	X(PORTS_3M, "ports_3m")							\
	/* uops that each port began to execute */				\
	X(PORT_0, "port_0")						\
	X(PORT_1, "port_1")						\
	X(PORT_2, "port_2")						\
	X(PORT_3, "port_3")						\
	X(PORT_4, "port_4")						\
	X(PORT_5, "port_5")						\
	X(PORT_6, "port_6")						\
	X(PORT_7, "port_7")						\
	X(PORT_8, "port_8")						\
	X(PORT_9, "port_9")						\
	X(PORT_10, "port_10")						\
	X(PORT_11, "port_11")						\
	X(MEM_CYCLES, "mem_cycles")		/* ... cycles with a load under way */ \
	X(L1D_MISS_CYCLES, "l1d_miss_cycles")					\
	X(L2_MISS_CYCLES, "l2_miss_cycles")					\
	X(L3_MISS_CYCLES, "l3_miss_cycles")					\
	X(RFO_CYCLES, "rfo_cycles")		/* stores wait for a line beyond L2 */ \
	X(L1D_PENDING, "l1d_pending")		/* loads that missed, each cycle */ \
	X(OFFCORE_PENDING, "offcore_pending")	/* ... L2 */			\
	X(L3_PENDING, "l3_pending")		/* ... L3 */			\
	/* cycles without retirement, for a load that missed L1D, by who had its line */ \
	X(MISS_STALLS, "miss_stalls")						\
	X(MISS_STALLS_L2, "miss_stalls_l2")					\
	X(MISS_STALLS_L3, "miss_stalls_l3")					\
	X(MISS_STALLS_DRAM, "miss_stalls_dram")					\
	X(FB_FULL_CYCLES, "fb_full_cycles")					\
	X(FB_FULL, "fb_full")							\
	X(FB_HITS, "fb_hits")			/* loads that waited for a fill under way */ \
	X(DIVIDER_CYCLES, "divider_cycles")					\
	X(DIVIDER_PERIODS, "divider_periods")	/* of cycles of it in a row */	\
	X(DIVIDER_UOPS, "divider_uops")						\
	X(FP_DIVIDER_CYCLES, "fp_divider_cycles")				\
	X(DTLB_LOAD_STLB_HITS, "dtlb_load_stlb_hits")				\
	X(DTLB_LOAD_WALKS, "dtlb_load_walks")					\
	X(DTLB_LOAD_WALK_CYCLES, "dtlb_load_walk_cycles")			\
	X(DTLB_STORE_STLB_HITS, "dtlb_store_stlb_hits")				\
	X(DTLB_STORE_WALKS, "dtlb_store_walks")					\
	X(DTLB_STORE_WALK_CYCLES, "dtlb_store_walk_cycles")			\
	X(SPLIT_LOADS, "split_loads")						\
	X(SPLIT_STORES, "split_stores")						\
	X(LOCK_LOADS, "lock_loads")						\
	X(BLOCKED_LOADS, "blocked_loads")	/* LD_BLOCKS.STORE_FORWARD */	\
	X(ALIASED_LOADS, "aliased_loads")	/* LD_BLOCKS_PARTIAL.ADDRESS_ALIAS */ \
	X(NOPS, "nops")								\
	X(PAUSES, "pauses")							\
	X(LFENCES, "lfences")							\
	X(X87_UOPS, "x87_uops")							\
	/* floating-point arithmetic, instructions: by kind, and sums of those */	\
	X(FP_SCALAR_DOUBLE, "fp_scalar_double")					\
	X(FP_SCALAR_SINGLE, "fp_scalar_single")					\
	X(FP_128_DOUBLE, "fp_128_double")					\
	X(FP_128_SINGLE, "fp_128_single")					\
	X(FP_256_DOUBLE, "fp_256_double")					\
	X(FP_256_SINGLE, "fp_256_single")					\
	X(FP_SCALAR, "fp_scalar")						\
	X(FP_VECTOR, "fp_vector")						\
	X(FP_4_FLOPS, "fp_4_flops")						\
	/* vectors of integers, instructions */					\
	X(VECTOR_ADD_128, "vector_add_128")					\
	X(VECTOR_ADD_256, "vector_add_256")					\
	X(VECTOR_MUL_256, "vector_mul_256")					\
	X(VECTOR_256, "vector_256")						\
	X(SHUFFLE_256, "shuffle_256")						\
	X(PREFETCHES_L1, "prefetches_l1")	/* lines fetched ahead */	\
	X(PREFETCHES_L2, "prefetches_l2")

enum slot_cause {
#define SLOT_ENUM(name, text, part) SLOT_##name,
	SLOT_CAUSES(SLOT_ENUM)
#undef SLOT_ENUM
	SLOT_CAUSE_COUNT
};

enum pipe_signal {
#define SIGNAL_ENUM(name, text) SIG_##name,
	PIPE_SIGNALS(SIGNAL_ENUM)
#undef SIGNAL_ENUM
	SIG_COUNT
};

#endif
