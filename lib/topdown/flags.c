// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What results mean: level 1 adds up, what is shown is a share, no part is more than its whole,
 * and which nodes stand out for certain.
 */
#include <string.h>

#include "lib/topdown/topdown.h"

/* Percent: what arithmetic alone may be off by, and no count can be. */
#define ROUNDING 1e-9

static bool is_level_1(const struct pmuctl_topdown *td, size_t i)
{
	return td->nodes[i].info.level == 1;
}

/* All four shares are there. */
static bool is_whole(const struct pmuctl_topdown *td, const struct pmuctl_topdown_result *results)
{
	size_t i, there = 0;

	for (i = 0; i < td->nr_nodes; i++)
		there += is_level_1(td, i) && !results[i].why_not;
	return there == 4;
}

/* From Ice Lake on it is what the others leave of 1, cut at 0. */
static bool is_cut(const struct pmuctl_topdown *td, const char *name)
{
	const char *formula = tma_find(&td->scope, name);

	return formula && !strncmp(formula, "max(", 4);
}

/* The cut hides that the others are more than 1: before it the sum is 100. */
static void undo_cut(const struct pmuctl_topdown *td, struct pmuctl_topdown_result *results)
{
	int32_t bad = topdown_find(td, "Bad_Speculation");
	double sum = 0;
	size_t i;

	for (i = 0; i < td->nr_nodes; i++)
		sum += is_level_1(td, i) ? results[i].raw : 0;
	if (is_cut(td, "Bad_Speculation") && results[bad].raw == 0 && sum > 100 + ROUNDING)
		results[bad].raw = 100 - sum;
}

static void clamp(struct pmuctl_topdown_result *r)
{
	r->outside = r->raw < -ROUNDING || r->raw > 100 + ROUNDING;
	r->value = r->raw < 0 ? 0 : r->raw > 100 ? 100 : r->raw;
}

/* What was cut from one share the others have too much. */
static void scale_to_whole(const struct pmuctl_topdown *td, struct pmuctl_topdown_result *results)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < td->nr_nodes; i++)
		sum += is_level_1(td, i) ? results[i].value : 0;
	for (i = 0; i < td->nr_nodes; i++)
		if (is_level_1(td, i) && sum > 0)
			results[i].value *= 100 / sum;
}

/* The parent that counts: one that is not measured has its children taken for its own. */
static int32_t measured_parent(const struct pmuctl_topdown *td, size_t i,
			       const struct pmuctl_topdown_result *results)
{
	int32_t parent = td->nodes[i].info.parent;

	while (parent != NO_NODE && results[parent].why_not)
		parent = td->nodes[parent].info.parent;
	return parent;
}

/* Parts of the same slots, which other sets may have counted at another time. */
static void cut_to_parent(const struct pmuctl_topdown *td, size_t i,
			  struct pmuctl_topdown_result *results)
{
	int32_t parent = measured_parent(td, i, results);

	if (results[i].why_not || parent == NO_NODE ||
	    strcmp(td->nodes[i].info.unit, td->nodes[parent].info.unit) != 0 ||
	    results[i].value <= results[parent].value)
		return;
	results[i].outside |= results[i].value > results[parent].value + ROUNDING;
	results[i].value = results[parent].value;
}

/* ---- what is certain ------------------------------------------------------------- */

static bool is_in_turns(const struct pmuctl_topdown_result *r)
{
	return r->measured < 100 * ALWAYS;
}

/* Its events were never on a counter, or too seldom for an error. */
static bool had_no_turns(const struct pmuctl_topdown_node *node,
			 const struct pmuctl_topdown_result *r)
{
	if (r->why_not)
		return !node->why_not && !(r->measured > 0);
	return is_in_turns(r) && r->error < 0;
}

bool pmuctl_topdown_too_short(const struct pmuctl_topdown *topdown,
			      const struct pmuctl_topdown_result *results)
{
	bool short_of = false, any = false;
	size_t i;

	for (i = 0; i < topdown->nr_nodes; i++) {
		any |= !results[i].why_not;
		short_of |= had_no_turns(&topdown->nodes[i].info, &results[i]);
	}
	/* Of what did not run at all nothing was too short. */
	return any && short_of;
}

/* What it has at least; where nothing tells how far it may be off it was counted all the time. */
static double certain(const struct pmuctl_topdown_result *r)
{
	return r->error < 0 ? r->value : r->value - PMUCTL_TOPDOWN_ERRORS * r->error;
}

