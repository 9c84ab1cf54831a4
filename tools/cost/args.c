// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl cost.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/cost/cost.h"
#include "tools/run/events.h"

#define TO(field) offsetof(struct cost_args, field)

static int take_pair(const struct option_use *use)
{
	struct cost_args *args = use->args;

	if (optind >= use->argc || !strcmp(use->argv[optind], "--"))
		return complain(use->cmd, EXIT_USAGE, "--pair '%s': it takes two programs, OLD and NEW",
				use->text);
	args->old = use->text;
	args->new = use->argv[optind++];
	if (!*args->old || !*args->new)
		return complain(use->cmd, EXIT_USAGE, "--pair: the name of a program is empty");
	return 0;
}

/* Digits, with or without a point; returns what is behind them, NULL if there are none. */
static const char *take_count(const char *text, double *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return NULL;
	*value = strtod(text, &end);
	return *value <= 1e18 ? end : NULL;
}

static int take_point(const struct option_use *use)
{
	struct cost_point *point = option_target(use);
	const char *at = take_count(use->text, &point->events);

	if (at && *at == ':')
		at = take_count(at + 1, &point->cycles);
	else
		at = NULL;
	if (!at || *at)
		return complain(use->cmd, EXIT_USAGE, "--%s '%s': it is EVENTS:CYCLES, two numbers up to "
				"1e18, like 100:2000", use->row->name, use->text);
	point->given = true;
	return 0;
}

const struct option_row cost_options[] = {
	{ 'e', "event", "EVENT[,...]", take_events, TO(events),
	  .help = "events whose cost is asked for; without it all whose cost is known here" },
	{ 0, "analytic", "EVENT=CYCLES", take_figure, TO(given),
	  .help = "what one of them takes by itself, instead of the published figure" },
	{ 0, "pair", "OLD NEW", take_pair,
	  .help = "two programs, each run with the words behind -- as arguments" },
	{ 0, "toggle", "FEATURE=VALUE", take_toggle, TO(runs),
	  .help = "the program as it is, and with this feature of the processor, like prefetch=off" },
	OPTION_PAIRS(struct cost_args, "so many pairs of runs, up to 1000; 12 by default, 3 where there "
		     "are no two settings, or more where events need more runs"),
	OPTIONS_ORDER(struct cost_args),
	OPTIONS_MODES(struct cost_args, "a setting: env:VAR=VALUE, cpu=LIST, or a feature like "
		      "prefetch=off; several of one name add up, and three modes or more make a line"),
	OPTION_EVENTS_DIR(struct cost_args),
	OPTION_CSV(struct cost_args),
	OPTION_JSON_OUTPUT(struct cost_args),
	OPTION_HUMAN(struct cost_args),
	{ 'o', "output", "FILE", take_text, TO(output),
	  .help = "print there instead of to standard error, which - makes standard output" },
	{ 0, "from", "EVENTS:CYCLES", take_point, TO(from),
	  .help = "run nothing: what an event costs by two points, of which this is the first" },
	{ 0, "to", "EVENTS:CYCLES", take_point, TO(to), .help = "and the second" },
	OPTION_END
};

/* ---- programs ------------------------------------------------------------------------------- */

/* The program with the words behind it as arguments. */
static char **with_words(const char *program, int argc, char **argv)
{
	char **made = calloc((size_t)(argc - optind) + 2, sizeof(*made));
	int i;

	if (!made)
		return NULL;
	made[0] = (char *)program;
	for (i = optind; i < argc; i++)
		made[i - optind + 1] = argv[i];
	return made;
}

static int take_both(struct cost_args *args, int argc, char **argv)
{
	int i;

	for (i = optind; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return complain("cost", EXIT_USAGE, "'--': the programs are those of --pair, and "
					"what is behind the first '--' are arguments of both");
	args->pair[0] = with_words(args->old, argc, argv);
	args->pair[1] = with_words(args->new, argc, argv);
	if (!args->pair[0] || !args->pair[1])
		return complain("cost", EXIT_FAILED, "out of memory");
	args->runs.programs[0] = args->pair[0];
	args->runs.programs[1] = args->pair[1];
	args->runs.nr_programs = 2;
	return 0;
}

static int check_points(const struct cost_args *args, bool programs)
{
	if (!args->from.given || !args->to.given)
		return complain("cost", EXIT_USAGE, "--from and --to are two points: there is no --%s",
				args->from.given ? "to" : "from");
	if (programs || args->events.count || args->given.count || args->runs.pairs ||
	    args->runs.nr_modes || args->runs.cpu.nr_cpus || args->old)
		return complain("cost", EXIT_USAGE, "--from and --to run nothing: they go with -x, -j "
				"and -o alone");
	return 0;
}

int cost_args_parse(struct cost_args *args, int argc, char **argv)
{
	int code;

	*args = (struct cost_args){ .layout = LAYOUT_TEXT, .runs.seed = 1 };
	code = options_parse("cost", argc, argv, args);
	if (!code)
		code = option_check_human("cost", &args->layout);
	if (code)
		return code;
	if (args->from.given || args->to.given)
		return check_points(args, optind < argc);
	if (args->old)
		return take_both(args, argc, argv);
	if (optind == argc)
		return option_missing("cost", "run", "a command, or two points (--from, --to)");
	return pair_args_programs("cost", &args->runs, argc, argv);
}

void cost_args_free(struct cost_args *args)
{
	pair_args_free(&args->runs);
	free(args->events.texts);
	free(args->given.texts);
	free(args->pair[0]);
	free(args->pair[1]);
}
