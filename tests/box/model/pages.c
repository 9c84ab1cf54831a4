// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translations and lines of code in a core without a pipeline.  What is missing there is
 * counted, as long as a counter asks for it, and costs nothing.  Of each TLB there is one
 * level, the last.
 */
#include <stdlib.h>

#include "tlb.h"

#define PAGE_BITS 12

struct pages {
	struct tlb code, itlb, dtlb;
	uint64_t line;			/* that the last instruction began in, plus one */
};

int pmu_pages_new(struct pmu *pmu)
{
	const struct pages_shape *shape = &pmu->profile->pages;
	struct pages *p;

	if (!shape->code.ways)
		return 0;
	p = pmu->pages = calloc(1, sizeof(*p));
	return p && pmu_tlb_new(&p->code, shape->code) && pmu_tlb_new(&p->itlb, shape->itlb) &&
	       pmu_tlb_new(&p->dtlb, shape->dtlb) ? 0 : -1;
}

void pmu_pages_free(struct pmu *pmu)
{
	struct pages *p = pmu->pages;

	if (!p)
		return;
	free(p->code.way);
	free(p->itlb.way);
	free(p->dtlb.way);
	free(p);
	pmu->pages = NULL;
}

/* Another address space has other pages at the same place; UINT64_MAX: everywhere. */
void pmu_pages_flush(struct pmu *pmu, uint64_t addr)
{
	pmu->pages->line = 0;
	pmu_tlb_flush(&pmu->pages->itlb, addr);
	pmu_tlb_flush(&pmu->pages->dtlb, addr);
}

/* A counter is to count this; only profiles that have pages have such events. */
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
	if (!pmu_tlb_look_up(&pmu->pages->itlb, page))
		fetch_missed(pmu, EV_ITLB_MISSES);
	if (!pmu_tlb_look_up(&pmu->pages->code, line))
		fetch_missed(pmu, EV_L1I_MISSES);
}

void pmu_pages_access(struct pmu *pmu, uint64_t addr, unsigned int size, bool store)
{
	uint64_t page = addr >> PAGE_BITS, last = (addr + size - 1) >> PAGE_BITS;

	for (; page <= last; page++)
		if (!pmu_tlb_look_up(&pmu->pages->dtlb, page))
			pmu_miss_event(pmu, store ? EV_DTLB_STORE_MISSES : EV_DTLB_LOAD_MISSES);
}
