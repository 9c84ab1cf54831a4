// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which events are counted together: each node's in one set, if they fit the
 * counters, as few sets as can be found, level 1 in every set that has room for it.
 *
 * What does not fit at all (on four counters a formula of level 2 may want nine
 * events) is spread over sets, and put together by cycles: each count stands for so
 * many a cycle.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/topdown/topdown.h"

struct planning {
	struct pmuctl_topdown *td;
	struct pmuctl_session *session;	/* never created: events to try with */
	struct packing packing;
};

static bool fits(const struct planning *p, const struct unit *unit)
{
	return units_fit(&p->packing, unit, NULL);
}

static bool has(const struct unit *unit, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < unit->count; i++)
		if (unit->event[i] == event)
			return true;
	return false;
}

/* false if there is no room, even were there counters. */
static bool add(struct unit *unit, unsigned int event)
{
	if (has(unit, event))
		return true;
	if (unit->count == UNIT_EVENTS)
		return false;
	unit->event[unit->count++] = event;
	return true;
}

static bool add_all(struct unit *unit, const struct unit *more)
{
	unsigned int i;

	for (i = 0; i < more->count; i++)
		if (!add(unit, more->event[i]))
			return false;
	return true;
}

bool topdown_contains(const struct unit *unit, const struct unit *part)
{
	unsigned int i;

	for (i = 0; i < part->count; i++)
		if (!has(unit, part->event[i]))
			return false;
	return true;
}

/* ---- sets ------------------------------------------------------------------- */

/* NULL: too many, or no memory, and the error says so. */
static struct topdown_set *new_set(struct pmuctl_topdown *td)
{
	struct topdown_set *grown;

	if (td->nr_sets == TOPDOWN_SETS) {
		fail(td->ctx, -ENOSPC, "these nodes need more than %d turns of events; ask for fewer",
		     TOPDOWN_SETS);
		return NULL;
	}
	grown = reallocarray(td->sets, td->nr_sets + 1, sizeof(*grown));
	if (!grown) {
		fail(td->ctx, -ENOMEM, "out of memory");
		return NULL;
	}
	td->sets = grown;
	grown[td->nr_sets] = (struct topdown_set){ .first = 0 };
	return &grown[td->nr_sets++];
}

/* The set that takes them with the fewest added; NULL: none does. */
static struct topdown_set *best_set(const struct planning *p, const struct unit *unit,
				    struct unit *joined)
{
	struct pmuctl_topdown *td = p->td;
	struct topdown_set *best = NULL;
	struct unit both;
	size_t i;

	for (i = 0; i < td->nr_sets; i++) {
		both = td->sets[i].unit;
		if (!add_all(&both, unit) || !fits(p, &both))
			continue;
		if (best && both.count - td->sets[i].unit.count >=
			    joined->count - best->unit.count)
			continue;
		best = &td->sets[i];
		*joined = both;
	}
	return best;
}

static int put_together(struct planning *p, const struct unit *unit)
{
	struct unit joined = { .count = 0 };
	struct topdown_set *set = best_set(p, unit, &joined);

	if (!set) {
		set = new_set(p->td);
		joined = *unit;
	}
	if (!set)
		return -ENOSPC;
	set->unit = joined;
	return 0;
}

/* ---- what does not fit at once --------------------------------------------------- */

static bool is_counted(const struct pmuctl_topdown *td, unsigned int event)
{
	size_t i;

	for (i = 0; i < td->nr_sets; i++)
		if (has(&td->sets[i].unit, event))
			return true;
	return false;
}

/* "gp0, fixed1" */
static void name_counters(uint64_t counters, char *text, size_t size)
{
	static const struct {
		unsigned int first, end;
		const char *name;
	} kinds[] = {
		{ 0, PMUCTL_COUNTER_FIXED, "gp" },
		{ PMUCTL_COUNTER_FIXED, PMUCTL_COUNTER_METRIC, "fixed" },
		{ PMUCTL_COUNTER_METRIC, 64, "metric" },
	};
	unsigned int i, kind = 0;
	size_t at = 0;

	text[0] = '\0';
	for (i = 0; i < 64; i++) {
		if (i == kinds[kind].end)
			kind++;
		if (counters >> i & 1 && at < size)
			at += (size_t)snprintf(text + at, size - at, "%s%s%u", at ? ", " : "",
					       kinds[kind].name, i - kinds[kind].first);
	}
}

