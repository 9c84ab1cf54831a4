// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which events the hardware can record by PEBS, on which counters, and with
 * which data address; and which event stands in for one that it cannot.
 *
 * Of Intel's event lists (column PEBS), the tables of the SDM for Core and
 * Nehalem, and Linux's constraints where those are silent.
 */
#include "lib/base/private.h"

#define FIXED_ALL (~0ull << PMUCTL_COUNTER_FIXED)
#define ANY_COUNTER (~0ull)
/* INST_RETIRED.PREC_DIST up to Skylake. */
#define PREC_DIST 0x01c0

/* An event may be recorded if its umask is made of these bits. */
struct capable {
	enum generation first, last;
	uint8_t event;
	uint8_t umasks;
	bool zero;		/* umask 0 as well */
	bool address;		/* the record has the data address */
	uint64_t counters;
};

static const struct capable capables[] = {
	{ GEN_CORE2, GEN_CORE2, 0xc0, 0x00, true, false, 0x1 },	/* INST_RETIRED.ANY_P */
	{ GEN_CORE2, GEN_CORE2, 0xc1, 0xfe, false, false, 0x1 },	/* X87_OPS_RETIRED.ANY */
	{ GEN_CORE2, GEN_CORE2, 0xc5, 0x00, true, false, 0x1 },	/* BR_INST_RETIRED.MISPRED */
	{ GEN_CORE2, GEN_CORE2, 0xc7, 0x1f, false, false, 0x1 },	/* SIMD_INST_RETIRED */
	{ GEN_CORE2, GEN_CORE2, 0xcb, 0x1f, false, false, 0x1 },	/* MEM_LOAD_RETIRED */

	{ GEN_NHM, GEN_WSM, 0x0b, 0x10, false, true, 0xf },	/* MEM_INST_RETIRED.LATENCY */
	{ GEN_NHM, GEN_WSM, 0x0b, 0x03, false, false, 0xf },	/* .LOADS, .STORES */
	{ GEN_NHM, GEN_WSM, 0x0c, 0x01, false, false, 0xf },	/* MEM_STORE_RETIRED */
	{ GEN_NHM, GEN_WSM, 0x0f, 0xff, false, false, 0xf },	/* MEM_UNCORE_RETIRED */
	{ GEN_NHM, GEN_WSM, 0xc0, 0x03, true, false, 0xf },	/* INST_RETIRED */
	{ GEN_NHM, GEN_WSM, 0xc2, 0x07, false, false, 0xf },	/* UOPS_RETIRED */
	{ GEN_NHM, GEN_WSM, 0xc4, 0x07, true, false, 0xf },	/* BR_INST_RETIRED */
	{ GEN_NHM, GEN_WSM, 0xc5, 0x02, false, false, 0xf },	/* BR_MISP_RETIRED.NEAR_CALL */
	{ GEN_NHM, GEN_WSM, 0xc7, 0x1f, false, false, 0xf },	/* SSEX_UOPS_RETIRED */
	{ GEN_NHM, GEN_WSM, 0xc8, 0x20, false, false, 0xf },	/* ITLB_MISS_RETIRED */
	{ GEN_NHM, GEN_WSM, 0xcb, 0xdf, false, false, 0xf },	/* MEM_LOAD_RETIRED */
	{ GEN_NHM, GEN_WSM, 0xf7, 0x07, false, false, 0xf },	/* FP_ASSIST */

	{ GEN_SNB, GEN_BDW, 0xc0, 0x01, true, false, 0xf },	/* INST_RETIRED */
	{ GEN_SKL, GEN_SKX, 0xc0, 0x03, true, false, 0xf },
	{ GEN_SNB, GEN_SKX, 0xc2, 0x03, false, false, 0xf },	/* UOPS_RETIRED */
	{ GEN_SNB, GEN_BDW, 0xc4, 0x2f, false, false, 0xf },	/* BR_INST_RETIRED */
	{ GEN_SKL, GEN_SKX, 0xc4, 0x6f, false, false, 0xf },
	{ GEN_SNB, GEN_SKX, 0xc5, 0x3f, false, false, 0xf },	/* BR_MISP_RETIRED */
	{ GEN_SKL, GEN_ADL, 0xc6, 0x01, false, false, 0xf },	/* FRONTEND_RETIRED */
	{ GEN_HSW, GEN_SKX, 0xc8, 0x04, false, false, 0xf },	/* HLE_RETIRED.ABORTED */
	{ GEN_HSW, GEN_ADL, 0xc9, 0x04, false, false, 0xf },	/* RTM_RETIRED.ABORTED */
	{ GEN_SNB, GEN_IVB, 0xcd, 0x03, false, true, 0x8 },	/* MEM_TRANS_RETIRED */
	{ GEN_HSW, GEN_SKX, 0xcd, 0x01, false, true, 0xf },	/* .LOAD_LATENCY */
	{ GEN_SNB, GEN_IVB, 0xd0, 0xf3, false, false, 0xf },	/* MEM_UOPS_RETIRED */
	{ GEN_SNB, GEN_IVB, 0xd1, 0x7f, false, false, 0xf },	/* MEM_LOAD_UOPS_RETIRED */
	{ GEN_SNB, GEN_IVB, 0xd2, 0x0f, false, false, 0xf },	/* ..._LLC_HIT_RETIRED */
	{ GEN_SNB, GEN_SNB, 0xd4, 0x02, false, false, 0xf },	/* ..._MISC_RETIRED.LLC_MISS */
	{ GEN_HSW, GEN_SKX, 0xd0, 0xf3, false, true, 0xf },
	{ GEN_HSW, GEN_SKX, 0xd1, 0x7f, false, true, 0xf },
	{ GEN_HSW, GEN_SKX, 0xd2, 0x0f, false, true, 0xf },
	{ GEN_HSW, GEN_SKX, 0xd3, 0x0f, false, true, 0xf },
	{ GEN_SKL, GEN_SKX, 0xd4, 0x04, false, true, 0xf },	/* MEM_LOAD_MISC_RETIRED.UC */

	/* From here on fixed counters can do it, too. */
	{ GEN_ICL, GEN_ICX, 0xc0, 0x02, true, false, ANY_COUNTER },
	{ GEN_SPR, GEN_ADL, 0xc0, 0x1a, true, false, FIXED_ALL | 0xfe },
	{ GEN_ICL, GEN_ADL, 0x3c, 0x00, true, false, ANY_COUNTER },	/* cycles, as Linux */
	{ GEN_ICL, GEN_ADL, 0xc4, 0xff, true, false, 0xff },
	{ GEN_ICL, GEN_ADL, 0xc5, 0xff, true, false, 0xff },
	{ GEN_ICL, GEN_ADL, 0xcd, 0x03, false, true, 0xff },
	{ GEN_ICL, GEN_ADL, 0xd0, 0xf3, false, true, 0xf },
	{ GEN_SPR, GEN_SPR, 0xd0, 0x0b, false, true, 0xf },	/* .STLB_HIT_*: Granite Rapids */
	{ GEN_SPR, GEN_SPR, 0xc6, 0x03, false, false, 0xf },	/* FRONTEND_RETIRED: the same */
	{ GEN_ICL, GEN_ADL, 0xd1, 0xff, false, true, 0xf },
	{ GEN_ICL, GEN_ADL, 0xd2, 0x0f, false, true, 0xf },
	{ GEN_ICL, GEN_ADL, 0xd3, 0x1f, false, true, 0xf },
	{ GEN_ICL, GEN_ADL, 0xd4, 0x04, false, true, 0xf },

	/* Lion Cove has ten counters, and more events with addresses. */
	{ GEN_LNC, GEN_CGC, 0xc0, 0x3a, true, false, ANY_COUNTER },
	{ GEN_LNC, GEN_CGC, 0x3c, 0x00, true, false, ANY_COUNTER },
	{ GEN_LNC, GEN_CGC, 0xc4, 0xff, true, false, 0x3ff },
	{ GEN_LNC, GEN_CGC, 0xc5, 0xff, true, false, 0x3ff },
	{ GEN_LNC, GEN_CGC, 0xc6, 0x03, false, false, 0x3ff },	/* FRONTEND_RETIRED */
	{ GEN_LNC, GEN_CGC, 0xcd, 0x03, false, true, 0x3ff },
	{ GEN_LNC, GEN_CGC, 0xd0, 0xf3, false, true, 0x3ff },
	{ GEN_LNC, GEN_CGC, 0xd0, 0x0b, false, true, 0xf },	/* .STLB_HIT_* */
	{ GEN_LNC, GEN_CGC, 0xd0, 0x1c, false, false, 0xf },	/* .STLB_*_SWPF */
	{ GEN_LNC, GEN_CGC, 0xd0, 0x1f, false, true, 0xf },	/* .STLB_*_ANY */
	{ GEN_LNC, GEN_CGC, 0xd0, 0x84, false, false, 0xf },	/* .ALL_SWPF */
	{ GEN_LNC, GEN_CGC, 0xd0, 0x87, false, true, 0x3ff },	/* .ANY */
	{ GEN_LNC, GEN_CGC, 0xd1, 0xff, false, true, 0xf },
	{ GEN_LNC, GEN_CGC, 0xd2, 0x1f, false, true, 0xf },
	{ GEN_LNC, GEN_CGC, 0xd4, 0x04, false, true, 0xf },
	{ GEN_LNC, GEN_CGC, 0xe4, 0x01, false, false, 0x3ff },	/* LBR_INSERTS */

	/* Goldmont: counter 0 alone. */
	{ GEN_GLM, GEN_GLM, 0xc0, 0x00, true, false, 0x1 },	/* INST_RETIRED.ANY_P */
	{ GEN_GLM, GEN_GLM, 0xc2, 0x19, true, false, 0x1 },	/* UOPS_RETIRED */
	{ GEN_GLM, GEN_GLM, 0xc4, 0xff, true, false, 0x1 },	/* BR_INST_RETIRED */
	{ GEN_GLM, GEN_GLM, 0xc5, 0xff, true, false, 0x1 },	/* BR_MISP_RETIRED */
	{ GEN_GLM, GEN_GLM, 0x03, 0x1f, false, false, 0x1 },	/* LD_BLOCKS */
	{ GEN_GLM, GEN_GLM, 0x13, 0x06, false, false, 0x1 },	/* MISALIGN_MEM_REF */
	{ GEN_GLM, GEN_GLM, 0xd0, 0xf3, false, true, 0x1 },	/* MEM_UOPS_RETIRED */
	{ GEN_GLM, GEN_GLM, 0xd1, 0xff, false, true, 0x1 },	/* MEM_LOAD_UOPS_RETIRED */
	/* Small cores behind it; cycles as Linux, where the format has groups. */
	{ GEN_GLP, GEN_DKT, 0xc0, 0x00, true, false, ANY_COUNTER },
	{ GEN_TNT, GEN_DKT, 0x3c, 0x00, true, false, ANY_COUNTER },
	{ GEN_GLP, GEN_CMT, 0xc2, 0x1b, true, false, 0xff },
	{ GEN_GLP, GEN_DKT, 0xc4, 0xff, true, false, 0xff },
	{ GEN_GLP, GEN_DKT, 0xc5, 0xff, true, false, 0xff },
	{ GEN_GLP, GEN_DKT, 0x03, 0x1f, false, false, 0xff },
	{ GEN_GLP, GEN_DKT, 0x13, 0x06, false, false, 0xff },
	{ GEN_GRT, GEN_DKT, 0xd0, 0x07, false, true, 0xff },	/* ..._LATENCY */
	{ GEN_GLP, GEN_SKT, 0xd0, 0xf3, false, true, 0xff },
	{ GEN_GLP, GEN_GRT, 0xd1, 0xff, false, true, 0xff },
	{ GEN_CMT, GEN_DKT, 0xd1, 0xff, false, false, 0xff },
	{ GEN_GRT, GEN_GRT, 0xd2, 0x60, false, true, 0xff },	/* ..._RETIRED_MISC */
	{ GEN_CMT, GEN_DKT, 0xd3, 0xff, false, false, 0xff },	/* ..._L3_MISS_RETIRED */
	{ GEN_CMT, GEN_DKT, 0xd4, 0x3a, false, false, 0xff },	/* ..._MISC_RETIRED */
	{ GEN_CMT, GEN_CMT, 0x72, 0x00, true, false, 0xff },	/* TOPDOWN_RETIRING */
	{ GEN_CMT, GEN_DKT, 0xc6, 0xff, true, false, 0xff },	/* FRONTEND_RETIRED */
	{ GEN_CMT, GEN_CMT, 0xc7, 0x3f, false, false, 0xff },	/* FP_INST_RETIRED */
	{ GEN_CMT, GEN_DKT, 0xc8, 0x03, false, false, 0xff },	/* FP_FLOPS_RETIRED */
	{ GEN_SKT, GEN_DKT, 0xe0, 0xff, true, false, 0xff },
	{ GEN_CMT, GEN_CMT, 0xe0, 0xff, false, false, 0xff },	/* MISC_RETIRED1 */
	{ GEN_CMT, GEN_CMT, 0xe1, 0x11, false, false, 0xff },	/* MISC_RETIRED2 */
	{ GEN_SKT, GEN_DKT, 0xe1, 0x1b, true, false, 0xff },
	{ GEN_SKT, GEN_SKT, 0xc2, 0x3f, true, false, 0xff },
	{ GEN_DKT, GEN_DKT, 0xc2, 0xff, true, false, 0xff },
	{ GEN_SKT, GEN_DKT, 0xc7, 0x3f, false, false, 0xff },
	{ GEN_SKT, GEN_DKT, 0xc9, 0x3f, false, false, 0xff },	/* FRONTEND_RETIRED_SOURCE */
	{ GEN_SKT, GEN_SKT, 0xd0, 0x0b, false, true, 0xff },	/* .MRN_* */
	{ GEN_DKT, GEN_DKT, 0xd0, 0xfb, false, false, 0xff },	/* none but latencies' */
	{ GEN_GRT, GEN_DKT, 0xe4, 0x01, false, false, 0xff },	/* LBR_INSERTS */
};

