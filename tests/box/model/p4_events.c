// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4's events as far as the model makes them, from the manual's tables of
 * them: the route that leads to their ESCRs, their code, and what each bit of the
 * mask counts.  What is not here counts nothing.
 */
#include <stddef.h>

#include "p4.h"

#define TI true
#define TS false

#define MASK(bit, event) { bit, event, EV_NONE }
#define MASKS(table) ARRAY_SIZE(table), table

static const struct p4_mask tc_deliver_mode[] = {
	MASK(0, EV_P4_TC_DD), MASK(1, EV_P4_TC_DB), MASK(2, EV_P4_TC_DI), MASK(3, EV_P4_TC_BD),
	MASK(4, EV_P4_TC_BB), MASK(5, EV_P4_TC_BI), MASK(6, EV_P4_TC_ID), MASK(7, EV_P4_TC_IB),
};

static const struct p4_mask bpu_fetch_request[] = { MASK(0, EV_P4_TC_MISSES) };

static const struct p4_mask itlb_reference[] = {
	MASK(0, EV_P4_ITLB_HITS), MASK(1, EV_P4_ITLB_MISSES),
};

static const struct p4_mask memory_cancel[] = { MASK(3, EV_P4_ALIAS_64K) };

static const struct p4_mask memory_complete[] = {
	MASK(0, EV_P4_SPLIT_LOADS), MASK(1, EV_P4_SPLIT_STORES),
};

static const struct p4_mask load_port_replay[] = { MASK(1, EV_P4_SPLIT_LOADS) };
static const struct p4_mask store_port_replay[] = { MASK(1, EV_P4_SPLIT_STORES) };

static const struct p4_mask mob_load_replay[] = {
	MASK(1, EV_P4_MOB_NO_STA), MASK(3, EV_P4_MOB_NO_STD),
	MASK(4, EV_P4_MOB_PARTIAL), MASK(5, EV_P4_MOB_UNALIGNED),
};

static const struct p4_mask page_walk_type[] = {
	MASK(0, EV_P4_WALKS_DATA), MASK(1, EV_P4_WALKS_CODE),
};

/* There is no third level, and its bits count nothing. */
static const struct p4_mask bsq_cache_reference[] = {
	MASK(0, EV_P4_L2_READ_HIT_S), MASK(1, EV_P4_L2_READ_HIT_E), MASK(2, EV_P4_L2_READ_HIT_M),
	MASK(8, EV_P4_L2_READ_MISS), MASK(10, EV_P4_L2_WRITE_MISS),
};

/* Under the condition that the mask's other fields allow it: p4_event_sum(). */
static const struct p4_mask ioq_allocation[] = {
	MASK(5, EV_P4_BUS_READS), MASK(6, EV_P4_BUS_WRITES),
};

#define UOPS(name, event) static const struct p4_mask name[] = { MASK(15, event) }

UOPS(packed_sp_uop, EV_P4_PACKED_SP);
UOPS(packed_dp_uop, EV_P4_PACKED_DP);
UOPS(scalar_sp_uop, EV_P4_SCALAR_SP);
UOPS(scalar_dp_uop, EV_P4_SCALAR_DP);
UOPS(mmx_64bit_uop, EV_P4_MMX_64);
UOPS(mmx_128bit_uop, EV_P4_MMX_128);
UOPS(x87_fp_uop, EV_P4_X87);

static const struct p4_mask x87_simd_moves_uop[] = {
	MASK(3, EV_P4_SIMD_MOVES), MASK(4, EV_P4_SIMD_LOADS),
};

static const struct p4_mask tc_misc[] = { MASK(4, EV_P4_TC_FLUSHES) };
static const struct p4_mask global_power_events[] = { MASK(0, EV_CYCLES) };
static const struct p4_mask tc_ms_xfer[] = { MASK(0, EV_P4_ROM_ENTRIES) };

static const struct p4_mask uop_queue_writes[] = {
	MASK(0, EV_P4_UOPS_BUILD), MASK(1, EV_P4_UOPS_DELIVER), MASK(2, EV_P4_UOPS_ROM),
};

