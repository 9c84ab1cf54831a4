// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every row of the model's tables of event codes, by itself: what the code counts is what
 * Intel's list says of its name (tests/figures/box-events.csv), and on which counters; the
 * rows that no list has are here.  There is no row besides.
 */
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "tests/unit/cmocka_all.h"

#define ROWS_MAX 256

static const struct {
	enum event event;
	const char *name;
} names[] = {
#define EV(name) { EV_##name, #name }
	EV(INSTRUCTIONS), EV(CYCLES), EV(BUS_CYCLES), EV(REF_CYCLES), EV(BRANCHES),
	EV(BRANCH_MISSES), EV(LOADS), EV(STORES), EV(L1D_MISSES), EV(CACHE_REFERENCES),
	EV(CACHE_MISSES), EV(SLOTS), EV(TAKEN), EV(NOT_TAKEN), EV(MISSED_TAKEN),
	EV(MISSED_NOT_TAKEN), EV(PREDICTED_TAKEN), EV(PREDICTED_NOT_TAKEN), EV(ACCESSES),
	EV(L1D_HITS), EV(L2_HITS), EV(L2_MISSES), EV(L3_HITS), EV(BEHIND_L1D), EV(LLC_LOADS),
	EV(LLC_LOAD_MISSES), EV(L1D_STORE_MISSES), EV(LLC_STORES), EV(LLC_STORE_MISSES),
	EV(L1D_FILLS), EV(L2_REFERENCES), EV(OFFCORE_0), EV(OFFCORE_1), EV(L2_FILLS),
	EV(SLOW_LOADS), EV(L2_STORE_HITS), EV(DTLB_LOAD_MISSES), EV(DTLB_STORE_MISSES),
	EV(ITLB_MISSES), EV(L1I_MISSES), EV(CONDITIONAL), EV(CONDITIONAL_TAKEN), EV(CALLS),
	EV(RETURNS), EV(INDIRECT), EV(RING0), EV(RING123), EV(RING0_ENTRIES), EV(DISTRIBUTED),
	EV(BUS_ALONE), EV(LBR_INSERTS), EV(FRONTEND), EV(FETCH_STALLS), EV(STALLS_LB_SB),
	EV(STALLS_MEM_RS),
	EV(PORTS_2_3), EV(LOAD_PORTS), EV(DATA_PORTS), EV(ADDRESS_PORTS), EV(PORTS_5_10),
	EV(BEHIND_MISS),
#undef EV
#define SIGNAL(name, text) { EV_SIG_##name, "SIG_" #name },
	PIPE_SIGNALS(SIGNAL)
#undef SIGNAL
};

static const char *name_of(enum event event)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].event == event)
			return names[i].name;
	return "?";
}

static const struct generation {
	const char *name, *profile;
	const struct event_list *list;
} generations[] = {
	{ "SNB", "sandybridge", &pmu_events_sandybridge },
	{ "IVB", "ivybridge", &pmu_events_ivybridge },
	{ "HSW", "haswell", &pmu_events_haswell },
	{ "SKL", "skylake", &pmu_events_skylake },
	{ "ICL", "icelake", &pmu_events_icelake },
	{ "SPR", "sapphirerapids", &pmu_events_sapphirerapids },
	{ "LNC", "arrowlake-h", &pmu_events_lioncove },
	{ "CGC", "pantherlake", &pmu_events_cougarcove },
};

struct row {
	uint32_t code;
	uint16_t counters;
	const char *what;
};

/* Of a model, as its documents and libpfm4 have them. */
static const struct row p6[] = {
	{ 0x0079, 0xff, "CYCLES" }, { 0x00c0, 0xff, "INSTRUCTIONS" },
	{ 0x00d0, 0xff, "INSTRUCTIONS" }, { 0x00c4, 0xff, "BRANCHES" },
	{ 0x00c5, 0xff, "BRANCH_MISSES" }, { 0x00c9, 0xff, "TAKEN" },
	{ 0x00ca, 0xff, "MISSED_TAKEN" }, { 0x00e0, 0xff, "BRANCHES" },
	{ 0x0043, 0xff, "ACCESSES" }, { 0x0045, 0xff, "L1D_FILLS" },
	{ 0x0024, 0xff, "L2_FILLS" }, { 0x0f29, 0xff, "L1D_MISSES" },
	{ 0x0e29, 0xff, "L2_HITS" }, { 0x0129, 0xff, "L2_MISSES" },
	{ 0x0f2a, 0xff, "L1D_STORE_MISSES" }, { 0x012a, 0xff, "LLC_STORE_MISSES" },
	{ 0x0f2e, 0xff, "L2_REFERENCES" }, { 0x012e, 0xff, "L2_FILLS" },
	{ 0x0081, 0xff, "L1I_MISSES" }, { 0x0085, 0xff, "ITLB_MISSES" },
};

