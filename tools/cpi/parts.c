// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What cycles an instruction takes are made of on this processor: a part for the uops, and one for
 * each kind of event whose cost is known, with the sets of events that tell them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/cpi/cpi.h"
#include "tools/run/events.h"

static int no_memory(void)
{
	return complain("cpi", EXIT_FAILED, "out of memory");
}

/* ---- parts ---------------------------------------------------------------------------------- */

static struct cpi_part *grow(struct cpi_parts *parts)
{
	struct cpi_part *grown = reallocarray(parts->list, parts->count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	parts->list = grown;
	grown += parts->count++;
	*grown = (struct cpi_part){
		.at = { CPI_NOWHERE, CPI_NOWHERE, CPI_NOWHERE }, .node_at = CPI_NOWHERE,
	};
	return grown;
}

/* In this ring; NULL stays NULL.  Returns whether there was memory. */
static bool put_ring(const char *event, const char *ring, char **text)
{
	if (event && asprintf(text, "%s%s", event, ring) < 0)
		*text = NULL;
	return !event || *text;
}

/* What this processor, or this user, cannot count is told in its row. */
static void check_part(struct pmuctl *ctx, struct cpi_part *part)
{
	struct pmuctl_event *event;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(part->texts) && !part->why_not; i++) {
		if (!part->texts[i])
			continue;
		event = NULL;
		if (pmuctl_event_parse(ctx, part->texts[i], &event))
			part->why_not = part->why = strdup(pmuctl_error(ctx));
		pmuctl_event_free(event);
	}
}

static int add_floor(struct pmuctl *ctx, const char *ring, struct cpi_parts *parts)
{
	struct pmuctl_cost_floor lowest = { .size = sizeof(lowest) };
	struct cpi_part *part;
	int err = pmuctl_cost_get_floor(ctx, &lowest);

	if (err)
		return complain("cpi", EXIT_FAILED, "%s", pmuctl_error(ctx));
	part = grow(parts);
	if (!part || !put_ring(lowest.event, ring, &part->texts[0]))
		return no_memory();
	part->name = "floor";
	part->method = CPI_FLOOR;
	part->cycles = 1.0 / lowest.width;
	part->source = "uops retired, by the width of the processor";
	check_part(ctx, part);
	return 0;
}

/* A user's figure is meant, then what was measured, then what is published. */
static enum cpi_method method_of(const struct cost_figure *figure)
{
	if (figure->given)
		return CPI_GIVEN;
	if (figure->cost.duration)
		return CPI_DURATION;
	return figure->cost.cycles > 0 ? CPI_ANALYTIC : CPI_NONE;
}

/* Whether one of the levels behind has a user's figure, so that each level is for itself. */
static bool levels_given(const struct cost_figures *figures)
{
	size_t i;

	for (i = 0; i < figures->count; i++)
		if ((figures->list[i].cost.behind || figures->list[i].cost.covers) &&
		    figures->list[i].given)
			return true;
	return false;
}

/* Where what misses the first level is measured to its end, all levels are in that. */
static const char *find_inside(const struct cost_figures *figures)
{
	size_t i;

	for (i = 0; i < figures->count; i++)
		if (figures->list[i].cost.covers && figures->list[i].cost.duration &&
		    !levels_given(figures))
			return figures->list[i].cost.name;
	return NULL;
}

static int add_part(struct pmuctl *ctx, const struct cost_figure *figure, const char *ring,
		    struct cpi_parts *parts)
{
	const struct pmuctl_cost *cost = &figure->cost;
	struct cpi_part *part = grow(parts);
	bool filled;

	if (!part)
		return no_memory();
	part->name = cost->name;
	part->node = cost->node;
	part->cost = cost;
	part->method = method_of(figure);
	/* Of several levels the one has its own figure alone. */
	if (part->method == CPI_DURATION && cost->covers && !parts->inside)
		part->method = cost->cycles > 0 ? CPI_ANALYTIC : CPI_NONE;
	if (part->method == CPI_NONE) {
		part->why_not = "nobody has published what one costs here; --analytic says it";
		return 0;
	}
	filled = put_ring(cost->event, ring, &part->texts[0]);
	if (part->method == CPI_DURATION) {
		part->source = cost->meaning ? cost->meaning : cost->text;
		filled = filled && put_ring(cost->duration, ring, &part->texts[1]) &&
			 put_ring(cost->periods, ring, &part->texts[2]);
	} else {
		part->cycles = cost->cycles;
		part->source = cost->source;
	}
	if (!filled)
		return no_memory();
	check_part(ctx, part);
	return 0;
}

