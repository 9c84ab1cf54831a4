// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The events of the Pentium 4: names as libpfm4 has them, codes as the SDM's
 * tables of events do.
 *
 * Where sources differ about a row it follows the SDM's table of registers;
 * Documentation/errata.rst lists those.
 */
#include "lib/cpu/p4.h"

static const struct p4_mask tc_deliver_mode_masks[] = {
	{ "DD", 0 }, { "DB", 1 }, { "DI", 2 }, { "BD", 3 }, { "BB", 4 }, { "BI", 5 },
	{ "ID", 6 }, { "IB", 7 }, { NULL, 0 },
};

static const struct p4_mask bpu_fetch_request_masks[] = {
	{ "TCMISS", 0 }, { NULL, 0 },
};

static const struct p4_mask itlb_reference_masks[] = {
	{ "HIT", 0 }, { "MISS", 1 }, { "HIT_UC", 2 }, { NULL, 0 },
};

static const struct p4_mask memory_cancel_masks[] = {
	{ "ST_RB_FULL", 2 }, { "64K_CONF", 3 }, { NULL, 0 },
};

static const struct p4_mask memory_complete_masks[] = {
	{ "LSC", 0 }, { "SSC", 1 }, { NULL, 0 },
};

static const struct p4_mask load_port_replay_masks[] = {
	{ "SPLIT_LD", 1 }, { NULL, 0 },
};

static const struct p4_mask store_port_replay_masks[] = {
	{ "SPLIT_ST", 1 }, { NULL, 0 },
};

static const struct p4_mask mob_load_replay_masks[] = {
	{ "NO_STA", 1 }, { "NO_STD", 3 }, { "PARTIAL_DATA", 4 }, { "UNALGN_ADDR", 5 },
	{ NULL, 0 },
};

static const struct p4_mask page_walk_type_masks[] = {
	{ "DTMISS", 0 }, { "ITMISS", 1 }, { NULL, 0 },
};

static const struct p4_mask bsq_cache_reference_masks[] = {
	{ "RD_2ndL_HITS", 0 }, { "RD_2ndL_HITE", 1 }, { "RD_2ndL_HITM", 2 },
	{ "RD_3rdL_HITS", 3 }, { "RD_3rdL_HITE", 4 }, { "RD_3rdL_HITM", 5 },
	{ "RD_2ndL_MISS", 8 }, { "RD_3rdL_MISS", 9 }, { "WR_2ndL_MISS", 10 }, { NULL, 0 },
};

static const struct p4_mask ioq_masks[] = {
	{ "TYPE_BIT0", 0 }, { "TYPE_BIT1", 1 }, { "TYPE_BIT2", 2 }, { "TYPE_BIT3", 3 },
	{ "TYPE_BIT4", 4 }, { "ALL_READ", 5 }, { "ALL_WRITE", 6 }, { "MEM_UC", 7 },
	{ "MEM_WC", 8 }, { "MEM_WT", 9 }, { "MEM_WP", 10 }, { "MEM_WB", 11 }, { "OWN", 13 },
	{ "OTHER", 14 }, { "PREFETCH", 15 }, { NULL, 0 },
};

static const struct p4_mask fsb_data_activity_masks[] = {
	{ "DRDY_DRV", 0 }, { "DRDY_OWN", 1 }, { "DRDY_OTHER", 2 }, { "DBSY_DRV", 3 },
	{ "DBSY_OWN", 4 }, { "DBSY_OTHER", 5 }, { NULL, 0 },
};

static const struct p4_mask bsq_masks[] = {
	{ "REQ_TYPE0", 0 }, { "REQ_TYPE1", 1 }, { "REQ_LEN0", 2 }, { "REQ_LEN1", 3 },
	{ "REQ_IO_TYPE", 5 }, { "REQ_LOCK_TYPE", 6 }, { "REQ_CACHE_TYPE", 7 },
	{ "REQ_SPLIT_TYPE", 8 }, { "REQ_DEM_TYPE", 9 }, { "REQ_ORD_TYPE", 10 },
	{ "MEM_TYPE0", 11 }, { "MEM_TYPE1", 12 }, { "MEM_TYPE2", 13 }, { NULL, 0 },
};

