// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl topdown: where the issue slots of a command, of tasks or of CPUs went.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/flags.h"
#include "tools/run/context.h"
#include "tools/run/features.h"
#include "tools/run/signals.h"
#include "tools/run/watchdog.h"
#include "tools/topdown/topdown.h"

struct topdown {
	struct topdown_args args;
	struct topdown_run run;
	struct printing to, counts;
	struct topdown_svg *svg;
	uint32_t flags;		/* of all counts */
	size_t idle;		/* tasks of which nothing ran */
	bool bars;		/* there were errors in what was shown */
	uint64_t missed_said;	/* intervals left out before the last one that was shown */
};

/* ---- what came ------------------------------------------------------------------------ */

static double seconds_of(const struct topdown *t)
{
	const struct counting *c = &t->run.c;

	return (double)((c->stop_ns ? c->stop_ns : now_ns()) - c->start_ns) / 1e9;
}

static bool has_numbers(const struct topdown_tree *tree)
{
	size_t i, nodes = pmuctl_topdown_nodes(tree->plan);

	for (i = 0; i < nodes; i++)
		if (!tree->results[i].why_not)
			return true;
	return false;
}

static void write_count(struct topdown *t, const struct topdown_watch *watch,
			const struct topdown_part *part, const char *event,
			const struct pmuctl_topdown_count *c)
{
	struct writer *w = t->counts.w;

	writer_row(w);
	if (t->args.interval)
		writer_double(w, "interval", NULL, 9, seconds_of(t));
	if (t->args.per_task)
		writer_u64(w, "tid", NULL, (uint64_t)watch->tid);
	writer_u64(w, "counter-value", NULL, c->value);
	writer_string(w, "unit", NULL, "");
	writer_string(w, "event", NULL, event);
	writer_u64(w, "event-runtime", NULL, c->running);
	writer_double(w, "pcnt-running", NULL, 2, c->enabled ?
		      100.0 * (double)c->running / (double)c->enabled : 0);
	if (part->kind)
		writer_string(w, "kind", NULL, part->kind->name);
	writer_end_row(w);
}

/* As pmuctl stat -x, has them, so that others can evaluate the formulas as well. */
static void write_counts(struct topdown *t, const struct topdown_watch *watch, unsigned int number)
{
	const struct topdown_part *part = &t->run.parts[number];
	const struct pmuctl_topdown_count *c = watch->history.sums + part->first;
	const struct pmuctl_topdown_set *set;
	size_t i, k;

	for (i = 0; i < topdown_part_sets(part); i++) {
		set = topdown_part_set(part, i);
		for (k = 0; k < set->events_count; k++)
			write_count(t, watch, part, set->events[k], c++);
	}
}

static int begin_printing(struct topdown *t)
{
	bool begun = t->to.w;
	int code = printing_begin(&t->to);

	if (!code && t->args.counts)
		code = printing_begin(&t->counts);
	if (!code && !begun)
		topdown_print_head(t->to.w, &t->args, &t->run);
	return code;
}

/* On one kind of core, which has a tree. */
static int show_tree(struct topdown *t, const struct topdown_tree *tree)
{
	bool absent = tree->kind && !has_numbers(tree);

	t->bars |= topdown_has_bars(tree);
	if (t->args.layout.format != FORMAT_TEXT)
		topdown_print_rows(t->to.w, tree);
	else if (absent)
		topdown_print_absent(t->to.w, tree, NULL);
	else
		topdown_print_tree(t->to.w, tree);
	/* Over time an interval in which it was elsewhere is a gap. */
	if (t->svg && (!absent || t->args.interval) && topdown_svg_add(t->svg, tree))
		return complain("topdown", EXIT_FAILED, "out of memory");
	return 0;
}

/* NULL: none stands out. */
static const char *bottleneck_of(const struct topdown_tree *tree)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(tree->plan); i++)
		if (tree->results[i].bottleneck)
			return pmuctl_topdown_get_node(tree->plan, i)->name;
	return NULL;
}

/* of_all: what does not go by the kind of core. */
static int show_part(struct topdown *t, struct topdown_watch *watch, unsigned int number,
		     const struct topdown_tree *of_all, struct topdown_verdict *verdict)
{
	const struct topdown_part *part = &t->run.parts[number];
	struct topdown_tree tree = *of_all;
	int code = 0;

	tree.kind = part->kind;
	tree.part = number;
	tree.plan = part->plan;
	tree.time_share = topdown_time_share(&t->run, watch, number);
	tree.cycles = topdown_cycles(&t->run, watch, number);
	*verdict = (struct topdown_verdict){
		.kind = part->kind, .time_share = tree.time_share, .has_tree = part->plan,
	};
	if (part->plan) {
		tree.results = topdown_results(&t->run, watch, number);
		if (!tree.results)
			return EXIT_FAILED;
		verdict->bottleneck = bottleneck_of(&tree);
		code = show_tree(t, &tree);
	} else if (t->args.layout.format == FORMAT_TEXT)
		topdown_print_absent(t->to.w, &tree, part->why_not);
	else
		topdown_print_absent_row(t->to.w, &tree, part->why_not);
	if (t->args.counts)
		write_counts(t, watch, number);
	return code;
}