/* What has no node of Top-Down is by another clock than the core's, unless a user says it. */
static bool is_part(const struct cost_figure *figure, const struct cpi_parts *parts)
{
	const struct pmuctl_cost *cost = &figure->cost;

	return !cost->watched && !(cost->behind && parts->inside) && (cost->node || figure->given);
}

static int add_parts(struct pmuctl *ctx, const struct cost_figures *figures, const char *ring,
		     struct cpi_parts *parts)
{
	size_t i;
	int code = add_floor(ctx, ring, parts);

	parts->inside = find_inside(figures);
	for (i = 0; !code && i < figures->count; i++) {
		if (is_part(&figures->list[i], parts))
			code = add_part(ctx, &figures->list[i], ring, parts);
	}
	return code;
}

/* ---- sets ----------------------------------------------------------------------------------- */

/*
 * What a set has: instructions first, so that each is a quotient of its own, and cycles, but where
 * the counters are too few for these besides.
 */
struct set_text {
	char *events[32];
	size_t count, base;
};

static bool has_event(const struct set_text *set, const char *text)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		if (!strcmp(set->events[i], text))
			return true;
	return false;
}

static bool add_event(struct set_text *set, const char *text)
{
	if (has_event(set, text))
		return true;
	if (set->count == ARRAY_SIZE(set->events))
		return false;
	set->events[set->count] = strdup(text);
	return set->events[set->count++];
}

static void drop_events(struct set_text *set, size_t from)
{
	while (set->count > from)
		free(set->events[--set->count]);
}

static bool fits(struct pmuctl *ctx, const struct set_text *set)
{
	struct events events = { .count = 0 };
	bool fit = true;
	size_t i;

	for (i = 0; fit && i < set->count; i++)
		fit = !events_add(ctx, "cpi", set->events[i], &events);
	fit = fit && events_fit(ctx, &events);
	events_free(&events);
	return fit;
}

/* To struct topdown_run's; the texts are its then. */
static int end_set(struct cpi_parts *parts, struct set_text *set)
{
	struct pmuctl_topdown_set *grown = reallocarray(parts->sets, parts->nr_sets + 1,
							sizeof(*grown));
	char **events = calloc(set->count, sizeof(*events));

	if (grown)
		parts->sets = grown;
	if (!grown || !events) {
		free(events);
		return no_memory();
	}
	memcpy(events, set->events, set->count * sizeof(*events));
	grown[parts->nr_sets++] = (struct pmuctl_topdown_set){
		.events = (const char *const *)events, .events_count = set->count,
	};
	set->count = 0;
	return 0;
}

static int begin_set(const char *ring, struct set_text *set)
{
	char text[2][24];

	snprintf(text[0], sizeof(text[0]), "instructions%s", ring);
	snprintf(text[1], sizeof(text[1]), "cycles%s", ring);
	set->base = 2;
	return add_event(set, text[0]) && add_event(set, text[1]) ? 0 : no_memory();
}

static bool add_texts(struct set_text *set, const struct cpi_part *part)
{
	bool added = true;
	size_t i;

	for (i = 0; added && i < ARRAY_SIZE(part->texts); i++)
		added = !part->texts[i] || add_event(set, part->texts[i]);
	return added;
}

/* One that has nothing else yet makes room; false: it has nothing to leave. */
static bool leave_cycles(const struct cpi_parts *parts, struct set_text *set)
{
	if (!parts->nr_sets || set->count != set->base || set->base < 2)
		return false;
	drop_events(set, --set->base);
	return true;
}

/* Where the counters are too few for its duration a published figure has to do. */
static bool leave_duration(struct cpi_parts *parts, struct cpi_part *part)
{
	size_t i;

	if (part->method != CPI_DURATION || part->cost->cycles <= 0)
		return false;
	part->method = CPI_ANALYTIC;
	part->cycles = part->cost->cycles;
	part->source = part->cost->source;
	for (i = 1; i < ARRAY_SIZE(part->texts); i++) {
		free(part->texts[i]);
		part->texts[i] = NULL;
	}
	if (part->cost->covers)
		parts->inside = NULL;
	return true;
}

/*
 * Into this set, or where that has no room into the next one, the first of which is the clock of
 * all if need be; alone with instructions it is refused.
 */
static int place(struct pmuctl *ctx, const char *ring, struct cpi_parts *parts,
		 struct cpi_part *part, struct set_text *set)
{
	size_t before = set->count;
	int code;

