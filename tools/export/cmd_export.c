// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl export: the samples of a perf.data file in the formats of other viewers.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/base/output.h"
#include "tools/export/export.h"
#include "tools/samples/cuts.h"
#include "tools/samples/view_args.h"

struct export_format {
	int (*write)(const struct stacks *s, const struct export_options *how, FILE *out);
	bool one_event;		/* has no place for several */
	bool by_address;
	bool labels;		/* ... have the task, and the CPU if asked for */
	bool binary;
};

enum { FOLDED, SPEEDSCOPE, PPROF };

static const struct export_format formats[] = {
	[FOLDED] = { .write = export_folded, .one_event = true },
	[SPEEDSCOPE] = { .write = export_speedscope },
	[PPROF] = { .write = export_pprof, .by_address = true, .labels = true, .binary = true },
};

struct arguments {
	const struct export_format *format;
	unsigned int formats;	/* that were asked for */
	const char *input, *output, *event;
	bool samples, inlined, cpu_label;
	struct filter_args filter;
	struct where_args where;
};

static int take_format(const struct option_use *use)
{
	struct arguments *args = use->args;

	args->format = &formats[use->row->most];
	args->formats++;
	return 0;
}

static const struct option_row options[] = {
	OPTION_INPUT(struct arguments),
	OPTION_OUTPUT(struct arguments),
	OPTION_VIEW_EVENT(struct arguments),
	{ 0, "folded", NULL, take_format, .most = FOLDED, .place = PLACE_BARE,
	  .help = "a line a stack, as flamegraph.pl reads it" },
	{ 0, "samples", NULL, take_flag, offsetof(struct arguments, samples), .place = PLACE_IN,
	  .help = "with --folded: samples instead of the events that they stand for" },
	{ 0, "speedscope", NULL, take_format, .most = SPEEDSCOPE, .place = PLACE_OR,
	  .help = "for speedscope" },
	{ 0, "pprof", NULL, take_format, .most = PPROF, .place = PLACE_OR, .help = "for pprof" },
	{ 0, "cpu-label", NULL, take_flag, offsetof(struct arguments, cpu_label), .place = PLACE_IN,
	  .help = "with --pprof: the CPU as a label, too" },
	OPTION_INLINE(struct arguments),
	OPTIONS_FILTER(struct arguments),
	OPTIONS_FILTER_PLACE(struct arguments),
	OPTIONS_WHERE(struct arguments),
	OPTION_END
};

static int check_arguments(const struct arguments *args)
{
	if (args->formats != 1) {
		complain("export", 0, "in which one format? --folded, --speedscope or --pprof");
		return usage("export");
	}
	if (args->samples && args->format != &formats[FOLDED])
		return complain("export", EXIT_USAGE, "--samples goes with --folded; the other "
				"formats have the events%s",
				args->format == &formats[PPROF] ? ", and pprof both" : "");
	if (args->cpu_label && !args->format->labels)
		return complain("export", EXIT_USAGE, "--cpu-label goes with --pprof; other formats "
				"have no labels");
	if (args->format->binary && !args->output && isatty(STDOUT_FILENO))
		return complain("export", EXIT_USAGE, "a pprof profile is not for a terminal: "
				"name a file by -o");
	return 0;
}

static int parse(struct arguments *args, int argc, char **argv)
{
	int code = options_parse("export", argc, argv, args);

	if (!code)
		code = option_rest("export", argc, argv, 0, "a file by -i alone");
	return code ? code : check_arguments(args);
}

/* Which events: the one that was asked for, or the first if there is room for one alone. */
static int choose_events(const struct arguments *args, struct stacks *s)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(s->data);
	uint32_t first;
	size_t count;

	s->only = INDEX_NONE;
	first = first_sampled(s->data, &count);
	if (first == INDEX_NONE)
		return complain("export", EXIT_FAILED, "%s has no samples", args->input);
	if (args->event) {
		s->only = event_named(info, args->event);
		return s->only != INDEX_NONE ? 0 :
		       no_such_event("export", args->input, args->event, info);
	}
	if (!args->format->one_event)
		return 0;
	s->only = first;
	if (count > 1)
		complain("export", 0, "of %zu events %s is written; -e chooses another", count,
			 info->events[first].name);
	return 0;
}

static int write_output(const struct arguments *args, const struct stacks *s)
{
	const struct export_options how = { .title = args->input, .samples = args->samples };
	FILE *out = open_output("export", args->output, args->input);
	int err;

	if (!out)
		return EXIT_FAILED;
	err = args->format->write(s, &how, out);
	return close_output("export", args->output, out, err);
}

static int export_file(const struct arguments *args, struct pmuctl *ctx, struct pmuctl_data *data)
{
	struct stacks s = {
		.data = data, .by_address = args->format->by_address,
		.by_task = args->format->labels, .by_cpu = args->cpu_label,
		.inlines.on = args->inlined,
	};
	int code = choose_events(args, &s), err;

	if (code)
		return code;
	code = filter_open(&s.filter, "export", &args->filter, args->input, data);
	err = code ? 0 : stacks_read(&s);
	if (err)
		code = complain("export", EXIT_FAILED, "%s: %s", args->input,
				err == -ENOMEM ? "out of memory" : pmuctl_error(ctx));
	if (!code)
		code = stacks_check(&s, "export", args->input);
	if (!code)
		code = write_output(args, &s);
	cuts_complain("export", args->input, data);
	inlines_complain("export", &s.inlines);
	missing_complain("export", &s.missing, data);
	stacks_free(&s);
	return code;
}

static int cmd_export(int argc, char **argv)
{
	struct arguments args = { .input = "perf.data", .format = &formats[0] };
	struct pmuctl_data *data;
	struct pmuctl *ctx;
	int code = parse(&args, argc, argv);

	if (!code)
		code = open_context("export", "", &ctx);
	if (code) {
		filter_args_free(&args.filter);
		return code;
	}
	code = open_data("export", ctx, args.input, &args.where, &data);
	if (!code) {
		complain_lost("export", args.input, pmuctl_data_get_info(data));
		complain_left_out("export", args.input, pmuctl_data_get_info(data));
		code = export_file(&args, ctx, data);
		pmuctl_data_close(data);
	}
	pmuctl_close(ctx);
	filter_args_free(&args.filter);
	return code;
}

const struct command command_export = {
	.name = "export",
	.run = cmd_export,
	.text = "the samples of a perf.data file in the formats of other viewers",
	.options = options,
};