/* ---- flags ---------------------------------------------------------------------- */

/* A parent that is not measured stands for its own. */
static bool is_parent_flagged(const struct pmuctl_topdown *td, size_t i,
			      const struct pmuctl_topdown_result *results)
{
	int32_t parent = measured_parent(td, i, results);

	return parent == NO_NODE || results[parent].flagged;
}

static bool is_over(const struct pmuctl_topdown *td, size_t i,
		    const struct pmuctl_topdown_result *results)
{
	const struct tma_node *def = td->nodes[i].def;

	if (results[i].why_not || !def->threshold || !(certain(&results[i]) > def->threshold))
		return false;
	return !(def->flags & TMA_AND_PARENT) || is_parent_flagged(td, i, results);
}

/* Parents come before their children. */
static void flag(const struct pmuctl_topdown *td, struct pmuctl_topdown_result *results)
{
	int32_t heavy = topdown_find(td, "Heavy_Operations");
	size_t i;

	for (i = 0; i < td->nr_nodes; i++)
		results[i].flagged = is_over(td, i, results);
	if (heavy == NO_NODE || !results[heavy].flagged)
		return;
	for (i = 0; i < td->nr_nodes; i++)
		if (td->nodes[i].def->flags & TMA_OR_HEAVY)
			results[i].flagged = !results[i].why_not;
}

/* ---- the bottleneck ---------------------------------------------------------------- */

static double weight(const struct pmuctl_topdown *td, const struct pmuctl_topdown_result *results,
		     size_t i)
{
	return td->nodes[i].def->flags & TMA_REST ? certain(&results[i]) / 2 : certain(&results[i]);
}

static bool is_better(const struct pmuctl_topdown *td, const struct pmuctl_topdown_result *results,
		      size_t a, int32_t b)
{
	bool a_aside = td->nodes[a].def->flags & TMA_ASIDE, b_aside;

	if (b == NO_NODE)
		return true;
	b_aside = td->nodes[b].def->flags & TMA_ASIDE;
	return a_aside != b_aside ? b_aside :
				    weight(td, results, a) > weight(td, results, (size_t)b);
}

static int32_t largest_flagged(const struct pmuctl_topdown *td, int32_t parent,
			       const struct pmuctl_topdown_result *results)
{
	int32_t best = NO_NODE;
	size_t i;

	for (i = 0; i < td->nr_nodes; i++)
		if (results[i].flagged && measured_parent(td, i, results) == parent &&
		    is_better(td, results, i, best))
			best = (int32_t)i;
	return best;
}

/* What is flagged on the other branch of the tree and has this for a consequence. */
static int32_t cause_of(const struct pmuctl_topdown *td, int32_t node,
			const struct pmuctl_topdown_result *results)
{
	int32_t cause = topdown_find(td, td->nodes[node].def->cause);

	return cause != NO_NODE && results[cause].flagged ? cause : node;
}

/*
 * Of a child that is a small part of its parent the greater part is elsewhere: in
 * what is not measured here, or in several small ones.
 */
#define PART_MIN 0.25

static bool explains(const struct pmuctl_topdown_result *results, int32_t child, int32_t parent)
{
	return parent == NO_NODE || results[child].value >= PART_MIN * results[parent].value;
}

static void mark_bottleneck(const struct pmuctl_topdown *td,
			    struct pmuctl_topdown_result *results)
{
	int32_t node = NO_NODE, next;

	while ((next = largest_flagged(td, node, results)) != NO_NODE &&
	       explains(results, next, node))
		node = next;
	if (node != NO_NODE)
		results[cause_of(td, node, results)].bottleneck = true;
}

void topdown_judge(const struct pmuctl_topdown *td, struct pmuctl_topdown_result *results)
{
	bool whole = is_whole(td, results);
	size_t i;

	if (whole)
		undo_cut(td, results);
	for (i = 0; i < td->nr_nodes; i++)
		clamp(&results[i]);
	if (whole)
		scale_to_whole(td, results);
	/* Parents come before their children. */
	for (i = 0; i < td->nr_nodes; i++)
		cut_to_parent(td, i, results);
	if (pmuctl_topdown_too_short(td, results))
		return;
	flag(td, results);
	mark_bottleneck(td, results);
}
