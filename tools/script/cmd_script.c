// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl script: the samples of a perf.data file, a line each.
 */
#include <errno.h>
#include <string.h>

#include "tools/base/output.h"
#include "tools/base/pager.h"
#include "tools/base/progress.h"
#include "tools/samples/cuts.h"
#include "tools/samples/view_args.h"
#include "tools/script/script.h"

static int print_sample(void *data, const struct pmuctl_data_sample *sample)
{
	struct script *s = data;

	return filter_wants(&s->filter, sample) ? script_print(s, sample) : 0;
}

static int print_all(struct script *s, struct pmuctl *ctx, FILE *out, int *unwritten)
{
	int err = -ENOMEM;

	s->w = writer_open_as(out, &s->args->layout);
	if (s->w && s->args->layout.format == FORMAT_TEXT)
		s->lines = script_lines_new(s, out);
	if (s->w) {
		script_begin(s);
		if (s->lines || s->args->layout.format != FORMAT_TEXT)
			err = script_shows_chains(s) ?
				      pmuctl_data_chains(s->data, print_sample, s) :
				      pmuctl_data_samples(s->data, print_sample, s);
		script_lines_free(s->lines);
		if (!writer_close(s->w))
			*unwritten = -errno;
	}
	return err ? complain("script", EXIT_FAILED, "%s", err == -ENOMEM ? strerror(ENOMEM) :
									    pmuctl_error(ctx)) : 0;
}

static void say_what_is_missing(const struct script_args *args, const struct pmuctl_data_info *info)
{
	complain_lost("script", args->input, info);
	complain_left_out("script", args->input, info);
}

static uint64_t what_is_there(const struct pmuctl_data_info *info)
{
	uint64_t there = 0;
	size_t i;

	for (i = 0; i < info->events_count; i++)
		if (info->events[i].samples)
			there |= info->events[i].sample_type;
	return there;
}

static int script(const struct script_args *args, struct pmuctl *ctx, struct pmuctl_data *data)
{
	struct script s = {
		.args = args, .data = data, .inlines.on = args->inlined,
		.there = what_is_there(pmuctl_data_get_info(data)),
	};
	int closed, unwritten = 0;
	int code = filter_open(&s.filter, "script", &args->filter, args->input, data);
	FILE *out = code ? NULL : open_output("script", args->output, args->input);

	if (!out) {
		filter_close(&s.filter);
		return code ? code : EXIT_FAILED;
	}
	if (out == stdout) {
		pager_start(&args->layout);
		/* Its lines come while it is read. */
		progress_stop();
	}
	code = print_all(&s, ctx, out, &unwritten);
	filter_complain_unused(&s.filter);
	filter_close(&s.filter);
	callers_free(&s.chain);
	closed = close_output("script", args->output, out, unwritten);
	say_what_is_missing(args, pmuctl_data_get_info(data));
	inlines_complain("script", &s.inlines);
	cuts_complain("script", args->input, data);
	missing_complain("script", &s.missing, data);
	missing_free(&s.missing);
	return code ? code : closed;
}

static int open_and_print(const struct script_args *args, struct pmuctl *ctx)
{
	struct pmuctl_data *data;
	int code;

	code = open_data("script", ctx, args->input, &args->where, &data);
	if (code)
		return code;
	code = script(args, ctx, data);
	pmuctl_data_close(data);
	return code;
}

static int cmd_script(int argc, char **argv)
{
	struct script_args args;
	struct pmuctl *ctx;
	int code = script_args_parse(&args, argc, argv);

	if (!code)
		code = open_context("script", NULL, &ctx);
	if (!code) {
		code = open_and_print(&args, ctx);
		pmuctl_close(ctx);
	}
	filter_args_free(&args.filter);
	return code;
}

const struct command command_script = {
	.name = "script",
	.run = cmd_script,
	.text = "the samples of a perf.data file, a line each",
	.options = script_options,
};
