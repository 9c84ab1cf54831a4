// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where the data of a memory access came from: from the word that the hardware
 * writes, which differs by generation and by kind of event, to what the readers
 * of perf.data know.
 *
 * Of the SDM's tables (load latency, precise store, data linear address) and of
 * Intel's changes from Skylake on.
 */
#include "lib/record/dump.h"

/* Of Linux 6.11, which headers need not be of. */
#ifndef PERF_MEM_LVLNUM_L2_MHB
#define PERF_MEM_LVLNUM_L2_MHB 0x05
#define PERF_MEM_LVLNUM_MSC 0x06
#endif

#define OP(op) PERF_MEM_S(OP, op)
#define AT(level, number) (PERF_MEM_S(LVL, level) | PERF_MEM_S(LVLNUM, number))
#define DID_HIT PERF_MEM_S(LVL, HIT)
#define DID_MISS PERF_MEM_S(LVL, MISS)
#define SNOOP(snoop) PERF_MEM_S(SNOOP, snoop)
#define REMOTE PERF_MEM_S(REMOTE, REMOTE)
#define L3_HIT (DID_HIT | AT(L3, L3))
#define REMOTE_CACHE (DID_HIT | AT(REM_CCE1, ANY_CACHE) | REMOTE)
#define LOCAL_RAM (DID_HIT | AT(LOC_RAM, RAM))
#define REMOTE_RAM (DID_HIT | AT(REM_RAM1, RAM) | REMOTE)
#define REMOTE_MEMORY (DID_HIT | PERF_MEM_S(LVLNUM, RAM) | REMOTE)
#define SNOOP_NOWHERE (SNOOP(NONE) | SNOOP(MISS))

#define UNKNOWN_STATE (OP(NA) | PERF_MEM_S(LVL, NA) | SNOOP(NA) | PERF_MEM_S(LOCK, NA) | \
		       PERF_MEM_S(TLB, NA))

/* Bits [3:0] of the word. */
#define SOURCES 16

static const uint64_t nehalem_on[SOURCES] = {
	[0x0] = DID_MISS | AT(L3, L3) | SNOOP(NA),
	[0x1] = DID_HIT | AT(L1, L1) | SNOOP(NONE),
	[0x2] = DID_HIT | AT(LFB, LFB) | SNOOP(NONE),
	[0x3] = DID_HIT | AT(L2, L2) | SNOOP(NONE),
	[0x4] = L3_HIT | SNOOP(NONE),
	[0x5] = L3_HIT | SNOOP(MISS),
	[0x6] = L3_HIT | SNOOP(HIT),
	[0x7] = L3_HIT | SNOOP(HITM),
	[0x8] = REMOTE_CACHE | SNOOP(HIT),
	[0x9] = REMOTE_CACHE | SNOOP(HITM),
	[0xa] = LOCAL_RAM | SNOOP(HIT),
	[0xb] = REMOTE_RAM | SNOOP(HIT),
	[0xc] = LOCAL_RAM | SNOOP_NOWHERE,
	[0xd] = REMOTE_RAM | SNOOP_NOWHERE,
	[0xe] = DID_HIT | PERF_MEM_S(LVL, IO) | PERF_MEM_S(LVLNUM, NA) | SNOOP(NONE),
	[0xf] = DID_HIT | PERF_MEM_S(LVL, UNC) | PERF_MEM_S(LVLNUM, NA) | SNOOP(NONE),
};

/* Lion Cove, bits [7:0]: two first levels, and a buffer for misses behind each. */
#define LIONCOVE_SOURCES 18

