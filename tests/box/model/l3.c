// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last level of profiles that have three: one a package, by physical addresses, and with
 * cache allocation (CAT) where the profile has classes of service.  A line comes into a way of
 * its class's mask, and is found in any.  Masks are the package's, a thread's class is its own.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

struct l3_way {
	uint64_t tag;		/* the line's number plus one; 0: empty */
	uint64_t used;		/* when last; 0: never */
};

struct l3 {
	bool lock;		/* CPUs may run at the same time */
	uint64_t uses;
	uint32_t mask[PMU_MAX_CLASSES];	/* ways that a class of service fills */
	struct l3_way way[];	/* of all sets */
};

static const struct cache_shape *shape_of(const struct pmu *pmu)
{
	return &pmu->profile->cache[L3_LEVEL];
}

static size_t ways_of_all_sets(const struct pmu *pmu)
{
	return shape_of(pmu)->ways * BIT(shape_of(pmu)->set_bits);
}

int pmu_l3_new(struct pmu *pmu)
{
	struct pmu_package *package = pmu->core->package;

	if (!shape_of(pmu)->ways)
		return 0;
	package->l3 = calloc(1, sizeof(*package->l3) +
			     ways_of_all_sets(pmu) * sizeof(package->l3->way[0]));
	return package->l3 ? 0 : -1;
}

void pmu_l3_by(struct pmu *pmu, uint64_t (*physical)(void *data, uint64_t addr), void *data)
{
	pmu->physical_fn = physical;
	pmu->physical_data = data;
}

/* The physical line of a linear one, counted from 1; 0 if it has none. */
static uint64_t tag_of(const struct pmu *pmu, uint64_t line)
{
	uint64_t addr;

	if (!pmu->physical_fn)
		return line + 1;
	addr = pmu->physical_fn(pmu->physical_data, line << LINE_BITS);
	return addr == PMU_NO_ADDRESS ? 0 : (addr >> LINE_BITS) + 1;
}

static struct l3_way *set_of(const struct pmu *pmu, struct l3 *l3, uint64_t tag)
{
	return l3->way + ((tag - 1) & (BIT(shape_of(pmu)->set_bits) - 1)) * shape_of(pmu)->ways;
}

/* The way of a set that has this tag, or NULL. */
static struct l3_way *find(struct l3_way *set, unsigned int ways, uint64_t tag)
{
	for (unsigned int w = 0; w < ways; w++)
		if (set[w].tag == tag)
			return set + w;
	return NULL;
}

/* The one of the mask that has not been used for the longest time, if ever. */
static struct l3_way *oldest(struct l3_way *set, uint64_t mask)
{
	struct l3_way *oldest = NULL;

	for (; mask; mask &= mask - 1) {
		struct l3_way *way = set + __builtin_ctzll(mask);

		if (!oldest || way->used < oldest->used)
			oldest = way;
	}
	return oldest;
}

bool pmu_l3_touch(struct pmu *pmu, uint64_t line)
{
	struct l3 *l3 = pmu->core->package->l3;
	uint64_t tag = tag_of(pmu, line);
	struct l3_way *set, *way;
	bool hit;

	if (!tag)
		return false;
	set = set_of(pmu, l3, tag);
	pmu_lock(&l3->lock);
	way = find(set, shape_of(pmu)->ways, tag);
	hit = way;
	if (!hit)
		way = oldest(set, l3->mask[pmu->clos]);
	*way = (struct l3_way) { .tag = tag, .used = ++l3->uses };
	pmu_unlock(&l3->lock);
	return hit;
}

void pmu_l3_drop(struct pmu *pmu, uint64_t line)
{
	struct l3 *l3 = pmu->core->package->l3;
	uint64_t tag = tag_of(pmu, line);
	struct l3_way *way;

	if (!tag)
		return;
	pmu_lock(&l3->lock);
	way = find(set_of(pmu, l3, tag), shape_of(pmu)->ways, tag);
	if (way)
		*way = (struct l3_way) { 0 };
	pmu_unlock(&l3->lock);
}

void pmu_l3_clear(struct pmu *pmu)
{
	struct l3 *l3 = pmu->core->package->l3;

	pmu_lock(&l3->lock);
	memset(l3->way, 0, ways_of_all_sets(pmu) * sizeof(l3->way[0]));
	pmu_unlock(&l3->lock);
}

uint64_t pmu_l3_ways(const struct pmu *pmu)
{
	return BIT(shape_of(pmu)->ways) - 1;
}

uint64_t pmu_l3_mask(const struct pmu *pmu, unsigned int clos)
{
	return __atomic_load_n(&pmu->core->package->l3->mask[clos], __ATOMIC_RELAXED);
}

void pmu_l3_set_mask(struct pmu *pmu, unsigned int clos, uint64_t mask)
{
	__atomic_store_n(&pmu->core->package->l3->mask[clos], (uint32_t)mask, __ATOMIC_RELAXED);
}

/* All ones of a mask stand side by side, and there is one; others fault. */
bool pmu_l3_allows_mask(uint64_t mask)
{
	uint64_t above = mask + (mask & -mask);

	return mask && !(mask & above);
}

bool pmu_l3_allows_class(const struct pmu *pmu, uint64_t value)
{
	return value >> 32 < pmu->profile->l3_classes;
}

void pmu_l3_power_on(struct pmu *pmu)
{
	pmu->clos = 0;
	if (!pmu->core->package->l3)
		return;
	/* Where there are no classes, all have the first one's. */
	for (unsigned int i = 0; i == 0 || i < pmu->profile->l3_classes; i++)
		pmu_l3_set_mask(pmu, i, pmu_l3_ways(pmu));
}
