// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl compare: two programs, or one under two modes, by turns; which is faster, and how sure
 * that is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/flags.h"
#include "tools/compare/compare.h"
#include "tools/run/counting.h"
#include "tools/run/events.h"
#include "tools/run/metrics.h"
#include "tools/run/printing.h"
#include "tools/run/signals.h"

struct compare {
	struct compare_args args;
	struct targets targets;		/* a command */
	struct counting c;
	struct events events;		/* those of the rows, and then those of the metrics */
	struct metrics metrics;
	struct printing to;
	struct printing picture;	/* of --svg */
	struct printing counts;
	struct counts_file file;	/* of --from */
	struct mode plain;		/* of who has none */
	struct contest *contests;
	struct row *rows;
	size_t nr_counts;		/* rows that are events */
	struct reading *counted;	/* of one run, by event */
	struct results results;
	unsigned int runs;		/* that are over */
	uint64_t began_ns;
	bool terminal;			/* somebody can see how far we are */
};

static int no_memory(void)
{
	return complain("compare", EXIT_FAILED, "out of memory");
}

/* ---- what is compared --------------------------------------------------------------------- */

/* Two programs: under each mode.  One: under the first mode and each of the others. */
static int make_contests(struct compare *c)
{
	struct compare_args *args = &c->args;
	bool two = args->nr_programs == 2;
	const struct mode *modes = args->nr_modes ? args->modes : &c->plain;
	size_t count = two ? (args->nr_modes ? args->nr_modes : 1) : args->nr_modes - 1, i;

	c->contests = calloc(count, sizeof(*c->contests));
	if (!c->contests)
		return no_memory();
	for (i = 0; i < count; i++) {
		const struct mode *mode = &modes[two ? i : i + 1];

		c->contests[i] = (struct contest){
			.name = mode->name,
			.sides = { { args->programs[0], two ? mode : &modes[0] },
				   { args->programs[two], mode } },
		};
	}
	c->results.contests = c->contests;
	c->results.nr_contests = count;
	return 0;
}

static int add_events(struct compare *c)
{
	struct compare_args *args = &c->args;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < args->events.count; i++)
		code = events_add(c->c.ctx, "compare", args->events.texts[i], &c->events);
	if (!code && !args->events.count && !args->metrics.count)
		code = events_add_usual(c->c.ctx, "compare", &c->events);
	c->nr_counts = c->events.count;
	c->metrics.cmd = "compare";
	c->metrics.ctx = c->c.ctx;
	if (!code)
		code = metrics_add(&c->metrics, &args->metrics, true, &c->events);
	return code ? code : events_unsupported(&c->events, "compare");
}

/* The events that were named, the metrics, and the time. */
static int make_rows(struct compare *c)
{
	struct row *row;
	size_t i;

	c->results.nr_rows = c->nr_counts + c->metrics.count + 1;
	c->rows = calloc(c->results.nr_rows, sizeof(*c->rows));
	c->counted = calloc(c->events.count + 1, sizeof(*c->counted));
	if (!c->rows || !c->counted)
		return no_memory();
	row = c->rows;
	for (i = 0; i < c->nr_counts; i++)
		*row++ = (struct row){ ROW_COUNT, c->events.list[i].name, NULL };
	for (i = 0; i < c->metrics.count; i++)
		*row++ = (struct row){ ROW_METRIC, c->metrics.list[i].name,
				       c->metrics.list[i].why_not };
	*row = (struct row){ ROW_TIME, ROW_TIME_NAME, NULL };
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
	size_t least = least_pairs(c), pairs = c->args.pairs;

	if (!pairs)
		pairs = least > PAIRS_USUAL ? least : PAIRS_USUAL;
	if (pairs < least)
		return too_few(c, EXIT_USAGE, "");
	c->results.seed = c->args.seed;
	c->results.part = &c->args.part;
	return results_make(&c->results, pairs) ? no_memory() : 0;
}

