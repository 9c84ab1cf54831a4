// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl pushout.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/pushout/pushout.h"

#define TO(field) offsetof(struct pushout_args, field)

/* Prime, so that no loop of usual lengths is seen at one place alone. */
#define PERIOD_USUAL 100003
#define PERIOD_MAX (1ull << 47)
#define ROWS_USUAL 20

static int take_threshold(const struct option_use *use, const char **at, struct thresholds *to)
{
	char *end;
	uint64_t value = strtoull(*at, &end, 10);

	if (!isdigit((unsigned char)**at) || (*end && *end != ',') || value > GAP_MOST)
		return complain(use->cmd, EXIT_USAGE, "--over '%s': it is cycles from 0 to %d with commas "
				"between them", use->text, GAP_MOST);
	if (to->count == THRESHOLDS_MOST)
		return complain(use->cmd, EXIT_USAGE, "--over '%s': %d thresholds are the most", use->text,
				THRESHOLDS_MOST);
	if (to->count && value <= to->cycles[to->count - 1])
		return complain(use->cmd, EXIT_USAGE, "--over '%s': each is above the one before", use->text);
	to->cycles[to->count++] = value;
	*at = *end ? end + 1 : end;
	return 0;
}

static int take_thresholds(const struct option_use *use)
{
	struct thresholds *to = option_target(use);
	const char *at = use->text;
	int code = take_threshold(use, &at, to);

	while (!code && *at)
		code = take_threshold(use, &at, to);
	return code;
}

#define WAY(way) .take = take_flag, .to = TO(ways[way])

const struct option_row pushout_options[] = {
	{ 0, "pairs", NULL, WAY(WAY_PAIRS), .help = "at any instruction, by the retire latency of PEBS" },
	{ 0, "tag", "EVENT", take_text, TO(tag), .place = PLACE_OR,
	  .help = "at instructions with this event, like branch-misses" },
	{ 0, "not", "EVENT", take_text, TO(not_tag), .place = PLACE_IN,
	  .help = "... but not those of them that have this one as well" },
	{ 0, "blocks", NULL, WAY(WAY_BLOCKS), .place = PLACE_OR,
	  .help = "from one taken branch to the next, by branch records" },
	{ 0, "loads", NULL, WAY(WAY_LOADS), .place = PLACE_OR,
	  .help = "loads by how long they took, a threshold a run" },
	{ 0, "front-end", NULL, WAY(WAY_FRONT_END), .place = PLACE_OR,
	  .help = "instructions by how long the front end was late, a threshold a run" },
	{ 0, "over", "CYCLES[,...]", take_thresholds, TO(over),
	  .help = "shares above these; of --loads and --front-end the thresholds" },
	{ 'c', "count", "PERIOD", take_u64, TO(period), 2, PERIOD_MAX,
	  .help = "a sample every so many events; 100003 by default" },
	OPTIONS_PRIVILEGE(struct pushout_args),
	OPTION_PAIRS(struct pushout_args, "runs of each threshold, two a pair; 3 by default"),
	OPTIONS_ORDER(struct pushout_args),
	{ 'C', "cpu", "CPUS", take_pair_cpus, TO(runs.cpu), .help = "run on these CPUs, like 0,2-3" },
	{ 0, "core", "N", take_core, TO(runs.cpu), .help = "run on this CPU alone" },
	{ 'n', "limit", "ROWS", take_uint, TO(limit), 0, INT_MAX,
	  .help = "so many places; 20 by default" },
	OPTION_EVENTS_DIR(struct pushout_args),
	OPTION_CSV(struct pushout_args),
	OPTION_JSON_OUTPUT(struct pushout_args),
	{ 'o', "output", "FILE", take_text, TO(output),
	  .help = "print there instead of to standard error, which - makes standard output" },
	OPTION_END
};

static int check(const struct pushout_args *args)
{
	size_t way, ways = args->tag != NULL;

	for (way = 0; way < WAYS; way++)
		ways += args->ways[way];
	if (ways > 1)
		return complain("pushout", EXIT_USAGE, "one way at a time: --pairs, --tag, --blocks, --loads "
				"or --front-end");
	if (args->not_tag && !args->tag)
		return complain("pushout", EXIT_USAGE, "--not leaves a part of --tag out, and there is none");
	if (args->user && args->kernel)
		return complain("pushout", EXIT_USAGE, "-u and -k: one of them, or neither for both");
	return 0;
}

int pushout_args_parse(struct pushout_args *args, int argc, char **argv)
{
	int code;

	*args = (struct pushout_args){ .layout = LAYOUT_TEXT, .period = PERIOD_USUAL,
				       .limit = ROWS_USUAL, .runs.seed = 1 };
	code = options_parse("pushout", argc, argv, args);
	if (!code)
		code = check(args);
	if (code)
		return code;
	if (optind == argc)
		return option_missing("pushout", "run", "a command");
	return pair_args_programs("pushout", &args->runs, argc, argv);
}

void pushout_args_free(struct pushout_args *args)
{
	pair_args_free(&args->runs);
}
