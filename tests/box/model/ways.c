// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache allocation (CAT) of the last level: which of its ways a class of service may fill.  A line
 * is found in whatever way it is.  Masks are the package's, a thread's class is its own.
 */
#include <stdlib.h>

#include "model.h"

/* An entry of a set: the number of its way above the tag; tag 0 is an empty way. */
#define WAY_SHIFT 59
#define TAG_OF(entry) ((entry) & (BIT(WAY_SHIFT) - 1))

static const struct cache_shape *last_level(const struct pmu *pmu)
{
	return &pmu->profile->cache[CACHE_LEVELS - 1];
}

/* The entries of each set stand in the order of their last use; first, any order will do. */
void pmu_ways_clear(struct pmu *pmu)
{
	const struct cache_shape *shape = last_level(pmu);
	uint64_t *entry = pmu->line[CACHE_LEVELS - 1];

	for (size_t i = 0; i < shape->ways * BIT(shape->set_bits); i++)
		entry[i] = (uint64_t)(i % shape->ways) << WAY_SHIFT;
}

static uint64_t *set_of(struct pmu *pmu, uint64_t line)
{
	const struct cache_shape *shape = last_level(pmu);

	return pmu->line[CACHE_LEVELS - 1] + (line & (BIT(shape->set_bits) - 1)) * shape->ways;
}

/* The one with this tag, or the number of ways. */
static unsigned int find(const uint64_t *set, unsigned int ways, uint64_t tag)
{
	unsigned int w = 0;

	while (w < ways && TAG_OF(set[w]) != tag)
		w++;
	return w;
}

/* The way among those of the mask that has not been used for the longest time. */
static unsigned int oldest(const uint64_t *set, unsigned int ways, uint64_t mask)
{
	unsigned int w = ways - 1;

	while (w && !(mask >> (set[w] >> WAY_SHIFT) & 1))
		w--;
	return w;
}

static void use(uint64_t *set, unsigned int w, uint64_t entry)
{
	for (; w; w--)
		set[w] = set[w - 1];
	set[0] = entry;
}

bool pmu_ways_touch(struct pmu *pmu, uint64_t line)
{
	unsigned int ways = last_level(pmu)->ways, w;
	uint64_t *set = set_of(pmu, line);

	w = find(set, ways, line + 1);
	if (w < ways) {
		use(set, w, set[w]);
		return true;
	}
	w = oldest(set, ways, pmu_ways_mask(pmu, pmu->clos));
	use(set, w, (set[w] & ~(BIT(WAY_SHIFT) - 1)) | (line + 1));
	return false;
}

/* An empty way is the first to be filled, so that it stands last. */
void pmu_ways_drop(struct pmu *pmu, uint64_t line)
{
	unsigned int ways = last_level(pmu)->ways, w;
	uint64_t *set = set_of(pmu, line), entry;

	w = find(set, ways, line + 1);
	if (w == ways)
		return;
	entry = set[w] & ~(BIT(WAY_SHIFT) - 1);
	for (; w + 1 < ways; w++)
		set[w] = set[w + 1];
	set[w] = entry;
}

uint64_t pmu_ways_all(const struct pmu *pmu)
{
	return BIT(last_level(pmu)->ways) - 1;
}

uint64_t pmu_ways_mask(const struct pmu *pmu, unsigned int clos)
{
	return __atomic_load_n(&pmu->core->package->l3_mask[clos], __ATOMIC_RELAXED);
}

void pmu_ways_set_mask(struct pmu *pmu, unsigned int clos, uint64_t mask)
{
	__atomic_store_n(&pmu->core->package->l3_mask[clos], (uint32_t)mask, __ATOMIC_RELAXED);
}

/* All ones of a mask stand side by side, and there is one; others fault. */
bool pmu_ways_allow_mask(uint64_t mask)
{
	uint64_t above = mask + (mask & -mask);

	return mask && !(mask & above);
}

bool pmu_ways_allow_class(const struct pmu *pmu, uint64_t value)
{
	return value >> 32 < pmu->profile->l3_classes;
}

void pmu_ways_power_on(struct pmu *pmu)
{
	pmu->clos = 0;
	for (unsigned int i = 0; i < pmu->profile->l3_classes; i++)
		pmu_ways_set_mask(pmu, i, pmu_ways_all(pmu));
}
