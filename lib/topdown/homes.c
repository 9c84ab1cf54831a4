// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From which sets of a plan each node takes its counts: from all that have every
 * event of it, and else from as few as can be, so that what is divided was mostly
 * counted at the same time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/topdown/topdown.h"

static bool has(const struct unit *unit, unsigned int event)
{
	const struct unit one = { .event = { event }, .count = 1 };

	return topdown_contains(unit, &one);
}

static uint32_t sets_with(const struct pmuctl_topdown *td, const struct unit *unit)
{
	uint32_t sets = 0;
	size_t i;

	for (i = 0; i < td->nr_sets; i++)
		if (topdown_contains(&td->sets[i].unit, unit))
			sets |= 1u << i;
	return sets;
}

/* ---- as few sets as can be -------------------------------------------------------- */

/* Those of the events that the set has, and none has been found for. */
static struct unit left_in(const struct unit *events, const uint32_t *from, const struct unit *set)
{
	struct unit left = { .count = 0 };
	unsigned int i;

	for (i = 0; i < events->count; i++)
		if (!from[i] && has(set, events->event[i]))
			left.event[left.count++] = events->event[i];
	return left;
}

/* Count 0: nothing is left. */
static struct unit largest_part(const struct pmuctl_topdown *td, const struct unit *events,
				const uint32_t *from)
{
	struct unit best = { .count = 0 }, part;
	size_t i;

	for (i = 0; i < td->nr_sets; i++) {
		part = left_in(events, from, &td->sets[i].unit);
		if (part.count > best.count)
			best = part;
	}
	return best;
}

/* The largest part that some set has, then the largest of the rest... */
static void cover(const struct pmuctl_topdown *td, const struct unit *events, uint32_t *from)
{
	struct unit part = largest_part(td, events, from);
	uint32_t sets;
	unsigned int i;

	for (; part.count; part = largest_part(td, events, from)) {
		sets = sets_with(td, &part);
		for (i = 0; i < events->count; i++)
			if (!from[i] && has(&part, events->event[i]))
				from[i] = sets;
	}
}

/* ---- level 1 ------------------------------------------------------------------------ */

/* Its shares come from the same sets, so that they add up whatever was counted. */
static int cover_level_1(struct pmuctl_topdown *td)
{
	const struct unit level1 = topdown_level_1(td);
	uint32_t from[UNIT_EVENTS] = { 0 };
	unsigned int i;

	td->from = calloc(td->nr_names, sizeof(*td->from));
	if (!td->from)
		return fail(td->ctx, -ENOMEM, "out of memory");
	cover(td, &level1, from);
	for (i = 0; i < level1.count; i++)
		td->from[level1.event[i]] = from[i];
	return 0;
}

/* ---- all nodes ------------------------------------------------------------------- */

static struct unit unit_of(const struct topdown_node *node)
{
	struct unit unit = { .count = 0 };

	unit.count = (unsigned int)pmuctl_metric_get_info(node->metric)->events_count;
	memcpy(unit.event, node->events, unit.count * sizeof(unit.event[0]));
	return unit;
}

/* Parts of it that level 1 shows are those that level 1 shows. */
static void spread(const struct pmuctl_topdown *td, struct topdown_node *node,
		   const struct unit *events)
{
	unsigned int i;

	for (i = 0; i < events->count; i++)
		node->from[i] = td->from[events->event[i]];
	cover(td, events, node->from);
}

static int find_home(struct pmuctl_topdown *td, struct topdown_node *node)
{
	const struct unit events = unit_of(node);
	uint32_t sets = sets_with(td, &events);
	unsigned int i;

	node->from = calloc(events.count + 1, sizeof(*node->from));
	if (!node->from)
		return fail(td->ctx, -ENOMEM, "out of memory");
	if (!sets || node->info.level == 1)
		spread(td, node, &events);
	for (i = 0; i < events.count && !node->from[i]; i++)
		node->from[i] = sets;
	node->info.together = true;
	for (i = 1; i < events.count; i++)
		node->info.together &= node->from[i] == node->from[0];
	return 0;
}

int topdown_find_homes(struct pmuctl_topdown *td)
{
	size_t i;
	int err = cover_level_1(td);

	for (i = 0; !err && i < td->nr_nodes; i++)
		if (td->nodes[i].metric)
			err = find_home(td, &td->nodes[i]);
	return err;
}
