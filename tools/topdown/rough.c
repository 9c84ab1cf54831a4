// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shares of Top-Down that were measured in turns, and too few of them.
 */
#include "tools/topdown/topdown.h"

#define ALWAYS 99.95

/*
 * Standard errors in what is shown as one.  A tree has some 20 shares: with three, all of
 * them are within theirs in 19 of 20 runs; with two, each of them alone.
 */
#define ERRORS 3

double topdown_bar(const struct pmuctl_topdown_result *result)
{
	double bar = ERRORS * result->error;

	return result->error < 0 || bar >= 100 ? -1 : bar;
}

bool topdown_has_bars(const struct topdown_tree *tree)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(tree->plan); i++)
		if (!tree->results[i].why_not && topdown_bar(&tree->results[i]) >= 0)
			return true;
	return false;
}

bool topdown_is_partial(const struct pmuctl_topdown_result *result)
{
	return !result->why_not && result->measured < ALWAYS;
}

bool topdown_is_rough(const struct pmuctl_topdown_result *result)
{
	return topdown_is_partial(result) && topdown_bar(result) < 0;
}

const char *topdown_rough_advice(const struct pmuctl_topdown *plan,
				 const struct pmuctl_topdown_result *results,
				 enum topdown_length length)
{
	static const char *const advice[] = {
		[TOPDOWN_RUN] =
			"The run was too short for turns: nodes are of different parts of it, and "
			"may be far off. --no-multiplex runs the command once for each set of "
			"events.",
		[TOPDOWN_TIME] =
			"The time was too short for turns: nodes are of different parts of it, and "
			"those without an error may be far off. Count for longer.",
		[TOPDOWN_INTERVAL] =
			"The interval is too short for turns: nodes are of different parts of it, "
			"and those without an error may be far off. Make it longer, or ask for "
			"fewer levels (-l) or nodes (--nodes).",
	};
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(plan); i++)
		if (topdown_is_rough(&results[i]))
			return advice[length];
	return NULL;
}