/* Bits of the event mask; libpfm4's TAG0 to TAG3 are in p4_parse.c. */
static const struct p4_mask all_masks[] = {
	{ "ALL", 15 }, { NULL, 0 },
};

static const struct p4_mask tc_misc_masks[] = {
	{ "FLUSH", 4 }, { NULL, 0 },
};

static const struct p4_mask global_power_events_masks[] = {
	{ "RUNNING", 0 }, { NULL, 0 },
};

static const struct p4_mask tc_ms_xfer_masks[] = {
	{ "CISC", 0 }, { NULL, 0 },
};

static const struct p4_mask uop_queue_writes_masks[] = {
	{ "FROM_TC_BUILD", 0 }, { "FROM_TC_DELIVER", 1 }, { "FROM_ROM", 2 }, { NULL, 0 },
};

static const struct p4_mask branch_types_masks[] = {
	{ "CONDITIONAL", 1 }, { "CALL", 2 }, { "RETURN", 3 }, { "INDIRECT", 4 }, { NULL, 0 },
};

static const struct p4_mask resource_stall_masks[] = {
	{ "SBFULL", 5 }, { NULL, 0 },
};

static const struct p4_mask wc_buffer_masks[] = {
	{ "WCB_EVICTS", 0 }, { "WCB_FULL_EVICT", 1 }, { NULL, 0 },
};

static const struct p4_mask b2b_cycles_masks[] = {
	{ "BIT1", 1 }, { "BIT2", 2 }, { "BIT3", 3 }, { "BIT4", 4 }, { "BIT5", 5 }, { "BIT6", 6 },
	{ NULL, 0 },
};

static const struct p4_mask bnr_masks[] = {
	{ "BIT0", 0 }, { "BIT1", 1 }, { "BIT2", 2 }, { NULL, 0 },
};

static const struct p4_mask snoop_masks[] = {
	{ "BIT2", 2 }, { "BIT6", 6 }, { "BIT7", 7 }, { NULL, 0 },
};

static const struct p4_mask response_masks[] = {
	{ "BIT1", 1 }, { "BIT2", 2 }, { "BIT8", 8 }, { "BIT9", 9 }, { NULL, 0 },
};

static const struct p4_mask bogus_masks[] = {
	{ "NBOGUS", 0 }, { "BOGUS", 1 }, { NULL, 0 },
};

static const struct p4_mask execution_event_masks[] = {
	{ "NBOGUS0", 0 }, { "NBOGUS1", 1 }, { "NBOGUS2", 2 }, { "NBOGUS3", 3 }, { "BOGUS0", 4 },
	{ "BOGUS1", 5 }, { "BOGUS2", 6 }, { "BOGUS3", 7 }, { NULL, 0 },
};

static const struct p4_mask instr_retired_masks[] = {
	{ "NBOGUSNTAG", 0 }, { "NBOGUSTAG", 1 }, { "BOGUSNTAG", 2 }, { "BOGUSTAG", 3 },
	{ NULL, 0 },
};

static const struct p4_mask uops_type_masks[] = {
	{ "TAGLOADS", 1 }, { "TAGSTORES", 2 }, { NULL, 0 },
};

static const struct p4_mask branch_retired_masks[] = {
	{ "MMNP", 0 }, { "MMNM", 1 }, { "MMTP", 2 }, { "MMTM", 3 }, { NULL, 0 },
};

static const struct p4_mask mispred_branch_retired_masks[] = {
	{ "NBOGUS", 0 }, { NULL, 0 },
};

static const struct p4_mask x87_assist_masks[] = {
	{ "FPSU", 0 }, { "FPSO", 1 }, { "POAO", 2 }, { "POAU", 3 }, { "PREA", 4 }, { NULL, 0 },
};

static const struct p4_mask machine_clear_masks[] = {
	{ "CLEAR", 0 }, { "MOCLEAR", 2 }, { "SMCLEAR", 6 }, { NULL, 0 },
};