/* The indirect ones are returns, calls and jumps: they overlap with the others. */
static const struct p4_mask retired_branch_type[] = {
	MASK(1, EV_P4_JCC), MASK(2, EV_P4_CALL), MASK(2, EV_P4_CALL_INDIRECT), MASK(3, EV_P4_RET),
	MASK(4, EV_P4_RET), MASK(4, EV_P4_CALL_INDIRECT), MASK(4, EV_P4_JMP_INDIRECT),
};

static const struct p4_mask retired_mispred_branch_type[] = {
	MASK(1, EV_P4_MISSED_JCC), MASK(2, EV_P4_MISSED_CALL), MASK(2, EV_P4_MISSED_CALL_INDIRECT),
	MASK(3, EV_P4_MISSED_RET), MASK(4, EV_P4_MISSED_RET),
	MASK(4, EV_P4_MISSED_CALL_INDIRECT), MASK(4, EV_P4_MISSED_JMP_INDIRECT),
};

static const struct p4_mask resource_stall[] = { MASK(5, EV_P4_STORE_STALLS) };

static const struct p4_mask instr_retired[] = {
	{ 0, EV_INSTRUCTIONS, EV_P4_TAGGED }, MASK(1, EV_P4_TAGGED),
	{ 2, EV_P4_BOGUS_INSTRUCTIONS, EV_P4_BOGUS_TAGGED }, MASK(3, EV_P4_BOGUS_TAGGED),
};

static const struct p4_mask uops_retired[] = {
	MASK(0, EV_P4_UOPS), MASK(1, EV_P4_BOGUS_UOPS),
};

static const struct p4_mask branch_retired[] = {
	MASK(0, EV_PREDICTED_NOT_TAKEN), MASK(1, EV_MISSED_NOT_TAKEN),
	MASK(2, EV_PREDICTED_TAKEN), MASK(3, EV_MISSED_TAKEN),
};

static const struct p4_mask mispred_branch_retired[] = { MASK(0, EV_BRANCH_MISSES) };

/* Bits 0, 2 and 6, as the manual has them; Linux knows 0, 1 and 2. */
static const struct p4_mask machine_clear[] = {
	MASK(0, EV_P4_CLEAR_CYCLES), MASK(2, EV_P4_CLEARS_MEMORY), MASK(6, EV_P4_CLEARS_CODE),
};

static const struct p4_mask instr_completed[] = {
	MASK(0, EV_INSTRUCTIONS), MASK(1, EV_P4_BOGUS_INSTRUCTIONS),
};

#define IOQ_CODE 0x03