/* Cycles in which it retired less than 16 of them: all. */
#define EVERY_CYCLE (EVTSEL_INV | 16ull << 24)

/* The SDM wants none of them; that every cycle can be recorded so is what Linux relies on. */
static bool fields_allow(uint64_t evtsel)
{
	uint64_t fields = evtsel & (EVTSEL_EDGE | EVTSEL_ANY | EVTSEL_INV | EVTSEL_EQ |
				    EVTSEL_CMASK);
	uint64_t code = evtsel & EVTSEL_CODE;

	return !fields || (fields == EVERY_CYCLE && (code == 0x00c0 || code == 0x01c2));
}

static const struct capable *find_capable(enum generation generation, uint64_t evtsel)
{
	uint8_t event = evtsel & EVTSEL_EVENT, umask = evtsel >> 8 & 0xff;
	const struct capable *c;

	for (c = capables; c < capables + ARRAY_SIZE(capables); c++)
		if (c->first <= generation && generation <= c->last && c->event == event &&
		    (umask ? !(umask & ~c->umasks) : c->zero))
			return c;
	return NULL;
}

bool pebs_find(const struct pmu_facts *facts, uint64_t evtsel, struct pebs_facts *pebs)
{
	const struct capable *c = find_capable(generation_of(facts), evtsel);

	if (!c || !fields_allow(evtsel))
		return false;
	pebs->counters = c->counters;
	pebs->address = c->address;
	return true;
}