static const struct row core2[] = {
	{ 0x01c0, 0xff, "LOADS" }, { 0x02c0, 0xff, "STORES" },
	{ 0x01c4, 0xff, "PREDICTED_NOT_TAKEN" }, { 0x02c4, 0xff, "MISSED_NOT_TAKEN" },
	{ 0x04c4, 0xff, "PREDICTED_TAKEN" }, { 0x08c4, 0xff, "MISSED_TAKEN" },
	{ 0x03c4, 0xff, "NOT_TAKEN" }, { 0x0cc4, 0xff, "TAKEN" },
	{ 0x0ac4, 0xff, "BRANCH_MISSES" }, { 0x0fc4, 0xff, "BRANCHES" },
	{ 0x01cb, 0x1, "L1D_MISSES" }, { 0x02cb, 0x1, "L1D_MISSES" },
	{ 0x04cb, 0x1, "L2_MISSES" }, { 0x08cb, 0x1, "L2_MISSES" }, { 0x0f40, 0xff, "LOADS" },
	{ 0x0140, 0xff, "L1D_MISSES" }, { 0x0f41, 0xff, "STORES" },
	{ 0x0141, 0xff, "L1D_STORE_MISSES" }, { 0x0143, 0xff, "ACCESSES" },
	{ 0x0243, 0xff, "ACCESSES" }, { 0x0f45, 0xff, "L1D_FILLS" },
	{ 0x7024, 0xff, "L2_FILLS" }, { 0x4f29, 0xff, "LLC_LOADS" },
	{ 0x4129, 0xff, "LLC_LOAD_MISSES" }, { 0x4f2a, 0xff, "LLC_STORES" },
	{ 0x412a, 0xff, "LLC_STORE_MISSES" }, { 0x0208, 0xff, "DTLB_LOAD_MISSES" },
	{ 0x0808, 0xff, "DTLB_STORE_MISSES" }, { 0x1282, 0xff, "ITLB_MISSES" },
	{ 0x0081, 0xff, "L1I_MISSES" },
};

static const struct row nehalem[] = {
	{ 0x100b, 0xf, "SLOW_LOADS" }, { 0x01c0, 0xff, "INSTRUCTIONS" },
	{ 0x04c4, 0xff, "BRANCHES" }, { 0x7f88, 0xff, "BRANCHES" },
	{ 0x7f89, 0xff, "BRANCH_MISSES" }, { 0x010b, 0xff, "LOADS" },
	{ 0x020b, 0xff, "STORES" }, { 0x01cb, 0xff, "L1D_HITS" }, { 0x02cb, 0xff, "L2_HITS" },
	{ 0x04cb, 0xff, "L3_HITS" }, { 0x10cb, 0xff, "LLC_LOAD_MISSES" },
	{ 0x5ecb, 0xff, "L1D_MISSES" }, { 0x0f40, 0x3, "LOADS" },
	{ 0x0140, 0x3, "L1D_MISSES" }, { 0x0143, 0x3, "ACCESSES" },
	{ 0x0243, 0x3, "ACCESSES" }, { 0x0151, 0x3, "L1D_FILLS" }, { 0x0124, 0xff, "L2_HITS" },
	{ 0x0224, 0xff, "L2_MISSES" }, { 0x0324, 0xff, "L1D_MISSES" },
	{ 0x0824, 0xff, "LLC_STORES" }, { 0x0c24, 0xff, "L1D_STORE_MISSES" },
	{ 0xaa24, 0xff, "L2_FILLS" }, { 0xff24, 0xff, "L2_REFERENCES" },
	{ 0x07f1, 0xff, "L2_FILLS" }, { 0x01b7, 0xff, "OFFCORE_0" },
	{ 0x0108, 0xff, "DTLB_LOAD_MISSES" }, { 0x0208, 0xff, "DTLB_LOAD_MISSES" },
	{ 0x010c, 0xff, "DTLB_STORE_MISSES" }, { 0x0185, 0xff, "ITLB_MISSES" },
	{ 0x0285, 0xff, "ITLB_MISSES" }, { 0x20c8, 0xff, "ITLB_MISSES" },
	{ 0x0280, 0xff, "L1I_MISSES" },
};

