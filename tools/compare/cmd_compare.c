// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl compare: two programs, or one under two modes, by turns; which is faster, and how sure
 * that is.
 */
#include <stdlib.h>

#include "tools/base/base.h"
#include "tools/base/flags.h"
#include "tools/compare/compare.h"
#include "tools/run/events.h"
#include "tools/run/metrics.h"
#include "tools/run/printing.h"
#include "tools/run/signals.h"

struct compare {
	struct compare_args args;
	struct pairs pairs;
	struct pair_set set;		/* events of the rows, and then those of the metrics */
	struct metrics metrics;
	struct printing to;
	struct printing picture;	/* of --svg */
	struct printing counts;
	struct counts_file file;	/* of --from */
	struct row *rows;
	size_t nr_counts;		/* rows that are events */
	struct results results;
};

static int no_memory(void)
{
	return complain("compare", EXIT_FAILED, "out of memory");
}

/* ---- what is compared --------------------------------------------------------------------- */

static int add_events(struct compare *c)
{
	struct compare_args *args = &c->args;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < args->events.count; i++)
		code = events_add(c->pairs.ctx, "compare", args->events.texts[i], &c->set.events);
	if (!code && !args->events.count && !args->metrics.count)
		code = events_add_usual(c->pairs.ctx, "compare", &c->set.events);
	c->nr_counts = c->set.events.count;
	c->metrics.cmd = "compare";
	c->metrics.ctx = c->pairs.ctx;
	if (!code)
		code = metrics_add(&c->metrics, &args->metrics, true, &c->set.events);
	return code ? code : events_unsupported(&c->set.events, "compare");
}

/* The events that were named, the metrics, the time, and if it is wanted the energy. */
static int make_rows(struct compare *c)
{
	struct row *row;
	size_t i;

	c->results.nr_rows = c->nr_counts + c->metrics.count + 1 + c->args.energy;
	c->rows = calloc(c->results.nr_rows, sizeof(*c->rows));
	if (!c->rows)
		return no_memory();
	row = c->rows;
	for (i = 0; i < c->nr_counts; i++)
		*row++ = (struct row){ ROW_COUNT, c->set.events.list[i].name, NULL };
	for (i = 0; i < c->metrics.count; i++)
		*row++ = (struct row){ ROW_METRIC, c->metrics.list[i].name,
				       c->metrics.list[i].why_not };
	*row++ = (struct row){ ROW_TIME, ROW_TIME_NAME, NULL };
	if (c->args.energy)
		*row = (struct row){ ROW_ENERGY, ROW_ENERGY_NAME, NULL };
	c->results.rows = c->rows;
	return 0;
}

static size_t least_pairs(const struct compare *c)
{
	return signed_rank_least(results_comparisons(&c->results), ERROR_MOST);
}

static int too_few(const struct compare *c, int code, const char *why)
{
	size_t m = results_comparisons(&c->results), least = least_pairs(c);

	return complain("compare", code, "%sno interval: %zu pairs are the least for %zu "
			"comparison%s (-r %zu)", why, least, m, m == 1 ? "" : "s", least);
}

/* How many pairs: as was asked, if these can tell anything at all. */
static int make_results(struct compare *c)
{
	size_t least = least_pairs(c), pairs = c->args.runs.pairs;

	if (!pairs)
		pairs = least > PAIRS_USUAL ? least : PAIRS_USUAL;
	if (pairs < least)
		return too_few(c, EXIT_USAGE, "");
	c->pairs.room = pairs;
	c->results.seed = c->args.runs.seed;
	c->results.part = &c->args.part;
	return results_make(&c->results, pairs) ? no_memory() : 0;
}

/* ---- what one run counted ------------------------------------------------------------------ */

static int take_metric(const struct pair_run *run, const struct metric *m, struct reading *to)
{
	size_t n = m->metric ? pmuctl_metric_get_info(m->metric)->events_count : 0, i;
	double *counts;

	*to = (struct reading){ .why_not = "no value" };
	if (!m->metric)
		return 0;
	counts = calloc(n + 1, sizeof(*counts));
	if (!counts)
		return no_memory();
	for (i = 0; i < n; i++) {
		counts[i] = run->counted[m->events[i]].value;
		to->flags |= run->counted[m->events[i]].flags;
		if (run->counted[m->events[i]].why_not)
			break;
	}
	if (i == n && !pmuctl_metric_value(m->metric, counts, run->seconds, &to->value))
		to->why_not = NULL;
	free(counts);
	return 0;
}

