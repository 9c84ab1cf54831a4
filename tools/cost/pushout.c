// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an event costs by pushout: how much longer retirement stands still in front of instructions
 * that have it than in front of the same ones without it; in runs of their own behind the others.
 */
#include <stdio.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/cost/plan.h"
#include "tools/pushout/excess.h"
#include "tools/pushout/pushout.h"
#include "tools/run/signals.h"

/* So many samples tell a mean within a per cent or two... */
#define SAMPLES_WANTED	10000
/* ...and so many of all instructions have enough of those that matter. */
#define SAMPLES_OF_ALL	40000
/* Samples that a run can have without being throttled. */
static double samples_of(const struct cost_plan *plan)
{
	double most = sampling_most(plan->pairs.ctx,
				    plan_reading(plan, 0, 0, 0, PLAN_CYCLES)->running / 1e9);

	return most < SAMPLES_OF_ALL ? most : SAMPLES_OF_ALL;
}

struct ask {
	const struct cost_plan *plan;
	size_t line;
	double count, cycles;		/* of a run of the first side */
	struct sampled events[2][4];
	char texts[4][128];
	struct tally tallies[2];
	size_t sides;
};

static void put_text(struct ask *a, size_t i, const char *event, const char *precise)
{
	const char *ring = a->plan->lines[a->line].ring;

	/* ":u", or nothing. */
	snprintf(a->texts[i], sizeof(a->texts[i]), "%s%s%s%s", event, ring,
		 *precise && !*ring ? ":" : "", precise);
}

/* Sampled: the event, all instructions, what they have otherwise; counted: cycles. */
static size_t make_events(struct ask *a)
{
	const struct pmuctl_cost *cost = &a->plan->lines[a->line].figure->cost;
	double all = samples_of(a->plan), tags = all * SAMPLES_WANTED / SAMPLES_OF_ALL;
	size_t n = cost->otherwise ? EXCESS_OTHERWISE + 1 : EXCESS_ALL + 1, i;

	put_text(a, EXCESS_TAG, cost->tag, "pp");
	put_text(a, EXCESS_ALL, "instructions", "pp");
	if (cost->otherwise)
		put_text(a, EXCESS_OTHERWISE, cost->otherwise, "pp");
	put_text(a, n, "cycles", "");
	for (i = 0; i <= n; i++)
		a->events[0][i].text = a->texts[i];
	for (i = 0; i < n; i++)
		a->events[0][i].period = i == EXCESS_TAG ? sampling_period(a->count, tags) :
					 sampling_period(a->cycles, all);
	memcpy(a->events[1], a->events[0], sizeof(a->events[0]));
	return n + 1;
}

static int run_sides(struct ask *a)
{
	const struct pairs *p = &a->plan->pairs;
	size_t n = make_events(a), i;
	int code = 0;

	for (i = 0; !code && i < a->sides; i++) {
		a->tallies[i].s = (struct sampling){
			.cmd = "cost", .ctx = p->ctx, .events = a->events[i], .count = n,
			.file = -1,
		};
		code = tally_run(&a->tallies[i], &p->contests[0].sides[i], p->args);
	}
	return code;
}

/* Which share of the cycles of the first side its gaps come to, in per cent. */
static int put_closure(const struct ask *a, char *text, size_t size)
{
	const struct tally *t = &a->tallies[0];
	const struct gaps *all = &t->gaps[EXCESS_ALL];
	double cycles = (double)t->s.events[t->count].total;
	double times = cycles > 0 ? 100 * (double)t->s.events[EXCESS_ALL].total / cycles : 0;

	return snprintf(text, size, "gaps come to %.1f +- %.1f %% of the cycles", times * gaps_mean(all),
			gaps_error(all) > 0 ? times * gaps_error(all) : 0);
}

static void say(const struct ask *a, const struct excess *e, struct cost_pushout *to)
{
	const struct pmuctl_cost *cost = &a->plan->lines[a->line].figure->cost;
	char closure[96];
	int at;

	to->has = e->samples > 0;
	if (!to->has) {
		snprintf(to->note, sizeof(to->note), "no sample of %s by PEBS", a->plan->lines[a->line].name);
		return;
	}
	to->value = e->cycles;
	to->error = e->error;
	put_closure(a, closure, sizeof(closure));
	at = snprintf(to->note, sizeof(to->note), "over the same instructions, %s; %s", cost->against,
		      closure);
	if (e->over_nothing >= 0.005)
		snprintf(to->note + at, sizeof(to->note) - (size_t)at, "; %.0f %% of them are over 0: their "
			 "instruction was never seen so", 100 * e->over_nothing);
}