/* Goldmont Plus, and behind it other small cores: names of Intel's lists. */
static const struct row goldmont[] = {
	{ 0x01b7, 0xff, "OFFCORE_0" }, { 0x01d1, 0xff, "L1D_HITS" },
	{ 0x0280, 0xff, "L1I_MISSES" }, { 0x02b7, 0xff, "OFFCORE_1" },
	{ 0x02d1, 0xff, "L2_HITS" }, { 0x0481, 0xff, "ITLB_MISSES" },
	{ 0x08d1, 0xff, "L1D_MISSES" }, { 0x10d1, 0xff, "L2_MISSES" },
	{ 0x11d0, 0xff, "DTLB_LOAD_MISSES" }, { 0x12d0, 0xff, "DTLB_STORE_MISSES" },
	{ 0x7ec4, 0xff, "CONDITIONAL" }, { 0x80d1, 0xff, "LLC_LOAD_MISSES" },
	{ 0x81d0, 0xff, "LOADS" }, { 0x82d0, 0xff, "STORES" },
	{ 0x83d0, 0xff, "ACCESSES" }, { 0xebc4, 0xff, "INDIRECT" },
	{ 0xf7c4, 0xff, "RETURNS" }, { 0xf9c4, 0xff, "CALLS" },
	{ 0x80c4, 0xff, "TAKEN" }, { 0xfec4, 0xff, "CONDITIONAL_TAKEN" },
	/* Of each size of pages the list has one. */
	{ 0x0e08, 0xff, "DTLB_LOAD_MISSES" }, { 0x0e49, 0xff, "DTLB_STORE_MISSES" },
};

static const struct row tremont[] = {
	{ 0x01b7, 0xff, "OFFCORE_0" }, { 0x01d1, 0xff, "L1D_HITS" },
	{ 0x0280, 0xff, "L1I_MISSES" }, { 0x02b7, 0xff, "OFFCORE_1" },
	{ 0x02d1, 0xff, "L2_HITS" }, { 0x04d1, 0xff, "L3_HITS" },
	{ 0x08d1, 0xff, "L1D_MISSES" }, { 0x0e08, 0xff, "DTLB_LOAD_MISSES" },
	{ 0x0e49, 0xff, "DTLB_STORE_MISSES" }, { 0x0e85, 0xff, "ITLB_MISSES" },
	{ 0x10d1, 0xff, "L2_MISSES" }, { 0x7ec4, 0xff, "CONDITIONAL" },
	{ 0x80d1, 0xff, "LLC_LOAD_MISSES" }, { 0x81d0, 0xff, "LOADS" },
	{ 0x82d0, 0xff, "STORES" }, { 0x83d0, 0xff, "ACCESSES" },
	{ 0xebc4, 0xff, "INDIRECT" }, { 0xf7c4, 0xff, "RETURNS" },
	{ 0xf9c4, 0xff, "CALLS" }, { 0xfec4, 0xff, "CONDITIONAL_TAKEN" },
};

static const struct row gracemont[] = {
	{ 0x01b7, 0xff, "OFFCORE_0" }, { 0x01d1, 0xff, "L1D_HITS" },
	{ 0x0280, 0xff, "L1I_MISSES" }, { 0x02b7, 0xff, "OFFCORE_1" },
	{ 0x02d1, 0xff, "L2_HITS" }, { 0x04d1, 0xff, "L3_HITS" },
	{ 0x05d0, 0x3, "SLOW_LOADS" }, { 0x06d0, 0xff, "STORES" },
	{ 0x08d1, 0xff, "L1D_MISSES" }, { 0x0e08, 0xff, "DTLB_LOAD_MISSES" },
	{ 0x0e49, 0xff, "DTLB_STORE_MISSES" }, { 0x0e85, 0xff, "ITLB_MISSES" },
	{ 0x10d1, 0xff, "L2_MISSES" }, { 0x7ec4, 0xff, "CONDITIONAL" },
	{ 0x80d1, 0xff, "LLC_LOAD_MISSES" }, { 0x81d0, 0xff, "LOADS" },
	{ 0x82d0, 0xff, "STORES" }, { 0x83d0, 0xff, "ACCESSES" },
	{ 0xebc4, 0xff, "INDIRECT" }, { 0xf7c4, 0xff, "RETURNS" },
	{ 0xf9c4, 0xff, "CALLS" }, { 0xfec4, 0xff, "CONDITIONAL_TAKEN" },
	{ 0x80c4, 0xff, "TAKEN" }, { 0xc0c4, 0xff, "TAKEN" },
};

