// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl cost counts in which run.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/cost/plan.h"
#include "tools/run/context.h"

static int no_memory(void)
{
	return complain("cost", EXIT_FAILED, "out of memory");
}

/* ---- lines: what was asked for -------------------------------------------------------------- */

static struct plan_line *grow_lines(struct cost_plan *plan)
{
	struct plan_line *grown = reallocarray(plan->lines, plan->nr_lines + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	plan->lines = grown;
	memset(&grown[plan->nr_lines], 0, sizeof(*grown));
	return &grown[plan->nr_lines++];
}

/* Returns where modifiers of a name begin: at the colon of a portable name or of a row's. */
static size_t name_length(const char *text)
{
	const char *slash = strrchr(text, '/');

	return (size_t)((slash ? slash + 1 : text) - text) +
	       strcspn(slash ? slash + 1 : text, ":");
}

/* A row's name stands for its event; modifiers are those of both. */
static int add_line(struct cost_plan *plan, const char *name)
{
	size_t len = name_length(name);
	const struct cost_figure *figure = figures_named(&plan->figures, name, len);
	struct plan_line *line = grow_lines(plan);

	if (!line)
		return no_memory();
	line->name = strdup(name);
	line->figure = figure;
	if (asprintf(&line->text, "%s%s", figure ? figure->cost.event : name,
		     figure ? name + len : "") < 0)
		line->text = NULL;
	return line->name && line->text ? 0 : no_memory();
}

static int add_part(void *data, const struct event_part *part)
{
	char *name;
	int code;

	if (asprintf(&name, "%.*s%.*s", (int)part->len, part->name, (int)part->modifiers_len,
		     part->modifiers) < 0)
		return no_memory();
	code = add_line(data, name);
	free(name);
	return code;
}

static bool is_here(struct cost_plan *plan, const char *text)
{
	struct pmuctl_event *event = NULL;
	bool here = !pmuctl_event_parse(plan->pairs.ctx, text, &event);

	pmuctl_event_free(event);
	return here;
}

/* All rows that this processor can count. */
static int add_all(struct cost_plan *plan)
{
	const char *ring = user_mode_only(plan->pairs.ctx) ? ":u" : "";
	size_t i;
	char name[80];
	int code = 0;

	if (!plan->figures.count)
		return complain("cost", EXIT_FAILED, "%s; name events (-e)", plan->figures.why_not);
	for (i = 0; !code && i < plan->figures.count; i++) {
		const struct pmuctl_cost *cost = &plan->figures.list[i].cost;

		if (cost->watched || !is_here(plan, cost->event))
			continue;
		snprintf(name, sizeof(name), "%s%s", cost->name, ring);
		code = add_line(plan, name);
	}
	return code;
}

static int add_lines(struct cost_plan *plan, const struct cost_args *args)
{
	const char *why = NULL;
	size_t i;
	int code = args->events.count ? 0 : add_all(plan);

	for (i = 0; !code && i < args->events.count; i++)
		code = event_text_walk(args->events.texts[i], add_part, plan, &why);
	return code;
}

/* ---- what each line's event is -------------------------------------------------------------- */

/* By the event, since a row's may have many names; and its ring. */
static void take_event(struct cost_plan *plan, struct plan_line *line, const struct event *event)
{
	const struct pmuctl_event_info *info = pmuctl_event_get_info(event->event);

	if (!line->figure)
		line->figure = figures_of_event(plan->pairs.ctx, &plan->figures, event->event);
	line->ring = info->user == info->kernel ? "" : info->user ? ":u" : ":k";
}

/* All events once, which says what is wrong with them, and whether they fit beside cycles. */
static int try_lines(struct cost_plan *plan)
{
	struct events events = { .count = 0 };
	struct pmuctl *ctx = plan->pairs.ctx;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < plan->nr_lines; i++)
		code = events_add(ctx, "cost", plan->lines[i].text, &events);
	if (!code)
		code = events_unsupported(&events, "cost");
	for (i = 0; !code && i < plan->nr_lines; i++)
		take_event(plan, &plan->lines[i], &events.list[i]);
	if (!code)
		code = events_add(ctx, "cost", user_mode_only(ctx) ? "cycles:u" : "cycles", &events);
	plan->everywhere = !code && events_fit(ctx, &events);
	events_free(&events);
	return code;
}

