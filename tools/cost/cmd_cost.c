// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl cost: what an event costs, by published figures, by how long it lasts, by how long it
 * holds up retirement, and by what cycles change where the events do.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/flags.h"
#include "tools/cost/plan.h"
#include "tools/run/context.h"
#include "tools/run/kinds.h"
#include "tools/run/printing.h"
#include "tools/run/signals.h"

struct cost {
	struct cost_args args;
	struct cost_plan plan;
	struct printing to;
	struct cost_results results;
};

static int no_memory(void)
{
	return complain("cost", EXIT_FAILED, "out of memory");
}

/* ---- one event ------------------------------------------------------------------------------ */

/* Runs that the first side's counts are of: both sides', where there is one setting. */
static size_t runs_of(const struct cost_plan *plan)
{
	return plan->pairs.done * (plan->settings ? 1 : 2);
}

static const struct reading *run_reading(const struct cost_plan *plan, size_t run, size_t slot)
{
	return plan->settings ? plan_reading(plan, 0, run, 0, slot) :
				plan_reading(plan, 0, run / 2, run % 2, slot);
}

static void fill_count(const struct cost_plan *plan, size_t slot, struct cost_line *line)
{
	struct moments m = { .n = 0 };
	const struct reading *x;
	size_t run;

	for (run = 0; run < runs_of(plan); run++) {
		x = run_reading(plan, run, slot);
		line->flags |= x->flags;
		if (!x->why_not)
			moments_add(&m, x->value);
	}
	line->counted = m.n;
	line->count = m.mean;
	line->spread = m.n < 2 ? -1 : student_quantile(COST_LEVEL, m.n - 1) * moments_error(&m);
}

/* Where there is one: cycles by periods, of the first side's runs that counted both. */
static int fill_duration(const struct cost_plan *plan, const struct plan_item *item,
			 struct cost_duration *to)
{
	size_t n = 0, run, runs = runs_of(plan);
	double *cycles = calloc(runs + 1, sizeof(*cycles));
	double *periods = calloc(runs + 1, sizeof(*periods));
	double sums[2] = { 0, 0 };
	struct interval i;

	for (run = 0; cycles && periods && run < runs; run++) {
		const struct reading *x = run_reading(plan, run, item->slot);

		if (x[0].why_not || x[1].why_not)
			continue;
		sums[0] += cycles[n] = x[0].value;
		sums[1] += periods[n++] = x[1].value;
	}
	to->error = -1;
	if (!n)
		snprintf(to->why_not, sizeof(to->why_not), "what tells it was counted in no run: more "
			 "pairs (-r) or fewer events");
	else if (sums[0] <= 0 || sums[1] <= 0)
		snprintf(to->why_not, sizeof(to->why_not), "%s counted 0 in %zu run%s",
			 item->names[sums[1] <= 0], n, n == 1 ? "" : "s");
	else
		to->value = sums[0] / sums[1];
	if (to->value > 0 && n > 1 &&
	    fieller_interval(cycles, periods, n, COST_LEVEL, &i) == FIELLER_BOUNDED)
		to->error = (i.high - i.low) / 2;
	free(cycles);
	free(periods);
	return cycles && periods ? 0 : no_memory();
}

static int take_duration(const struct cost_plan *plan, size_t line, struct cost_line *to)
{
	const struct plan_item *item = plan_duration_of(plan, line);

	to->duration.error = -1;
	if (item && !item->why_not) {
		to->duration.meaning = to->figure->cost.meaning;
		return fill_duration(plan, item, &to->duration);
	}
	snprintf(to->duration.why_not, sizeof(to->duration.why_not), "%s",
		 item ? item->why_not : to->figure ? to->figure->cost.why_not :
		 "nothing is known of how its duration is counted");
	return 0;
}

/* ---- total time ----------------------------------------------------------------------------- */

