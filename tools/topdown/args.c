// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl topdown; perf's letters with perf's meaning.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/options.h"
#include "tools/run/features.h"
#include "tools/topdown/topdown.h"

#define TO(field) offsetof(struct topdown_args, field)

static int add_node(struct topdown_args *args, const char *name, size_t length)
{
	char **grown = reallocarray(args->nodes, args->nr_nodes + 1, sizeof(*grown));
	char *copy = strndup(name, length);

	if (grown)
		args->nodes = grown;
	if (!grown || !copy) {
		free(copy);
		return complain("topdown", EXIT_FAILED, "out of memory");
	}
	grown[args->nr_nodes++] = copy;
	return 0;
}

static int take_nodes(const struct option_use *use)
{
	const char *text = use->text;
	size_t n;
	int code = 0;

	for (; !code; text += n + 1) {
		n = strcspn(text, ",");
		if (!n)
			return complain("topdown", EXIT_USAGE, "--nodes: the name of a node is "
					"empty");
		code = add_node(use->args, text, n);
		if (!text[n])
			break;
	}
	return code;
}

const struct option_row topdown_options[] = {
	{ 'l', "level", "LEVEL", take_uint, TO(levels), 1, PMUCTL_TOPDOWN_LEVELS,
	  .words = "1 2 3", .help = "down to this level, 1 to 3" },
	OPTIONS_TREE(struct topdown_args),
	{ 0, "nodes", "NODE[,...]", take_nodes, .help = "these nodes, with those above them" },
	OPTIONS_PRIVILEGE(struct topdown_args),
	OPTIONS_TARGETS(struct topdown_args),
	OPTION_NO_INHERIT(struct topdown_args),
	{ 0, "per-task", NULL, take_flag, TO(per_task), .help = "a tree for each thread" },
	{ 'r', "repeat", "RUNS", take_uint, TO(repeat), 1, INT_MAX,
	  .help = "run the command so many times; errors are by how the runs differ" },
	OPTION_INTERVAL(struct topdown_args),
	OPTION_DELAY(struct topdown_args),
	OPTION_TIMEOUT(struct topdown_args),
	OPTION_RUN_PER_SET(struct topdown_args),
	OPTION_WITH(struct topdown_args, with),
	OPTION_WATCHDOG(struct topdown_args),
	OPTION_EVENTS_DIR(struct topdown_args),
	{ 0, "formula", NULL, take_flag, TO(formula),
	  .help = "below each node its formula, with the numbers put in" },
	{ 0, "svg", "FILE", take_text, TO(svg), .help = "a picture as well" },
	{ 0, "counts", "FILE", take_text, TO(counts),
	  .help = "the counts that the shares are made of, as CSV" },
	OPTION_CSV(struct topdown_args),
	OPTION_JSON_OUTPUT(struct topdown_args),
	OPTIONS_RESULT(struct topdown_args),
	OPTION_COLOUR(struct topdown_args),
	{ 'v', "verbose", NULL, take_flag, TO(verbose),
	  .help = "the sets of events, before the counting" },
	OPTION_END
};

/* ---- which options need or exclude each other ----------------------------------------- */

static bool two_trees(const struct topdown_args *args)
{
	return args->tma5 && args->classical;
}

static bool repeats_nothing(const struct topdown_args *args)
{
	return args->repeat && !args->command;
}

static bool repeats_tasks(const struct topdown_args *args)
{
	return args->per_task && args->repeat > 1;
}

static bool repeats_intervals(const struct topdown_args *args)
{
	return args->interval && args->repeat > 1;
}

static bool delays_tasks(const struct topdown_args *args)
{
	return args->per_task && args->delay;
}

static bool splits_no_tasks(const struct topdown_args *args)
{
	return args->per_task && (args->targets.kind == TARGET_CPUS ||
				  args->targets.kind == TARGET_CGROUPS);
}

static bool draws_too_much(const struct topdown_args *args)
{
	return args->svg && args->per_task && args->interval;
}

static bool appends_to_nothing(const struct topdown_args *args)
{
	return args->append && !args->output;
}

static bool writes_over_itself(const struct topdown_args *args)
{
	return same_file(args->output, args->svg) || same_file(args->output, args->counts) ||
	       same_file(args->svg, args->counts);
}

static bool ends_before_it_begins(const struct topdown_args *args)
{
	return args->timeout && args->timeout <= args->delay;
}

static bool has_empty_command(const struct topdown_args *args)
{
	return args->command && !args->command[0][0];
}

static const struct {
	bool (*wrong)(const struct topdown_args *args);
	const char *why;
} rules[] = {
	{ two_trees, "--tma5 or --classical, not both" },
	{ repeats_nothing, "-r repeats a command, and there is none" },
	{ repeats_tasks, "-r is for whole runs: each has other tasks, so it does not go with "
			 "--per-task" },
	{ repeats_intervals, "-I is for one run; it does not go with -r" },
	{ delays_tasks, "-D does not go with --per-task: tasks are counted from their beginning" },
	{ splits_no_tasks, "--per-task is for tasks: a command's, or with -p, -t or -a" },
	{ draws_too_much, "--svg has room for tasks or for intervals, not for both" },
	{ appends_to_nothing, "--append appends to the file of -o, and there is no -o" },
	{ writes_over_itself, "-o, --svg and --counts need files of their own" },
	{ ends_before_it_begins, "--timeout is over before the delay of -D is" },
	{ has_empty_command, "the command's name is empty" },
};

static int check(struct topdown_args *args)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong(args))
			return complain("topdown", EXIT_USAGE, "%s", rules[i].why);
	return targets_check("topdown", &args->targets, args->command, args->no_inherit);
}

int topdown_args_parse(struct topdown_args *args, int argc, char **argv)
{
	int code;

	*args = (struct topdown_args){ .layout = LAYOUT_TEXT };
	code = options_parse("topdown", argc, argv, args);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

void topdown_args_free(struct topdown_args *args)
{
	size_t i;

	for (i = 0; i < args->nr_nodes; i++)
		free(args->nodes[i]);
	free(args->nodes);
	free(args->with.texts);
	targets_free(&args->targets);
}
