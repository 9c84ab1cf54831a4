// SPDX-License-Identifier: GPL-2.0-only
/*
 * The prefetchers, which MSR_PREFETCH, or MISC_ENABLE before Nehalem, switches off one by one.
 * They see the lines that
 * the first level lacks, and know a load by the page that it is in rather than by its
 * address.  None goes on into another page.
 */
#include <stddef.h>

#include "model.h"

#define LINES_BITS 6			/* log2 of lines in a page */
#define LINES (1 << LINES_BITS)
#define AHEAD 4				/* lines that the streamer is ahead */

/* A Pentium 4 has one prefetcher of streams, whatever their step, and a Core 2 one for lines. */
static uint64_t off_by_misc_enable(const struct pmu *pmu)
{
	uint64_t msr = pmu_plain_read(pmu, MSR_MISC_ENABLE), off = 0;

	if (msr & MISC_NO_STREAMER)
		off |= NO_STREAMER | (pmu->profile->netburst ? NO_STRIDE : 0);
	if (msr & MISC_NO_ADJACENT)
		off |= NO_ADJACENT;
	if (msr & MISC_NO_NEXT_LINE)
		off |= NO_NEXT_LINE;
	if (msr & MISC_NO_STRIDE)
		off |= NO_STRIDE;
	return off;
}

uint64_t pmu_prefetchers_off(const struct pmu *pmu)
{
	return pmu_plain_read(pmu, MSR_PREFETCH) | off_by_misc_enable(pmu);
}

/* Brings a line of the page into a level and into those behind it. */
static void bring(struct pmu *pmu, uint64_t page, int at, unsigned int level, bool store)
{
	uint64_t line = page << LINES_BITS | (unsigned int)at;

	if (at < 0 || at >= LINES)
		return;
	pmu_timing_prefetch(pmu, line, level, store);
}

/* Two steps alike make a stream. */
static void learn(struct prefetch_page *p, int at)
{
	int step = at - p->last;

	if (!step)
		return;
	if (step == p->step)
		p->alike += p->alike < 2;
	else
		p->alike = 0;
	p->step = (int8_t)step;
	p->last = (uint8_t)at;
}

static struct prefetch_page *page_of(struct pmu *pmu, uint64_t page)
{
	struct prefetch_page *p = &pmu->prefetch[page % PREFETCH_PAGES];

	if (p->page == page + 1)
		return p;
	*p = (struct prefetch_page) { .page = page + 1, .last = LINES };
	return NULL;
}

int pmu_stream(struct pmu *pmu, uint64_t line)
{
	struct prefetch_page *p = page_of(pmu, line >> LINES_BITS);
	uint8_t at = line & (LINES - 1);

	if (!p) {
		pmu->prefetch[(line >> LINES_BITS) % PREFETCH_PAGES].last = at;
		return 0;
	}
	learn(p, at);
	return p->alike ? p->step : 0;
}

/* The first level lacked a line, which the second had or (missed) did not have. */
void pmu_prefetch(struct pmu *pmu, uint64_t line, bool missed, bool store)
{
	uint64_t page = line >> LINES_BITS, off = pmu_prefetchers_off(pmu);
	int at = (int)(line & (LINES - 1));
	int step = pmu_stream(pmu, line);

	if (missed && !(off & NO_ADJACENT))
		bring(pmu, page, at ^ 1, 1, store);
	if (!step)
		return;
	if (step == 1 && !(off & NO_NEXT_LINE))
		bring(pmu, page, at + 1, 0, store);
	else if (step != 1 && !(off & NO_STRIDE))
		bring(pmu, page, at + step, 0, store);
	if ((step == 1 || step == -1) && !(off & NO_STREAMER))
		for (int i = 1; i <= AHEAD; i++)
			bring(pmu, page, at + i * step, 1, store);
}
