// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl analyze.
 */
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "tools/analyze/analyze.h"
#include "tools/base/options.h"

/* As of pmuctl record, when neither -c nor -F is given. */
#define FREQUENCY 4000
#define PERIOD_MAX (1ull << 47)
#define ROWS 10

/* Those without a letter. */
enum {
	OPT_TMA5 = 256,
	OPT_CLASSICAL,
	OPT_NODE,
	OPT_NO_MULTIPLEX,
	OPT_EVENTS_DIR,
};

static const struct option options[] = {
	{ "levels", required_argument, NULL, 'l' },
	{ "tma5", no_argument, NULL, OPT_TMA5 },
	{ "classical", no_argument, NULL, OPT_CLASSICAL },
	{ "node", required_argument, NULL, OPT_NODE },
	{ "user", no_argument, NULL, 'u' },
	{ "kernel", no_argument, NULL, 'k' },
	{ "no-multiplex", no_argument, NULL, OPT_NO_MULTIPLEX },
	{ "events-dir", required_argument, NULL, OPT_EVENTS_DIR },
	{ "count", required_argument, NULL, 'c' },
	{ "freq", required_argument, NULL, 'F' },
	{ "limit", required_argument, NULL, 'n' },
	{ "output", required_argument, NULL, 'o' },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json", no_argument, NULL, 'j' },
	/* Refused, with the reason: */
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ NULL, 0, NULL, 0 },
};

static int set(bool *flag)
{
	*flag = true;
	return 0;
}

/* "-" would be a pipe to perf, whose format is another one. */
static int set_output(struct analyze_args *args, const char *text)
{
	if (!strcmp(text, "-"))
		return complain("analyze", EXIT_USAGE, "-o -: perf.data cannot go to a pipe; name "
				"a file");
	return option_text("analyze", "-o", "the file name", text, &args->output);
}

/* What is counted. */
static int take_counting(struct analyze_args *args, int opt)
{
	switch (opt) {
	case 'l':
		return option_int("analyze", "-l", optarg, 1, PMUCTL_TOPDOWN_LEVELS,
				  &args->levels);
	case OPT_TMA5:
		return set(&args->tma5);
	case OPT_CLASSICAL:
		return set(&args->classical);
	case OPT_NODE:
		return option_text("analyze", "--node", "the name of a node", optarg, &args->node);
	case 'u':
		return set(&args->user);
	case 'k':
		return set(&args->kernel);
	case OPT_NO_MULTIPLEX:
		return set(&args->no_multiplex);
	case OPT_EVENTS_DIR:
		return option_text("analyze", "--events-dir", "the file name", optarg,
				   &args->events_dir);
	case 'a':
	case 'C':
	case 'p':
	case 't':
		return complain("analyze", EXIT_USAGE, "-%c: what runs already cannot be run a "
				"second time to sample it; `pmuctl topdown -%c` counts it and "
				"prints what to record", opt, opt);
	default:
		return usage("analyze");
	}
}

static int take_option(struct analyze_args *args, int opt)
{
	switch (opt) {
	case 'c':
		return option_number("analyze", "-c", optarg, 1, PERIOD_MAX, &args->period);
	case 'F':
		return option_number("analyze", "-F", optarg, 1, INT_MAX, &args->frequency);
	case 'n':
		return option_int("analyze", "-n", optarg, 1, INT_MAX, &args->rows);
	case 'o':
		return set_output(args, optarg);
	case 'x':
		return option_format("analyze", FORMAT_CSV, optarg, &args->format,
				     &args->separator);
	case 'j':
		return option_format("analyze", FORMAT_JSON, ",", &args->format, &args->separator);
	default:
		return take_counting(args, opt);
	}
}

static int check(struct analyze_args *args)
{
	if (args->period && args->frequency)
		return complain("analyze", EXIT_USAGE, "-c or -F, one of them");
	if (args->tma5 && args->classical)
		return complain("analyze", EXIT_USAGE, "--tma5 or --classical, not both");
	if (!args->period && !args->frequency)
		args->frequency = FREQUENCY;
	if (!args->command)
		return option_missing("analyze", "analyze", "a command");
	if (!args->command[0][0])
		return complain("analyze", EXIT_USAGE, "the command's name is empty");
	return targets_check("analyze", &args->targets, args->command);
}

int analyze_args_parse(struct analyze_args *args, int argc, char **argv)
{
	int opt, code = 0;

	memset(args, 0, sizeof(*args));
	args->rows = ROWS;
	args->separator = ",";
	args->argv = argv;
	while (!code && (opt = option_next("analyze", argc, argv, "+l:ukc:F:n:o:x:jaC:p:t:",
					   options)) != -1)
		code = take_option(args, opt);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

void analyze_args_free(struct analyze_args *args)
{
	targets_free(&args->targets);
}
