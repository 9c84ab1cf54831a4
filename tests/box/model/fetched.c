// SPDX-License-Identifier: GPL-2.0-only
/*
 * What MSR_FRONTEND asks for: of FRONTEND_RETIRED, which instructions count, by how
 * they were fetched; of other events, that they count at all.
 */
#include "events.h"

#define FRONTEND_CODE(msr) ((unsigned int)(msr) & 0xff)
#define FRONTEND_CYCLES(msr) ((msr) >> 8 & 0xfff)
#define FRONTEND_BUBBLES(msr) ((msr) >> 20 & 7)

#define LATENCY 0x06

/* Codes that ask for something that befell the instruction's fetch. */
static const struct {
	uint8_t code, what;
} asked[] = {
	{ 0x01, FETCHED_BY_MITE },		/* ANY_DSB_MISS */
	{ 0x08, FETCHED_FROM_MS },		/* MS_FLOWS */
	{ 0x11, FETCHED_BY_MITE },		/* DSB_MISS */
	{ 0x12, FETCHED_L1I_MISS },
	{ 0x13, FETCHED_L2_MISS },
	{ 0x14, FETCHED_ITLB_MISS },
	{ 0x15, FETCHED_STLB_MISS },
	{ 0x17, FETCHED_UNKNOWN_BRANCH },
};

static uint64_t frontend(struct pmu *pmu)
{
	const uint64_t *msr = pmu_plain(pmu, MSR_FRONTEND);

	return msr ? *msr : 0;
}

/* So many bubbles in each of so many cycles in front of it. */
static bool is_late(uint64_t msr, uint64_t bubbles)
{
	uint64_t cycles = FRONTEND_CYCLES(msr);

	return cycles && bubbles >= cycles * FRONTEND_BUBBLES(msr);
}

/* An instruction retires, in front of which the front end has lost so many slots. */
void pmu_fetched(struct pmu *pmu, uint64_t bubbles, unsigned int what)
{
	uint64_t msr = frontend(pmu);
	bool hit = FRONTEND_CODE(msr) == LATENCY && bubbles && is_late(msr, bubbles);

	for (unsigned int i = 0; i < ARRAY_SIZE(asked); i++)
		hit |= asked[i].code == FRONTEND_CODE(msr) && (asked[i].what & what);
	if (hit)
		pmu_bump(pmu, EV_FRONTEND);
}

/* Two events of Sapphire Rapids want their own code in the register. */
bool pmu_frontend_allows(struct pmu *pmu, const struct event_code *code)
{
	unsigned int needed = code->event == SIG(UNKNOWN_BRANCH_CYCLES) ? 0x07 : 0x08;

	return !(code->counters & WITH_FRONTEND) || FRONTEND_CODE(frontend(pmu)) == needed;
}
