// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What was counted by a plan, and the shares that it comes to.
 *
 * A node that has all its events in a set is evaluated on what that set counted (on
 * the sum of several sets, if they have them all); one whose events are spread is
 * evaluated on counts per cycle of each one's sets.  Intervals are put together to
 * readings in which each set had its turn, and those are evaluated one by one as well:
 * how they differ is the error.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/topdown/topdown.h"

/* Most events that a formula may have. */
#define EVENTS_MAX UNIT_EVENTS

struct sum {
	double value, enabled, running;
};

struct pmuctl_topdown_tally {
	struct pmuctl_topdown *td;
	struct sum *sums;		/* as the counts are given */
	struct sum *reading;		/* the last one in which all sets had their turn, */
	struct sum *rest;		/* what came behind it, */
	struct sum *last;		/* and room for both together */
	bool has_reading;
	struct topdown_spread *spreads;	/* of each node, over all readings but the last */
	char **why_not;			/* of each node */
};

/* ---- made and freed ------------------------------------------------------------ */

int pmuctl_topdown_tally_new(struct pmuctl_topdown *td, struct pmuctl_topdown_tally **tally)
{
	struct pmuctl_topdown_tally *t;

	if (!tally)
		return is_null(td->ctx, "the tally to be made");
	t = calloc(1, sizeof(*t));
	if (!t)
		return fail(td->ctx, -ENOMEM, "out of memory");
	t->td = td;
	t->sums = calloc(td->nr_counts + 1, sizeof(*t->sums));
	t->reading = calloc(td->nr_counts + 1, sizeof(*t->reading));
	t->rest = calloc(td->nr_counts + 1, sizeof(*t->rest));
	t->last = calloc(td->nr_counts + 1, sizeof(*t->last));
	t->spreads = calloc(td->nr_nodes, sizeof(*t->spreads));
	t->why_not = calloc(td->nr_nodes, sizeof(char *));
	if (!t->sums || !t->reading || !t->rest || !t->last || !t->spreads || !t->why_not) {
		pmuctl_topdown_tally_free(t);
		return fail(td->ctx, -ENOMEM, "out of memory");
	}
	*tally = t;
	return 0;
}

static void forget_reasons(struct pmuctl_topdown_tally *t)
{
	size_t i;

	for (i = 0; t->why_not && i < t->td->nr_nodes; i++) {
		free(t->why_not[i]);
		t->why_not[i] = NULL;
	}
}

void pmuctl_topdown_tally_free(struct pmuctl_topdown_tally *tally)
{
	if (!tally)
		return;
	forget_reasons(tally);
	free(tally->why_not);
	free(tally->spreads);
	free(tally->last);
	free(tally->rest);
	free(tally->reading);
	free(tally->sums);
	free(tally);
}

void pmuctl_topdown_tally_reset(struct pmuctl_topdown_tally *tally)
{
	memset(tally->sums, 0, tally->td->nr_counts * sizeof(*tally->sums));
	memset(tally->rest, 0, tally->td->nr_counts * sizeof(*tally->rest));
	tally->has_reading = false;
	memset(tally->spreads, 0, tally->td->nr_nodes * sizeof(*tally->spreads));
	forget_reasons(tally);
}

/* ---- counts of a node's events ---------------------------------------------------- */

/* Of the event in all sets of the mask that have it. */
static struct sum sum_of(const struct pmuctl_topdown *td, const struct sum *sums, uint32_t sets,
			 unsigned int event)
{
	struct sum sum = { .value = 0 };
	const struct topdown_set *set;
	unsigned int place;
	size_t i;

	for (i = 0; i < td->nr_sets; i++) {
		set = &td->sets[i];
		place = topdown_place(set, event);
		if (!(sets >> i & 1) || place == set->unit.count)
			continue;
		sum.value += sums[set->first + place].value;
		sum.running += sums[set->first + place].running;
		if (sums[set->first + place].enabled > sum.enabled)
			sum.enabled = sums[set->first + place].enabled;
	}
	return sum;
}

static uint32_t sets_with(const struct pmuctl_topdown *td, unsigned int event)
{
	uint32_t sets = 0;
	size_t i;

	for (i = 0; i < td->nr_sets; i++)
		if (topdown_place(&td->sets[i], event) < td->sets[i].unit.count)
			sets |= 1u << i;
	return sets;
}

