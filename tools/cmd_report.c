// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl report: where the samples of a perf.data file are.
 */
#include <errno.h>
#include <string.h>

#include "flame.h"
#include "output.h"
#include "report_run.h"

static int failed(struct pmuctl *ctx, int err)
{
	return complain("report", EXIT_FAILED, "%s",
			err == -EBADMSG ? pmuctl_error(ctx) : strerror(-err));
}

static int print(const struct profile *p, struct pmuctl *ctx, FILE *out, int *unwritten)
{
	struct writer *w = writer_open(out, p->args->format, p->args->separator);
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
	code = print(p, ctx, out, &unwritten);
	closed = close_output("report", args->output, out, unwritten);
	return code ? code : closed;
}

/* What is wrong with the file that is read costs nothing in the one that is written. */
static int report(const struct report_args *args, struct pmuctl *ctx, struct pmuctl_data *data)
{
	struct profile profile = { .args = args, .data = data };
	int err = report_read(&profile);
	int code = err ? failed(ctx, err) : print_to_output(&profile, ctx);

	report_free(&profile);
	return code;
}

static int open_and_report(const struct report_args *args, struct pmuctl *ctx)
{
	struct pmuctl_data *data;
	int code;

	if (pmuctl_data_open(ctx, args->input, &data))
		return complain("report", EXIT_FAILED, "%s", pmuctl_error(ctx));
	code = args->svg ? flame_write("report", ctx, data, INDEX_NONE, args->input, args->svg) :
			   report(args, ctx, data);
	pmuctl_data_close(data);
	return code;
}

int cmd_report(int argc, char **argv)
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
