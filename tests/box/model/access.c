// SPDX-License-Identifier: GPL-2.0-only
/*
 * A closer look at each memory access, where somebody wants it: the latency of
 * loads, and the access that a PEBS record will show.
 */
#include <stddef.h>

#include "pipeline.h"

/* Below this the threshold means this. */
#define LEAST_LATENCY 3

/* Of a core without a pipeline: a constant for each level; level 0 is the first cache. */
static struct load_time simple_time(const struct pmu_profile *p, uint64_t addr, unsigned int level)
{
	bool cached = level < CACHE_LEVELS && p->cache[level].ways;
	uint64_t stall = cached ? p->cache[level].stall : p->memory_stall, cycles;

	cycles = p->load_cycles + (level ? stall : 0);
	return (struct load_time) {
		.addr = addr, .cycles = cycles, .cache = cycles, .instruction = cycles,
		.origin = cached ? LOAD_L1 + level : LOAD_MEMORY,
	};
}

uint64_t pmu_load_latency(const struct pmu *pmu, const struct load_time *t)
{
	return pmu->profile->two_latencies ? t->instruction : t->cycles;
}

static bool is_slow(struct pmu *pmu, const struct load_time *t)
{
	const uint64_t *threshold = pmu_plain(pmu, MSR_LD_LAT_THRESHOLD);
	uint64_t least = threshold ? *threshold : 0;

	least = least < LEAST_LATENCY ? LEAST_LATENCY : least;
	return (pmu->compared & WATCH_LATENCY) && pmu_load_latency(pmu, t) > least;
}

/*
 * Of several slow loads of an instruction the one that waits longest for its data, and of these
 * the first.
 */
static void see_load(struct pmu *pmu, const struct load_time *t)
{
	uint64_t in_flight = pmu_in_flight(pmu);
	struct seen_load *seen = &pmu->slowest;

	if (!(pmu->compared & WATCH_ACCESS))
		return;
	if (seen->instruction == in_flight && seen->time.cycles >= t->cycles)
		return;
	*seen = (struct seen_load) { .instruction = in_flight, .time = *t };
}

static void simple_load(struct pmu *pmu, uint64_t addr, unsigned int level)
{
	struct load_time t = simple_time(pmu->profile, addr, level);

	if (!is_slow(pmu, &t))
		return;
	pmu->tally.count[EV_SLOW_LOADS]++;
	pmu->tally.missed = true;
	pmu_bump(pmu, EV_SLOW_LOADS);
	see_load(pmu, &t);
}

/* Of several accesses of an instruction that from the farthest level, and of these the first. */
void pmu_watch(struct pmu *pmu, uint64_t addr, bool store, unsigned int level)
{
	uint64_t in_flight = pmu_in_flight(pmu);
	struct seen_access *seen = &pmu->access[store];

	/* What it takes in a pipeline is known when its instruction ends. */
	if (!store && !(pmu->pipe && pmu->pipe->flight.code))
		simple_load(pmu, addr, level);
	if (!(pmu->compared & WATCH_ACCESS))
		return;
	if (seen->instruction == in_flight && seen->level >= level)
		return;
	*seen = (struct seen_access) { .instruction = in_flight, .addr = addr, .level = level };
}

static void total_load(struct pmu *pmu, const struct load_time *t)
{
	uint64_t cycles = pmu_load_latency(pmu, t);
	uint64_t *totals = pmu->totals[pmu->hot->cls] + PMU_LOAD_LATENCIES +
			   t->origin * PMU_GAP_TOTALS;

	totals[0] += cycles;
	totals[1 + gap_bin_of(cycles)]++;
}

/* The loads of the instruction in flight have been executed, and it is complete. */
void pmu_loads_executed(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;

	for (unsigned int i = 0; i < p->executed; i++) {
		const struct load_executed *l = &p->load_executed[i];
		struct load_time t = {
			.addr = l->addr, .cycles = l->ready - l->begun,
			.cache = l->ready - l->looked_up,
			.instruction = max64(p->last_complete, l->ready) - l->begun,
			.origin = l->origin,
		};

		if (is_slow(pmu, &t)) {
			pmu_bump(pmu, EV_SLOW_LOADS);
			see_load(pmu, &t);
		}
		if (pmu->wants_gaps)
			total_load(pmu, &t);
	}
	p->executed = 0;
}

/* Is it what the instruction that has just retired did, or a round of REP? */
static bool is_latest(const struct pmu *pmu, uint64_t instruction)
{
	return instruction && instruction >= pmu->retired;
}

/* The access of the instruction that has just retired; or NULL. */
const struct seen_access *pmu_access_seen(const struct pmu *pmu, bool store)
{
	const struct seen_access *seen = &pmu->access[store];

	return is_latest(pmu, seen->instruction) ? seen : NULL;
}

/* Its slowest load; or NULL. */
const struct load_time *pmu_load_seen(const struct pmu *pmu)
{
	return is_latest(pmu, pmu->slowest.instruction) ? &pmu->slowest.time : NULL;
}
