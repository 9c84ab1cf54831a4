// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl cpi: what the cycles of an instruction are made of, and what of that does not add up.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/base/base.h"
#include "tools/base/flags.h"
#include "tools/cpi/cpi.h"
#include "tools/run/context.h"
#include "tools/run/kinds.h"
#include "tools/run/signals.h"

struct cpi {
	struct cpi_args args;
	struct topdown_run run;
	struct cost_figures figures;
	struct cpi_parts parts;
	char why_no_tree[512];		/* "": there is one */
	struct cpi_sum sum, spare;
	struct cpi_scatter scatter;	/* of the whole */
	struct printing to;
	struct cpi_svg *svg;
	uint32_t flags;			/* of all counts */
	size_t idle;			/* tasks of which too little ran */
};

static int no_memory(void)
{
	return complain("cpi", EXIT_FAILED, "out of memory");
}

/* ---- what came ------------------------------------------------------------------------ */

static double seconds_of(const struct cpi *c)
{
	const struct counting *counting = &c->run.c;
	uint64_t end = counting->stop_ns ? counting->stop_ns : now_ns();

	return (double)(end - counting->start_ns) / 1e9;
}

/* A run of several: how they differ is the error.  Parts of one run are no runs. */
static void take_run(void *data, const struct topdown_watch *watch,
		     const struct pmuctl_topdown_count *counts)
{
	struct cpi *c = data;

	if (watch == &c->run.whole && c->run.repeat > 1)
		cpi_scatter_add(&c->parts, counts, &c->spare, &c->scatter);
}

static int show(struct cpi *c, struct topdown_watch *watch)
{
	struct cpi_view view = {
		.args = &c->args, .parts = &c->parts, .plan = c->run.parts[0].plan, .sum = &c->sum,
		.watch = watch, .time = seconds_of(c),
	};

	if (view.plan) {
		view.results = topdown_results(&c->run, watch, 0);
		if (!view.results)
			return EXIT_FAILED;
	}
	c->flags |= watch->flags;
	cpi_add_up(&c->parts, watch->history.sums, &c->sum);
	if (c->args.per_task && c->sum.empty) {
		c->idle++;
		return 0;
	}
	if (c->run.repeat > 1)
		cpi_take_errors(&c->scatter, &c->sum);
	cpi_take_nodes(view.results, &c->sum);
	cpi_print(c->to.w, &view);
	return c->svg && cpi_svg_add(c->svg, &view) ? no_memory() : 0;
}

static int begin_printing(struct cpi *c)
{
	bool begun = c->to.w;
	int code = printing_begin(&c->to);

	if (!code && !begun)
		cpi_print_head(c->to.w, &c->args);
	return code;
}

static bool is_held_up(void *data)
{
	return printing_push(&((struct cpi *)data)->to);
}

static int show_all(void *data)
{
	struct cpi *c = data;
	struct topdown_watch *task;
	int code = begin_printing(c);
	size_t i;

	c->idle = 0;
	if (!code && !c->args.per_task)
		code = show(c, &c->run.whole);
	for (i = 0; !code && (task = topdown_task(&c->run, i)); i++) {
		/* An exec may have changed it. */
		if (task->session)
			topdown_task_name(&c->run, task->tid);
		code = show(c, task);
	}
	printing_push(&c->to);
	return code;
}

/* ---- what is counted ---------------------------------------------------------------------- */

static const char *ring_of(struct cpi *c)
{
	if (user_mode_only(c->run.c.ctx) && !c->args.kernel)
		c->args.user = true;
	return c->args.user == c->args.kernel ? "" : c->args.user ? "u" : "k";
}

/* Where this processor has no Top-Down the parts stand alone. */
static int make_plan(struct cpi *c, const char *ring)
{
	const struct pmuctl_topdown_options options = {
		.size = sizeof(options), .kind = PMUCTL_TOPDOWN_TMA5, .levels = 2, .ring = ring,
		.tasks = targets_are_tasks(&c->args.targets) || c->args.per_task,
		.unprivileged = user_mode_only(c->run.c.ctx),
	};
	int err = pmuctl_topdown_new(c->run.c.ctx, &options, &c->run.parts[0].plan);

	c->run.nr_parts = !err;
	if (!err)
		return 0;
	if (err != -EOPNOTSUPP && err != -ENOSPC) {
		complain("cpi", 0, "%s", err == -ENOMEM ? "out of memory" : pmuctl_error(c->run.c.ctx));
		diagnose(c->run.c.ctx, err, stderr);
		return EXIT_FAILED;
	}
	c->run.parts[0].plan = NULL;
	snprintf(c->why_no_tree, sizeof(c->why_no_tree), "%s", pmuctl_error(c->run.c.ctx));
	return 0;
}

