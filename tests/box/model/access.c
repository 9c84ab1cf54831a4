// SPDX-License-Identifier: GPL-2.0-only
/*
 * A closer look at each memory access, where somebody wants it: the latency of
 * loads, and the access that a PEBS record will show.
 */
#include <stddef.h>

#include "model.h"

/* Below this the threshold means this. */
#define LEAST_LATENCY 3

/* Cycles from a load's issue to its data; level 0 is the first cache. */
unsigned int pmu_load_latency(const struct pmu_profile *p, unsigned int level)
{
	if (!level)
		return p->load_cycles;
	if (level < CACHE_LEVELS && p->cache[level].ways)
		return p->load_cycles + p->cache[level].stall;
	return (unsigned int)p->load_cycles + p->memory_stall;
}

static void count_slow_load(struct pmu *pmu, unsigned int level)
{
	const uint64_t *threshold = pmu_plain(pmu, MSR_LD_LAT_THRESHOLD);
	uint64_t least = threshold ? *threshold : 0;

	least = least < LEAST_LATENCY ? LEAST_LATENCY : least;
	if (pmu_load_latency(pmu->profile, level) <= least)
		return;
	pmu->tally.count[EV_SLOW_LOADS]++;
	pmu->tally.missed = true;
	pmu_bump(pmu, EV_SLOW_LOADS);
}

/* Of several accesses of an instruction the slowest, and of these the first. */
void pmu_watch(struct pmu *pmu, uint64_t addr, bool store, unsigned int level)
{
	uint64_t in_flight = pmu_in_flight(pmu);
	struct seen_access *seen = &pmu->access[store];

	if (!store && (pmu->compared & WATCH_LATENCY))
		count_slow_load(pmu, level);
	if (!(pmu->compared & WATCH_ACCESS))
		return;
	if (seen->instruction == in_flight && seen->level >= level)
		return;
	*seen = (struct seen_access) { .instruction = in_flight, .addr = addr, .level = level };
}

/* The access of the instruction that has just retired, or of a round of REP; or NULL. */
const struct seen_access *pmu_access_seen(const struct pmu *pmu, bool store)
{
	const struct seen_access *seen = &pmu->access[store];

	return seen->instruction && seen->instruction >= pmu->retired ? seen : NULL;
}
