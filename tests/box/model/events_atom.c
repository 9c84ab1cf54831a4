// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event codes of small cores: Goldmont Plus, Tremont (Elkhart Lake), Gracemont (Alder Lake)
 * Crestmont (Sierra Forest), Skymont (Arrow and Lunar Lake) and Darkmont (Panther Lake), from
 * Intel's lists.  From Gracemont on they have a pipeline where the host tells code, and events
 * of it then.
 */
#include "events.h"

/* What they have in common. */
#define ATOM_MEMORY								\
	{ 0x81d0, ANY_COUNTER, EV_LOADS },	/* MEM_UOPS_RETIRED.ALL_LOADS */ \
	{ 0x82d0, ANY_COUNTER, EV_STORES },	/* .ALL_STORES */		\
	{ 0x83d0, ANY_COUNTER, EV_ACCESSES },	/* .ALL */			\
	{ 0x01d1, ANY_COUNTER, EV_L1D_HITS },	/* MEM_LOAD_UOPS_RETIRED.L1_HIT */ \
	{ 0x02d1, ANY_COUNTER, EV_L2_HITS },	/* .L2_HIT */			\
	{ 0x0280, ANY_COUNTER, EV_L1I_MISSES },	/* ICACHE.MISSES */		\
	{ 0x01b7, ANY_COUNTER, EV_OFFCORE_0 },	/* OCR */			\
	{ 0x02b7, ANY_COUNTER, EV_OFFCORE_1 }

/* And up to Skymont. */
#define ATOM_EVENTS								\
	ATOM_MEMORY,								\
	{ 0x7ec4, ANY_COUNTER, EV_CONDITIONAL }, /* BR_INST_RETIRED.JCC, .COND */ \
	{ 0xfec4, ANY_COUNTER, EV_CONDITIONAL_TAKEN }, /* .TAKEN_JCC, .COND_TAKEN */ \
	{ 0xf9c4, ANY_COUNTER, EV_CALLS },	/* .CALL, .NEAR_CALL */		\
	{ 0xf7c4, ANY_COUNTER, EV_RETURNS },	/* .RETURN, .NEAR_RETURN */	\
	{ 0xebc4, ANY_COUNTER, EV_INDIRECT }	/* .NON_RETURN_IND, .INDIRECT */

/* Of taken branches Tremont's list has none. */
#define ALL_TAKEN_EVENTS { 0x80c4, ANY_COUNTER, EV_TAKEN }	/* .ALL_TAKEN_BRANCHES, .TAKEN */
#define TAKEN_EVENTS								\
	ALL_TAKEN_EVENTS,							\
	{ 0xc0c4, ANY_COUNTER, EV_TAKEN }	/* .NEAR_TAKEN */

/* Of translations, from Tremont on. */
#define WALK_EVENTS								\
	{ 0x0e08, ANY_COUNTER, EV_DTLB_LOAD_MISSES }, /* DTLB_LOAD_MISSES.WALK_COMPLETED */ \
	{ 0x0e49, ANY_COUNTER, EV_DTLB_STORE_MISSES }, /* DTLB_STORE_MISSES.WALK_COMPLETED */ \
	{ 0x0e85, ANY_COUNTER, EV_ITLB_MISSES }	/* ITLB_MISSES.WALK_COMPLETED */

/* Of loads behind the first level, up to Gracemont. */
#define GOLDMONT_LOADS								\
	{ 0x08d1, ANY_COUNTER, EV_L1D_MISSES },	/* MEM_LOAD_UOPS_RETIRED.L1_MISS */ \
	{ 0x10d1, ANY_COUNTER, EV_L2_MISSES },	/* .L2_MISS */			\
	{ 0x80d1, ANY_COUNTER, EV_LLC_LOAD_MISSES }	/* .DRAM_HIT */
#define TREMONT_LOADS								\
	GOLDMONT_LOADS,								\
	{ 0x04d1, ANY_COUNTER, EV_L3_HITS }	/* .L3_HIT */

#define LATENCY_EVENTS								\
	{ 0x05d0, PMC0_1, EV_SLOW_LOADS },	/* MEM_UOPS_RETIRED.LOAD_LATENCY_* */ \
	{ 0x06d0, ANY_COUNTER, EV_STORES }	/* .STORE_LATENCY */