static const uint64_t lioncove[LIONCOVE_SOURCES] = {
	[0x00] = DID_MISS | AT(L3, L3) | SNOOP(NA),
	[0x01] = DID_HIT | AT(L1, L1) | SNOOP(NONE),
	[0x02] = DID_HIT | AT(L1, L1) | SNOOP(NONE),
	[0x03] = DID_HIT | AT(LFB, LFB) | SNOOP(NONE),
	[0x05] = DID_HIT | AT(L2, L2) | SNOOP(NONE),
	[0x06] = DID_HIT | PERF_MEM_S(LVLNUM, L2_MHB) | SNOOP(NONE),
	[0x08] = L3_HIT | SNOOP(NONE),
	[0x0c] = L3_HIT | PERF_MEM_S(SNOOPX, FWD),
	[0x0d] = L3_HIT | SNOOP(HITM),
	[0x0f] = DID_MISS | AT(L3, L3) | SNOOP(HITM),
	[0x10] = DID_HIT | PERF_MEM_S(LVLNUM, MSC) | SNOOP(NONE),
	[0x11] = LOCAL_RAM | SNOOP(NONE),
};

struct change {
	enum generation first, last;
	unsigned int source;
	uint64_t means;
};

static const struct change changes[] = {
	{ GEN_NHM, GEN_WSM, 0x5, L3_HIT | SNOOP(HIT) },
	{ GEN_NHM, GEN_WSM, 0x6, L3_HIT | SNOOP(HITM) },
	{ GEN_SKL, GEN_SPR, 0x8, DID_HIT | PERF_MEM_S(LVLNUM, PMEM) | SNOOP(NA) },
	{ GEN_SKL, GEN_SPR, 0x9, DID_HIT | PERF_MEM_S(LVLNUM, PMEM) | REMOTE | SNOOP(NA) },
	{ GEN_ADL, GEN_ADL, 0x8, DID_HIT | PERF_MEM_S(LVLNUM, L4) | SNOOP(NA) },
	{ GEN_ADL, GEN_ADL, 0x9, DID_HIT | PERF_MEM_S(LVLNUM, L4) | REMOTE | SNOOP(NA) },
	{ GEN_SKL, GEN_ADL, 0xb, REMOTE_RAM | SNOOP_NOWHERE },
	{ GEN_SKL, GEN_ADL, 0xc, DID_HIT | PERF_MEM_S(LVLNUM, ANY_CACHE) | REMOTE |
				 PERF_MEM_S(SNOOPX, FWD) },
	{ GEN_SKL, GEN_ADL, 0xd, DID_HIT | PERF_MEM_S(LVLNUM, ANY_CACHE) | REMOTE | SNOOP(HITM) },
	{ GEN_GRT, GEN_GRT, 0x5, L3_HIT | SNOOP(HIT) },
	{ GEN_GRT, GEN_GRT, 0x6, L3_HIT | SNOOP(HITM) },
	{ GEN_GRT, GEN_GRT, 0x8, L3_HIT | PERF_MEM_S(SNOOPX, FWD) },
	{ GEN_CMT, GEN_DKT, 0x7, L3_HIT | PERF_MEM_S(SNOOPX, FWD) },
	{ GEN_CMT, GEN_DKT, 0x8, L3_HIT | SNOOP(HITM) },
	{ GEN_CMT, GEN_DKT, 0xa, LOCAL_RAM | SNOOP(NONE) },
	{ GEN_CMT, GEN_DKT, 0xb, REMOTE_MEMORY | SNOOP(NONE) },
	{ GEN_CMT, GEN_DKT, 0xc, REMOTE_MEMORY | PERF_MEM_S(SNOOPX, FWD) },
	{ GEN_CMT, GEN_DKT, 0xd, REMOTE_MEMORY | SNOOP(HITM) },
};

/* What else the word says; small cores have it in other places, one of them for both blocks. */
struct places {
	uint64_t stlb_miss, locked, data_blocked, address_blocked;
};

static const struct places big_cores = { 0x10, 0x20, 0x40, 0x80 };
static const struct places gracemont = { 0x20, 0x10, 0x40, 0 };
static const struct places crestmont = { 0x40, 0x20, 0x80, 0 };
static const struct places lioncove_places = { 0x400, 0x800, 0x1000, 0x2000 };

static const struct places *places_of(enum generation generation)
{
	return generation == GEN_GRT ? &gracemont : generation >= GEN_CMT ? &crestmont :
	       is_lion_cove(generation) ? &lioncove_places : &big_cores;
}

/* Crestmont's source has a bit more, with which nothing is known to be meant. */
#define CRESTMONT_MORE 0x10
/* Of a store: it hit the first level. */
#define STORE_HIT 0x1

