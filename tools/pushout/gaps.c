// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A distribution of gaps.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/statistics.h"
#include "tools/pushout/gaps.h"

size_t gap_batch(uint64_t number, uint64_t expected)
{
	return number < expected ? number * GAP_BATCHES / expected : GAP_BATCHES - 1;
}

double gap_error(const struct gap_sum batches[GAP_BATCHES])
{
	double cycles[GAP_BATCHES], events[GAP_BATCHES];
	struct interval interval;
	size_t i;

	for (i = 0; i < GAP_BATCHES; i++) {
		cycles[i] = batches[i].cycles;
		events[i] = batches[i].events;
	}
	if (fieller_interval(cycles, events, GAP_BATCHES, GAP_LEVEL, &interval) != FIELLER_BOUNDED)
		return -1;
	return (interval.high - interval.low) / 2;
}

int gaps_make(struct gaps *g, uint64_t expected)
{
	*g = (struct gaps){ .expected = expected };
	g->events = calloc(GAP_MOST + 1, sizeof(*g->events));
	return g->events ? 0 : -ENOMEM;
}

void gaps_free(struct gaps *g)
{
	free(g->events);
	g->events = NULL;
}

static void sum_add(struct gap_sum *to, double events, double cycles)
{
	to->events += events;
	to->cycles += cycles;
}

void gaps_add(struct gaps *g, uint64_t cycles, double events)
{
	size_t batch = gap_batch(g->samples, g->expected);

	if (cycles > GAP_MOST)
		cycles = GAP_MOST;
	g->samples++;
	g->events[cycles] += events;
	sum_add(&g->all, events, events * (double)cycles);
	sum_add(&g->batches[batch], events, events * (double)cycles);
}

void gaps_subtract(struct gaps *g, const struct gaps *part)
{
	size_t i;

	for (i = 0; i <= GAP_MOST; i++)
		g->events[i] -= part->events[i];
	sum_add(&g->all, -part->all.events, -part->all.cycles);
	for (i = 0; i < GAP_BATCHES; i++)
		sum_add(&g->batches[i], -part->batches[i].events, -part->batches[i].cycles);
}

double gaps_mean(const struct gaps *g)
{
	return g->all.events > 0 ? g->all.cycles / g->all.events : 0;
}

double gaps_error(const struct gaps *g)
{
	return g->samples < 2 * GAP_BATCHES ? -1 : gap_error(g->batches);
}

struct gap_sum gaps_above(const struct gaps *g, uint64_t cycles)
{
	struct gap_sum above = { 0, 0 };
	size_t i;

	for (i = cycles < GAP_MOST ? cycles + 1 : GAP_MOST; i <= GAP_MOST; i++)
		sum_add(&above, g->events[i], g->events[i] * (double)i);
	if (g->all.events > 0)
		above.events /= g->all.events;
	if (g->all.cycles > 0)
		above.cycles /= g->all.cycles;
	return above;
}
