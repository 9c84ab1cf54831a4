// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event codes: how they are looked up, the architectural ones, and those of the
 * generations before Sandy Bridge.
 */
#include <stddef.h>

#include "events.h"

/* The seven architectural events, the same everywhere. */
static const struct event_code architectural[] = {
	{ 0x003c, ANY_COUNTER, EV_CYCLES },
	{ 0x00c0, ANY_COUNTER, EV_INSTRUCTIONS },
	{ 0x013c, ANY_COUNTER, EV_BUS_CYCLES },
	{ 0x4f2e, ANY_COUNTER, EV_CACHE_REFERENCES },
	{ 0x412e, ANY_COUNTER, EV_CACHE_MISSES },
	{ 0x00c4, ANY_COUNTER, EV_BRANCHES },
	{ 0x00c5, ANY_COUNTER, EV_BRANCH_MISSES },
};

/* The Pentium III's; requests to the second level by MESI states, of which I misses. */
static const struct event_code p6_events[] = {
	{ 0x0079, ANY_COUNTER, EV_CYCLES },		/* CPU_CLK_UNHALTED */
	{ 0x00c0, ANY_COUNTER, EV_INSTRUCTIONS },	/* INST_RETIRED */
	{ 0x00d0, ANY_COUNTER, EV_INSTRUCTIONS },	/* INST_DECODED */
	{ 0x00c4, ANY_COUNTER, EV_BRANCHES },		/* BR_INST_RETIRED */
	{ 0x00c5, ANY_COUNTER, EV_BRANCH_MISSES },	/* BR_MISS_PRED_RETIRED */
	{ 0x00c9, ANY_COUNTER, EV_TAKEN },		/* BR_TAKEN_RETIRED */
	{ 0x00ca, ANY_COUNTER, EV_MISSED_TAKEN },	/* BR_MISS_PRED_TAKEN_RET */
	{ 0x00e0, ANY_COUNTER, EV_BRANCHES },		/* BR_INST_DECODED */
	{ 0x0043, ANY_COUNTER, EV_ACCESSES },		/* DATA_MEM_REFS */
	{ 0x0045, ANY_COUNTER, EV_L1D_FILLS },		/* DCU_LINES_IN */
	{ 0x0024, ANY_COUNTER, EV_L2_FILLS },		/* L2_LINES_IN */
	{ 0x0f29, ANY_COUNTER, EV_L1D_MISSES },		/* L2_LD:M:E:S:I */
	{ 0x0e29, ANY_COUNTER, EV_L2_HITS },
	{ 0x0129, ANY_COUNTER, EV_L2_MISSES },
	{ 0x0f2a, ANY_COUNTER, EV_L1D_STORE_MISSES },	/* L2_ST:M:E:S:I */
	{ 0x012a, ANY_COUNTER, EV_LLC_STORE_MISSES },
	{ 0x0f2e, ANY_COUNTER, EV_L2_REFERENCES },	/* L2_RQSTS:M:E:S:I */
	{ 0x012e, ANY_COUNTER, EV_L2_FILLS },
	{ 0x0081, ANY_COUNTER, EV_L1I_MISSES },		/* IFU_IFETCH_MISS */
	{ 0x0085, ANY_COUNTER, EV_ITLB_MISSES },	/* ITLB_MISS */
};