static const struct event_code goldmont_events[] = {
	ATOM_EVENTS,
	ALL_TAKEN_EVENTS,
	GOLDMONT_LOADS,
	{ 0x11d0, ANY_COUNTER, EV_DTLB_LOAD_MISSES },	/* MEM_UOPS_RETIRED.DTLB_MISS_LOADS */
	{ 0x12d0, ANY_COUNTER, EV_DTLB_STORE_MISSES },	/* .DTLB_MISS_STORES */
	/* DTLB_LOAD_MISSES and DTLB_STORE_MISSES.WALK_COMPLETED_*, of all sizes. */
	{ 0x0e08, ANY_COUNTER, EV_DTLB_LOAD_MISSES },
	{ 0x0e49, ANY_COUNTER, EV_DTLB_STORE_MISSES },
	{ 0x0481, ANY_COUNTER, EV_ITLB_MISSES },	/* ITLB.MISS */
};
static const struct event_code tremont_events[] = { ATOM_EVENTS, WALK_EVENTS, TREMONT_LOADS };
static const struct event_code gracemont_events[] = {
	ATOM_EVENTS, TAKEN_EVENTS, WALK_EVENTS, TREMONT_LOADS, LATENCY_EVENTS,
};
#define CRESTMONT_LOADS								\
	{ 0x40d1, ANY_COUNTER, EV_L1D_MISSES },	/* MEM_LOAD_UOPS_RETIRED.L1_MISS */ \
	{ 0x80d1, ANY_COUNTER, EV_L2_MISSES }	/* .L2_MISS */
#define L3_HIT_EVENT { 0x1cd1, ANY_COUNTER, EV_L3_HITS }	/* .L3_HIT */
/* L2_LINES_IN.*, in whatever state */
#define LINES_EVENT { 0x1e25, ANY_COUNTER, EV_L2_FILLS }
#define CRESTMONT_EVENTS							\
	ATOM_EVENTS, TAKEN_EVENTS, WALK_EVENTS, LATENCY_EVENTS, CRESTMONT_LOADS, L3_HIT_EVENT, \
	LINES_EVENT
/* MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM */
#define L3_MISS_EVENT { 0x01d3, ANY_COUNTER, EV_LLC_LOAD_MISSES }

/* What misses the last level has a code in servers that clients' lists do not have. */
#define CLIENT_EVENTS								\
	CRESTMONT_EVENTS,							\
	{ 0x02d4, ANY_COUNTER, EV_LLC_LOAD_MISSES }	/* ..._MISC_RETIRED.LOCAL_DRAM */

static const struct event_code crestmont_events[] = {
	CRESTMONT_EVENTS,
	{ 0xffd3, ANY_COUNTER, EV_LLC_LOAD_MISSES },	/* MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL */
	L3_MISS_EVENT,
};
#define NOT_TAKEN_EVENT { 0x7fc4, ANY_COUNTER, EV_NOT_TAKEN }	/* BR_INST_RETIRED.COND_NTAKEN */
#define LBR_EVENT { 0x01e4, ANY_COUNTER, EV_LBR_INSERTS }	/* MISC_RETIRED.LBR_INSERTS */
#define NO_SNOOP_EVENT { 0x04d1, ANY_COUNTER, EV_L3_HITS }	/* .L3_HIT_NO_SNOOP */
static const struct event_code crestmont_client_events[] = { CLIENT_EVENTS };
static const struct event_code skymont_events[] = {
	CLIENT_EVENTS,
	NOT_TAKEN_EVENT,
	NO_SNOOP_EVENT,
	LBR_EVENT,
};
/* In Lunar Lake small cores have no third level; here they have, and no event of its hits. */
static const struct event_code skymont_alone_events[] = {
	ATOM_EVENTS, TAKEN_EVENTS, WALK_EVENTS, LATENCY_EVENTS, CRESTMONT_LOADS, NOT_TAKEN_EVENT,
	L3_MISS_EVENT, LBR_EVENT, LINES_EVENT,
};
/* Branches have the codes of the big cores beside them. */
static const struct event_code darkmont_events[] = {
	ATOM_MEMORY,
	WALK_EVENTS,
	CRESTMONT_LOADS,
	L3_HIT_EVENT,
	NO_SNOOP_EVENT,
	L3_MISS_EVENT,
	LBR_EVENT,
	{ 0xffd3, ANY_COUNTER, EV_LLC_LOAD_MISSES },	/* MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL */
	{ 0x05d0, ANY_COUNTER, EV_SLOW_LOADS },	/* MEM_UOPS_RETIRED.LOAD_LATENCY_* */
	{ 0x06d0, ANY_COUNTER, EV_STORES },	/* .STORE_LATENCY */
	COUGARCOVE_BRANCHES,
};

/*
 * Of a pipeline.  Nothing switches between sources here or decodes in vain, so that PREDECODE
 * and OTHER (bits 2 and 7) have nothing; nor is there a fast nuke, a limit of what is allocated
 * at once or too few registers.
 */
