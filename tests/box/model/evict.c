// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions that empty caches: CLFLUSH and CLFLUSHOPT by the line, WBINVD and INVD all
 * of them.  CLWB leaves the line where it is, as it may, so that the model never hears of it.
 */
#include <string.h>

#include "model.h"

/* A line by its number; above it a Pentium 4's second level has its state. */
#define TAG (BIT(62) - 1)

/* Those behind it move up, for empty ways are the last to be used. */
void pmu_drop_way(uint64_t *way, unsigned int ways, uint64_t tag)
{
	unsigned int w = 0;

	while (w < ways && (way[w] & TAG) != tag)
		w++;
	if (w == ways)
		return;
	memmove(way + w, way + w + 1, (ways - w - 1) * sizeof(*way));
	way[ways - 1] = 0;
}

void pmu_evict(struct pmu *pmu, uint64_t addr)
{
	uint64_t line = addr >> LINE_BITS;

	if (pmu->burst)
		pmu_burst_write_back(pmu, line);
	for (unsigned int l = 0; l < L3_LEVEL; l++) {
		const struct cache_shape *shape = &pmu->profile->cache[l];
		uint64_t set = line & (BIT(shape->set_bits) - 1);

		pmu_drop_way(pmu->line[l] + set * shape->ways, shape->ways, line + 1);
	}
	if (pmu->core->package->l3)
		pmu_l3_drop(pmu, line);
	pmu_ahead_forget(pmu, line);
	if (pmu->pipe)
		pmu_pipe_evict(pmu, line);
}

void pmu_evict_all(struct pmu *pmu, bool write_back)
{
	if (pmu->burst && write_back)
		pmu_burst_write_back(pmu, UINT64_MAX);
	for (unsigned int l = 0; l < L3_LEVEL; l++) {
		const struct cache_shape *shape = &pmu->profile->cache[l];

		memset(pmu->line[l], 0, shape->ways * BIT(shape->set_bits) * sizeof(uint64_t));
	}
	if (pmu->core->package->l3)
		pmu_l3_clear(pmu);
	pmu_ahead_forget(pmu, UINT64_MAX);
	if (pmu->pipe)
		pmu_pipe_evict(pmu, UINT64_MAX);
}