static int make_room(struct cpi *c)
{
	c->sum.rows = calloc(c->parts.count, sizeof(*c->sum.rows));
	c->spare.rows = calloc(c->parts.count, sizeof(*c->spare.rows));
	c->scatter.parts = calloc(c->parts.count + 2, sizeof(*c->scatter.parts));
	return c->sum.rows && c->spare.rows && c->scatter.parts ? 0 : no_memory();
}

static int make_parts(struct cpi *c)
{
	const char *ring = ring_of(c);
	const char *modifier = !*ring ? "" : *ring == 'u' ? ":u" : ":k";
	int code = figures_read(c->run.c.ctx, "cpi", &c->args.given, &c->figures);

	if (!code && *c->figures.why_not)
		return complain("cpi", EXIT_FAILED, "%s", c->figures.why_not);
	if (!code)
		code = cpi_parts_make(c->run.c.ctx, &c->figures, modifier, &c->parts);
	if (!code)
		code = make_plan(c, ring);
	if (!code)
		code = cpi_parts_place(&c->parts, c->run.parts[0].plan);
	c->run.more = c->parts.sets;
	c->run.nr_more = c->parts.nr_sets;
	return code ? code : make_room(c);
}

/* ---- from the plan to the end ------------------------------------------------------------- */

static int open_files(struct cpi *c)
{
	int code = printing_open(&c->to);

	if (code || !c->args.svg)
		return code;
	c->svg = cpi_svg_new(&c->args);
	return c->svg ? 0 : EXIT_FAILED;
}

/* Behind all that was printed. */
static void warn(const struct cpi *c)
{
	const char *why;
	size_t missed = topdown_tasks_missed(&c->run, &why);

	if (c->idle)
		complain("cpi", 0, "%zu tasks have no rows: they were over before what tells their CPI "
			 "had its turn", c->idle);
	if (missed)
		complain("cpi", 0, "warning: %zu tasks were left out, the first because: %s", missed, why);
	counting_warn_missed("cpi", c->run.missed);
	flags_warn("cpi", c->run.c.ctx, c->flags);
}

static int count(struct cpi *c)
{
	int code = make_parts(c);

	if (!code)
		code = open_files(c);
	c->run.c.outlet = c->to.outlet;
	if (!code)
		code = topdown_count(&c->run);
	if (!code && !c->args.interval)
		code = show_all(c);
	if (!code)
		cpi_print_foot(c->to.w, &c->parts, *c->why_no_tree ? c->why_no_tree : NULL,
			       c->run.runs);
	if (!code && c->svg)
		code = cpi_svg_write(c->svg, &c->parts);
	if (!code)
		code = printing_finish(&c->to);
	warn(c);
	code = printing_end(&c->to, code);
	return code ? code : command_exit_code(c->args.command, &c->run.c.child);
}

static void set_up(struct cpi *c)
{
	const struct cpi_args *a = &c->args;
	struct counting *counting = &c->run.c;

	counting->cmd = c->to.cmd = "cpi";
	counting->targets = &a->targets;
	counting->command = a->command;
	counting->no_inherit = a->no_inherit ||
			       (a->per_task && a->targets.kind == TARGET_COMMAND);
	counting->no_multiplex = a->no_multiplex;
	c->run.repeat = a->repeat;
	c->run.interval = a->interval;
	c->run.interval_over = show_all;
	c->run.held_up = is_held_up;
	c->run.tallied = take_run;
	c->run.data = c;
	c->run.per_task = a->per_task;
	c->run.first_alone = a->no_inherit;
	c->to.path = a->output;
	c->to.append = a->append;
	c->to.layout = a->layout;
}

static void release(struct cpi *c)
{
	cpi_svg_free(c->svg);
	topdown_run_free(&c->run);
	cpi_parts_free(&c->parts);
	figures_free(&c->figures);
	free(c->sum.rows);
	free(c->spare.rows);
	free(c->scatter.parts);
	pmuctl_close(c->run.c.ctx);
}

static int cmd_cpi(int argc, char **argv)
{
	struct cpi c = { .flags = 0 };
	int code = cpi_args_parse(&c.args, argc, argv);
	cpu_set_t where;
	bool ended;

	set_up(&c);
	if (!code)
		code = command_fork("cpi", c.args.command, &c.run.c.child);
	if (!code)
		code = open_context("cpi", c.args.events_dir, &c.run.c.ctx);
	if (!code) {
		targets_cpus(&c.args.targets, &where);
		code = need_one_kind("cpi", &c.run.c.ctx, &where);
	}
	if (!code)
		code = count(&c);
	ended = signals_seen() && command_not_ended(c.args.command, &c.run.c.child);
	release(&c);
	cpi_args_free(&c.args);
	/* ^C ended the counting: whoever called us should know. */
	if (ended && !code)
		signals_die();
	return code;
}

const struct command command_cpi = {
	.name = "cpi",
	.run = cmd_cpi,
	.text = "what the cycles of an instruction are made of, and what does not add up",
	.options = cpi_options,
	.operands = "[--] [COMMAND ...]",
	.runs_command = true,
};