#define PIPED_PARTS								\
	{ { 0x0071, ANY_COUNTER, SIG(NOT_DELIVERED) }, {	/* TOPDOWN_FE_BOUND */	\
		EV_SLOT_MS,		/* CISC */				\
		EV_SLOT_UNKNOWN_BRANCH,	/* BRANCH_DETECT */			\
		EV_NONE,							\
		EV_SLOT_MITE,		/* DECODE */				\
		EV_SLOT_ITLB,							\
		EV_SLOT_ICACHE,							\
		EV_SLOT_RESTEER,	/* BRANCH_RESTEER */			\
		EV_NONE,							\
	} }, { { 0x0073, ANY_COUNTER, SIG(METRIC_BAD_SPECULATION) }, {		\
		/* TOPDOWN_BAD_SPECULATION */					\
		SIG(CLEAR_SLOTS),	/* NUKE */				\
		EV_NONE,							\
		SIG(METRIC_MISPREDICTS),	/* MISPREDICT */		\
		EV_NONE, EV_NONE, EV_NONE, EV_NONE, EV_NONE,			\
	} }, { { 0x0074, ANY_COUNTER, SIG(BACK_END_SLOTS) }, {	/* TOPDOWN_BE_BOUND */ \
		EV_NONE,							\
		SIG(MEM_SCHEDULER_SLOTS),					\
		EV_NONE,							\
		SIG(OTHER_SCHEDULER_SLOTS),	/* NON_MEM_SCHEDULER */		\
		SIG(SERIALIZING_SLOTS),						\
		EV_NONE,							\
		SIG(ROB_SLOTS),		/* REORDER_BUFFER */			\
		EV_NONE,							\
	} }

/* MEM_BOUND_STALLS.LOAD_*: by who has the line. */
static const struct event_parts gracemont_parts[] = {
	PIPED_PARTS,
	{ { 0x0034, ANY_COUNTER, SIG(MISS_STALLS) }, {
		SIG(MISS_STALLS_L2), SIG(MISS_STALLS_L3), SIG(MISS_STALLS_DRAM),
		EV_NONE, EV_NONE, EV_NONE, EV_NONE, EV_NONE,
	} },
};

/* MEM_BOUND_STALLS_LOAD.*: hits of the third level need no snoop here, memory is the socket's. */
static const struct event_parts crestmont_parts[] = {
	PIPED_PARTS,
	{ { 0x0034, ANY_COUNTER, SIG(MISS_STALLS) }, {
		SIG(MISS_STALLS_L2), SIG(MISS_STALLS_L3), EV_NONE, EV_NONE,
		SIG(MISS_STALLS_DRAM), EV_NONE, EV_NONE, EV_NONE,
	} },
};

#define PIPED_EVENTS_MS(ms)							\
	{ 0x00c2, ANY_COUNTER, SIG(UOPS_RETIRED) },	/* UOPS_RETIRED.ALL */	\
	{ (ms), ANY_COUNTER, SIG(UOPS_MS) },	/* .MS */			\
	{ 0x0e08, ANY_COUNTER, SIG(DTLB_LOAD_WALKS) },				\
	{ 0x0e49, ANY_COUNTER, SIG(DTLB_STORE_WALKS) },				\
	{ 0x0e85, ANY_COUNTER, SIG(ITLB_WALKS) },				\
	{ 0x0280, ANY_COUNTER, SIG(ICACHE_MISSES) },				\
	{ 0x0403, ANY_COUNTER, SIG(ALIASED_LOADS) }, /* LD_BLOCKS.ADDRESS_ALIAS */ \
	{ 0x21d0, ANY_COUNTER, SIG(LOCK_LOADS) }, /* MEM_UOPS_RETIRED.LOCK_LOADS */ \
	{ 0x41d0, ANY_COUNTER, SIG(SPLIT_LOADS) },	/* .SPLIT_LOADS */	\
	{ 0x42d0, ANY_COUNTER, SIG(SPLIT_STORES) },	/* .SPLIT_STORES */	\
	{ 0x02cd, ANY_COUNTER, SIG(FP_DIVIDER_CYCLES) }, /* ARITH.FPDIV_OCCUPANCY */ \
	{ 0x03cd, ANY_COUNTER, SIG(DIVIDER_CYCLES) }, /* .DIV_OCCUPANCY, .DIV_ACTIVE */ \
	{ 0x0ccd, ANY_COUNTER, SIG(DIVIDER_UOPS) },	/* .DIV_UOPS */		\
	{ 0x01e6, ANY_COUNTER, SIG(BACLEARS) }	/* BACLEARS.ANY */

#define PIPED_EVENTS PIPED_EVENTS_MS(0x01c2)