static const struct row crestmont[] = {
	{ 0x01b7, 0xff, "OFFCORE_0" }, { 0x01d1, 0xff, "L1D_HITS" },
	{ 0x01d3, 0xff, "LLC_LOAD_MISSES" }, { 0x0280, 0xff, "L1I_MISSES" },
	{ 0x02b7, 0xff, "OFFCORE_1" }, { 0x02d1, 0xff, "L2_HITS" },
	{ 0x05d0, 0x3, "SLOW_LOADS" }, { 0x06d0, 0xff, "STORES" },
	{ 0x0e08, 0xff, "DTLB_LOAD_MISSES" }, { 0x0e49, 0xff, "DTLB_STORE_MISSES" },
	{ 0x0e85, 0xff, "ITLB_MISSES" }, { 0x1cd1, 0xff, "L3_HITS" },
	{ 0x40d1, 0xff, "L1D_MISSES" }, { 0x7ec4, 0xff, "CONDITIONAL" },
	{ 0x80d1, 0xff, "L2_MISSES" }, { 0x81d0, 0xff, "LOADS" },
	{ 0x82d0, 0xff, "STORES" }, { 0x83d0, 0xff, "ACCESSES" },
	{ 0xebc4, 0xff, "INDIRECT" }, { 0xf7c4, 0xff, "RETURNS" },
	{ 0xf9c4, 0xff, "CALLS" }, { 0xfec4, 0xff, "CONDITIONAL_TAKEN" },
	{ 0x80c4, 0xff, "TAKEN" }, { 0xc0c4, 0xff, "TAKEN" },
	{ 0xffd3, 0xff, "LLC_LOAD_MISSES" }, { 0x1e25, 0xff, "L2_FILLS" },
};

/* In clients, Skymont and Darkmont: what misses the last level is elsewhere. */
#define MEMORY_ROWS								\
	{ 0x01b7, 0xff, "OFFCORE_0" }, { 0x01d1, 0xff, "L1D_HITS" },		\
	{ 0x0280, 0xff, "L1I_MISSES" },						\
	{ 0x02b7, 0xff, "OFFCORE_1" }, { 0x02d1, 0xff, "L2_HITS" },		\
	{ 0x06d0, 0xff, "STORES" },						\
	{ 0x0e08, 0xff, "DTLB_LOAD_MISSES" }, { 0x0e49, 0xff, "DTLB_STORE_MISSES" }, \
	{ 0x0e85, 0xff, "ITLB_MISSES" }, { 0x40d1, 0xff, "L1D_MISSES" },	\
	{ 0x80d1, 0xff, "L2_MISSES" }, { 0x81d0, 0xff, "LOADS" },		\
	{ 0x82d0, 0xff, "STORES" }, { 0x83d0, 0xff, "ACCESSES" }
#define BRANCH_ROWS								\
	{ 0x05d0, 0x3, "SLOW_LOADS" }, { 0x7ec4, 0xff, "CONDITIONAL" },		\
	{ 0xebc4, 0xff, "INDIRECT" }, { 0xf7c4, 0xff, "RETURNS" },		\
	{ 0xf9c4, 0xff, "CALLS" }, { 0xfec4, 0xff, "CONDITIONAL_TAKEN" },	\
	{ 0x80c4, 0xff, "TAKEN" }, { 0xc0c4, 0xff, "TAKEN" }

#define CLIENT_ROWS								\
	MEMORY_ROWS, BRANCH_ROWS,						\
	{ 0x1cd1, 0xff, "L3_HITS" }, { 0x02d4, 0xff, "LLC_LOAD_MISSES" },	\
	{ 0x1e25, 0xff, "L2_FILLS" }

static const struct row crestmont_client[] = { CLIENT_ROWS };
static const struct row skymont[] = {
	CLIENT_ROWS, { 0x04d1, 0xff, "L3_HITS" }, { 0x7fc4, 0xff, "NOT_TAKEN" },
	{ 0x01e4, 0xff, "LBR_INSERTS" },
};
static const struct row skymont_alone[] = {
	MEMORY_ROWS, BRANCH_ROWS, { 0x7fc4, 0xff, "NOT_TAKEN" }, { 0x01d3, 0xff, "LLC_LOAD_MISSES" },
	{ 0x01e4, 0xff, "LBR_INSERTS" }, { 0x1e25, 0xff, "L2_FILLS" },
};
static const struct row darkmont[] = {
	MEMORY_ROWS, { 0x05d0, 0xff, "SLOW_LOADS" }, { 0x01e4, 0xff, "LBR_INSERTS" },
	{ 0x1cd1, 0xff, "L3_HITS" }, { 0x04d1, 0xff, "L3_HITS" },
	{ 0x01d3, 0xff, "LLC_LOAD_MISSES" }, { 0xffd3, 0xff, "LLC_LOAD_MISSES" },
	{ 0x03c4, 0xff, "CONDITIONAL_TAKEN" }, { 0x04c4, 0xff, "NOT_TAKEN" },
	{ 0x07c4, 0xff, "CONDITIONAL" }, { 0x08c4, 0xff, "RETURNS" }, { 0x30c4, 0xff, "CALLS" },
	{ 0x50c4, 0xff, "INDIRECT" }, { 0xfbc4, 0xff, "TAKEN" },
};

