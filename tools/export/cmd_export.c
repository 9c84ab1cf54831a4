// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl export: the samples of a perf.data file in the formats of other viewers.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/base/output.h"
#include "tools/export/export.h"
#include "tools/samples/view_args.h"

enum {
	OPT_FOLDED = 256,
	OPT_SPEEDSCOPE,
	OPT_PPROF,
	OPT_SAMPLES,
};

static const struct option options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "output", required_argument, NULL, 'o' },
	{ "event", required_argument, NULL, 'e' },
	{ "folded", no_argument, NULL, OPT_FOLDED },
	{ "speedscope", no_argument, NULL, OPT_SPEEDSCOPE },
	{ "pprof", no_argument, NULL, OPT_PPROF },
	{ "samples", no_argument, NULL, OPT_SAMPLES },
	{ NULL, 0, NULL, 0 },
};

struct export_format {
	int option;
	int (*write)(const struct stacks *s, const struct export_options *how, FILE *out);
	bool one_event;		/* has no place for several */
	bool by_address;
	bool binary;
};

static const struct export_format formats[] = {
	{ .option = OPT_FOLDED, .write = export_folded, .one_event = true },
	{ .option = OPT_SPEEDSCOPE, .write = export_speedscope },
	{ .option = OPT_PPROF, .write = export_pprof, .by_address = true, .binary = true },
};

struct arguments {
	const struct export_format *format;
	unsigned int formats;	/* that were asked for */
	const char *input, *output, *event;
	bool samples;
};

static void choose_format(struct arguments *args, int option)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].option == option)
			args->format = &formats[i];
	args->formats++;
}

static int take_option(struct arguments *args, int opt)
{
	switch (opt) {
	case 'i':
		return option_text("export", "-i", "the file name", optarg, &args->input);
	case 'o':
		return option_text("export", "-o", "the file name", optarg, &args->output);
	case 'e':
		args->event = optarg;
		return 0;
	case OPT_SAMPLES:
		args->samples = true;
		return 0;
	case OPT_FOLDED:
	case OPT_SPEEDSCOPE:
	case OPT_PPROF:
		choose_format(args, opt);
		return 0;
	default:
		return usage("export");
	}
}

static int check_arguments(const struct arguments *args)
{
	if (args->formats != 1) {
		complain("export", 0, "in which one format? --folded, --speedscope or --pprof");
		return usage("export");
	}
	if (args->samples && args->format->option != OPT_FOLDED)
		return complain("export", EXIT_USAGE, "--samples goes with --folded; the other "
				"formats have the events%s",
				args->format->option == OPT_PPROF ? ", and pprof both" : "");
	if (args->format->binary && !args->output && isatty(STDOUT_FILENO))
		return complain("export", EXIT_USAGE, "a pprof profile is not for a terminal: "
				"name a file by -o");
	return 0;
}

static int parse(struct arguments *args, int argc, char **argv)
{
	int opt, code;

	while ((opt = option_next("export", argc, argv, "i:o:e:", options)) != -1) {
		code = take_option(args, opt);
		if (code)
			return code;
	}
	code = option_rest("export", argc, argv, 0, "a file by -i alone");
	return code ? code : check_arguments(args);
}

/* Which events: the one that was asked for, or the first if there is room for one alone. */
static int choose_events(const struct arguments *args, struct stacks *s)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(s->data);
	uint32_t first, i;
	size_t count;

	s->only = INDEX_NONE;
	first = first_sampled(s->data, &count);
	if (first == INDEX_NONE)
		return complain("export", EXIT_FAILED, "%s has no samples", args->input);
	for (i = 0; args->event && i < info->events_count && s->only == INDEX_NONE; i++)
		if (!strcmp(info->events[i].name, args->event))
			s->only = i;
	if (s->only != INDEX_NONE)
		return 0;
	if (args->event)
		return no_such_event("export", args->input, args->event, info);
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
	struct stacks s = { .data = data, .by_address = args->format->by_address };
	int code = choose_events(args, &s), err;

	if (code)
		return code;
	err = stacks_read(&s);
	if (err)
		code = complain("export", EXIT_FAILED, "%s: %s", args->input,
				err == -ENOMEM ? "out of memory" : pmuctl_error(ctx));
	else
		code = write_output(args, &s);
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
	if (code)
		return code;
	if (pmuctl_data_open(ctx, args.input, &data)) {
		code = complain("export", EXIT_FAILED, "%s", pmuctl_error(ctx));
	} else {
		complain_lost("export", args.input, pmuctl_data_get_info(data));
		complain_left_out("export", args.input, pmuctl_data_get_info(data));
		complain_no_callers("export", args.input, pmuctl_data_get_info(data));
		code = export_file(&args, ctx, data);
		pmuctl_data_close(data);
	}
	pmuctl_close(ctx);
	return code;
}

const struct command command_export = {
	.name = "export",
	.run = cmd_export,
	.text = "the samples of a perf.data file in the formats of other viewers",
	.usage = "[-i FILE] [-o FILE] [-e EVENT] --folded [--samples] | --speedscope | --pprof",
};
