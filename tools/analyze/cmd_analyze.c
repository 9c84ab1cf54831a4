// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl analyze: what limits a command and by which instructions, in two runs of it: one is
 * counted, the other sampled by the event that the first points to.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tools/analyze/analyze.h"
#include "tools/run/signals.h"
#include "tools/samples/view_args.h"

/* ---- the second step: the command again, sampled ---------------------------------------- */

static int analyze_record(struct analyze *a)
{
	struct record *r = &a->record;

	r->cmd = "analyze";
	r->ctx = a->run.c.ctx;
	r->args.targets = a->args.targets;
	r->args.events.texts = (const char **)&a->event;
	r->args.events.count = 1;
	r->args.period = a->args.period;
	r->args.frequency = (uint32_t)a->args.frequency;
	r->args.content = a->content;
	r->args.quiet = true;
	r->args.output = a->args.output ? a->args.output : a->path;
	r->args.command = a->args.command;
	r->args.argv = a->args.argv;
	return record_run(r);
}

/* Before the command runs for the first time. */
static int name_samples(struct analyze *a)
{
	if (a->args.output)
		return 0;
	a->file = memory_file("analyze", a->path);
	return a->file < 0 ? EXIT_FAILED : 0;
}

/* What is counted and sampled. */
static const char *choose_ring(const struct analyze *a)
{
	if (a->args.user != a->args.kernel)
		return a->args.user ? "u" : "k";
	return user_mode_only(a->run.c.ctx) ? "u" : "";
}

/* Before the command runs, too. */
static int prepare_advice(struct analyze *a)
{
	a->advise = (struct advise){
		.cmd = "analyze", .ctx = a->run.c.ctx, .command = a->args.command,
		.ring = a->ring,
	};
	return advise_check(&a->advise);
}

/* What was interrupted is shown as far as it came. */
static int analyze(struct analyze *a)
{
	int code = analyze_count(a);

	if (!code)
		code = analyze_choose_event(a);
	if (!code)
		code = analyze_record(a);
	if (!code && a->args.advise)
		code = advise_run(&a->advise);
	if (!code)
		code = analyze_show(a);
	return code ? code : command_exit_code(a->args.command, &a->record.child);
}

static void release(struct analyze *a)
{
	record_free(&a->record);
	if (a->file >= 0)
		close(a->file);
	advise_free(&a->advise);
	free(a->event);
	free(a->why_not_precise);
	free(a->why_not_event);
	topdown_run_free(&a->run);
	pmuctl_close(a->run.c.ctx);
	analyze_args_free(&a->args);
}

static int cmd_analyze(int argc, char **argv)
{
	struct analyze a = { .file = -1 };
	cpu_set_t where;
	int code = analyze_args_parse(&a.args, argc, argv);

	if (!code)
		code = view_check_decoder("analyze");
	/* Before there is a socket, which it would keep a copy of. */
	if (!code)
		code = command_fork("analyze", a.args.command, &a.run.c.child);
	if (!code)
		code = open_context("analyze", a.args.events_dir, &a.run.c.ctx);
	if (!code)
		a.ring = choose_ring(&a);
	if (!code)
		code = name_samples(&a);
	if (!code && a.args.advise) {
		targets_cpus(&a.args.targets, &where);
		code = need_one_kind("analyze --advise", &a.run.c.ctx, &where);
	}
	if (!code && a.args.advise)
		code = prepare_advice(&a);
	if (!code)
		code = analyze(&a);
	release(&a);
	return code;
}

const struct command command_analyze = {
	.name = "analyze",
	.run = cmd_analyze,
	.text = "what limits a command and by which instructions, in one go",
	.options = analyze_options,
	.operands = "[--] COMMAND ...",
	.runs_command = true,
};
