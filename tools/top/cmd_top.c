// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl top: what is hot just now, by symbol, task or CPU, while it is sampled.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/signals.h"
#include "tools/run/watchdog.h"
#include "tools/top/top.h"

static bool has_screen(const struct top_args *args)
{
	const char *term = getenv("TERM");

	return !args->stdio && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

/* What was asked for now counts more than what was chosen the last time. */
static void set_state(struct top_state *state, const struct top_args *args)
{
	unsigned int view;

	if (args->sort && !args->view)
		state->view = VIEW_SYMBOLS;
	for (view = 0; args->view && view < VIEWS_NAMED; view++)
		if (!strcmp(args->view, top_layouts[view].name))
			state->view = view;
	if (args->sort)
		state->sort[state->view] = top_column_named(state->view, args->sort);
	if (args->filter)
		snprintf(state->filter, sizeof(state->filter), "%s", args->filter);
	if (args->delay > 0)
		state->delay = args->delay;
	if (args->zero)
		state->past = PAST_DROPPED;
	if (args->accumulate)
		state->past = PAST_KEPT;
	state->hide_kernel = args->hide_kernel;
	state->hide_user = args->hide_user;
}

/* What it prints would be written over the screen. */
static int fork_command(struct top *t, bool screen)
{
	int kept[3], null = -1, i, code;

	if (!screen || !t->r.args.command)
		return command_fork("top", t->r.args.command, &t->r.child);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		return complain("top", EXIT_FAILED, "/dev/null: %s", strerror(errno));
	for (i = 0; i < 3; i++) {
		kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
		dup2(null, i);
	}
	code = command_fork("top", t->r.args.command, &t->r.child);
	for (i = 0; i < 3; i++) {
		dup2(kept[i], i);
		close(kept[i]);
	}
	close(null);
	return code;
}

/* It was started to be seen: when that is over it gets SIGTERM, unless it ended by itself. */
static int end_command(struct top *t)
{
	struct child *c = &t->r.child;

	if (!c->pid || c->go >= 0)
		return 0;
	if (!t->head.ended && !signals_seen()) {
		t->stopped = true;
		kill(c->pid, SIGTERM);
	}
	return command_reap("top", t->r.args.command, c);
}

static int run(struct top *t, bool screen)
{
	int code = top_begin(t), stopped, reaped;

	if (code)
		return code;
	signals_catch(t->r.child.pid);
	code = screen ? top_screen(t) : top_print(t);
	stopped = record_stop(&t->r);
	reaped = end_command(t);
	watchdog_warn("top", t->r.watchdog);
	if (!code)
		code = stopped;
	return code ? code : reaped;
}

static int cmd_top(int argc, char **argv)
{
	struct top t = { .r = { .cmd = "top" }, .memory = -1, .state = { .delay = 1 } };
	struct watchdog *off = NULL;
	int code = top_args_parse(&t.args, argc, argv);
	bool screen = has_screen(&t.args), ended;

	t.r.args = t.args.record;
	if (!code && screen)
		top_recall(&t.state);
	set_state(&t.state, &t.args);
	if (!code)
		code = fork_command(&t, screen);
	if (!code && t.r.args.watchdog_off)
		code = watchdog_turn_off("top", &off);
	if (!code)
		code = open_context("top", t.r.args.events_dir, &t.r.ctx);
	if (!code)
		code = run(&t, screen);
	if (!code && screen && !signals_seen())
		top_remember(&t.state);
	if (!code && !t.stopped)
		code = command_exit_code(t.r.args.command, &t.r.child);
	ended = signals_seen() && command_not_ended(t.r.args.command, &t.r.child);
	top_end(&t);
	pmuctl_close(t.r.ctx);
	/* The watchdog needs the PMU, so we let go of it before. */
	watchdog_restore("top", off);
	record_args_free(&t.r.args);
	if (ended && !code)
		signals_die();
	return code;
}

const struct command command_top = {
	.name = "top",
	.run = cmd_top,
	.text = "what is hot just now: symbols, tasks, CPUs, and Top-Down of tasks",
	.options = top_options,
	.operands = "[--] [COMMAND ...]",
	.runs_command = true,
};