/* Of a task that ran while its events were on counters. */
static bool has_run(struct topdown *t, struct topdown_watch *watch)
{
	struct topdown_tree tree;
	unsigned int p;

	for (p = 0; p < t->run.nr_parts; p++) {
		tree = (struct topdown_tree){ .plan = t->run.parts[p].plan };
		if (tree.plan)
			tree.results = topdown_results(&t->run, watch, p);
		if (tree.results && has_numbers(&tree))
			return true;
	}
	return false;
}

static int show(struct topdown *t, struct topdown_watch *watch)
{
	const struct topdown_tree tree = {
		.args = &t->args, .watch = watch, .time = seconds_of(t),
		.missed = t->run.missed - t->missed_said,
	};
	struct topdown_verdict verdicts[PMUCTL_KINDS_MAX];
	unsigned int p;
	int code = 0;

	t->flags |= watch->flags;
	if (t->args.per_task && !has_run(t, watch)) {
		t->idle++;
		return 0;
	}
	topdown_print_title(t->to.w, &tree);
	for (p = 0; !code && p < t->run.nr_parts; p++)
		code = show_part(t, watch, p, &tree, &verdicts[p]);
	if (!code && t->run.nr_parts > 1 && verdicts[0].time_share >= 0 && !t->args.interval)
		topdown_print_verdict(t->to.w, verdicts, t->run.nr_parts, &t->args);
	return code;
}

/* As far as it is taken now; whether anything is left. */
static bool push_all(struct topdown *t)
{
	bool counts = printing_push(&t->counts);

	return printing_push(&t->to) || counts;
}

static bool is_held_up(void *data)
{
	return push_all(data);
}

static int show_all(void *data)
{
	struct topdown *t = data;
	struct topdown_watch *task;
	int code = begin_printing(t);
	size_t i;

	t->idle = 0;
	if (!code && !t->args.per_task)
		code = show(t, &t->run.whole);
	for (i = 0; !code && (task = topdown_task(&t->run, i)); i++) {
		/* An exec may have changed it. */
		if (task->session)
			topdown_task_name(&t->run, task->tid);
		code = show(t, task);
	}
	t->missed_said = t->run.missed;
	/* Who watches a pipe or a file wants it now. */
	push_all(t);
	return code;
}

/* ---- from the plan to the end ------------------------------------------------------------ */

static void choose_ring(struct topdown *t)
{
	struct topdown_args *a = &t->args;

	a->user_only = user_mode_only(t->run.c.ctx);
	if (a->user_only && !a->kernel)
		a->user = true;
}

static int make_plan(struct topdown *t)
{
	const struct topdown_args *a = &t->args;
	const struct pmuctl_topdown_options options = {
		.size = sizeof(options),
		.kind = a->classical ? PMUCTL_TOPDOWN_CLASSICAL : PMUCTL_TOPDOWN_TMA5,
		.levels = a->levels,
		.nodes = (const char *const *)a->nodes,
		.nodes_count = a->nr_nodes,
		.ring = a->user == a->kernel ? (a->user ? "" : NULL) : a->user ? "u" : "k",
		.tasks = targets_are_tasks(&a->targets) || a->per_task,
		.unprivileged = a->user_only,
		.runs = a->repeat > 1,
	};

	return topdown_make_plans(&t->run, &options);
}

/* A run for each set needs something to run. */
static int check_sets(struct topdown *t)
{
	const struct topdown_args *a = &t->args;
	size_t runs;

	if (topdown_list_turns(&t->run))
		return complain("topdown", EXIT_FAILED, "out of memory");
	runs = topdown_runs_of_round(&t->run);
	if (runs < 2 || (a->command && !a->interval && !a->per_task))
		return 0;
	return complain("topdown", EXIT_USAGE, "--no-multiplex: these nodes need %zu sets of events, "
			"each in a run of its own; that takes a command to be run again, without "
			"-I and --per-task. Fewer levels (-l 1) or --nodes need fewer sets", runs);
}

static void print_part(const struct topdown_part *part)
{
	const struct pmuctl_topdown_set *set;
	size_t i, j;

	if (part->kind)
		fprintf(stderr, "%s: ", part->kind->name);
	fprintf(stderr, "%s\n", part->plan ? pmuctl_topdown_method(part->plan) : part->why_not);
	for (i = 0; i < topdown_part_sets(part); i++) {
		set = topdown_part_set(part, i);
		fprintf(stderr, "set %zu:", i);
		for (j = 0; j < set->events_count; j++)
			fprintf(stderr, " %s", set->events[j]);
		fputc('\n', stderr);
	}
}