static const struct p4_mask x87_simd_moves_uop_masks[] = {
	{ "ALLP0", 3 }, { "ALLP2", 4 }, { NULL, 0 },
};

const struct p4_event p4_events[] = {
	{ "TC_deliver_mode", 0x01, 1, P4_MS, 3, 0x0, tc_deliver_mode_masks,
	  .text = "cycles that trace cache and decoder deliver, build or rest, of each thread" },
	{ "BPU_fetch_request", 0x03, 0, P4_BPU, 3, 0x1, bpu_fetch_request_masks,
	  .text = "fetches that the branch prediction unit asked for" },
	{ "ITLB_reference", 0x18, 3, P4_BPU, 3, 0x0, itlb_reference_masks,
	  .text = "translations looked up in the ITLB" },
	{ "memory_cancel", 0x02, 5, P4_FLAME, 3, 0x0, memory_cancel_masks,
	  .text = "requests cancelled in the data cache address control unit" },
	{ "memory_complete", 0x08, 2, P4_FLAME, 3, 0x0, memory_complete_masks,
	  .text = "completed split loads and stores" },
	{ "load_port_replay", 0x04, 2, P4_FLAME, 3, 0x2, load_port_replay_masks,
	  .text = "replays seen at the load port" },
	{ "store_port_replay", 0x05, 2, P4_FLAME, 3, 0x2, store_port_replay_masks,
	  .text = "replays seen at the store port" },
	{ "MOB_load_replay", 0x03, 2, P4_BPU, 3, 0x0, mob_load_replay_masks,
	  .text = "loads replayed by the memory order buffer" },
	{ "page_walk_type", 0x01, 4, P4_BPU, 3, 0x0, page_walk_type_masks,
	  .text = "page walks of the page miss handler" },
	{ "BSQ_cache_reference", 0x0c, 7, P4_BPU, 3, 0x0, bsq_cache_reference_masks,
	  .text = "references to the second and third level, as the bus unit sees them" },
	{ "IOQ_allocation", 0x03, 6, P4_BPU, 3, 0x0, ioq_masks,
	  .text = "bus transactions that enter the in-order queue; use :edge",
	  .second_since = 0x0f27 },
	{ "IOQ_active_entries", 0x1a, 6, P4_BPU, 2, 0x0, ioq_masks,
	  .text = "entries of the in-order queue, summed over cycles" },
	{ "FSB_data_activity", 0x17, 6, P4_BPU, 3, 0x0, fsb_data_activity_masks,
	  .text = "cycles of the bus signals DRDY and DBSY; use :edge for transactions" },
	{ "BSQ_allocation", 0x05, 7, P4_BPU, 1, 0x0, bsq_masks,
	  .text = "allocations in the bus sequence unit; use :edge" },
	{ "BSQ_active_entries", 0x06, 7, P4_BPU, 2, 0x0, bsq_masks,
	  .text = "entries of the bus sequence unit, summed over cycles" },
	{ "SSE_input_assist", 0x34, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "microcode assists for inputs of SSE operations" },
	{ "packed_SP_uop", 0x08, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "packed single precision uops executed", .tags = true },
	{ "packed_DP_uop", 0x0c, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "packed double precision uops executed", .tags = true },
	{ "scalar_SP_uop", 0x0a, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "scalar single precision uops executed", .tags = true },
	{ "scalar_DP_uop", 0x0e, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "scalar double precision uops executed", .tags = true },
	{ "64bit_MMX_uop", 0x02, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "uops of 64-bit SIMD integers executed", .tags = true },
	{ "128bit_MMX_uop", 0x1a, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "uops of 128-bit SIMD integers executed", .tags = true },
	{ "x87_FP_uop", 0x04, 1, P4_FLAME, 3, 0x8000, all_masks,
	  .text = "x87 floating point uops executed", .tags = true },
	{ "TC_misc", 0x06, 1, P4_MS, 3, 0x10, tc_misc_masks,
	  .text = "flushes of the trace cache; each counts twice" },
	{ "global_power_events", 0x13, 6, P4_BPU, 3, 0x1, global_power_events_masks,
	  .text = "cycles in which the processor is not stopped" },
	{ "tc_ms_xfer", 0x05, 0, P4_MS, 3, 0x1, tc_ms_xfer_masks,
	  .text = "changes of uop delivery from trace cache to microcode ROM" },
	{ "uop_queue_writes", 0x09, 0, P4_MS, 3, 0x0, uop_queue_writes_masks,
	  .text = "uops written to the uop queue" },
	{ "retired_mispred_branch_type", 0x05, 2, P4_MS, 3, 0x0, branch_types_masks,
	  .text = "mispredicted branches retired, by kind" },
	{ "retired_branch_type", 0x04, 2, P4_MS, 3, 0x0, branch_types_masks,
	  .text = "branches retired, by kind" },
	{ "resource_stall", 0x01, 1, P4_IQ, 3, 0x20, resource_stall_masks,
	  .text = "stalls of the allocator" },
	{ "WC_Buffer", 0x05, 5, P4_FLAME, 3, 0x0, wc_buffer_masks,
	  .text = "evictions of write combining buffers" },
	/* The table of events has CCCR select 3 for these four, which is not the FSB's. */
	{ "b2b_cycles", 0x16, 6, P4_BPU, 3, 0x0, b2b_cycles_masks,
	  .text = "bus cycles back to back" },
	{ "bnr", 0x08, 6, P4_BPU, 3, 0x0, bnr_masks, .text = "bus not ready" },
	{ "snoop", 0x06, 6, P4_BPU, 3, 0x0, snoop_masks, .text = "snoops that hit modified lines" },
	{ "response", 0x04, 6, P4_BPU, 3, 0x0, response_masks, .text = "responses on the bus" },
	{ "front_end_event", 0x08, 5, P4_IQ, 3, 0x1, bogus_masks,
	  .text = "retired uops that the front end tagged (:tag=TAGLOADS, :tag=TAGSTORES)",
	  .tagged = P4_FRONT },
	{ "execution_event", 0x0c, 5, P4_IQ, 3, 0x0, execution_event_masks,
	  .text = "retired uops that execution tagged (:tag=packed_SP_uop...)",
	  .tagged = P4_EXECUTION },
	{ "replay_event", 0x09, 5, P4_IQ, 3, 0x1, bogus_masks,
	  .text = "retired uops that were tagged at a replay (L1_LD_MISS...)",
	  .tagged = P4_REPLAY },
	{ "instr_retired", 0x02, 4, P4_IQ, 3, 0x3, instr_retired_masks,
	  .text = "instructions retired" },
	{ "uops_retired", 0x01, 4, P4_IQ, 3, 0x1, bogus_masks, .text = "uops retired" },
	{ "uops_type", 0x02, 2, P4_IQ, 3, 0x0, uops_type_masks,
	  .text = "loads and stores tagged for front_end_event; counts nothing itself",
	  .alias = "uop_type" },
	{ "branch_retired", 0x06, 5, P4_IQ, 3, 0xf, branch_retired_masks,
	  .text = "branches retired: taken or not, predicted or not" },
	{ "mispred_branch_retired", 0x03, 4, P4_IQ, 3, 0x1, mispred_branch_retired_masks,
	  .text = "mispredicted branches retired" },
	{ "x87_assist", 0x03, 5, P4_IQ, 3, 0x0, x87_assist_masks,
	  .text = "x87 assists at retirement" },
	{ "machine_clear", 0x02, 5, P4_IQ, 3, 0x1, machine_clear_masks,
	  .text = "clears of the whole pipeline; use :edge for their number" },
	{ "instr_completed", 0x07, 4, P4_IQ, 3, 0x1, bogus_masks,
	  .text = "instructions completed and retired", .first_model = 3 },
	{ "x87_SIMD_moves_uop", 0x2e, 1, P4_FLAME, 3, 0x18, x87_simd_moves_uop_masks,
	  .text = "x87, MMX and SSE load, store and move uops", .tags = true },
};

const size_t p4_events_count = ARRAY_SIZE(p4_events);