/* What was counted before is shown all the same; why it was not has been said. */
static void not_sampled(struct cost_pushout *to)
{
	snprintf(to->note, sizeof(to->note), "it could not be sampled");
}

static int ask_one(struct ask *a, struct cost_pushout *to)
{
	struct excess excess;
	int code = 0;
	size_t i;

	if (run_sides(a))
		not_sampled(to);
	else if (excess_find(a->tallies, a->sides, &excess))
		code = complain("cost", EXIT_FAILED, "out of memory");
	else
		say(a, &excess, to);
	for (i = 0; i < a->sides; i++)
		tally_free(&a->tallies[i]);
	return code;
}

/* ---- where branch records tell it ----------------------------------------------------------- */

/* Whether any misprediction led into a block that others lead into as well. */
static void say_blocks(const struct blocks *b, double share, struct cost_pushout *to)
{
	const struct sampled *cycles = &b->s.events[1], *taken = &b->s.events[2];
	double whole = cycles->total ? (double)taken->total / (double)cycles->total : 0;

	to->has = share > 0;
	if (!to->has)
		snprintf(to->note, sizeof(to->note), "no block was entered by predicted and by "
			 "mispredicted branches");
	else
		snprintf(to->note, sizeof(to->note), "over the same blocks entered by a predicted branch, "
			 "for %.0f %% of the mispredictions that lead into one; gaps come to %.1f %% of the "
			 "cycles", 100 * share, 100 * gaps_mean(&b->all) * whole);
}

static void ask_blocks(struct ask *a, const struct pushout_here *here, struct cost_pushout *to)
{
	const struct pairs *p = &a->plan->pairs;
	struct sampled events[3];
	struct blocks b = { .s.file = -1 };

	put_text(a, 0, "branch-instructions", "");
	put_text(a, 1, "cycles", "");
	put_text(a, 2, here->taken, "");
	events[0] = (struct sampled){ .text = a->texts[0],
				      .period = sampling_period(a->cycles, samples_of(a->plan)) };
	events[1] = (struct sampled){ .text = a->texts[1] };
	events[2] = (struct sampled){ .text = a->texts[2] };
	b.s = (struct sampling){ .cmd = "cost", .ctx = p->ctx, .events = events, .count = 3,
				 .file = -1 };
	if (blocks_run(&b, &p->contests[0].sides[0], p->args))
		not_sampled(to);
	else
		say_blocks(&b, blocks_added(&b, &to->value, &to->error), to);
	blocks_free(&b);
}

/* ---- all lines ------------------------------------------------------------------------------ */

static int fill(struct ask *a, const struct pushout_here *here, struct cost_line *line)
{
	const struct pmuctl_cost *cost = line->figure ? &line->figure->cost : NULL;

	line->pushout.error = -1;
	/* By the first one it was said, and that the last run was not whole. */
	if (signals_seen()) {
		not_sampled(&line->pushout);
		return 0;
	}
	if (!line->counted || line->count <= 0) {
		snprintf(line->pushout.note, sizeof(line->pushout.note), "none of %s was counted", line->name);
		return 0;
	}
	if (here->has[WAY_TAG] && cost && cost->tag)
		return ask_one(a, &line->pushout);
	if (here->has[WAY_BLOCKS] && cost && !strcmp(cost->name, "branch-misses"))
		ask_blocks(a, here, &line->pushout);
	else if (here->has[WAY_TAG])
		snprintf(line->pushout.note, sizeof(line->pushout.note), "no event is known that names the "
			 "instructions which %s holds up", line->name);
	else
		snprintf(line->pushout.note, sizeof(line->pushout.note), "%s", here->why_not[WAY_TAG]);
	return 0;
}

int cost_fill_pushout(const struct cost_plan *plan, struct cost_line *lines)
{
	struct pushout_here here;
	struct ask ask = { .plan = plan, .sides = plan->settings ? 2 : 1 };
	struct moments cycles = { .n = 0 };
	size_t i, pair;
	int code = 0;

	if (pushout_look(plan->pairs.ctx, &here))
		return complain("cost", EXIT_FAILED, "%s", pmuctl_error(plan->pairs.ctx));
	for (pair = 0; pair < plan->pairs.done; pair++)
		moments_add(&cycles, plan_reading(plan, 0, pair, 0, PLAN_CYCLES)->value);
	ask.cycles = cycles.mean;
	for (i = 0; !code && i < plan->nr_lines; i++) {
		ask.line = i;
		ask.count = lines[i].count;
		code = fill(&ask, &here, &lines[i]);
	}
	return code;
}