/* Cycles are those of the events' ring, if they have one in common. */
static const char *common_ring(const struct cost_plan *plan)
{
	size_t i;

	for (i = 1; i < plan->nr_lines; i++)
		if (strcmp(plan->lines[i].ring, plan->lines[0].ring) != 0)
			return user_mode_only(plan->pairs.ctx) ? ":u" : "";
	return plan->lines[0].ring;
}

/* ---- items: what else is counted ------------------------------------------------------------ */

static struct plan_item *grow_items(struct cost_plan *plan, size_t slots)
{
	struct plan_item *grown = reallocarray(plan->items, plan->nr_items + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	plan->items = grown;
	grown += plan->nr_items++;
	*grown = (struct plan_item){ .slot = plan->slots, .slots = slots };
	plan->slots += slots;
	return grown;
}

/* A line that is in one set only: its reading is where it would be anyway. */
static int add_shared(struct cost_plan *plan, size_t line)
{
	struct plan_item *item = grow_items(plan, 0);

	if (!item)
		return no_memory();
	item->slot = plan_slot(line);
	item->slots = 1;
	item->line = line;
	item->text = strdup(plan->lines[line].text);
	item->names[0] = plan->lines[line].name;
	return item->text ? 0 : no_memory();
}

/* What an event is called in words: by name= of its terms. */
static char *name_of(const char *text)
{
	const char *name = strstr(text, "name=");

	return name ? strndup(name + 5, strcspn(name + 5, ",/")) : strdup(text);
}

static int add_duration(struct cost_plan *plan, const struct cost_figure *figure, const char *ring,
			size_t line)
{
	struct plan_item *item;

	if (!figure || !figure->cost.duration)
		return 0;
	item = grow_items(plan, 2);
	if (!item)
		return no_memory();
	item->line = line;
	item->duration = true;
	item->figure = figure;
	item->names[0] = item->owned[0] = name_of(figure->cost.duration);
	item->names[1] = item->owned[1] = name_of(figure->cost.periods);
	if (asprintf(&item->text, "{%s,%s}%s", figure->cost.duration, figure->cost.periods,
		     ring) < 0)
		item->text = NULL;
	return item->text && item->names[0] && item->names[1] ? 0 : no_memory();
}

static bool is_asked(const struct cost_plan *plan, const struct cost_figure *figure)
{
	size_t i;

	for (i = 0; i < plan->nr_lines; i++)
		if (plan->lines[i].figure == figure)
			return true;
	return false;
}

static int add_other(struct cost_plan *plan, const struct cost_figure *figure, const char *ring)
{
	struct plan_item *item = grow_items(plan, 1);

	if (!item)
		return no_memory();
	item->other = true;
	item->figure = figure;
	item->names[0] = figure->cost.name;
	if (asprintf(&item->text, "%s%s", figure->cost.event, ring) < 0)
		item->text = NULL;
	return item->text ? 0 : no_memory();
}

/* Of what nobody has published a figure its duration is one. */
static int add_others(struct cost_plan *plan)
{
	const char *ring = common_ring(plan);
	size_t i;
	int code = 0;

	for (i = 0; !code && i < plan->figures.count; i++) {
		const struct cost_figure *figure = &plan->figures.list[i];

		if (is_asked(plan, figure))
			continue;
		code = add_other(plan, figure, ring);
		if (!code && figure->cost.cycles <= 0)
			code = add_duration(plan, figure, ring, plan->nr_lines);
	}
	return code;
}

/* ---- sets ----------------------------------------------------------------------------------- */

/* Cycles first, then the events if all of them are in each set. */
static int begin_set(struct cost_plan *plan)
{
	struct pairs *p = &plan->pairs;
	struct pair_set *sets = reallocarray(p->sets, p->nr_sets + 1, sizeof(*sets));
	char text[16];
	size_t i;
	int code;

	if (!sets)
		return no_memory();
	p->sets = sets;
	sets += p->nr_sets++;
	memset(sets, 0, sizeof(*sets));
	snprintf(text, sizeof(text), "cycles%s", common_ring(plan));
	code = events_add(p->ctx, "cost", text, &sets->events);
	for (i = 0; !code && plan->everywhere && i < plan->nr_lines; i++)
		code = events_add(p->ctx, "cost", plan->lines[i].text, &sets->events);
	return code;
}

static size_t base_of(const struct cost_plan *plan)
{
	return 1 + (plan->everywhere ? plan->nr_lines : 0);
}

/* One that this processor lacks is told of where it would be shown. */
static int add_item(struct cost_plan *plan, struct plan_item *item, struct events *events)
{
	size_t i;
	int code;

	item->at = events->count;
	item->set = plan->pairs.nr_sets - 1;
	code = events_add(plan->pairs.ctx, "cost", item->text, events);
	for (i = item->at; !code && i < events->count; i++)
		if (!events->list[i].event && !item->why_not)
			item->why_not = item->why = strdup(events->list[i].why_not);
	if (item->why_not)
		events_drop(events, item->at);
	return code;
}

/* Into the last set, or if it does not fit there into a new one. */
static int place(struct cost_plan *plan, struct plan_item *item)
{
	struct events *events = &plan->pairs.sets[plan->pairs.nr_sets - 1].events;
	bool first = events->count == base_of(plan);
	int code = add_item(plan, item, events);

	if (code || item->why_not || events_fit(plan->pairs.ctx, events))
		return code;
	if (first) {
		plan->turns = true;
		return 0;
	}
	events_drop(events, item->at);
	code = begin_set(plan);
	return code ? code : place(plan, item);
}

static int make_sets(struct cost_plan *plan)
{
	size_t i;
	int code = begin_set(plan);

	for (i = 0; !code && i < plan->nr_items; i++)
		code = place(plan, &plan->items[i]);
	for (i = 0; !code && i < plan->pairs.nr_sets; i++)
		code = pair_set_watch(&plan->pairs, &plan->pairs.sets[i]);
	return code;
}

/* ---- readings ------------------------------------------------------------------------------- */

static size_t reading_at(const struct cost_plan *plan, size_t contest, size_t pair,
			 unsigned int side)
{
	return ((contest * plan->pairs.room + pair) * 2 + side) * plan->slots;
}

const struct reading *plan_reading(const struct cost_plan *plan, size_t contest, size_t pair,
				   unsigned int side, size_t slot)
{
	return &plan->readings[reading_at(plan, contest, pair, side) + slot];
}

const struct plan_item *plan_duration_of(const struct cost_plan *plan, size_t line)
{
	size_t i;

	for (i = 0; i < plan->nr_items; i++)
		if (plan->items[i].duration && plan->items[i].line == line)
			return &plan->items[i];
	return NULL;
}

/* Of both sides' runs; 0 where none counted it. */
static double mean_duration(const struct cost_plan *plan, const struct plan_item *item)
{
	double cycles = 0, periods = 0;
	const struct reading *x;
	size_t run;

	for (run = 0; run < 2 * plan->pairs.done; run++) {
		x = plan_reading(plan, 0, run / 2, run % 2, item->slot);
		cycles += x[0].value;
		periods += x[1].value;
	}
	return periods > 0 ? cycles / periods : 0;
}

double plan_figure(const struct cost_plan *plan, const struct cost_figure *figure)
{
	size_t i;

	if (!figure || figure->cost.cycles > 0)
		return figure ? figure->cost.cycles : 0;
	for (i = 0; i < plan->nr_items; i++)
		if (plan->items[i].duration && plan->items[i].figure == figure)
			return mean_duration(plan, &plan->items[i]);
	return 0;
}

static int take(void *data, const struct pair_run *run)
{
	struct cost_plan *plan = data;
	struct reading *to = &plan->readings[reading_at(plan, run->contest, run->pair, run->side)];
	size_t i, k;

	to[PLAN_CYCLES] = run->counted[0];
	for (i = 0; plan->everywhere && i < plan->nr_lines; i++)
		to[plan_slot(i)] = run->counted[1 + i];
	for (i = 0; i < plan->nr_items; i++)
		for (k = 0; !plan->items[i].why_not && plan->items[i].set == run->set &&
		     k < plan->items[i].slots; k++)
			to[plan->items[i].slot + k] = run->counted[plan->items[i].at + k];
	return 0;
}

static int make_readings(struct cost_plan *plan)
{
	size_t count = plan->pairs.nr_contests * plan->pairs.room * 2 * plan->slots, i;

	plan->readings = calloc(count, sizeof(*plan->readings));
	for (i = 0; plan->readings && i < count; i++)
		plan->readings[i].why_not = NOT_COUNTED;
	return plan->readings ? 0 : no_memory();
}

/* Each set once, or nothing is known of what is in it; twice where an event is there alone. */
size_t plan_least_pairs(const struct cost_plan *plan)
{
	return plan->pairs.nr_sets * (plan->settings && !plan->everywhere ? 2 : 1);
}

/* Each set in two runs of a side at least, so that there are errors. */
static size_t usual_pairs(const struct cost_plan *plan)
{
	size_t usual = plan->settings ? PAIRS_USUAL : PAIRS_ALONE;
	size_t twice = plan->pairs.nr_sets * (plan->settings ? 2 : 1);

	return twice > usual ? twice : usual;
}

static int take_pairs(struct cost_plan *plan, unsigned int asked)
{
	size_t least = plan_least_pairs(plan);

	plan->pairs.room = asked ? asked : usual_pairs(plan);
	if (plan->pairs.room >= least)
		return 0;
	return complain("cost", EXIT_USAGE, "-r %u: what is counted does not fit at once and takes "
			"turns by pairs, in %zu sets: %zu pairs are the least (-r %zu)%s", asked,
			plan->pairs.nr_sets, least, least,
			plan->everywhere ? "" : ", or fewer events");
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* All events are in each set if that leaves room for every item. */
static int leave_room(struct cost_plan *plan)
{
	struct pairs *p = &plan->pairs;
	size_t i;
	int code = begin_set(plan);

	for (i = 0; !code && plan->everywhere && i < plan->nr_items; i++) {
		struct plan_item item = { .text = plan->items[i].text };

		code = add_item(plan, &item, &p->sets[0].events);
		plan->everywhere = item.why_not || events_fit(p->ctx, &p->sets[0].events);
		events_drop(&p->sets[0].events, item.at);
		free(item.why);
	}
	events_free(&p->sets[0].events);
	p->nr_sets = 0;
	return code;
}

static int add_items(struct cost_plan *plan)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < plan->nr_lines; i++)
		code = add_duration(plan, plan->lines[i].figure, plan->lines[i].ring, i);
	if (!code && plan->settings)
		code = add_others(plan);
	if (!code && plan->everywhere)
		code = leave_room(plan);
	for (i = 0; !code && !plan->everywhere && i < plan->nr_lines; i++)
		code = add_shared(plan, i);
	return code;
}

