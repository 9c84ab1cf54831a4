// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first step of pmuctl analyze: Top-Down, and the node that is worth going into.
 */
#include <errno.h>
#include <string.h>

#include "tools/analyze/analyze.h"
#include "tools/run/context.h"
#include "tools/run/signals.h"

/* A child that has the largest share of the rest below its parent has to have this much. */
#define CHILD_MIN 1.0	/* percent */

static int make_plan(struct analyze *a)
{
	const struct analyze_args *args = &a->args;
	const char *const nodes[] = { args->node };
	const struct pmuctl_topdown_options options = {
		.size = sizeof(options),
		.kind = args->classical ? PMUCTL_TOPDOWN_CLASSICAL : PMUCTL_TOPDOWN_TMA5,
		.levels = args->levels,
		.nodes = args->node ? nodes : NULL,
		.nodes_count = args->node ? 1 : 0,
		.ring = a->ring,
		.tasks = true,
		.unprivileged = user_mode_only(a->run.c.ctx),
	};

	return topdown_make_plans(&a->run, &options);
}

static bool has_value(const struct analyze *a, size_t i)
{
	return !a->results[i].why_not;
}

/* Of its children, or of level 1, the one with the largest share; -1: there is none. */
static int32_t largest_below(const struct analyze *a, int32_t parent)
{
	size_t i, nodes = pmuctl_topdown_nodes(a->plan);
	int32_t best = -1;

	for (i = 0; i < nodes; i++) {
		if (pmuctl_topdown_get_node(a->plan, i)->parent != parent || !has_value(a, i) ||
		    (parent >= 0 && a->results[i].value < CHILD_MIN))
			continue;
		if (best < 0 || a->results[i].value > a->results[best].value)
			best = (int32_t)i;
	}
	return best;
}

/* The one that stands out; where none does, down the largest shares. */
static int32_t find_leaf(const struct analyze *a)
{
	size_t i, nodes = pmuctl_topdown_nodes(a->plan);
	int32_t leaf = -1, next;

	for (i = 0; i < nodes; i++)
		if (a->results[i].bottleneck)
			return (int32_t)i;
	while ((next = largest_below(a, leaf)) >= 0)
		leaf = next;
	return leaf;
}

static int32_t find_node(const struct analyze *a, const char *name)
{
	size_t i, nodes = pmuctl_topdown_nodes(a->plan);

	for (i = 0; i < nodes; i++)
		if (!strcasecmp(pmuctl_topdown_get_node(a->plan, i)->name, name))
			return (int32_t)i;
	return -1;
}

static int no_numbers(const struct analyze *a)
{
	const char *why = pmuctl_topdown_nodes(a->plan) ? a->results[0].why_not : NULL;

	return complain("analyze", EXIT_FAILED, "Top-Down of '%s' has no numbers: %s",
			a->args.command[0], why ? why : "nothing was counted");
}

/* The kind of core that most of the time was spent on, of those that have the node. */
static void choose_part(struct analyze *a)
{
	const struct topdown_part *part;
	unsigned int p;
	double share;

	for (p = 0; p < a->run.nr_parts; p++) {
		part = &a->run.parts[p];
		if (!part->plan)
			continue;
		share = topdown_time_share(&a->run, &a->run.whole, p);
		if (a->part && share <= a->time_share)
			continue;
		a->part = part;
		a->plan = part->plan;
		a->time_share = share;
	}
}

static int choose(struct analyze *a)
{
	int32_t leaf;

	choose_part(a);
	a->results = topdown_results(&a->run, &a->run.whole,
				     (unsigned int)(a->part - a->run.parts));
	if (!a->results)
		return EXIT_FAILED;
	leaf = a->args.node ? find_node(a, a->args.node) : find_leaf(a);
	if (leaf < 0)
		return no_numbers(a);
	a->leaf = (size_t)leaf;
	a->node = pmuctl_topdown_get_node(a->plan, a->leaf);
	if (a->args.node && a->node->why_not)
		return complain("analyze", EXIT_USAGE, "node '%s': %s", a->node->name,
				a->node->why_not);
	return 0;
}

int analyze_count(struct analyze *a)
{
	struct counting *c = &a->run.c;
	int code;

	c->cmd = "analyze";
	c->targets = &a->args.targets;
	c->command = a->args.command;
	c->no_multiplex = a->args.no_multiplex;
	code = make_plan(a);
	if (!code)
		code = topdown_count(&a->run);
	if (!code && signals_seen())
		return complain("analyze", EXIT_FAILED, "interrupted, before anything was sampled");
	return code ? code : choose(a);
}
