// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of ways, of pages.
 */
#include <stdlib.h>
#include <string.h>

#include "tlb.h"

#define PAGE_BITS 12

bool pmu_tlb_new(struct tlb *t, struct tlb_shape shape)
{
	t->shape = shape;
	t->way = calloc(shape.ways * BIT(shape.set_bits), sizeof(*t->way));
	return t->way;
}

bool pmu_tlb_look_up(struct tlb *t, uint64_t page)
{
	return pmu_touch_way(pmu_tlb_ways(t, page), t->shape.ways, page + 1);
}

static void forget(struct tlb *t, uint64_t page)
{
	uint64_t *set = pmu_tlb_ways(t, page);

	for (unsigned int w = 0; w < t->shape.ways; w++)
		if (set[w] == page + 1)
			set[w] = 0;
}

void pmu_tlb_flush(struct tlb *t, uint64_t addr)
{
	if (addr == UINT64_MAX)
		memset(t->way, 0, t->shape.ways * BIT(t->shape.set_bits) * sizeof(*t->way));
	else
		forget(t, addr >> PAGE_BITS);
}
