// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translations and lines of code in a core without a pipeline.  What is missing there is
 * counted, as long as a counter asks for it, and costs nothing.  Of each TLB there is one
 * level, the last.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define LINE_BITS 6
#define PAGE_BITS 12

struct pages {
	uint64_t *set[PAGES_KINDS];	/* of ways, the last used first */
	uint64_t line;			/* that the last instruction began in, plus one */
};

static size_t size_of(struct tlb_shape shape)
{
	return ((size_t)shape.ways << shape.set_bits) * sizeof(uint64_t);
}

int pmu_pages_new(struct pmu *pmu)
{
	const struct tlb_shape *shape = pmu->profile->pages;

	if (!shape[PAGES_CODE].ways)
		return 0;
	pmu->pages = calloc(1, sizeof(*pmu->pages));
	if (!pmu->pages)
		return -1;
	for (unsigned int kind = 0; kind < PAGES_KINDS; kind++) {
		pmu->pages->set[kind] = calloc(1, size_of(shape[kind]));
		if (!pmu->pages->set[kind])
			return -1;
	}
	return 0;
}

void pmu_pages_free(struct pmu *pmu)
{
	for (unsigned int kind = 0; pmu->pages && kind < PAGES_KINDS; kind++)
		free(pmu->pages->set[kind]);
	free(pmu->pages);
}

static uint64_t *ways_of(const struct pmu *pmu, enum pages_kind kind, uint64_t number)
{
	struct tlb_shape shape = pmu->profile->pages[kind];

	return pmu->pages->set[kind] + (number & (BIT(shape.set_bits) - 1)) * shape.ways;
}

/* True if it is there; it is afterwards in any case. */
static bool look_up(const struct pmu *pmu, enum pages_kind kind, uint64_t number)
{
	/* Zero is an empty way. */
	return pmu_touch_way(ways_of(pmu, kind, number), pmu->profile->pages[kind].ways, number + 1);
}

/* Another address space has other pages at the same place; UINT64_MAX: everywhere. */
void pmu_pages_flush(struct pmu *pmu, uint64_t addr)
{
	static const enum pages_kind tlbs[] = { PAGES_ITLB, PAGES_DTLB };

	pmu->pages->line = 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(tlbs); i++) {
		struct tlb_shape shape = pmu->profile->pages[tlbs[i]];
		uint64_t page = addr >> PAGE_BITS;

		if (addr == UINT64_MAX)
			memset(pmu->pages->set[tlbs[i]], 0, size_of(shape));
		else
			pmu_drop_way(ways_of(pmu, tlbs[i], page), shape.ways, page + 1);
	}
}

/* A counter is to count this. */
void pmu_pages_watch(struct pmu *pmu, enum event event)
{
	if (event == EV_DTLB_LOAD_MISSES || event == EV_DTLB_STORE_MISSES)
		pmu->compared |= WATCH_PAGES;
	pmu->watches_code |= event == EV_L1I_MISSES || event == EV_ITLB_MISSES;
}

/* If the instruction does not retire, its next try finds what this one has fetched. */
static void fetch_missed(struct pmu *pmu, enum event event)
{
	pmu_bump(pmu, event);
	pmu_seen(pmu, event);
}

void pmu_pages_fetch(struct pmu *pmu, uint64_t ip)
{
	uint64_t line = ip >> LINE_BITS, page = ip >> PAGE_BITS;

	if (pmu->pages->line == line + 1)
		return;
	pmu->pages->line = line + 1;
	if (!look_up(pmu, PAGES_ITLB, page))
		fetch_missed(pmu, EV_ITLB_MISSES);
	if (!look_up(pmu, PAGES_CODE, line))
		fetch_missed(pmu, EV_L1I_MISSES);
}

void pmu_pages_access(struct pmu *pmu, uint64_t addr, unsigned int size, bool store)
{
	uint64_t page = addr >> PAGE_BITS, last = (addr + size - 1) >> PAGE_BITS;

	for (; page <= last; page++)
		if (!look_up(pmu, PAGES_DTLB, page))
			pmu_miss_event(pmu, store ? EV_DTLB_STORE_MISSES : EV_DTLB_LOAD_MISSES);
}