/* The second side's less the first's, of the pairs that counted both; returns how many. */
static size_t take_changes(const struct cost_plan *plan, size_t contest, size_t slot,
			   double *events, double *cycles)
{
	size_t n = 0, pair;

	for (pair = 0; pair < plan->pairs.done; pair++) {
		const struct reading *a = plan_reading(plan, contest, pair, 0, 0);
		const struct reading *b = plan_reading(plan, contest, pair, 1, 0);

		if (a[slot].why_not || b[slot].why_not || a[PLAN_CYCLES].why_not ||
		    b[PLAN_CYCLES].why_not)
			continue;
		events[n] = b[slot].value - a[slot].value;
		cycles[n++] = b[PLAN_CYCLES].value - a[PLAN_CYCLES].value;
	}
	return n;
}

/* Its change between the settings, added up, and whether one is told from 0. */
static void take_other(const struct cost_plan *plan, size_t slot, double *room, double *more,
		       struct cost_other *other)
{
	size_t contest, i, n;

	for (contest = 0; contest < plan->pairs.nr_contests; contest++) {
		double sum = 0;

		n = take_changes(plan, contest, slot, room, more);
		for (i = 0; i < n; i++)
			sum += room[i];
		if (!n)
			continue;
		other->change += (sum < 0 ? -sum : sum) / (double)n;
		other->told |= cost_moved(room, n);
	}
}

struct total_room {
	double *events, *cycles;	/* [contest][pair] */
	struct cost_other *others;
};

static size_t take_others(const struct cost_plan *plan, size_t line, const struct total_room *room)
{
	size_t i, n = 0;

	for (i = 0; i < plan->nr_lines + plan->nr_items; i++) {
		const struct plan_item *item = i < plan->nr_lines ? NULL :
					       &plan->items[i - plan->nr_lines];
		struct cost_other *to = &room->others[n];

		if (i == line || (item && (!item->other || item->why_not)))
			continue;
		*to = (struct cost_other){ .name = item ? item->names[0] : plan->lines[i].name };
		to->costs = !item || !item->figure->cost.watched;
		to->figure = plan_figure(plan, item ? item->figure : plan->lines[i].figure);
		take_other(plan, item ? item->slot : plan_slot(i), room->events, room->cycles, to);
		n++;
	}
	return n;
}

static int judge(const struct cost_plan *plan, size_t line, struct total_room *room,
		 struct cost_line *to)
{
	struct cost_changes changes = {
		.name = to->name, .contests = plan->pairs.nr_contests, .before = to->count,
		.figure = plan_figure(plan, to->figure),
		.events = room->events, .cycles = room->cycles, .others = room->others,
	};
	size_t contest, n;

	changes.nr_others = take_others(plan, line, room);
	for (contest = 0; contest < changes.contests; contest++) {
		n = take_changes(plan, contest, plan_slot(line),
				 room->events + contest * changes.pairs,
				 room->cycles + contest * changes.pairs);
		changes.pairs = contest ? changes.pairs : n;
		/* A run that did not count it leaves settings with other numbers of pairs. */
		if (n < changes.pairs) {
			to->total.refused = true;
			snprintf(to->total.note, sizeof(to->total.note), "it was not counted in all runs");
			return 0;
		}
	}
	return cost_total_time(&changes, &to->total) ? no_memory() : 0;
}

static int fill_total(const struct cost_plan *plan, size_t line, struct cost_line *to)
{
	size_t most = plan->pairs.nr_contests * (plan->pairs.done + 1);
	struct total_room room = {
		.events = calloc(most, sizeof(double)), .cycles = calloc(most, sizeof(double)),
		.others = calloc(plan->nr_lines + plan->nr_items + 1, sizeof(struct cost_other)),
	};
	int code = room.events && room.cycles && room.others ? judge(plan, line, &room, to) :
							       no_memory();

	free(room.others);
	free(room.cycles);
	free(room.events);
	return code;
}

