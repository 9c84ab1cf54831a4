// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What processors do wrong, and what the module does about it, in words; which events
 * it concerns.  Documentation/errata.rst has the sources.
 */
#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

#define ANY_EVENT 0

struct concerned {
	uint64_t mask;		/* these bits of the event select ... */
	uint64_t first, last;	/* ... are in this range; mask 0: every event's are */
};

static const struct {
	struct pmuctl_erratum is;
	struct concerned events;
} errata[] = {
	{ { PMUCTL_ERRATUM_TWIN, "BJ122, BV98, HSD29",
	    "events D0H to D3H also move the counter of that number of the core's other thread",
	    "each of them takes two counters, one for each thread, which no other event has", NULL },
	  { EVTSEL_EVENT, 0xd0, 0xd3 } },
	{ { PMUCTL_ERRATUM_COUNTER3, "TSX_FORCE_ABORT",
	    "microcode uses counter 3 while programs use transactions",
	    "counter 3 is not given out", NULL },
	  { 0, ANY_EVENT, ANY_EVENT } },
	{ { PMUCTL_ERRATUM_PEBS, "AJ67 to AJ69, AJ106; Sandy Bridge before microcode 28H, 618H, 70CH",
	    "PEBS records are wrong", "PEBS is refused",
	    "nothing: unreliable_pebs=1 asks for PEBS all the same" },
	  { 0, ANY_EVENT, ANY_EVENT } },
	{ { PMUCTL_ERRATUM_SHORT_DIST, "HSW11, BDM11",
	    "INST_RETIRED.PREC_DIST is counted and recorded wrong within 128 events of an overflow",
	    "shorter periods are refused, and an overflow is never set nearer than that", NULL },
	  { EVTSEL_CODE, 0x01c0, 0x01c0 } },
	{ { PMUCTL_ERRATUM_ODD_DIST, "BDM55",
	    "INST_RETIRED.PREC_DIST is counted wrong if bits 5:0 of its period are not 0",
	    "periods are multiples of 64; others are refused", NULL },
	  { EVTSEL_CODE, 0x01c0, 0x01c0 } },
	{ { PMUCTL_ERRATUM_SHORT_PERIOD, "as in Linux's limit_period",
	    "with a period below 32 a counter overflows several times before its interrupt",
	    "shorter periods are refused, and by frequency there are none", NULL },
	  { 0, ANY_EVENT, ANY_EVENT } },
	{ { PMUCTL_ERRATUM_FIRST_EVENT, "AAK100, AAP53, BD53",
	    "a counter's new event is counted wrong if no other was on it before",
	    "events B5H, D2H, B1H are on it first", NULL },
	  { 0, ANY_EVENT, ANY_EVENT } },
	{ { PMUCTL_ERRATUM_BRANCH_MISSES, "AAJ80",
	    "architectural event branch-misses does not count them",
	    "branch-misses is BR_MISP_EXEC.ANY, which counts those executed, retired or not", NULL },
	  { EVTSEL_CODE, 0x7f89, 0x7f89 } },
	{ { PMUCTL_ERRATUM_LBR_FREEZE, "as in Linux's intel_pmu_lbr_init_atom",
	    "branch records are not frozen by an interrupt", "they are not used", NULL },
	  { 0, ANY_EVENT, ANY_EVENT } },
	{ { PMUCTL_ERRATUM_AUXILIARY, "MEM_LOADS_AUX",
	    "MEM_TRANS_RETIRED.LOAD_LATENCY records sources and latencies only beside event 8203H",
	    "that event runs beside it, on one of the counters 0 to 3", NULL },
	  { EVTSEL_CODE, 0x01cd, 0x01cd } },
	{ { PMUCTL_ERRATUM_P4_WRITE, "N15, O8", "the write of a counter is lost, or wrong",
	    "it is written twice", NULL },
	  { 0, ANY_EVENT, ANY_EVENT } },
	{ { PMUCTL_ERRATUM_P4_COUNTER1, "as in Linux's driver",
	    "counter 1 does not count as its CCCR says", "it is not given out",
	    "nothing: p4_counter1=1 asks for it all the same" },
	  { 0, ANY_EVENT, ANY_EVENT } },
	{ { PMUCTL_ERRATUM_P4_CARRY, "O9",
	    "a counter that stops in the cycle of a carry shows 2^32 too little",
	    "that is added where a counter would have run backwards", NULL },
	  { 0, ANY_EVENT, ANY_EVENT } },
};

const struct pmuctl_erratum *pmuctl_erratum_get(size_t i)
{
	return i < ARRAY_SIZE(errata) ? &errata[i].is : NULL;
}

static bool concerns(size_t i, uint64_t evtsel)
{
	const struct concerned *c = &errata[i].events;

	return c->mask && (evtsel & c->mask) >= c->first && (evtsel & c->mask) <= c->last;
}

bool pmuctl_erratum_concerns(const struct pmuctl_erratum *erratum,
			     const struct pmuctl_event *event)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errata); i++)
		if (erratum == &errata[i].is)
			return event->reg[0].kind == PMUCTL_REGISTER_EVTSEL &&
			       concerns(i, event->reg[0].value);
	return false;
}

bool erratum_on(const struct pmu_facts *facts, uint64_t bit, uint64_t evtsel)
{
	size_t i;

	for (i = 0; facts->errata & bit && i < ARRAY_SIZE(errata); i++)
		if (errata[i].is.bit == bit)
			return concerns(i, evtsel);
	return false;
}