	if (add_texts(set, part) && fits(ctx, set))
		return 0;
	drop_events(set, before);
	if (leave_cycles(parts, set))
		return place(ctx, ring, parts, part, set);
	if (set->base < 2 && set->count == set->base) {
		if (leave_duration(parts, part))
			return place(ctx, ring, parts, part, set);
		part->why_not = "the counters are too few for what tells it";
		return 0;
	}
	code = end_set(parts, set);
	if (!code)
		code = begin_set(ring, set);
	return code ? code : place(ctx, ring, parts, part, set);
}

static int make_sets(struct pmuctl *ctx, const char *ring, struct cpi_parts *parts)
{
	struct set_text set = { .count = 0 };
	size_t i;
	int code = begin_set(ring, &set);

	for (i = 0; !code && i < parts->count; i++)
		if (!parts->list[i].why_not)
			code = place(ctx, ring, parts, &parts->list[i], &set);
	if (!code)
		code = end_set(parts, &set);
	drop_events(&set, 0);
	return code;
}

int cpi_parts_make(struct pmuctl *ctx, const struct cost_figures *figures, const char *ring,
		   struct cpi_parts *parts)
{
	int code = add_parts(ctx, figures, ring, parts);

	return code ? code : make_sets(ctx, ring, parts);
}

/* ---- where their counts are ----------------------------------------------------------------- */

/* Where an event is among a set's; its number of events: nowhere. */
static size_t find_event(const struct pmuctl_topdown_set *set, const char *text)
{
	size_t i;

	for (i = 0; i < set->events_count; i++)
		if (!strcmp(set->events[i], text))
			break;
	return i;
}

static bool place_part(struct cpi_part *part, const struct pmuctl_topdown_set *set, size_t first)
{
	size_t i, at[ARRAY_SIZE(part->texts)] = { 0 };

	for (i = 0; i < ARRAY_SIZE(part->texts); i++) {
		at[i] = part->texts[i] ? find_event(set, part->texts[i]) : 0;
		if (part->texts[i] && at[i] == set->events_count)
			return false;
	}
	for (i = 0; i < ARRAY_SIZE(part->texts); i++)
		part->at[i] = part->texts[i] ? first + at[i] : CPI_NOWHERE;
	part->instructions = first;
	return true;
}

static size_t find_node(const struct pmuctl_topdown *plan, const char *name)
{
	size_t node = plan && name ? topdown_node_named(plan, name) : 0;

	return plan && name && node < pmuctl_topdown_nodes(plan) ? node : CPI_NOWHERE;
}

static int place_clocks(struct cpi_parts *parts, size_t first)
{
	size_t i;

	parts->clocks = calloc(parts->nr_sets + 1, sizeof(*parts->clocks));
	if (!parts->clocks)
		return no_memory();
	for (i = 0; i < parts->nr_sets; i++) {
		const struct pmuctl_topdown_set *set = &parts->sets[i];
		bool clock = set->events_count > 1 && !strncmp(set->events[1], "cycles", 6);

		parts->clocks[i] = (struct cpi_clock){ clock ? first + 1 : CPI_NOWHERE, first };
		first += set->events_count;
	}
	return 0;
}

int cpi_parts_place(struct cpi_parts *parts, const struct pmuctl_topdown *plan)
{
	size_t before = plan ? pmuctl_topdown_events(plan) : 0, i, set, first;

	for (i = 0; i < parts->count; i++) {
		struct cpi_part *part = &parts->list[i];

		part->node_at = find_node(plan, part->node);
		first = before;
		for (set = 0; !part->why_not && set < parts->nr_sets; set++) {
			if (place_part(part, &parts->sets[set], first))
				break;
			first += parts->sets[set].events_count;
		}
	}
	return place_clocks(parts, before);
}

void cpi_parts_free(struct cpi_parts *parts)
{
	size_t i, k;

	for (i = 0; i < parts->count; i++) {
		for (k = 0; k < ARRAY_SIZE(parts->list[i].texts); k++)
			free(parts->list[i].texts[k]);
		free(parts->list[i].why);
	}
	for (i = 0; i < parts->nr_sets; i++) {
		for (k = 0; k < parts->sets[i].events_count; k++)
			free((char *)parts->sets[i].events[k]);
		free((char **)parts->sets[i].events);
	}
	free(parts->list);
	free(parts->sets);
	free(parts->clocks);
}
