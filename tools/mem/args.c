// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl mem.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/mem/args.h"

/* What is printed of each table, unless -n says otherwise. */
#define ROWS 20
/* As of pmuctl record, when neither -c nor -F is given. */
#define FREQUENCY 4000
#define PERIOD_MAX (1ull << 47)
/* As perf c2c has it: what takes longer did not hit the first two levels. */
#define LATENCY 30
/* The hardware takes no less, and has 16 bits for it. */
#define LATENCY_LEAST 3
#define LATENCY_MOST 0xffff

#define TO(field) offsetof(struct mem_args, field)

const struct option_row mem_options[] = {
	OPTION_VIEW_EVENT(struct view_args),
	{ 'n', "limit", "ROWS", take_uint, TO(view.limit), 0, INT_MAX,
	  .help = "of each table; 0: all; 20 by default" },
	OPTION_CSV(struct view_args),
	OPTION_JSON(struct view_args),
	OPTION_COLOUR(struct view_args),
	OPTION_NO_PAGER(struct view_args),
	{ 'i', "input", "FILE", take_input, TO(view.input),
	  .usage = "-i FILE | FILE", .help = "instead of perf.data; - is standard input" },
	OPTIONS_WHERE(struct view_args),
	{ 0, "sharing", NULL, take_flag, TO(sharing),
	  .help = "lines that several threads touch and one writes; of a file, or recorded now" },
	OPTIONS_TARGETS(struct mem_args),
	OPTIONS_PRIVILEGE(struct mem_args),
	{ 0, "ldlat", "CYCLES", take_uint, TO(latency), LATENCY_LEAST, LATENCY_MOST,
	  .help = "record loads that take longer; 30 by default" },
	{ 'c', "count", "PERIOD", take_u64, TO(period), 2, PERIOD_MAX,
	  .help = "a sample every so many loads, and stores" },
	{ 'F', "freq", "FREQUENCY", take_uint, TO(frequency), 1, INT_MAX, .place = PLACE_OR,
	  .help = "about so many samples a second of each; 4000 by default" },
	OPTION_TIMEOUT(struct mem_args),
	{ 'o', "output", "FILE", take_data_file, TO(output),
	  .help = "keep the samples in this perf.data file" },
	OPTION_END
};

bool mem_records(const struct mem_args *args)
{
	return args->command || args->targets.kind != TARGET_COMMAND || args->targets.all_cpus;
}

/* One of several that say how to record; NULL: none of them was given. */
static const char *recording_option(const struct mem_args *args)
{
	const struct {
		bool given;
		const char *option;
	} options[] = {
		{ args->latency, "--ldlat" }, { args->period, "-c" }, { args->frequency, "-F" },
		{ args->timeout, "--timeout" }, { args->output, "-o" }, { args->user, "-u" },
		{ args->kernel, "-k" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].given)
			return options[i].option;
	return NULL;
}

static int check_file(const struct mem_args *args)
{
	const char *option = recording_option(args);

	if (mem_records(args) && !args->sharing)
		return complain("mem", EXIT_USAGE, "it reads a file; --sharing records as well");
	if (option && !args->sharing)
		return complain("mem", EXIT_USAGE, "%s: it says how to record, which is done with "
				"--sharing alone", option);
	if (option)
		return complain("mem", EXIT_USAGE, "%s: it says how to record, and nothing is named: a "
				"command, or CPUs with -a or -C, processes with -p", option);
	return 0;
}

static int check_recording(struct mem_args *args)
{
	if (args->view.has_input)
		return complain("mem", EXIT_USAGE, "-i '%s' is read, a command or -a, -C, -p, -t and -G "
				"are recorded: one of them", args->view.input);
	if (args->period && args->frequency)
		return complain("mem", EXIT_USAGE, "-c or -F, one of them");
	if (args->command && !args->command[0][0])
		return complain("mem", EXIT_USAGE, "the command's name is empty");
	if (args->user && args->kernel)
		return complain("mem", EXIT_USAGE, "-u and -k: one of them, or neither for both");
	if (!args->period && !args->frequency)
		args->frequency = FREQUENCY;
	if (!args->latency)
		args->latency = LATENCY;
	return targets_check("mem", &args->targets, args->command, false);
}

/* Behind a file there may be more options. */
static int take_file(struct mem_args *args, int argc, char **argv)
{
	const char *file = argv[optind++];
	int code = options_parse("mem", argc, argv, args);

	if (!code)
		code = option_rest("mem", argc, argv, 0, "one file");
	if (!code && args->view.has_input)
		return complain("mem", EXIT_USAGE, "-i '%s' or '%s', one file", args->view.input,
				file);
	args->view.input = file;
	return code;
}

/* Behind the options: a file, or with --sharing a command. */
static int take_operands(struct mem_args *args, int argc, char **argv)
{
	if (optind == argc)
		return 0;
	if (!args->sharing)
		return take_file(args, argc, argv);
	args->command = argv + optind;
	return 0;
}

int mem_args_parse(struct mem_args *args, int argc, char **argv)
{
	int code;

	*args = (struct mem_args){
		.view = { .limit = ROWS, .input = "perf.data", .layout = LAYOUT_TEXT }, .argv = argv,
	};
	code = options_parse("mem", argc, argv, args);
	if (!code)
		code = take_operands(args, argc, argv);
	if (!code && args->sharing && args->view.event)
		code = complain("mem", EXIT_USAGE, "-e and --sharing: sharing is of loads and stores "
				"together, whichever their events are");
	if (code)
		return code;
	return args->sharing && mem_records(args) ? check_recording(args) : check_file(args);
}

void mem_args_free(struct mem_args *args)
{
	targets_free(&args->targets);
}