static uint64_t source(enum generation generation, uint64_t raw)
{
	const struct change *c;

	if (is_lion_cove(generation))
		return (raw & 0xff) < LIONCOVE_SOURCES && lioncove[raw & 0xff] ?
		       lioncove[raw & 0xff] : PERF_MEM_S(LVLNUM, NA) | SNOOP(NA);
	if (generation >= GEN_CMT && raw & CRESTMONT_MORE)
		return PERF_MEM_S(LVL, NA) | SNOOP(NA);
	for (c = changes; c < changes + ARRAY_SIZE(changes); c++)
		if (c->first <= generation && generation <= c->last && c->source == (raw & 0xf))
			return c->means;
	return nehalem_on[raw & 0xf];
}

/* Walked by hand or found in the second level, and locked or not. */
static uint64_t tlb_and_lock(enum generation generation, uint64_t raw)
{
	const struct places *at = places_of(generation);

	return (raw & at->stlb_miss ? PERF_MEM_S(TLB, MISS) | PERF_MEM_S(TLB, L2) :
				  PERF_MEM_S(TLB, HIT) | PERF_MEM_S(TLB, L1) |
				  PERF_MEM_S(TLB, L2)) |
	       (raw & at->locked ? PERF_MEM_S(LOCK, LOCKED) : 0);
}

static uint64_t blocked(enum generation generation, uint64_t raw)
{
	const struct places *at = places_of(generation);

	if (generation < GEN_SPR)
		return 0;
	return (raw & at->data_blocked ? PERF_MEM_S(BLK, DATA) : 0) |
	       (raw & at->address_blocked ? PERF_MEM_S(BLK, ADDR) : 0) |
	       (raw & (at->data_blocked | at->address_blocked) ? 0 : PERF_MEM_S(BLK, NA));
}

static uint64_t of_latency(enum generation generation, uint64_t op, uint64_t raw)
{
	uint64_t word = op | source(generation, raw);

	if (generation <= GEN_WSM)
		return word | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LOCK, NA);
	return word | tlb_and_lock(generation, raw) | blocked(generation, raw);
}

static uint64_t of_store(enum generation generation, uint64_t raw)
{
	return OP(STORE) | (raw & STORE_HIT ? DID_HIT : DID_MISS) | AT(L1, L1) | SNOOP(NA) |
	       tlb_and_lock(generation, raw);
}

/* Umasks of event d0: x1 are loads, x2 stores, x3 both. */
static bool is_store(enum generation generation, uint64_t code)
{
	if ((code & EVTSEL_EVENT) == 0xcd)
		return generation <= GEN_IVB && code == 0x02cd;
	return (code & EVTSEL_EVENT) == 0xd0 && (code >> 8 & 3) == 2;
}

static bool is_load(uint64_t code)
{
	uint64_t event = code & EVTSEL_EVENT;

	return (event >= 0xd1 && event <= 0xd4) || (event == 0xd0 && (code >> 8 & 3) == 1);
}

/* MEM_TRANS_RETIRED.STORE_SAMPLE; MEM_UOPS_RETIRED.STORE_LATENCY. */
static bool has_store_latency(enum generation generation, uint64_t code)
{
	if (generation >= GEN_GRT)
		return code == 0x06d0;
	return generation >= GEN_SPR && generation <= GEN_CGC && code == 0x02cd;
}

uint64_t dump_data_source(enum generation generation, const struct session_event *e, uint64_t raw)
{
	uint64_t code = e->reg[0].value & EVTSEL_CODE;

	if (is_latency(e))
		return of_latency(generation, OP(LOAD), raw);
	if (has_store_latency(generation, code))
		return of_latency(generation, OP(STORE), raw);
	/* Of other events the word says but the kind of access; small cores' of stores, too. */
	if (is_store(generation, code))
		return generation > GEN_CGC ? (UNKNOWN_STATE & ~OP(NA)) | OP(STORE) :
					      of_store(generation, raw);
	return is_load(code) ? (UNKNOWN_STATE & ~OP(NA)) | OP(LOAD) : UNKNOWN_STATE;
}