/* Where they have a pipeline, before those. */
#define PIPED_ROWS								\
	{ 0x0403, 0xff, "SIG_ALIASED_LOADS" }, { 0x21d0, 0xff, "SIG_LOCK_LOADS" }, \
	{ 0x41d0, 0xff, "SIG_SPLIT_LOADS" }, { 0x42d0, 0xff, "SIG_SPLIT_STORES" }, \
	{ 0x02cd, 0xff, "SIG_FP_DIVIDER_CYCLES" }, { 0x03cd, 0xff, "SIG_DIVIDER_CYCLES" }, \
	{ 0x0ccd, 0xff, "SIG_DIVIDER_UOPS" }, { 0x01e6, 0xff, "SIG_BACLEARS" }
#define PIPED_CODE_WALK_ROWS							\
	{ 0x2008, 0xff, "SIG_DTLB_LOAD_STLB_HITS" },				\
	{ 0x2049, 0xff, "SIG_DTLB_STORE_STLB_HITS" }, { 0x2085, 0xff, "SIG_ITLB_STLB_HITS" }, \
	{ 0x1085, 0xff, "SIG_ITLB_WALK_CYCLES" }, { 0x0203, 0xff, "SIG_BLOCKED_LOADS" }, \
	{ 0x00c3, 0xff, "SIG_MACHINE_CLEARS" }
#define PIPED_WALK_ROWS								\
	PIPED_CODE_WALK_ROWS, { 0x1008, 0xff, "SIG_DTLB_LOAD_WALK_CYCLES" },	\
	{ 0x1049, 0xff, "SIG_DTLB_STORE_WALK_CYCLES" }

static const struct row gracemont_piped[] = {
	PIPED_ROWS,
	{ 0x6fc3, 0xff, "SIG_MACHINE_CLEARS" },
	{ 0x00c2, 0xff, "SIG_UOPS_RETIRED" }, { 0x01c2, 0xff, "SIG_UOPS_MS" },
	{ 0x0e08, 0xff, "SIG_DTLB_LOAD_WALKS" }, { 0x0e49, 0xff, "SIG_DTLB_STORE_WALKS" },
	{ 0x0e85, 0xff, "SIG_ITLB_WALKS" }, { 0x0280, 0xff, "SIG_ICACHE_MISSES" },
};

static const struct row crestmont_piped[] = {
	PIPED_ROWS, PIPED_WALK_ROWS,
	{ 0x0072, 0xff, "SIG_UOPS_RETIRED" },
	{ 0x00c2, 0xff, "SIG_UOPS_RETIRED" }, { 0x01c2, 0xff, "SIG_UOPS_MS" },
	{ 0x0e08, 0xff, "SIG_DTLB_LOAD_WALKS" }, { 0x0e49, 0xff, "SIG_DTLB_STORE_WALKS" },
	{ 0x0e85, 0xff, "SIG_ITLB_WALKS" }, { 0x0280, 0xff, "SIG_ICACHE_MISSES" },
};

static const struct row skymont_piped[] = {
	PIPED_ROWS, PIPED_WALK_ROWS,
	{ 0x0072, 0xff, "SIG_UOPS_RETIRED" }, { 0x02c2, 0xff, "SIG_UOPS_RETIRED" },
	{ 0x019c, 0xff, "SIG_NOT_DELIVERED" }, { 0x02a4, 0xff, "SIG_BACK_END_SLOTS" },
	{ 0x00c2, 0xff, "SIG_UOPS_RETIRED" }, { 0x01c2, 0xff, "SIG_UOPS_MS" },
	{ 0x0e08, 0xff, "SIG_DTLB_LOAD_WALKS" }, { 0x0e49, 0xff, "SIG_DTLB_STORE_WALKS" },
	{ 0x0e85, 0xff, "SIG_ITLB_WALKS" }, { 0x0280, 0xff, "SIG_ICACHE_MISSES" },
};