static void print_plans(const struct topdown *t)
{
	unsigned int p;

	for (p = 0; p < t->run.nr_parts; p++)
		print_part(&t->run.parts[p]);
}

static void print_foot(const struct topdown *t)
{
	if (t->idle)
		writer_text(t->to.w, " Of %zu tasks nothing ran.\n", t->idle);
	if (t->bars)
		topdown_print_legend(t->to.w, &t->args);
	topdown_print_foot(t->to.w, &t->args, &t->run, seconds_of(t));
}

/* Behind all that was printed. */
static void warn(const struct topdown *t)
{
	const char *why;
	size_t missed = topdown_tasks_missed(&t->run, &why);

	if (missed)
		complain("topdown", 0, "warning: %zu tasks were left out, the first because: %s",
			 missed, why);
	counting_warn_missed("topdown", t->run.missed);
	flags_warn("topdown", t->run.c.ctx, t->flags);
}

static int open_files(struct topdown *t)
{
	int code = printing_open(&t->to);

	if (!code && t->args.counts)
		code = printing_open(&t->counts);
	if (code || !t->args.svg)
		return code;
	t->svg = topdown_svg_new(&t->args, &t->run);
	return t->svg ? 0 : EXIT_FAILED;
}

static int count(struct topdown *t)
{
	int code;

	choose_ring(t);
	code = make_plan(t);
	if (!code)
		code = check_sets(t);
	if (!code)
		code = open_files(t);
	if (!code && t->args.verbose)
		print_plans(t);
	t->run.c.outlet = t->to.outlet;
	if (!code)
		code = topdown_count(&t->run);
	if (!code && !t->args.interval)
		code = show_all(t);
	if (!code)
		print_foot(t);
	if (!code && t->svg)
		code = topdown_svg_write(t->svg);
	if (!code)
		code = printing_finish(&t->to);
	warn(t);
	code = printing_end(&t->counts, printing_end(&t->to, code));
	return code ? code : command_exit_code(t->args.command, &t->run.c.child);
}

static void set_up(struct topdown *t)
{
	const struct topdown_args *a = &t->args;
	struct counting *c = &t->run.c;

	c->cmd = t->to.cmd = t->counts.cmd = "topdown";
	c->targets = &a->targets;
	c->command = a->command;
	c->no_inherit = a->no_inherit || (a->per_task && a->targets.kind == TARGET_COMMAND);
	c->no_multiplex = a->no_multiplex;
	c->delay = a->delay;
	c->timeout = a->timeout;
	t->run.repeat = a->repeat;
	t->run.interval = a->interval;
	t->run.interval_over = show_all;
	t->run.held_up = is_held_up;
	t->run.data = t;
	t->run.per_task = a->per_task;
	t->run.first_alone = a->no_inherit;
	t->to.path = a->output;
	t->to.append = a->append;
	t->to.layout = a->layout;
	t->counts.option = "--counts";
	t->counts.path = a->counts;
	t->counts.layout = (struct layout)LAYOUT_CSV;
}

static int cmd_topdown(int argc, char **argv)
{
	struct topdown t = { .flags = 0 };
	struct watchdog *off = NULL;
	struct pmuctl_hold *hold = NULL;
	int code = topdown_args_parse(&t.args, argc, argv);
	bool ended;

	set_up(&t);
	if (!code)
		code = command_fork("topdown", t.args.command, &t.run.c.child);
	if (!code && t.args.watchdog_off)
		code = watchdog_turn_off("topdown", &off);
	if (!code)
		code = open_context("topdown", t.args.events_dir, &t.run.c.ctx);
	if (!code)
		code = features_hold_for("topdown", t.run.c.ctx, &t.args.with, &t.args.targets,
					 &hold);
	if (!code)
		code = count(&t);
	features_release("topdown", t.run.c.ctx, hold);
	ended = signals_seen() && command_not_ended(t.args.command, &t.run.c.child);
	topdown_svg_free(t.svg);
	topdown_run_free(&t.run);
	pmuctl_close(t.run.c.ctx);
	/* The watchdog needs the PMU, so we let go of it before. */
	watchdog_restore("topdown", off);
	topdown_args_free(&t.args);
	/* ^C ended the counting: whoever called us should know. */
	if (ended && !code)
		signals_die();
	return code;
}

const struct command command_topdown = {
	.name = "topdown",
	.run = cmd_topdown,
	.text = "where the issue slots of the pipeline went, and what to do next",
	.options = topdown_options,
	.operands = "[--] [COMMAND ...]",
	.runs_command = true,
};