static const struct event_code core2_events[] = {
	{ 0x01c0, ANY_COUNTER, EV_LOADS },		/* INST_RETIRED.LOADS */
	{ 0x02c0, ANY_COUNTER, EV_STORES },		/* INST_RETIRED.STORES */
	{ 0x01c4, ANY_COUNTER, EV_PREDICTED_NOT_TAKEN },	/* BR_INST_RETIRED.* */
	{ 0x02c4, ANY_COUNTER, EV_MISSED_NOT_TAKEN },
	{ 0x04c4, ANY_COUNTER, EV_PREDICTED_TAKEN },
	{ 0x08c4, ANY_COUNTER, EV_MISSED_TAKEN },
	{ 0x03c4, ANY_COUNTER, EV_NOT_TAKEN },
	{ 0x0cc4, ANY_COUNTER, EV_TAKEN },
	{ 0x0ac4, ANY_COUNTER, EV_BRANCH_MISSES },
	{ 0x0fc4, ANY_COUNTER, EV_BRANCHES },
	{ 0x01cb, PMC0, EV_L1D_MISSES },		/* MEM_LOAD_RETIRED.L1D_MISS */
	{ 0x02cb, PMC0, EV_L1D_MISSES },		/* .L1D_LINE_MISS */
	{ 0x04cb, PMC0, EV_L2_MISSES },			/* .L2_MISS */
	{ 0x08cb, PMC0, EV_L2_MISSES },			/* .L2_LINE_MISS */
	{ 0x0f40, ANY_COUNTER, EV_LOADS },		/* L1D_CACHE_LD.MESI */
	{ 0x0140, ANY_COUNTER, EV_L1D_MISSES },		/* L1D_CACHE_LD.I_STATE */
	{ 0x0f41, ANY_COUNTER, EV_STORES },		/* L1D_CACHE_ST.MESI */
	{ 0x0141, ANY_COUNTER, EV_L1D_STORE_MISSES },	/* L1D_CACHE_ST.I_STATE */
	{ 0x0143, ANY_COUNTER, EV_ACCESSES },		/* L1D_ALL_REF */
	{ 0x0243, ANY_COUNTER, EV_ACCESSES },		/* L1D_ALL_CACHE_REF */
	{ 0x0f45, ANY_COUNTER, EV_L1D_FILLS },		/* L1D_REPL */
	{ 0x7024, ANY_COUNTER, EV_L2_FILLS },		/* L2_LINES_IN.SELF.ANY */
	{ 0x4f29, ANY_COUNTER, EV_LLC_LOADS },		/* L2_LD.SELF.DEMAND.MESI */
	{ 0x4129, ANY_COUNTER, EV_LLC_LOAD_MISSES },	/* L2_LD.SELF.DEMAND.I_STATE */
	{ 0x4f2a, ANY_COUNTER, EV_LLC_STORES },		/* L2_ST.SELF.MESI */
	{ 0x412a, ANY_COUNTER, EV_LLC_STORE_MISSES },	/* L2_ST.SELF.I_STATE */
	{ 0x0208, ANY_COUNTER, EV_DTLB_LOAD_MISSES },	/* DTLB_MISSES.MISS_LD */
	{ 0x0808, ANY_COUNTER, EV_DTLB_STORE_MISSES },	/* DTLB_MISSES.MISS_ST */
	{ 0x1282, ANY_COUNTER, EV_ITLB_MISSES },	/* ITLB.MISSES */
	{ 0x0081, ANY_COUNTER, EV_L1I_MISSES },		/* L1I_MISSES */
};

