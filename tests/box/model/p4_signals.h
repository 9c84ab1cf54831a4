/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens in a Pentium 4, as its event masks tell it apart: each row is a
 * truth total (PMU_P4_..., named in the truth) and what a counter adds up (EV_P4_...).
 * No occurrence is in two rows unless the comment says so; netburst.c makes them.
 *
 * Row: name, name in the truth, what the host has to tell (K: kinds of instructions,
 * M: accesses, B: branches).
 */
#ifndef PMUBOX_P4_SIGNALS_H
#define PMUBOX_P4_SIGNALS_H

#define P4_K (PMU_NEED_INSN | PMU_NEED_KIND)
#define P4_M (PMU_NEED_INSN | PMU_NEED_MEM)
#define P4_B (PMU_NEED_INSN | PMU_NEED_BRANCH)
#define P4_KM (P4_K | P4_M)
#define P4_ALL (P4_K | P4_M | P4_B)

#define P4_SIGNALS(X)								\
	/* What each misprediction squashes; EV_INSTRUCTIONS are those that retire. */ \
	X(BOGUS_INSTRUCTIONS, "bogus_instructions", P4_ALL)			\
	X(BOGUS_UOPS, "bogus_uops", P4_ALL)					\
	X(BOGUS_LOADS, "bogus_load_uops", P4_ALL)				\
	X(BOGUS_STORES, "bogus_store_uops", P4_ALL)				\
	/* Instructions with a uop that has a trait of pmu->tagged; squashed ones. */ \
	X(TAGGED, "tagged_instructions", P4_ALL)				\
	X(BOGUS_TAGGED, "bogus_tagged_instructions", P4_ALL)			\
	/* Retired uops; of these load and store uops are EV_LOADS and EV_STORES. */ \
	X(UOPS, "uops", P4_KM)							\
	/* Uops by where they are executed. */					\
	X(X87, "x87_uops", P4_K)						\
	X(PACKED_SP, "packed_sp_uops", P4_K)					\
	X(PACKED_DP, "packed_dp_uops", P4_K)					\
	X(SCALAR_SP, "scalar_sp_uops", P4_K)					\
	X(SCALAR_DP, "scalar_dp_uops", P4_K)					\
	X(MMX_64, "mmx_64bit_uops", P4_K)					\
	X(MMX_128, "mmx_128bit_uops", P4_K)					\
	X(SIMD_MOVES, "simd_move_uops", P4_K)					\
	X(SIMD_LOADS, "simd_load_uops", P4_K)					\
	/* Retired branches in the order of enum pmu_branch_kind; mispredicted ones. */ \
	X(JCC, "branches_conditional", P4_B)					\
	X(CALL, "branches_call", P4_B)						\
	X(CALL_INDIRECT, "branches_call_indirect", P4_B)			\
	X(RET, "branches_return", P4_B)						\
	X(JMP_INDIRECT, "branches_jump_indirect", P4_B)				\
	X(JMP, "branches_jump", P4_B)						\
	X(FAR, "branches_far", P4_B)						\
	X(MISSED_JCC, "branch_misses_conditional", P4_B)			\
	X(MISSED_CALL, "branch_misses_call", P4_B)				\
	X(MISSED_CALL_INDIRECT, "branch_misses_call_indirect", P4_B)		\
	X(MISSED_RET, "branch_misses_return", P4_B)				\
	X(MISSED_JMP_INDIRECT, "branch_misses_jump_indirect", P4_B)		\
	X(MISSED_JMP, "branch_misses_jump", P4_B)				\
	X(MISSED_FAR, "branch_misses_far", P4_B)				\
	/* The second level; reads are of loads, of stores that lack a line, of code. */ \
	X(L2_READ_HIT_S, "l2_read_hits_shared", P4_KM)				\
	X(L2_READ_HIT_E, "l2_read_hits_exclusive", P4_KM)			\
	X(L2_READ_HIT_M, "l2_read_hits_modified", P4_KM)			\
	X(L2_READ_MISS, "l2_read_misses", P4_KM)				\
	X(L2_WRITE_MISS, "l2_write_misses", P4_KM)				\
	X(BUS_READS, "bus_reads", P4_KM)					\
	X(BUS_WRITES, "bus_writes", P4_KM)					\
	/* Accesses that cross a line, that find no translation; page walks. */	\
	X(SPLIT_LOADS, "split_loads", P4_M)					\
	X(SPLIT_STORES, "split_stores", P4_M)					\
	X(DTLB_LOAD_MISSES, "dtlb_load_misses", P4_M)				\
	X(DTLB_STORE_MISSES, "dtlb_store_misses", P4_M)				\
	X(WALKS_DATA, "data_page_walks", P4_M)					\
	X(WALKS_CODE, "code_page_walks", P4_K)					\
	X(ITLB_HITS, "itlb_hits", P4_K)						\
	X(ITLB_MISSES, "itlb_misses", P4_K)					\
	/* Loads behind stores that have something to do with them. */		\
	X(MOB_NO_STA, "mob_no_store_address", P4_M)				\
	X(MOB_NO_STD, "mob_no_store_data", P4_M)				\
	X(MOB_PARTIAL, "mob_partial_data", P4_M)				\
	X(MOB_UNALIGNED, "mob_unaligned_address", P4_M)				\
	X(ALIAS_64K, "alias_64k_conflicts", P4_M)				\
	/* Clears by cause, and the cycles that they all take. */		\
	X(CLEARS_MEMORY, "memory_order_clears", P4_KM)				\
	X(CLEARS_CODE, "self_modifying_clears", P4_KM)				\
	X(CLEAR_CYCLES, "machine_clear_cycles", P4_KM)				\
	/* Cycles of this thread: what thread 0 does, what thread 1 (Deliver, Build, Idle). */ \
	X(TC_DD, "tc_cycles_dd", P4_ALL)					\
	X(TC_DB, "tc_cycles_db", P4_ALL)					\
	X(TC_DI, "tc_cycles_di", P4_ALL)					\
	X(TC_BD, "tc_cycles_bd", P4_ALL)					\
	X(TC_BB, "tc_cycles_bb", P4_ALL)					\
	X(TC_BI, "tc_cycles_bi", P4_ALL)					\
	X(TC_ID, "tc_cycles_id", P4_ALL)					\
	X(TC_IB, "tc_cycles_ib", P4_ALL)					\
	X(TC_MISSES, "tc_misses", P4_K)						\
	X(TC_FLUSHES, "tc_flushes", P4_KM)					\
	/* Uops written to the queue, squashed ones with them; entries into the ROM. */ \
	X(UOPS_BUILD, "uops_from_build", P4_KM)					\
	X(UOPS_DELIVER, "uops_from_deliver", P4_ALL)				\
	X(UOPS_ROM, "uops_from_rom", P4_KM)					\
	X(ROM_ENTRIES, "rom_entries", P4_K)					\
	X(STORE_STALLS, "store_stall_cycles", P4_M)

#endif
