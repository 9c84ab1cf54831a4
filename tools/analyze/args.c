// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl analyze.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "tools/analyze/analyze.h"
#include "tools/base/options.h"

/* As of pmuctl record, when neither -c nor -F is given. */
#define FREQUENCY 4000
#define PERIOD_MAX (1ull << 47)
#define ROWS 10

#define TO(field) offsetof(struct analyze_args, field)

static int refuse_target(const struct option_use *use)
{
	return complain("analyze", EXIT_USAGE, "-%c: what runs already cannot be run a second time "
			"to sample it; `pmuctl topdown -%c` counts it and prints what to record",
			use->row->letter, use->row->letter);
}

const struct option_row analyze_options[] = {
	{ 'l', "levels", "LEVELS", take_uint, TO(levels), 1, PMUCTL_TOPDOWN_LEVELS,
	  .words = "1 2 3", .help = "no more than these levels of the tree" },
	OPTIONS_TREE(struct analyze_args),
	{ 0, "node", "NODE", take_text, TO(node), .what = "the name of a node",
	  .help = "go into this node instead of the one that stands out" },
	OPTIONS_PRIVILEGE(struct analyze_args),
	{ 0, "advise", NULL, take_flag, TO(advise),
	  .help = "what to do about hot instructions, and what is to be had by it" },
	{ 'c', "count", "PERIOD", take_u64, TO(period), 1, PERIOD_MAX,
	  .help = "a sample every so many events" },
	{ 'F', "freq", "FREQUENCY", take_u64, TO(frequency), 1, INT_MAX, .place = PLACE_OR,
	  .help = "about so many samples a second; 4000 by default" },
	{ 'n', "limit", "ROWS", take_uint, TO(rows), 1, INT_MAX,
	  .help = "so many instructions; 10 by default" },
	{ 'o', "output", "FILE", take_data_file, TO(output),
	  .help = "keep the samples in this perf.data file" },
	OPTION_RUN_PER_SET(struct analyze_args),
	OPTION_EVENTS_DIR(struct analyze_args),
	OPTION_CSV(struct analyze_args),
	OPTION_JSON(struct analyze_args),
	OPTION_COLOUR(struct analyze_args),
	{ 'a', "all-cpus", NULL, refuse_target, .help = NULL },
	{ 'C', "cpu", "CPUS", refuse_target, .help = NULL },
	{ 'p', "pid", "PIDS", refuse_target, .help = NULL },
	{ 't', "tid", "TIDS", refuse_target, .help = NULL },
	OPTION_END
};

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
	return targets_check("analyze", &args->targets, args->command, false);
}

int analyze_args_parse(struct analyze_args *args, int argc, char **argv)
{
	int code;

	*args = (struct analyze_args){ .rows = ROWS, .layout = LAYOUT_TEXT, .argv = argv };
	code = options_parse("analyze", argc, argv, args);
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