/* ---- one run ------------------------------------------------------------------------------ */

static int add_to_session(void *data, struct pmuctl_session *session)
{
	return events_into_session(&((struct compare *)data)->events, session);
}

static int take_value(void *data, const struct pmuctl_value *v)
{
	struct compare *c = data;
	struct reading *to;

	if (v->event >= c->events.count)
		return 0;
	to = &c->counted[v->event];
	*to = (struct reading){ .flags = v->flags, .why_not = v->running ? NULL : NOT_COUNTED };
	if (v->running && v->running < v->enabled)
		to->flags |= PMUCTL_VALUE_ESTIMATE;
	to->value = v->flags & PMUCTL_VALUE_ESTIMATE ? (double)v->estimate :
		    (double)counting_estimate(v->value, v->enabled, v->running);
	return 0;
}

static int read_counts(struct compare *c)
{
	size_t i;
	int err;

	for (i = 0; i < c->events.count; i++)
		c->counted[i] = (struct reading){ .why_not = NOT_COUNTED };
	err = pmuctl_session_read(c->c.session, take_value, c);
	return err ? counting_failed(&c->c, err, "cannot read the counts") : 0;
}

/* Which run it was, as in "pair 3, B './new'"; the first pair is for warming up. */
static void name_run(const struct side *side, size_t pair, unsigned int which, char *text,
		     size_t size)
{
	char *command = clean_copy(side->command[0]);

	if (pair)
		snprintf(text, size, "pair %zu, %c '%s'", pair, 'A' + (int)which,
			 command ? command : "");
	else
		snprintf(text, size, "warm-up, %c '%s'", 'A' + (int)which, command ? command : "");
	free(command);
}

/* Whoever fails does something else than was to be compared. */
static int check_end(const struct compare *c, const struct side *side, size_t pair,
		     unsigned int which)
{
	int status = c->c.child.status;
	char name[160];

	if (signals_seen() || !status)
		return 0;
	name_run(side, pair, which, name, sizeof(name));
	if (WIFSIGNALED(status))
		return complain("compare", EXIT_FAILED, "%s: it was killed by signal %d (%s), and "
				"what fails is not compared", name, WTERMSIG(status),
				strsignal(WTERMSIG(status)));
	return complain("compare", EXIT_FAILED, "%s: it ended with exit code %d, and what fails is "
			"not compared; run it by sh -c '...; true' if that is no failure", name,
			WEXITSTATUS(status));
}

/* One counting of one side, into the values. */
static int run_side(struct compare *c, size_t contest, size_t pair, unsigned int which)
{
	const struct side *side = &c->contests[contest].sides[which];
	size_t padding = order_padding(c->args.seed, contest, pair, which);
	int code;

	c->c.command = side->command;
	code = side_fork(side, &c->args.cpu, padding, !c->args.no_shuffle, &c->c.child);
	if (!code)
		code = counting_make(&c->c);
	if (code)
		return code;
	signals_catch(c->c.child.pid);
	code = counting_wait(&c->c);
	if (!code)
		code = check_end(c, side, pair, which);
	if (!code && !signals_seen())
		code = read_counts(c);
	pmuctl_session_free(c->c.session);
	c->c.session = NULL;
	c->runs++;
	return code;
}

/* ---- its readings ------------------------------------------------------------------------- */

static int take_metric(struct compare *c, const struct metric *m, double elapsed,
		       struct reading *to)
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
		counts[i] = c->counted[m->events[i]].value;
		to->flags |= c->counted[m->events[i]].flags;
		if (c->counted[m->events[i]].why_not)
			break;
	}
	if (i == n && !pmuctl_metric_value(m->metric, counts, elapsed, &to->value))
		to->why_not = NULL;
	free(counts);
	return 0;
}

