// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shares of Top-Down that were measured in turns, and too few of them.
 */
#include "topdown.h"

#define ALWAYS 99.95

bool topdown_is_partial(const struct pmuctl_topdown_result *result)
{
	return !result->why_not && result->measured < ALWAYS;
}

bool topdown_is_rough(const struct pmuctl_topdown_result *result)
{
	return topdown_is_partial(result) && result->error < 0;
}

const char *topdown_rough_advice(const struct pmuctl_topdown *plan,
				 const struct pmuctl_topdown_result *results, bool is_command)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(plan); i++)
		if (topdown_is_rough(&results[i]))
			return is_command ?
			       "The run was too short for turns: nodes are of different parts of "
			       "it, and may be far off. --no-multiplex runs the command once for "
			       "each set of events." :
			       "The time was too short for turns: nodes are of different parts of "
			       "it, and may be far off. Count for longer.";
	return NULL;
}