/* What these sets were on for: in cycles if all count those, else in time. */
static double length_of(const struct pmuctl_topdown *td, const struct sum *sums, uint32_t sets,
			bool cycles)
{
	double length = 0;
	size_t i;

	if (cycles)
		return sum_of(td, sums, sets, td->clock).value;
	for (i = 0; i < td->nr_sets; i++)
		if (sets >> i & 1)
			length += sums[td->sets[i].first].running;
	return length;
}

struct gathered {
	double counts[EVENTS_MAX];
	double measured;	/* share of the time, 0 to 1; of the event that has least */
	double length;		/* how much it says: cycles, or ns */
};

static void note_share(struct gathered *g, const struct sum *sum)
{
	double share = sum->enabled > 0 ? sum->running / sum->enabled : 0;

	if (share > 1)
		share = 1;
	if (share < g->measured)
		g->measured = share;
}

/* All sets that the node's events come from. */
static uint32_t sets_of(const struct topdown_node *node)
{
	size_t i, n = pmuctl_metric_get_info(node->metric)->events_count;
	uint32_t sets = 0;

	for (i = 0; i < n; i++)
		sets |= node->from[i];
	return sets;
}

/* As if all had been on all the time that any of their sets was. */
static void gather(const struct pmuctl_topdown *td, const struct topdown_node *node,
		   const struct sum *sums, struct gathered *g)
{
	size_t i, n = pmuctl_metric_get_info(node->metric)->events_count;
	uint32_t sets = sets_of(node);
	bool cycles = !(sets & ~sets_with(td, td->clock));
	double length;
	struct sum sum;

	*g = (struct gathered){ .measured = 1, .length = length_of(td, sums, sets, cycles) };
	for (i = 0; i < n; i++) {
		sum = sum_of(td, sums, node->from[i], node->events[i]);
		length = length_of(td, sums, node->from[i], cycles);
		note_share(g, &sum);
		g->counts[i] = sum.value;
		if (node->from[i] != sets)
			g->counts[i] = length > 0 ? sum.value * (g->length / length) : 0;
		/* A part without cycles is a part that was not measured. */
		if (!(length > 0) && g->length > 0)
			g->measured = 0;
	}
}

/* ---- readings ---------------------------------------------------------------------- */

static void add_counts(struct sum *to, const struct sum *from, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		to[i].value += from[i].value;
		to[i].enabled += from[i].enabled;
		to[i].running += from[i].running;
	}
}

/*
 * Has each set had half of its share of the time, or more?  A node whose events are spread
 * over sets would have no value in less than that, or one that is made of next to nothing.
 */
static bool is_whole(const struct pmuctl_topdown *td, const struct sum *sums)
{
	double all = length_of(td, sums, ~0u, false), enabled = 0;
	size_t i;

	for (i = 0; i < td->nr_sets; i++)
		if (sums[td->sets[i].first].enabled > enabled)
			enabled = sums[td->sets[i].first].enabled;
	/* Sets that fit beside each other are on at the same time. */
	if (all > enabled)
		all = enabled;
	for (i = 0; i < td->nr_sets; i++)
		if (2 * (double)td->nr_sets * sums[td->sets[i].first].running < all)
			return false;
	return all > 0;
}

static void add_reading(const struct pmuctl_topdown_tally *t, size_t i,
			const struct sum *reading, struct topdown_spread *spread)
{
	const struct topdown_node *node = &t->td->nodes[i];
	struct gathered g;
	double value;

	if (!node->metric || !t->has_reading)
		return;
	gather(t->td, node, reading, &g);
	if (g.measured > 0 && g.length > 0 &&
	    !pmuctl_metric_value(node->metric, g.counts, 1, &value))
		topdown_spread_add(spread, g.length, value);
}

/* What has come is a reading of its own; the one before it will not grow any more. */
static void begin_reading(struct pmuctl_topdown_tally *t)
{
	struct sum *before = t->reading;
	size_t i;

	for (i = 0; i < t->td->nr_nodes; i++)
		add_reading(t, i, t->reading, &t->spreads[i]);
	t->reading = t->rest;
	t->rest = before;
	memset(t->rest, 0, t->td->nr_counts * sizeof(*t->rest));
	t->has_reading = true;
}

