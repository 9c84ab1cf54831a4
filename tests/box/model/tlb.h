/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A TLB, or anything else that holds numbers in sets of ways: which pages it has.
 */
#ifndef PMUBOX_TLB_H
#define PMUBOX_TLB_H

#include "model.h"

struct tlb {
	uint64_t *way;			/* sets of ways, the last used first; 0: none */
	struct tlb_shape shape;
};

/* False: there is no memory. */
bool pmu_tlb_new(struct tlb *t, struct tlb_shape shape);
/* True if it has the page; it has afterwards in any case. */
bool pmu_tlb_look_up(struct tlb *t, uint64_t page);
/* The page of an address is forgotten, or (UINT64_MAX) all are. */
void pmu_tlb_flush(struct tlb *t, uint64_t addr);

static inline uint64_t *pmu_tlb_ways(const struct tlb *t, uint64_t page)
{
	return t->way + (page & (BIT(t->shape.set_bits) - 1)) * t->shape.ways;
}

#endif