static int take_readings(struct compare *c, struct reading *to)
{
	double elapsed = (double)(c->c.stop_ns - c->c.began_ns) / 1e9;
	size_t i;
	int code = 0;

	for (i = 0; i < c->nr_counts; i++)
		*to++ = c->counted[i];
	for (i = 0; !code && i < c->metrics.count; i++)
		code = take_metric(c, &c->metrics.list[i], elapsed, to++);
	*to = (struct reading){ .value = elapsed };
	return code;
}

/* ---- all runs ----------------------------------------------------------------------------- */

/* Before each run, for who watches. */
static void show_progress(const struct compare *c, size_t pair)
{
	size_t all = (c->results.room + 1) * 2 * c->results.nr_contests;
	double passed = (double)(now_ns() - c->began_ns) / 1e9;

	if (!c->terminal)
		return;
	if (pair)
		fprintf(stderr, "\r[ pmuctl compare: pair %zu of %zu", pair, c->results.room);
	else
		fprintf(stderr, "\r[ pmuctl compare: warming up");
	if (c->runs)
		fprintf(stderr, ", about %.0f s left", passed / c->runs * (double)(all - c->runs));
	fprintf(stderr, " ]   ");
	fflush(stderr);
}

static int run_pair(struct compare *c, size_t contest, size_t pair)
{
	unsigned int turn, which;
	int code = 0;

	for (turn = 0; !code && !signals_seen() && turn < 2; turn++) {
		which = order_first(c->args.seed, contest, pair) ^ turn;
		show_progress(c, pair);
		code = run_side(c, contest, pair, which);
		if (!code && pair && !signals_seen())
			code = take_readings(c, results_of(&c->results, contest, pair - 1, which));
	}
	return code;
}

/* Pair 0 is for warming up: files are in the page cache and predictors know the code then. */
static int run_all(struct compare *c)
{
	size_t pair, contest;
	int code = 0;

	c->began_ns = now_ns();
	for (pair = 0; !code && pair <= c->results.room; pair++) {
		for (contest = 0; !code && contest < c->results.nr_contests; contest++)
			code = run_pair(c, contest, pair);
		if (code || signals_seen())
			break;
		c->results.pairs = pair;
	}
	if (c->terminal) {
		fprintf(stderr, "\r%60s\r", "");
		/* The table goes there past the stream. */
		fflush(stderr);
	}
	return code;
}

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
	flags_warn("compare", c->c.ctx, results_flags(&c->results));
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

/* Everything behind the command line, one step after the other; 0 or the exit code. */
static int compare_programs(struct compare *c)
{
	int code = make_contests(c);

	if (!code)
		code = open_context("compare", c->args.events_dir, &c->c.ctx);
	if (!code)
		code = add_events(c);
	if (!code)
		code = make_rows(c);
	if (!code)
		code = make_results(c);
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
	child_close(&c->c.child);
	pmuctl_session_free(c->c.session);
	metrics_free(&c->metrics);
	events_free(&c->events);
	results_free(&c->results);
	free(c->contests);
	free(c->rows);
	free(c->counted);
	compare_free_counts(&c->file);
	pmuctl_close(c->c.ctx);
}

static void set_up(struct compare *c)
{
	c->c.cmd = c->to.cmd = c->picture.cmd = c->counts.cmd = "compare";
	c->targets.kind = TARGET_COMMAND;
	c->c.targets = &c->targets;
	c->c.add = add_to_session;
	c->c.data = c;
	c->to.path = c->args.output;
	c->to.layout = c->args.layout;
	c->picture.option = "--svg";
	c->picture.path = c->args.svg;
	c->picture.layout = (struct layout)LAYOUT_CSV;
	c->counts.option = "--counts";
	c->counts.path = c->args.counts;
	c->counts.layout = (struct layout)LAYOUT_CSV;
	c->terminal = isatty(STDERR_FILENO);
}

static int cmd_compare(int argc, char **argv)
{
	struct compare c = { .runs = 0 };
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