static const struct row darkmont_piped[] = {
	PIPED_ROWS, PIPED_CODE_WALK_ROWS,
	{ 0x02c2, 0xff, "SIG_UOPS_RETIRED" }, { 0x04c2, 0xff, "SIG_UOPS_MS" },
	{ 0x019c, 0xff, "SIG_NOT_DELIVERED" }, { 0x02a4, 0xff, "SIG_BACK_END_SLOTS" },
	{ 0x00c2, 0xff, "SIG_UOPS_RETIRED" },
	{ 0x0e08, 0xff, "SIG_DTLB_LOAD_WALKS" }, { 0x0e49, 0xff, "SIG_DTLB_STORE_WALKS" },
	{ 0x0e85, 0xff, "SIG_ITLB_WALKS" }, { 0x0280, 0xff, "SIG_ICACHE_MISSES" },
};

#define ONLY(n) ((uint32_t)(n) << 24)
#define EDGE ((uint32_t)1 << 18)

/* Rows that Intel's lists do not have by a name, or have with other modifiers. */
static const struct {
	const char *generation;
	struct row row;
} unlisted[] = {
	/* L2, LLC and fill buffer together: what portable names ask for. */
	{ "SNB", { 0x46d1, 0xf, "BEHIND_L1D" } }, { "IVB", { 0x46d1, 0xf, "BEHIND_L1D" } },
	{ "HSW", { 0x46d1, 0xf, "BEHIND_L1D" } },
	{ "SNB", { 0xf1d0, 0xf, "LOADS" } }, { "SNB", { 0xf2d0, 0xf, "STORES" } },
	{ "IVB", { 0xf1d0, 0xf, "LOADS" } }, { "IVB", { 0xf2d0, 0xf, "STORES" } },
	{ "SNB", { 0x01b7, 0xff, "OFFCORE_0" } }, { "SNB", { 0x01bb, 0xff, "OFFCORE_1" } },
	{ "IVB", { 0x01b7, 0xff, "OFFCORE_0" } }, { "IVB", { 0x01bb, 0xff, "OFFCORE_1" } },
	{ "HSW", { 0x01b7, 0xff, "OFFCORE_0" } }, { "HSW", { 0x01bb, 0xff, "OFFCORE_1" } },
	{ "SKL", { 0x01b7, 0xff, "OFFCORE_0" } }, { "SKL", { 0x01bb, 0xff, "OFFCORE_1" } },
	{ "ICL", { 0x01b7, 0xf, "OFFCORE_0" } }, { "ICL", { 0x01bb, 0xf, "OFFCORE_1" } },
	{ "SPR", { 0x012a, 0xf, "OFFCORE_0" } }, { "SPR", { 0x012b, 0xf, "OFFCORE_1" } },
	{ "LNC", { 0x01e4, 0x3ff, "LBR_INSERTS" } }, { "CGC", { 0x01e4, 0x3ff, "LBR_INSERTS" } },
	{ "LNC", { 0x012a, 0x3ff, "OFFCORE_0" } }, { "LNC", { 0x012b, 0x3ff, "OFFCORE_1" } },
	{ "CGC", { 0x012a, 0x3ff, "OFFCORE_0" } }, { "CGC", { 0x012b, 0x3ff, "OFFCORE_1" } },
	{ "CGC", { 0x02c6, 0x3ff, "FRONTEND" } },
	/* Where what ARITH.DIV_ACTIVE counts begins. */
	{ "SPR", { 0x09b0 | ONLY(1) | EDGE, 0xff, "SIG_DIVIDER_PERIODS" } },
	{ "LNC", { 0x09b0 | ONLY(1) | EDGE, 0x3ff, "SIG_DIVIDER_PERIODS" } },
	{ "CGC", { 0x09b0 | ONLY(1) | EDGE, 0x3ff, "SIG_DIVIDER_PERIODS" } },
	/* Intel has two codes for the front end's, and one for what is behind a misprediction. */
	{ "LNC", { 0x02c6, 0x3ff, "FRONTEND" } }, { "LNC", { 0x44c5, 0x3ff, "BEHIND_MISS" } },
	{ "CGC", { 0x800c5, 0x3ff, "BEHIND_MISS" } },
	/* As on the generations beside it. */
	{ "HSW", { 0x01b1, 0xff, "SIG_UOPS_EXECUTED" } },
	{ "HSW", { 0x01ab, 0xff, "SIG_DSB_SWITCHES" } },
	{ "HSW", { 0x030d | ONLY(1) | EDGE, 0xff, "SIG_CLEARS_COUNT" } },
	{ "SKL", { 0x0248 | ONLY(1) | EDGE, 0xff, "SIG_FB_FULL" } },
	{ "SKL", { 0x0480 | ONLY(1) | EDGE, 0xff, "SIG_ICACHE_STALLS" } },
	{ "SKL", { 0x60c7, 0xff, "SIG_FP_256_SINGLE" } },
	{ "ICL", { 0x01c0, 0xff, "INSTRUCTIONS" } }, { "SPR", { 0x01c0, 0xff, "INSTRUCTIONS" } },
	{ "ICL", { 0x0480 | ONLY(1) | EDGE, 0xf, "SIG_ICACHE_STALLS" } },
	{ "ICL", { 0x80a6, 0xff, "SIG_BOUND_0_PORTS" } },
	{ "SPR", { 0x02a3 | ONLY(2), 0xf, "SIG_L3_MISS_CYCLES" } },
	{ "SPR", { 0x04c2 | ONLY(1), 0xff, "SIG_MS_CYCLES_ANY" } },
	{ "SPR", { 0x04c2 | ONLY(1) | EDGE, 0xff, "SIG_MS_SWITCHES" } },
};