static int take_readings(void *data, const struct pair_run *run)
{
	struct compare *c = data;
	struct reading *to = results_of(&c->results, run->contest, run->pair, run->side);
	size_t i;
	int code = 0;

	for (i = 0; i < c->nr_counts; i++)
		*to++ = run->counted[i];
	for (i = 0; !code && i < c->metrics.count; i++)
		code = take_metric(run, &c->metrics.list[i], to++);
	*to++ = (struct reading){ .value = run->seconds };
	if (c->args.energy)
		*to = (struct reading){ .value = run->joules };
	return code;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int print_table(struct compare *c)
{
	int code = printing_begin(&c->to);

	if (!code)
		compare_print(c->to.w, &c->results);
	return code;
}

static int print_picture(struct compare *c)
{
	int code = c->args.svg ? printing_begin(&c->picture) : 0;

	if (!code && c->args.svg)
		compare_draw(c->picture.out, &c->results);
	return code;
}

static int print_counts(struct compare *c)
{
	int code = c->args.counts ? printing_begin(&c->counts) : 0;

	if (!code && c->args.counts)
		compare_write_counts(c->counts.w, c->counts.out, &c->results);
	return code;
}

static int judge_and_print(struct compare *c)
{
	int code;

	if (results_judge(&c->results))
		return no_memory();
	code = print_table(c);
	if (!code)
		code = print_picture(c);
	return code ? code : print_counts(c);
}

/* Of those that a signal ended as well, if there are enough pairs. */
static int print_runs(struct compare *c)
{
	char why[64];
	int code;

	if (c->results.pairs < least_pairs(c)) {
		snprintf(why, sizeof(why), "ended by a signal after %zu of %zu pairs: ",
			 c->results.pairs, c->results.room);
		return too_few(c, EXIT_FAILED, why);
	}
	code = judge_and_print(c);
	if (!code)
		code = printing_finish(&c->to);
	if (code)
		return code;
	flags_warn("compare", c->pairs.ctx, results_flags(&c->results));
	pairs_warn(&c->pairs);
	if (c->results.pairs < c->results.room)
		complain("compare", 0, "ended by a signal after %zu of %zu pairs", c->results.pairs,
			 c->results.room);
	return 0;
}

/* A mistyped name is known before anything runs. */
static int open_files(struct compare *c)
{
	int code = printing_open(&c->to);

	if (!code && c->args.svg)
		code = printing_open(&c->picture);
	if (!code && c->args.counts)
		code = printing_open(&c->counts);
	return code;
}

static int close_files(struct compare *c, int code)
{
	return printing_end(&c->counts, printing_end(&c->picture, printing_end(&c->to, code)));
}

static int run_all(struct compare *c)
{
	int code = pairs_run(&c->pairs);

	c->results.pairs = c->pairs.done;
	return code;
}

static int make_contests(struct compare *c)
{
	int code = pairs_make_contests(&c->pairs);

	c->results.contests = c->pairs.contests;
	c->results.nr_contests = c->pairs.nr_contests;
	return code;
}

/* Everything behind the command line, one step after the other; 0 or the exit code. */
static int compare_programs(struct compare *c)
{
	int code = make_contests(c);

	if (!code)
		code = pairs_open_energy(&c->pairs);
	if (!code)
		code = open_context("compare", c->args.events_dir, &c->pairs.ctx);
	if (!code)
		code = add_events(c);
	if (!code)
		code = make_rows(c);
	if (!code)
		code = make_results(c);
	if (!code)
		code = pair_set_watch(&c->pairs, &c->set);
	if (!code)
		code = open_files(c);
	if (!code)
		code = run_all(c);
	if (!code)
		code = print_runs(c);
	return close_files(c, code);
}

static int compare_file(struct compare *c)
{
	int code = compare_read_counts(c->args.from, &c->file, &c->results);

	c->results.from = c->args.from;
	c->results.part = &c->args.part;
	if (!code && c->results.pairs < least_pairs(c))
		code = too_few(c, EXIT_USAGE, "");
	if (!code)
		code = open_files(c);
	if (!code)
		code = judge_and_print(c);
	return close_files(c, code);
}

static void release(struct compare *c)
{
	pairs_free(&c->pairs);
	metrics_free(&c->metrics);
	results_free(&c->results);
	free(c->rows);
	compare_free_counts(&c->file);
	pmuctl_close(c->pairs.ctx);
}

static void set_up(struct compare *c)
{
	c->to.cmd = c->picture.cmd = c->counts.cmd = "compare";
	c->pairs.cmd = "compare";
	c->pairs.what_fails = "compared";
	c->pairs.args = &c->args.runs;
	c->pairs.sets = &c->set;
	c->pairs.nr_sets = 1;
	c->pairs.take = take_readings;
	c->pairs.data = c;
	c->pairs.energy = c->args.energy;
	pairs_init(&c->pairs);
	c->to.path = c->args.output;
	c->to.layout = c->args.layout;
	c->picture.option = "--svg";
	c->picture.path = c->args.svg;
	c->picture.layout = (struct layout)LAYOUT_CSV;
	c->counts.option = "--counts";
	c->counts.path = c->args.counts;
	c->counts.layout = (struct layout)LAYOUT_CSV;
}

static int cmd_compare(int argc, char **argv)
{
	struct compare c = { .nr_counts = 0 };
	int code = compare_args_parse(&c.args, argc, argv);

	set_up(&c);
	if (!code)
		code = c.args.from ? compare_file(&c) : compare_programs(&c);
	release(&c);
	compare_args_free(&c.args);
	/* ^C ended it: whoever called us should know. */
	if (signals_seen())
		signals_die();
	return code;
}

const struct command command_compare = {
	.name = "compare",
	.run = cmd_compare,
	.text = "run two programs by turns, and tell which takes less, and how sure that is",
	.options = compare_options,
	.operands = "[--] [COMMAND ... [-- COMMAND ...]]",
	.runs_command = true,
};