/* From Crestmont on. */
#define PIPED_CODE_WALK_EVENTS							\
	{ 0x2008, ANY_COUNTER, SIG(DTLB_LOAD_STLB_HITS) }, /* DTLB_LOAD_MISSES.STLB_HIT */ \
	{ 0x2049, ANY_COUNTER, SIG(DTLB_STORE_STLB_HITS) },			\
	{ 0x2085, ANY_COUNTER, SIG(ITLB_STLB_HITS) },				\
	{ 0x1085, ANY_COUNTER, SIG(ITLB_WALK_CYCLES) },	/* ITLB_MISSES.WALK_PENDING */ \
	{ 0x0203, ANY_COUNTER, SIG(BLOCKED_LOADS) },	/* LD_BLOCKS.STORE_FORWARD */ \
	{ 0x00c3, ANY_COUNTER, SIG(MACHINE_CLEARS) }	/* MACHINE_CLEARS.ANY */
/* And not on Darkmont. */
#define PIPED_WALK_EVENTS							\
	PIPED_CODE_WALK_EVENTS,							\
	{ 0x1008, ANY_COUNTER, SIG(DTLB_LOAD_WALK_CYCLES) }, /* .WALK_PENDING */ \
	{ 0x1049, ANY_COUNTER, SIG(DTLB_STORE_WALK_CYCLES) }

/* On Gracemont UOPS_RETIRED.ALL is TOPDOWN_RETIRING as well. */
static const struct event_code gracemont_piped[] = {
	PIPED_EVENTS,
	{ 0x6fc3, ANY_COUNTER, SIG(MACHINE_CLEARS) },	/* MACHINE_CLEARS.SLOW */
};
static const struct event_code crestmont_piped[] = {
	PIPED_EVENTS,
	PIPED_WALK_EVENTS,
	{ 0x0072, ANY_COUNTER, SIG(UOPS_RETIRED) },	/* TOPDOWN_RETIRING.ALL */
};

/* Top-Down's classes have a code as well that is as on big cores. */
#define TOPDOWN_EVENTS								\
	{ 0x02c2, ANY_COUNTER, SIG(UOPS_RETIRED) },	/* TOPDOWN_RETIRING.ALL_P */ \
	{ 0x019c, ANY_COUNTER, SIG(NOT_DELIVERED) },	/* TOPDOWN_FE_BOUND.ALL_P */ \
	{ 0x02a4, ANY_COUNTER, SIG(BACK_END_SLOTS) }	/* TOPDOWN_BE_BOUND.ALL_P */
static const struct event_code skymont_piped[] = {
	PIPED_EVENTS,
	PIPED_WALK_EVENTS,
	TOPDOWN_EVENTS,
	{ 0x0072, ANY_COUNTER, SIG(UOPS_RETIRED) },	/* TOPDOWN_RETIRING.ALL_NON_ARCH */
};
static const struct event_code darkmont_piped[] = {
	PIPED_EVENTS_MS(0x04c2),
	PIPED_CODE_WALK_EVENTS,
	TOPDOWN_EVENTS,
};

const struct event_list pmu_events_goldmont = EVENT_LIST(goldmont_events);
const struct event_list pmu_events_tremont = EVENT_LIST(tremont_events);
const struct event_list pmu_events_gracemont = EVENT_LIST(gracemont_events);
const struct event_list pmu_events_crestmont = EVENT_LIST(crestmont_events);
const struct event_list pmu_events_crestmont_client = EVENT_LIST(crestmont_client_events);
const struct event_list pmu_events_skymont = EVENT_LIST(skymont_events);
const struct event_list pmu_events_skymont_alone = EVENT_LIST(skymont_alone_events);
const struct event_list pmu_events_darkmont = EVENT_LIST(darkmont_events);

#define PIPED_LIST(table, units, rest) {					\
	.codes = (table), .nr = ARRAY_SIZE(table),				\
	.parts = (units), .nr_parts = ARRAY_SIZE(units),			\
	.others = (rest),							\
}
const struct event_list pmu_events_gracemont_piped =
	PIPED_LIST(gracemont_piped, gracemont_parts, &pmu_events_gracemont);
const struct event_list pmu_events_crestmont_piped =
	PIPED_LIST(crestmont_piped, crestmont_parts, &pmu_events_crestmont);
const struct event_list pmu_events_crestmont_client_piped =
	PIPED_LIST(crestmont_piped, crestmont_parts, &pmu_events_crestmont_client);
const struct event_list pmu_events_skymont_piped =
	PIPED_LIST(skymont_piped, crestmont_parts, &pmu_events_skymont);
const struct event_list pmu_events_skymont_alone_piped =
	PIPED_LIST(skymont_piped, crestmont_parts, &pmu_events_skymont_alone);
const struct event_list pmu_events_darkmont_piped =
	PIPED_LIST(darkmont_piped, crestmont_parts, &pmu_events_darkmont);