/*
 * Where the model has other counters than the list: wider for what Linux or the generation behind
 * it has on all, narrower for SNB's CYCLE_ACTIVITY, which is as its other rows.
 */
static const struct {
	uint32_t code;
	uint16_t list, model;
} counters_of_ours[] = {
	{ 0x04c4, 0xf, 0xff }, { 0x04c5, 0xf, 0xff }, { 0x01a3 | ONLY(1), 0xff, 0xf },
	{ 0x01cd, 0x8, 0xf }, { 0x019c, 0xff, 0xf }, { 0x01c6, 0xf, 0xff },
	{ 0x14a3 | ONLY(20), 0xf, 0xff },
};

static uint16_t wanted_counters(const struct row *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(counters_of_ours); i++)
		if (counters_of_ours[i].code == row->code &&
		    counters_of_ours[i].list == row->counters)
			return counters_of_ours[i].model;
	return row->counters;
}

static bool seen[ROWS_MAX];

/* Of the counters that the profile, or any before Lion Cove, has. */
static uint16_t counters_of(const struct pmu_profile *p, const struct event_code *found)
{
	return found->counters & (uint16_t)(p->gp > 8 ? (1u << p->gp) - 1 : 0xff);
}

/* 1: the row is not as it should be. */
static unsigned int check(const struct generation *g, const struct row *row)
{
	const struct pmu_profile *p = pmu_profile_find(g->profile);
	/* Rows have bits 0, 1 and 7 of UMASK2 in bits of their own. */
	uint64_t sel = (row->code & ~UINT32_C(0xb0000)) | (uint64_t)(row->code >> 16 & 3) << 40 |
		       (uint64_t)(row->code >> 19 & 1) << 47;
	const struct event_code *found = pmu_event_find(p, g->list, sel);

	assert_non_null(p);
	if (!found || found->code != row->code)
		return 0;		/* a listed event that the model lacks */
	if (found >= g->list->codes && found < g->list->codes + g->list->nr)
		seen[found - g->list->codes] = true;
	if (!strcmp(name_of(found->event), row->what) &&
	    (counters_of(p, found) == row->counters ||
	     counters_of(p, found) == wanted_counters(row)))
		return 0;
	print_message("%s %x: %s on %x, and it is %s on %x\n", g->name, row->code,
		      name_of(found->event), counters_of(p, found), row->what, row->counters);
	return 1;
}

static unsigned int check_figures(const struct generation *g)
{
	FILE *f = fopen("tests/figures/box-events.csv", "r");
	unsigned int bad = 0, rows = 0;
	char line[256], name[8], what[64];
	struct row row = { .what = what };
	unsigned int counters;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#' ||
		    sscanf(line, "%7[^,],%x,%x,%63s", name, &row.code, &counters, what) != 4 ||
		    strcmp(name, g->name) != 0)
			continue;
		row.counters = (uint16_t)counters;
		bad += check(g, &row);
		rows++;
	}
	fclose(f);
	assert_true(rows > 60);
	return bad;
}

/* Another one like it comes first. */
static bool is_repeated(const struct generation *g, unsigned int row)
{
	for (unsigned int i = 0; i < row; i++)
		if (g->list->codes[i].code == g->list->codes[row].code)
			return g->list->codes[i].event == g->list->codes[row].event;
	return false;
}

static unsigned int check_seen(const struct generation *g)
{
	unsigned int bad = 0;

	for (unsigned int i = 0; i < g->list->nr; i++)
		if (!seen[i] && !is_repeated(g, i)) {
			print_message("%s %x: a row that nothing was compared with\n", g->name,
				      g->list->codes[i].code);
			bad++;
		}
	return bad;
}