static int fill_line(struct cost *c, size_t line)
{
	const struct cost_plan *plan = &c->plan;
	struct cost_line *to = &c->results.lines[line];
	int code;

	to->name = plan->lines[line].name;
	to->figure = plan->lines[line].figure;
	fill_count(plan, plan_slot(line), to);
	code = take_duration(plan, line, to);
	if (code)
		return code;
	if (plan->settings)
		return fill_total(plan, line, to);
	to->total.refused = true;
	snprintf(to->total.note, sizeof(to->total.note), "there is one setting: two programs (--pair "
		 "OLD NEW), two modes (--mode) or a feature (--toggle) tell, if the event is not as frequent in both");
	return 0;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int make_results(struct cost *c)
{
	size_t i;
	int code = 0;

	c->results.count = c->plan.nr_lines;
	c->results.pairs = &c->plan.pairs;
	c->results.turns = c->plan.turns;
	c->results.no_figures = *c->plan.figures.why_not ? c->plan.figures.why_not : NULL;
	c->results.lines = calloc(c->results.count + 1, sizeof(*c->results.lines));
	if (!c->results.lines)
		return no_memory();
	for (i = 0; !code && i < c->results.count; i++)
		code = fill_line(c, i);
	return code || signals_seen() ? code : cost_fill_pushout(&c->plan, c->results.lines);
}

static uint32_t flags_of(const struct cost_results *r)
{
	uint32_t flags = 0;
	size_t i;

	for (i = 0; i < r->count; i++)
		flags |= r->lines[i].flags;
	return flags;
}

/* What a signal left is printed, if that has all sets. */
static int print_runs(struct cost *c)
{
	const struct pairs *p = &c->plan.pairs;
	int code;

	if (p->done < plan_least_pairs(&c->plan))
		return complain("cost", EXIT_FAILED, "ended by a signal after %zu of %zu pairs: %zu are "
				"the least for what was counted", p->done, p->room,
				plan_least_pairs(&c->plan));
	code = make_results(c);
	if (!code)
		code = printing_begin(&c->to);
	if (code)
		return code;
	cost_print(c->to.w, &c->results);
	code = printing_finish(&c->to);
	if (code)
		return code;
	flags_warn("cost", c->plan.pairs.ctx, flags_of(&c->results));
	pairs_warn(p);
	if (p->done < p->room)
		complain("cost", 0, "ended by a signal after %zu of %zu pairs", p->done, p->room);
	return 0;
}

static int cost_of_programs(struct cost *c)
{
	int code = pairs_make_contests(&c->plan.pairs);
	cpu_set_t where;

	pair_cpus(&c->args.runs, &where);
	c->plan.settings = c->results.settings = c->args.runs.nr_programs == 2 ||
						 c->args.runs.nr_modes > 1;
	if (!code)
		code = open_context("cost", c->args.events_dir, &c->plan.pairs.ctx);
	if (!code)
		code = need_one_kind("cost", &c->plan.pairs.ctx, &where);
	if (!code)
		code = plan_make(&c->plan, &c->args);
	if (!code)
		code = printing_open(&c->to);
	if (!code)
		code = pairs_run(&c->plan.pairs);
	if (!code)
		code = print_runs(c);
	return printing_end(&c->to, code);
}

static int cost_of_two_points(struct cost *c)
{
	struct cost_total total;
	int code = printing_open(&c->to);

	if (!code)
		code = printing_begin(&c->to);
	cost_of_points(&c->args.from, &c->args.to, &total);
	if (!code)
		cost_print_points(c->to.w, &c->args, &total);
	return printing_end(&c->to, code ? code : total.refused ? EXIT_CANNOT : 0);
}

static int cmd_cost(int argc, char **argv)
{
	struct cost c = { .results.count = 0 };
	int code = cost_args_parse(&c.args, argc, argv);

	c.to.cmd = "cost";
	c.to.path = c.args.output;
	c.to.layout = c.args.layout;
	plan_init(&c.plan, &c.args);
	if (!code)
		code = c.args.from.given ? cost_of_two_points(&c) : cost_of_programs(&c);
	plan_free(&c.plan);
	free(c.results.lines);
	cost_args_free(&c.args);
	/* ^C ended it: whoever called us should know. */
	if (signals_seen())
		signals_die();
	return code;
}

const struct command command_cost = {
	.name = "cost",
	.run = cmd_cost,
	.text = "what an event costs in cycles, by four methods, and where that cannot be told",
	.options = cost_options,
	.operands = "[--] [COMMAND ... [-- COMMAND ...]]",
	.runs_command = true,
};