static int nowhere(const struct planning *p, const struct topdown_node *node, unsigned int event)
{
	char counters[200];

	name_counters(p->session->events[event].counters, counters, sizeof(counters));
	return fail(p->td->ctx, -ENOSPC,
		    "%s cannot be measured: event '%s' has to be on a counter of these, and none "
		    "is free: %s", node->info.name, p->td->names[event], counters);
}

/* As many of what is not counted yet as fit beside what the set has. */
static bool fill(const struct planning *p, const struct unit *wanted, struct unit *set)
{
	bool some = false;
	struct unit both;
	unsigned int i;

	for (i = 0; i < wanted->count; i++) {
		both = *set;
		if (is_counted(p->td, wanted->event[i]) || has(set, wanted->event[i]) ||
		    !add(&both, wanted->event[i]) || !fits(p, &both))
			continue;
		*set = both;
		some = true;
	}
	return some;
}

static unsigned int first_left(const struct pmuctl_topdown *td, const struct unit *wanted)
{
	unsigned int i;

	for (i = 0; i < wanted->count; i++)
		if (!is_counted(td, wanted->event[i]))
			return wanted->event[i];
	return NO_EVENT;
}

static int spread(struct planning *p, const struct topdown_node *node, const struct unit *wanted)
{
	struct pmuctl_topdown *td = p->td;
	struct topdown_set *set;
	unsigned int left;
	struct unit unit;
	size_t i;

	for (i = 0; i < td->nr_sets; i++) {
		unit = td->sets[i].unit;
		fill(p, wanted, &unit);
		td->sets[i].unit = unit;
	}
	while ((left = first_left(td, wanted)) != NO_EVENT) {
		unit = (struct unit){ .count = 0 };
		add(&unit, td->clock);
		if (!fill(p, wanted, &unit))
			return nowhere(p, node, left);
		set = new_set(td);
		if (!set)
			return -ENOSPC;
		set->unit = unit;
	}
	return 0;
}

/* ---- nodes --------------------------------------------------------------------- */

static bool take_events(const struct topdown_node *node, struct unit *unit)
{
	size_t i, count = node->metric ? pmuctl_metric_get_info(node->metric)->events_count : 0;

	for (i = 0; i < count; i++)
		if (!add(unit, node->events[i]))
			return false;
	return true;
}

static int place(struct planning *p, const struct topdown_node *node, const struct unit *unit)
{
	struct unit clocked = { .count = 0 };

	/* The clock first: where it is not needed it may be left out. */
	add(&clocked, p->td->clock);
	if (add_all(&clocked, unit) && fits(p, &clocked))
		return put_together(p, &clocked);
	return fits(p, unit) ? put_together(p, unit) : spread(p, node, unit);
}

struct unit topdown_level_1(const struct pmuctl_topdown *td)
{
	struct unit unit = { .count = 0 };
	size_t i;

	for (i = 0; i < td->nr_nodes; i++)
		if (td->nodes[i].info.level == 1)
			take_events(&td->nodes[i], &unit);
	return unit;
}

static int place_level(struct planning *p, uint32_t level)
{
	struct pmuctl_topdown *td = p->td;
	struct unit unit;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < td->nr_nodes; i++) {
		unit.count = 0;
		if (td->nodes[i].info.level != level || !td->nodes[i].metric)
			continue;
		if (!take_events(&td->nodes[i], &unit))
			return fail(td->ctx, -ENOSPC, "%s has too many events",
				    td->nodes[i].info.name);
		err = place(p, &td->nodes[i], &unit);
	}
	return err;
}