static void rows_of_the_lists(void **state)
{
	unsigned int bad = 0;

	(void)state;
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		assert_true(generations[g].list->nr <= ROWS_MAX);
		memset(seen, 0, sizeof(seen));
		bad += check_figures(&generations[g]);
		for (size_t i = 0; i < ARRAY_SIZE(unlisted); i++)
			if (!strcmp(unlisted[i].generation, generations[g].name))
				bad += check(&generations[g], &unlisted[i].row);
		bad += check_seen(&generations[g]);
	}
	assert_int_equal(bad, 0);
}

static void rows_of_the_first(void **state)
{
	static const struct {
		struct generation g;
		const struct row *rows;
		size_t nr;
	} firsts[] = {
		{ { "P6", "p6", &pmu_events_p6 }, p6, ARRAY_SIZE(p6) },
		{ { "CORE2", "core2", &pmu_events_core2 }, core2, ARRAY_SIZE(core2) },
		{ { "GLP", "goldmontplus", &pmu_events_goldmont }, goldmont,
		  ARRAY_SIZE(goldmont) },
		{ { "TNT", "tremont", &pmu_events_tremont }, tremont, ARRAY_SIZE(tremont) },
		{ { "GRT", "alderlake-n", &pmu_events_gracemont }, gracemont,
		  ARRAY_SIZE(gracemont) },
		{ { "CMT", "sierraforest", &pmu_events_crestmont }, crestmont,
		  ARRAY_SIZE(crestmont) },
		{ { "CMT client", "meteorlake-e", &pmu_events_crestmont_client },
		  crestmont_client, ARRAY_SIZE(crestmont_client) },
		{ { "SKT", "arrowlake-h-e", &pmu_events_skymont }, skymont, ARRAY_SIZE(skymont) },
		{ { "SKT piped", "arrowlake-h-e", &pmu_events_skymont_piped }, skymont_piped,
		  ARRAY_SIZE(skymont_piped) },
		{ { "SKT alone", "lunarlake-e", &pmu_events_skymont_alone }, skymont_alone,
		  ARRAY_SIZE(skymont_alone) },
		{ { "SKT alone, piped", "lunarlake-e", &pmu_events_skymont_alone_piped },
		  skymont_piped, ARRAY_SIZE(skymont_piped) },
		{ { "DKT", "pantherlake-e", &pmu_events_darkmont }, darkmont, ARRAY_SIZE(darkmont) },
		{ { "DKT piped", "pantherlake-e", &pmu_events_darkmont_piped }, darkmont_piped,
		  ARRAY_SIZE(darkmont_piped) },
		{ { "GRT piped", "alderlake-n", &pmu_events_gracemont_piped }, gracemont_piped,
		  ARRAY_SIZE(gracemont_piped) },
		{ { "CMT piped", "sierraforest", &pmu_events_crestmont_piped }, crestmont_piped,
		  ARRAY_SIZE(crestmont_piped) },
		{ { "NHM", "nehalem", &pmu_events_nehalem }, nehalem, ARRAY_SIZE(nehalem) },
	};
	unsigned int bad = 0;

	(void)state;
	for (size_t g = 0; g < ARRAY_SIZE(firsts); g++) {
		memset(seen, 0, sizeof(seen));
		for (size_t i = 0; i < firsts[g].nr; i++)
			bad += check(&firsts[g].g, &firsts[g].rows[i]);
		bad += check_seen(&firsts[g].g);
	}
	assert_int_equal(bad, 0);
}

/* The seven that are the same everywhere. */
static void architectural(void **state)
{
	static const struct row rows[] = {
		{ 0x003c, 0xff, "CYCLES" }, { 0x00c0, 0xff, "INSTRUCTIONS" },
		{ 0x013c, 0xff, "BUS_CYCLES" }, { 0x4f2e, 0xff, "CACHE_REFERENCES" },
		{ 0x412e, 0xff, "CACHE_MISSES" }, { 0x00c4, 0xff, "BRANCHES" },
		{ 0x00c5, 0xff, "BRANCH_MISSES" },
	};
	const struct event_code *found;

	(void)state;
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			const struct pmu_profile *p = pmu_profile_find(generations[g].profile);

			found = pmu_event_find(p, p->events, rows[i].code);
			assert_non_null(found);
			assert_string_equal(name_of(found->event), rows[i].what);
			assert_int_equal(found->counters & 0xff, rows[i].counters);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_the_lists),
		cmocka_unit_test(rows_of_the_first),
		cmocka_unit_test(architectural),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
