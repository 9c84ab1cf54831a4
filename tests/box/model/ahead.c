// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams in a core without a pipeline.  It cannot tell which loads wait for each other,
 * but lines of a page that are missing one step after another are fetched ahead, as many
 * at a time as there are fill buffers: so a stream takes a line's time once for all of
 * them.  Those lines are misses all the same, of which the program waits for less.
 */
#include "model.h"

#define PAGE_LINE_BITS 6		/* log2 of lines in a page */

/* How long the program has to wait for it: all of the stall, unless it is on its way. */
static uint32_t wait_for(struct pmu *pmu, uint64_t line, uint64_t now, uint32_t stall)
{
	for (unsigned int i = 0; i < LINES_AHEAD; i++) {
		struct line_ahead *a = &pmu->ahead[i];
		uint64_t there = a->from + stall;

		if (a->line != line + 1)
			continue;
		a->line = 0;
		/* What does not retire takes its cycles back. */
		if (now < a->from)
			return stall;
		return there > now ? (uint32_t)(there - now) : 0;
	}
	return stall;
}

static unsigned int buffers_taken(const struct pmu *pmu, uint64_t now)
{
	unsigned int taken = 0;

	for (unsigned int i = 0; i < LINES_AHEAD; i++)
		taken += pmu->ahead[i].line && pmu->ahead[i].until > now;
	return taken;
}

static bool asked_for(const struct pmu *pmu, uint64_t line)
{
	for (unsigned int i = 0; i < LINES_AHEAD; i++)
		if (pmu->ahead[i].line == line + 1)
			return true;
	return false;
}

/* The next lines of its stream, as long as a buffer is free; none in another page. */
static void ask(struct pmu *pmu, uint64_t line, int step, uint64_t now, uint32_t stall,
		unsigned int taken)
{
	unsigned int buffers = pmu->profile->fill_buffers;

	for (unsigned int i = 1; i <= buffers && taken < buffers; i++) {
		uint64_t next = line + (uint64_t)((int64_t)step * (int)i);

		if ((next ^ line) >> PAGE_LINE_BITS)
			return;
		if (asked_for(pmu, next))
			continue;
		pmu->ahead[pmu->asked++ % LINES_AHEAD] = (struct line_ahead) {
			.line = next + 1, .from = now, .until = now + stall,
		};
		taken++;
	}
}

/* Streams of lines in a row are the streamer's, all others the prefetcher's of strides. */
static bool may_ask(const struct pmu *pmu, int step)
{
	uint64_t one = step == 1 || step == -1 ? NO_STREAMER : NO_STRIDE;

	return !(pmu_prefetchers_off(pmu) & one);
}

/* The first level lacks a line, which has a stall: the cycles of it that are waited. */
uint32_t pmu_ahead(struct pmu *pmu, uint64_t line, uint32_t stall)
{
	uint64_t now = pmu_simple_cycle(pmu);
	uint32_t wait;
	int step;

	if (!pmu->profile->fill_buffers)
		return stall;
	wait = wait_for(pmu, line, now, stall);
	step = pmu_stream(pmu, line);
	if (step && may_ask(pmu, step))
		ask(pmu, line, step, now, stall, buffers_taken(pmu, now) + (wait > 0));
	return wait;
}

/* A line, or (UINT64_MAX) all of them, have been flushed. */
void pmu_ahead_forget(struct pmu *pmu, uint64_t line)
{
	for (unsigned int i = 0; i < LINES_AHEAD; i++)
		if (line == UINT64_MAX || pmu->ahead[i].line == line + 1)
			pmu->ahead[i].line = 0;
}