/* ---- events spread evenly over the program --------------------------------- */

/* Small cores whose records know no distribution. */
static bool is_before_tremont(enum generation generation)
{
	return generation == GEN_GLM || generation == GEN_GLP;
}

/*
 * Ivy Bridge to Skylake have one event for it, which is asked for by name.  From Ice Lake on fixed
 * counter 0 has it for instructions, from Sapphire Rapids on counter 0 for all other
 * events (PDist), from a period of 128 on: as Linux has them (arch/x86/events/intel/core.c,
 * icl_get_event_constraints, glc_get_event_constraints, glc_limit_period).  Small cores have the
 * same from Tremont on, whose period Linux does not limit; Crestmont has it on counter 1, too.
 * Lion Cove would by Intel's lists, and Linux uses its counter 0 alone; Cougar Cove says it of
 * both (CPUID.23H.5:EBX).
 */
bool pebs_spread_find(const struct pmu_facts *facts, uint64_t evtsel, struct pebs_spread *spread)
{
	enum generation generation = generation_of(facts);

	*spread = (struct pebs_spread){ .counters = ANY_COUNTER, .period = 2 };
	if (is_before_tremont(generation))
		return false;
	if (generation >= GEN_SPR && generation != GEN_TNT)
		spread->period = 128;
	if (generation >= GEN_ICL && evtsel == EVTSEL_INSTRUCTIONS)
		spread->counters = 1ull << PMUCTL_COUNTER_FIXED;
	else if (generation >= GEN_CMT || generation == GEN_CGC)
		spread->counters = 3;
	else if (generation >= GEN_SPR)
		spread->counters = 1;
	else if (generation >= GEN_ICL)
		spread->remark = ":ppp is more than :pp for instructions alone on this CPU";
	else if (evtsel != PREC_DIST)
		spread->remark = ":ppp is as :pp on this CPU: samples are spread evenly of "
				 "INST_RETIRED.PREC_DIST alone";
	return generation >= GEN_IVB;
}