static const struct event_code nehalem_events[] = {
	{ 0x100b, PMC0_3, EV_SLOW_LOADS },		/* MEM_INST_RETIRED.LATENCY_... */
	{ 0x01c0, ANY_COUNTER, EV_INSTRUCTIONS },	/* INST_RETIRED.ANY_P */
	{ 0x04c4, ANY_COUNTER, EV_BRANCHES },		/* BR_INST_RETIRED.ALL_BRANCHES */
	{ 0x7f88, ANY_COUNTER, EV_BRANCHES },		/* BR_INST_EXEC.ANY */
	{ 0x7f89, ANY_COUNTER, EV_BRANCH_MISSES },	/* BR_MISP_EXEC.ANY */
	{ 0x010b, ANY_COUNTER, EV_LOADS },		/* MEM_INST_RETIRED.LOADS */
	{ 0x020b, ANY_COUNTER, EV_STORES },		/* .STORES */
	{ 0x01cb, ANY_COUNTER, EV_L1D_HITS },		/* MEM_LOAD_RETIRED.L1D_HIT */
	{ 0x02cb, ANY_COUNTER, EV_L2_HITS },		/* .L2_HIT */
	{ 0x04cb, ANY_COUNTER, EV_L3_HITS },		/* .LLC_UNSHARED_HIT */
	{ 0x10cb, ANY_COUNTER, EV_LLC_LOAD_MISSES },	/* .LLC_MISS */
	{ 0x5ecb, ANY_COUNTER, EV_L1D_MISSES },		/* all but L1D_HIT and DTLB_MISS */
	{ 0x0f40, PMC0_1, EV_LOADS },			/* L1D_CACHE_LD.MESI */
	{ 0x0140, PMC0_1, EV_L1D_MISSES },		/* .I_STATE */
	{ 0x0143, PMC0_1, EV_ACCESSES },		/* L1D_ALL_REF.ANY */
	{ 0x0243, PMC0_1, EV_ACCESSES },		/* .CACHEABLE */
	{ 0x0151, PMC0_1, EV_L1D_FILLS },		/* L1D.REPL */
	{ 0x0124, ANY_COUNTER, EV_L2_HITS },		/* L2_RQSTS.LD_HIT */
	{ 0x0224, ANY_COUNTER, EV_L2_MISSES },		/* .LD_MISS */
	{ 0x0324, ANY_COUNTER, EV_L1D_MISSES },		/* .LOADS */
	{ 0x0824, ANY_COUNTER, EV_LLC_STORES },		/* .RFO_MISS */
	{ 0x0c24, ANY_COUNTER, EV_L1D_STORE_MISSES },	/* .RFOS */
	{ 0xaa24, ANY_COUNTER, EV_L2_FILLS },		/* .MISS */
	{ 0xff24, ANY_COUNTER, EV_L2_REFERENCES },	/* .REFERENCES */
	{ 0x07f1, ANY_COUNTER, EV_L2_FILLS },		/* L2_LINES_IN.ANY */
	{ 0x01b7, ANY_COUNTER, EV_OFFCORE_0 },		/* OFF_CORE_RESPONSE_0 */
	{ 0x0108, ANY_COUNTER, EV_DTLB_LOAD_MISSES },	/* DTLB_LOAD_MISSES.ANY */
	{ 0x0208, ANY_COUNTER, EV_DTLB_LOAD_MISSES },	/* .WALK_COMPLETED */
	{ 0x010c, ANY_COUNTER, EV_DTLB_STORE_MISSES },	/* MEM_STORE_RETIRED.DTLB_MISS */
	{ 0x0185, ANY_COUNTER, EV_ITLB_MISSES },	/* ITLB_MISSES.ANY */
	{ 0x0285, ANY_COUNTER, EV_ITLB_MISSES },	/* .WALK_COMPLETED */
	{ 0x20c8, ANY_COUNTER, EV_ITLB_MISSES },	/* ITLB_MISS_RETIRED */
	{ 0x0280, ANY_COUNTER, EV_L1I_MISSES },		/* L1I.MISSES */
};

static const struct event_list architectural_list = EVENT_LIST(architectural);
const struct event_list pmu_events_p6 = EVENT_LIST(p6_events);
const struct event_list pmu_events_core2 = EVENT_LIST(core2_events);
const struct event_list pmu_events_nehalem = EVENT_LIST(nehalem_events);

static const struct event_code *look_up(const struct event_list *list, uint32_t code)
{
	for (; list; list = list->others)
		for (unsigned int i = 0; i < list->nr; i++)
			if (list->codes[i].code == code)
				return &list->codes[i];
	return NULL;
}

/* Whatever its mask is. */
static const struct event_code *look_up_parts(const struct event_list *list, uint8_t code)
{
	for (; list; list = list->others)
		for (unsigned int i = 0; i < list->nr_parts; i++)
			if ((uint8_t)list->parts[i].all.code == code)
				return &list->parts[i].all;
	return NULL;
}

const struct event_parts *pmu_event_parts(const struct event_list *list,
					  const struct event_code *code)
{
	for (; list; list = list->others)
		for (unsigned int i = 0; i < list->nr_parts; i++)
			if (&list->parts[i].all == code)
				return &list->parts[i];
	return NULL;
}

const struct event_list *pmu_events_of(const struct pmu *pmu)
{
	const struct pmu_profile *p = pmu->profile;

	return pmu->pipe && p->piped_events ? p->piped_events : p->events;
}

/* What PERFEVTSEL asks for: to the letter, or else before it is compared; or NULL. */
const struct event_code *pmu_event_find(const struct pmu_profile *p,
					const struct event_list *events, uint64_t sel)
{
	uint32_t umask2 = SEL_UMASK2(sel), code = (uint32_t)(sel & SEL_CODE) | U2(umask2);
	const struct event_code *found = NULL;

	/* What no row has counts nothing. */
	if (umask2 & ~U2_BITS)
		return NULL;
	if (sel & SEL_HOW && !(sel & SEL_EQ))
		found = look_up(events, code | (uint32_t)(sel & SEL_HOW));
	if (!found)
		found = look_up(events, code);
	if (found || umask2)
		return found;
	found = look_up_parts(events, (uint8_t)sel);
	return found || !p->version ? found : look_up(&architectural_list, code);
}