int pmuctl_topdown_tally_add(struct pmuctl_topdown_tally *tally,
			     const struct pmuctl_topdown_count *counts)
{
	struct pmuctl_topdown *td = tally->td;
	struct sum sum;
	size_t i;

	if (!counts)
		return is_null(td->ctx, "the counts");
	for (i = 0; i < td->nr_counts; i++) {
		sum = (struct sum){ (double)counts[i].value, (double)counts[i].enabled,
				    (double)counts[i].running };
		add_counts(&tally->sums[i], &sum, 1);
		add_counts(&tally->rest[i], &sum, 1);
	}
	if (is_whole(td, tally->rest))
		begin_reading(tally);
	return 0;
}

/* What is too short for a reading of its own is a part of the last one. */
static void end_reading(struct pmuctl_topdown_tally *t)
{
	memcpy(t->last, t->reading, t->td->nr_counts * sizeof(*t->last));
	add_counts(t->last, t->rest, t->td->nr_counts);
}

/* ---- results ------------------------------------------------------------------------- */

/* The last reading is not among the others yet. */
static double error_of(const struct pmuctl_topdown_tally *t, size_t i, bool in_turns)
{
	struct topdown_spread spread = t->spreads[i];

	add_reading(t, i, t->last, &spread);
	if (!in_turns && !t->td->runs)
		return topdown_rounding_error(&spread, t->td->nodes[i].coarse);
	return topdown_spread_error(&spread, in_turns, t->td->nodes[i].coarse);
}

static int say_why(struct pmuctl_topdown_tally *t, size_t i, const char *why,
		   struct pmuctl_topdown_result *result)
{
	t->why_not[i] = strdup(why);
	if (!t->why_not[i])
		return fail(t->td->ctx, -ENOMEM, "out of memory");
	result->why_not = t->why_not[i];
	return 0;
}

static int evaluate(struct pmuctl_topdown_tally *t, size_t i, struct pmuctl_topdown_result *result)
{
	const struct topdown_node *node = &t->td->nodes[i];
	struct gathered g;

	*result = (struct pmuctl_topdown_result){ .error = -1 };
	if (!node->metric) {
		result->why_not = node->why_not;
		return 0;
	}
	gather(t->td, node, t->sums, &g);
	result->measured = 100 * g.measured;
	if (!(g.measured > 0))
		return say_why(t, i, "not measurable: its events were never on a counter", result);
	if (!(g.length > 0))
		return say_why(t, i, "not measurable: no cycles counted", result);
	if (pmuctl_metric_value(node->metric, g.counts, 1, &result->raw))
		return say_why(t, i, t->td->ctx->error, result);
	result->error = error_of(t, i, g.measured < ALWAYS);
	return 0;
}

int pmuctl_topdown_results(struct pmuctl_topdown_tally *tally,
			   struct pmuctl_topdown_result *results)
{
	size_t i;
	int err = 0;

	if (!results)
		return is_null(tally->td->ctx, "the results");
	forget_reasons(tally);
	end_reading(tally);
	for (i = 0; !err && i < tally->td->nr_nodes; i++)
		err = evaluate(tally, i, &results[i]);
	if (!err)
		topdown_judge(tally->td, results);
	return err;
}

double pmuctl_topdown_cycles(const struct pmuctl_topdown_tally *tally)
{
	const struct pmuctl_topdown *td = tally->td;
	struct sum sum = sum_of(td, tally->sums, sets_with(td, td->clock), td->clock);

	/* Sets that are on at the same time count the same cycles. */
	return sum.running > 0 ? sum.value * (sum.enabled / sum.running) : 0;
}

char *pmuctl_topdown_numbers(const struct pmuctl_topdown_tally *tally, size_t node)
{
	const struct topdown_node *n = node < tally->td->nr_nodes ? &tally->td->nodes[node] : NULL;
	struct gathered g;

	if (!n || !n->metric)
		return NULL;
	gather(tally->td, n, tally->sums, &g);
	return metric_numbers(n->metric, g.counts);
}