/* ---- what stands in for an event that cannot be recorded ------------------- */

struct stand_in {
	enum generation first, last;
	bool portable;		/* for the portable name alone, not for a code */
	uint32_t code;		/* event, umask and nothing else */
	uint64_t evtsel;
};

/* The first that fits counts. */
static const struct stand_in stand_ins[] = {
	/* perf's cycles:p: INST_RETIRED.ANY_P or UOPS_RETIRED.ALL. */
	{ GEN_CORE2, GEN_WSM, false, EVTSEL_CYCLES, EVERY_CYCLE | 0x00c0 },
	{ GEN_SNB, GEN_BDW, false, EVTSEL_CYCLES, EVERY_CYCLE | 0x01c2 },
	{ GEN_SKL, GEN_SKX, false, EVTSEL_CYCLES, EVERY_CYCLE | 0x00c0 },
	/* BR_INST_RETIRED and BR_MISP_RETIRED.ALL_BRANCHES_PEBS. */
	{ GEN_SNB, GEN_SKX, true, 0x00c4, 0x04c4 },
	{ GEN_SNB, GEN_SKX, true, 0x00c5, 0x04c5 },
	/* MEM_LOAD_RETIRED.L1D_MISS and .L2_MISS of Core. */
	{ GEN_CORE2, GEN_CORE2, true, 0x0140, 0x01cb },
	{ GEN_CORE2, GEN_CORE2, true, 0x4129, 0x04cb },
	/* MEM_LOAD_RETIRED: every umask but L1D_HIT and DTLB_MISS. */
	{ GEN_NHM, GEN_NHM, true, 0x0140, 0x5ecb },
	{ GEN_WSM, GEN_WSM, true, 0x0324, 0x5ecb },
	/* MEM_LOAD_UOPS_RETIRED: L2, LLC and fill buffers, not what missed the LLC. */
	{ GEN_SNB, GEN_SNB, true, 0x0324, 0x46d1 },
};

bool pebs_stand_in(const struct pmu_facts *facts, bool portable, uint64_t *evtsel)
{
	enum generation generation = generation_of(facts);
	const struct stand_in *s;

	for (s = stand_ins; s < stand_ins + ARRAY_SIZE(stand_ins); s++) {
		if (generation < s->first || generation > s->last || *evtsel != s->code ||
		    (s->portable && !portable))
			continue;
		*evtsel = s->evtsel;
		return true;
	}
	return false;
}