int plan_make(struct cost_plan *plan, const struct cost_args *args)
{
	int code = figures_read(plan->pairs.ctx, "cost", &args->given, &plan->figures);

	if (!code)
		code = add_lines(plan, args);
	if (!code)
		code = try_lines(plan);
	plan->slots = 1 + plan->nr_lines;
	if (!code)
		code = add_items(plan);
	if (!code)
		code = make_sets(plan);
	if (!code)
		code = take_pairs(plan, args->runs.pairs);
	return code ? code : make_readings(plan);
}

void plan_init(struct cost_plan *plan, struct cost_args *args)
{
	plan->pairs.cmd = "cost";
	plan->pairs.what_fails = "measured";
	plan->pairs.args = &args->runs;
	plan->pairs.take = take;
	plan->pairs.data = plan;
	pairs_init(&plan->pairs);
}

static void free_items(struct cost_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->nr_items; i++) {
		free(plan->items[i].text);
		free(plan->items[i].owned[0]);
		free(plan->items[i].owned[1]);
		free(plan->items[i].why);
	}
	free(plan->items);
}

void plan_free(struct cost_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->nr_lines; i++) {
		free(plan->lines[i].name);
		free(plan->lines[i].text);
	}
	free(plan->lines);
	free_items(plan);
	free(plan->readings);
	pairs_free(&plan->pairs);
	free(plan->pairs.sets);
	figures_free(&plan->figures);
	pmuctl_close(plan->pairs.ctx);
}