static const struct p4_event events[] = {
	{ P4_MS, 1, 0x01, P4_PLAIN, TI, 0, MASKS(tc_deliver_mode) },
	{ P4_BPU, 0, 0x03, P4_PLAIN, TS, 0, MASKS(bpu_fetch_request) },
	{ P4_BPU, 3, 0x18, P4_PLAIN, TS, 0, MASKS(itlb_reference) },
	{ P4_FLAME, 5, 0x02, P4_PLAIN, TS, 0, MASKS(memory_cancel) },
	{ P4_FLAME, 2, 0x08, P4_PLAIN, TS, 0, MASKS(memory_complete) },
	{ P4_FLAME, 2, 0x04, P4_LOADS_REPLAYED, TS, 0, MASKS(load_port_replay) },
	{ P4_FLAME, 2, 0x05, P4_STORES_REPLAYED, TS, 0, MASKS(store_port_replay) },
	{ P4_BPU, 2, 0x03, P4_MOB_REPLAYS, TS, 0, MASKS(mob_load_replay) },
	{ P4_BPU, 4, 0x01, P4_PLAIN, TI, 0, MASKS(page_walk_type) },
	{ P4_BPU, 7, 0x0c, P4_PLAIN, TS, 0, MASKS(bsq_cache_reference) },
	{ P4_BPU, 6, IOQ_CODE, P4_BUS, TS, 0, MASKS(ioq_allocation) },
	{ P4_FLAME, 1, 0x08, P4_TAGS_UOPS, TI, 0, MASKS(packed_sp_uop) },
	{ P4_FLAME, 1, 0x0c, P4_TAGS_UOPS, TI, 0, MASKS(packed_dp_uop) },
	{ P4_FLAME, 1, 0x0a, P4_TAGS_UOPS, TI, 0, MASKS(scalar_sp_uop) },
	{ P4_FLAME, 1, 0x0e, P4_TAGS_UOPS, TI, 0, MASKS(scalar_dp_uop) },
	{ P4_FLAME, 1, 0x02, P4_TAGS_UOPS, TI, 0, MASKS(mmx_64bit_uop) },
	{ P4_FLAME, 1, 0x1a, P4_TAGS_UOPS, TI, 0, MASKS(mmx_128bit_uop) },
	{ P4_FLAME, 1, 0x04, P4_TAGS_UOPS, TI, 0, MASKS(x87_fp_uop) },
	{ P4_FLAME, 1, 0x2e, P4_TAGS_UOPS, TI, 0, MASKS(x87_simd_moves_uop) },
	{ P4_MS, 1, 0x06, P4_PLAIN, TS, 0, MASKS(tc_misc) },
	{ P4_BPU, 6, 0x13, P4_PLAIN, TS, 0, MASKS(global_power_events) },
	{ P4_MS, 0, 0x05, P4_PLAIN, TS, 0, MASKS(tc_ms_xfer) },
	{ P4_MS, 0, 0x09, P4_PLAIN, TS, 0, MASKS(uop_queue_writes) },
	{ P4_MS, 2, 0x05, P4_PLAIN, TS, 0, MASKS(retired_mispred_branch_type) },
	{ P4_MS, 2, 0x04, P4_PLAIN, TS, 0, MASKS(retired_branch_type) },
	{ P4_IQ, 1, 0x01, P4_PLAIN, TS, 0, MASKS(resource_stall) },
	{ P4_IQ, 5, 0x08, P4_FRONT_END, TS, 0, 0, NULL },
	{ P4_IQ, 5, 0x0c, P4_EXECUTION, TS, 0, 0, NULL },
	{ P4_IQ, 5, 0x09, P4_REPLAY, TS, 0, 0, NULL },
	{ P4_IQ, 4, 0x02, P4_PLAIN, TS, 0, MASKS(instr_retired) },
	{ P4_IQ, 4, 0x01, P4_PLAIN, TS, 0, MASKS(uops_retired) },
	{ P4_IQ, 2, 0x02, P4_TAGS_LOADS_STORES, TS, 0, 0, NULL },
	{ P4_IQ, 5, 0x06, P4_PLAIN, TS, 0, MASKS(branch_retired) },
	{ P4_IQ, 4, 0x03, P4_PLAIN, TS, 0, MASKS(mispred_branch_retired) },
	{ P4_IQ, 5, 0x02, P4_PLAIN, TS, 0, MASKS(machine_clear) },
	{ P4_IQ, 4, 0x07, P4_PLAIN, TS, BIT(3) | BIT(4) | BIT(6), MASKS(instr_completed) },
};

/* NULL if the model does not make it. */
const struct p4_event *p4_event_find(const struct p4_model *model, const struct p4_route *route,
				     uint64_t code)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const struct p4_event *e = &events[i];

		if (e->group != route->group || e->select != route->select || e->code != code)
			continue;
		if (!e->models || (e->models & BIT(model->model)))
			return e;
	}
	return NULL;
}

#define BUS_TYPES 0x1f
#define BUS_WRITE_BACK BIT(11)
#define BUS_OWN BIT(13)

/*
 * From model 2 on: a type, and read or write, and a kind of memory, and an agent.
 * All that the model has on its bus is write-back memory and this processor.
 */
static bool bus_allows(uint64_t mask)
{
	return (mask & BUS_TYPES) && (mask & BUS_WRITE_BACK) && (mask & BUS_OWN);
}

/* What bits of the mask count; tagged events are p4_tags_sum()'s. */
void p4_event_sum(const struct p4_event *event, uint64_t mask, struct p4_sum *sum)
{
	if (event->kind == P4_BUS && !bus_allows(mask))
		return;
	for (const struct p4_mask *m = event->masks; m < event->masks + event->nr; m++) {
		if (!(mask & BIT(m->bit)))
			continue;
		set_add(&sum->more, m->event);
		set_add(&sum->less, m->less);
	}
	/* What is added and taken off. */
	for (int w = 0; w < SET_WORDS; w++) {
		uint64_t both = sum->more.word[w] & sum->less.word[w];

		sum->more.word[w] ^= both;
		sum->less.word[w] ^= both;
	}
}
