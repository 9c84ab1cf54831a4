// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl record: sample events while a command runs, or of what runs already,
 * to a perf.data file.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/output.h"
#include "tools/record/record.h"
#include "tools/run/features.h"
#include "tools/run/signals.h"
#include "tools/run/watchdog.h"

/* What the command prints would be within the records: it goes to standard error, as perf's. */
static int take_pipe(struct record_args *args)
{
	if (!names_standard_output(args->output))
		return 0;
	args->piped = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (args->piped < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return complain("record", EXIT_FAILED, "standard output: %s", strerror(errno));
	return 0;
}

static int cmd_record(int argc, char **argv)
{
	struct record r = { .cmd = "record", .terminal = isatty(STDERR_FILENO) };
	struct watchdog *off = NULL;
	struct pmuctl_hold *hold = NULL;
	int code = record_args_parse(&r.args, argc, argv);
	bool ended;

	if (r.args.quiet)
		r.terminal = false;
	if (!code)
		code = take_pipe(&r.args);
	if (!code)
		code = command_fork("record", r.args.command, &r.child);
	if (!code && r.args.watchdog_off)
		code = watchdog_turn_off("record", &off);
	if (!code)
		code = open_context("record", r.args.events_dir, &r.ctx);
	if (!code)
		code = features_hold_for("record", r.ctx, &r.args.with, &r.args.targets, &hold);
	if (!code)
		code = record_run(&r);
	features_release("record", r.ctx, hold);
	if (!code)
		code = command_exit_code(r.args.command, &r.child);
	ended = signals_seen() && command_not_ended(r.args.command, &r.child);
	record_free(&r);
	pmuctl_close(r.ctx);
	/* The watchdog needs the PMU, so we let go of it before. */
	watchdog_restore("record", off);
	record_args_free(&r.args);
	/* ^C ended the recording: whoever called us should know. */
	if (ended && !code)
		signals_die();
	return code;
}

const struct command command_record = {
	.name = "record",
	.run = cmd_record,
	.text = "run a command, or watch processes or CPUs, and sample to perf.data",
	.options = record_options,
	.operands = "[--] [COMMAND ...]",
	.runs_command = true,
};