static bool all_have(const struct pmuctl_topdown *td, unsigned int event)
{
	struct unit unit;
	size_t i;

	for (i = 0; i < td->nr_nodes; i++) {
		unit.count = 0;
		if (td->nodes[i].info.level == 1 && td->nodes[i].metric &&
		    take_events(&td->nodes[i], &unit) && !has(&unit, event))
			return false;
	}
	return true;
}

/* What all shares are divided by comes last: from elsewhere it changes all of them alike. */
static struct unit common_last(const struct pmuctl_topdown *td, const struct unit *unit)
{
	struct unit sorted = { .count = 0 };
	unsigned int i, common;

	for (common = 0; common < 2; common++)
		for (i = 0; i < unit->count; i++)
			if (all_have(td, unit->event[i]) == common)
				add(&sorted, unit->event[i]);
	return sorted;
}

/* Its four shares are of the same moment wherever that can be. */
static int place_level_1(struct planning *p)
{
	const struct unit level1 = topdown_level_1(p->td);
	struct unit unit = common_last(p->td, &level1);

	return unit.count ? place(p, &p->td->nodes[0], &unit) : 0;
}

static int place_all(struct planning *p)
{
	uint32_t level;
	int err = place_level_1(p);

	for (level = 2; !err && level <= PMUCTL_TOPDOWN_LEVELS; level++)
		err = place_level(p, level);
	return err;
}

static void repeat_level_1(const struct planning *p)
{
	const struct unit unit = topdown_level_1(p->td);
	struct unit both;
	size_t i;

	for (i = 0; i < p->td->nr_sets; i++) {
		both = p->td->sets[i].unit;
		if (add_all(&both, &unit) && fits(p, &both))
			p->td->sets[i].unit = both;
	}
}

/* ---- the result ------------------------------------------------------------------ */

/* What PERF_METRICS divides has to come first. */
static void lead_with_slots(const struct pmuctl_topdown *td, struct unit *unit)
{
	unsigned int i, event;

	for (i = 0; i < unit->count; i++)
		if (!strncmp(td->names[unit->event[i]], "TOPDOWN.SLOTS", 13) &&
		    td->names[unit->event[i]][13] != '_')
			break;
	if (i == unit->count)
		return;
	event = unit->event[i];
	memmove(&unit->event[1], &unit->event[0], i * sizeof(unit->event[0]));
	unit->event[0] = event;
}

static int show_set(struct pmuctl_topdown *td, struct topdown_set *set)
{
	const char **events;
	unsigned int i;

	lead_with_slots(td, &set->unit);
	events = calloc(set->unit.count, sizeof(*events));
	if (!events)
		return fail(td->ctx, -ENOMEM, "out of memory");
	for (i = 0; i < set->unit.count; i++)
		events[i] = td->names[set->unit.event[i]];
	set->info.events = events;
	set->info.events_count = set->unit.count;
	set->first = td->nr_counts;
	td->nr_counts += set->unit.count;
	return 0;
}

/* Counters that somebody holds would make sets that can never be on. */
static uint64_t available(struct pmuctl *ctx)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	if (pmuctl_get_info(ctx, &info))
		return ctx->facts.counters;
	return ctx->facts.counters & ~info.counters_used;
}

static int make_sets(struct planning *p)
{
	size_t i;
	int err = place_all(p);

	if (err)
		return err;
	repeat_level_1(p);
	for (i = 0; !err && i < p->td->nr_sets; i++)
		err = show_set(p->td, &p->td->sets[i]);
	return err ? err : topdown_find_homes(p->td);
}

int topdown_make_sets(struct pmuctl_topdown *td)
{
	struct planning p = { .td = td };
	int err = session_of_names(td->ctx, (const char *const *)td->names, td->nr_names,
				   &p.session);

	if (err)
		return err;
	p.packing = (struct packing){ .s = p.session, .available = available(td->ctx) };
	err = make_sets(&p);
	pmuctl_session_free(p.session);
	return err;
}

void topdown_free_sets(struct pmuctl_topdown *td)
{
	size_t i;

	for (i = 0; i < td->nr_sets; i++)
		free((void *)(uintptr_t)td->sets[i].info.events);
	free(td->sets);
}
