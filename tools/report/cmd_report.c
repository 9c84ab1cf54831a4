// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl report: where the samples of a perf.data file are.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "tools/base/output.h"
#include "tools/base/pager.h"
#include "tools/export/flame.h"
#include "tools/report/run.h"
#include "tools/samples/cuts.h"
#include "tools/samples/view_args.h"

static int failed(struct pmuctl *ctx, int err)
{
	return complain("report", EXIT_FAILED, "%s",
			err == -ENOMEM ? strerror(ENOMEM) : pmuctl_error(ctx));
}

static int print(const struct profile *p, struct pmuctl *ctx, FILE *out, int *unwritten)
{
	struct writer *w = writer_open_as(out, &p->args->layout);
	int err = w ? report_print(p, w, out) : -ENOMEM;

	if (w && !writer_close(w))
		*unwritten = -errno;
	return err ? failed(ctx, err) : 0;
}

static int print_to_output(const struct profile *p, struct pmuctl *ctx)
{
	const struct report_args *args = p->args;
	FILE *out = open_output("report", args->output, args->input);
	int code, closed, unwritten = 0;

	if (!out)
		return EXIT_FAILED;
	if (out == stdout)
		pager_start(&args->layout);
	code = print(p, ctx, out, &unwritten);
	closed = close_output("report", args->output, out, unwritten);
	return code ? code : closed;
}

/* What was asked for and no sample has would be an empty table, or one without it. */
static int check_file(const struct report_args *args, const struct pmuctl_data_info *info)
{
	if (args->event && event_named(info, args->event) == INDEX_NONE)
		return no_such_event("report", args->input, args->event, info);
	if (args->graph.on && !samples_have(info, PERF_SAMPLE_CALLCHAIN))
		return complain("report", EXIT_FAILED, "-g: %s has no call chains: record with -g",
				args->input);
	if (report_by_branches(args) && !samples_have(info, PERF_SAMPLE_BRANCH_STACK))
		return complain("report", EXIT_FAILED, "-s: %s has no branches: record with -b",
				args->input);
	return 0;
}

/* What is wrong with the file that is read costs nothing in the one that is written. */
static int report(const struct report_args *args, struct pmuctl *ctx, struct pmuctl_data *data)
{
	struct profile profile = { .args = args, .data = data, .inlines.on = args->inlined };
	int err, code = filter_open(&profile.filter, "report", &args->filter, args->input, data);

	if (code) {
		report_free(&profile);
		return code;
	}
	err = report_read(&profile);
	code = err ? failed(ctx, err) : print_to_output(&profile, ctx);
	if (!err)
		filter_complain_unused(&profile.filter);
	/* An empty table is no answer to who asked for something. */
	if (!code && pmuctl_data_get_info(data)->samples && !profile.rows_count)
		code = EXIT_CANNOT;
	inlines_complain("report", &profile.inlines);
	cuts_complain("report", args->input, data);
	missing_complain("report", &profile.missing, data);
	report_free(&profile);
	return code;
}

static int open_and_report(const struct report_args *args, struct pmuctl *ctx)
{
	const struct pmuctl_data_info *info;
	struct pmuctl_data *data;
	int code;

	code = open_data("report", ctx, args->input, &args->where, &data);
	if (code)
		return code;
	info = pmuctl_data_get_info(data);
	/* A table has a line for it. */
	if (args->svg)
		complain_lost("report", args->input, info);
	complain_left_out("report", args->input, info);
	code = check_file(args, info);
	if (!code && args->svg) {
		const struct flame_args flame = {
			.event = args->event ? event_named(info, args->event) : INDEX_NONE,
			.inlined = args->inlined, .filter = &args->filter,
		};

		code = flame_write("report", ctx, data, &flame, args->input, args->svg);
	} else if (!code) {
		code = report(args, ctx, data);
	}
	pmuctl_data_close(data);
	return code;
}

static int cmd_report(int argc, char **argv)
{
	struct report_args args;
	struct pmuctl *ctx;
	int code = report_args_parse(&args, argc, argv);

	if (!code)
		code = open_context("report", NULL, &ctx);
	if (!code) {
		code = open_and_report(&args, ctx);
		pmuctl_close(ctx);
	}
	report_args_free(&args);
	return code;
}

const struct command command_report = {
	.name = "report",
	.run = cmd_report,
	.text = "where the samples of a perf.data file are",
	.options = report_options,
};
