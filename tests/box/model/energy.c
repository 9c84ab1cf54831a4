// SPDX-License-Identifier: GPL-2.0-only
/*
 * The energy that a package takes, by what happens in it, and its counters (RAPL).
 *
 * The figures are the model's own and nobody's processor's: a cycle and a uop cost as much as
 * each other, and each level of the caches some times the one before, so that who does more
 * takes more.  Nothing is known, and so nothing taken, while nobody wants to know what happens;
 * a CPU that is halted takes none.
 */
#include "model.h"

#define NJ_OF_JOULE UINT64_C(1000000000)

/* Whose counters have it: the cores' are a part of the package's. */
enum place { OF_CORES, OF_REST };

/* Of each event so many nanojoules; uops and lines that prefetchers bring are none of them. */
static const struct {
	enum event event;
	uint8_t nj;
	enum place place;
} costs[] = {
	{ EV_CYCLES, 1, OF_CORES },
	{ EV_LOADS, 1, OF_CORES },
	{ EV_STORES, 1, OF_CORES },
	{ EV_L2_REFERENCES, 4, OF_CORES },
	{ EV_CACHE_REFERENCES, 12, OF_REST },
	{ EV_CACHE_MISSES, 40, OF_REST },
};

#define NJ_OF_UOP 1
/* It costs its way through the last level and, most often, memory. */
#define NJ_OF_PREFETCHED 50

/* Linux takes a counter that is 0 for one that is not there: firmware has used some by then. */
#define UNITS_AT_POWER_ON 1000000
#define UNITS_BELOW_WRAP 100

/* Uops that were issued, of wrong paths too; a core without a pipeline knows instructions only. */
static uint64_t uops_of(const struct pmu *pmu)
{
	return pmu->pending[pmu_pipe_runs(pmu) ? EV_SIG_UOPS_ISSUED : EV_INSTRUCTIONS];
}

/* CPUs of a package may run at the same time. */
static void add(uint64_t *energy, uint64_t nj)
{
	__atomic_fetch_add(energy, nj, __ATOMIC_RELAXED);
}

/* What is pending takes its energy. */
void pmu_energy_account(struct pmu *pmu)
{
	struct pmu_package *package = pmu->core->package;
	uint64_t *totals = pmu->totals[pmu->hot->cls];
	uint64_t nj[] = {
		[OF_CORES] = NJ_OF_UOP * uops_of(pmu),
		[OF_REST] = NJ_OF_PREFETCHED * pmu->prefetched,
	};

	for (size_t i = 0; i < ARRAY_SIZE(costs); i++)
		nj[costs[i].place] += costs[i].nj * pmu->pending[costs[i].event];
	pmu->prefetched = 0;
	totals[PMU_CORE_ENERGY] += nj[OF_CORES];
	totals[PMU_ENERGY] += nj[OF_CORES] + nj[OF_REST];
	add(&package->core_energy, nj[OF_CORES]);
	add(&package->energy, nj[OF_CORES] + nj[OF_REST]);
}

static uint64_t counter(const struct pmu *pmu, const uint64_t *energy)
{
	bool wraps = silicon_is(&pmu->silicon, SILICON_ENERGY_WRAPS);
	uint32_t first = wraps ? -(uint32_t)UNITS_BELOW_WRAP : UNITS_AT_POWER_ON;
	unsigned int shift = pmu->profile->rapl_units >> 8 & 0x1f;
	uint64_t nj = __atomic_load_n(energy, __ATOMIC_RELAXED);

	return (uint32_t)(first + (nj << shift) / NJ_OF_JOULE);
}

/* MSR_PKG_ENERGY_STATUS. */
uint64_t pmu_energy(const struct pmu *pmu)
{
	return counter(pmu, &pmu->core->package->energy);
}

/* MSR_PP0_ENERGY_STATUS, which servers have and leave at 0. */
uint64_t pmu_core_energy(const struct pmu *pmu)
{
	return pmu->profile->server ? 0 : counter(pmu, &pmu->core->package->core_energy);
}
