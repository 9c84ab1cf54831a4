// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl topdown; perf's letters with perf's meaning.
 */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/options.h"
#include "tools/topdown/topdown.h"

/* Those without a letter. */
enum {
	OPT_TMA5 = 256,
	OPT_CLASSICAL,
	OPT_NODES,
	OPT_TIMEOUT,
	OPT_APPEND,
	OPT_NO_MULTIPLEX,
	OPT_NMI_WATCHDOG,
	OPT_EVENTS_DIR,
	OPT_PER_TASK,
	OPT_FORMULA,
	OPT_SVG,
	OPT_COUNTS,
};

static const struct option options[] = {
	{ "level", required_argument, NULL, 'l' },
	{ "tma5", no_argument, NULL, OPT_TMA5 },
	{ "classical", no_argument, NULL, OPT_CLASSICAL },
	{ "nodes", required_argument, NULL, OPT_NODES },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "user", no_argument, NULL, 'u' },
	{ "kernel", no_argument, NULL, 'k' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "interval-print", required_argument, NULL, 'I' },
	{ "delay", required_argument, NULL, 'D' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "per-task", no_argument, NULL, OPT_PER_TASK },
	{ "formula", no_argument, NULL, OPT_FORMULA },
	{ "svg", required_argument, NULL, OPT_SVG },
	{ "counts", required_argument, NULL, OPT_COUNTS },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json-output", no_argument, NULL, 'j' },
	{ "json", no_argument, NULL, 'j' },
	{ "output", required_argument, NULL, 'o' },
	{ "append", no_argument, NULL, OPT_APPEND },
	{ "verbose", no_argument, NULL, 'v' },
	{ "no-multiplex", no_argument, NULL, OPT_NO_MULTIPLEX },
	{ "nmi-watchdog", required_argument, NULL, OPT_NMI_WATCHDOG },
	{ "events-dir", required_argument, NULL, OPT_EVENTS_DIR },
	{ NULL, 0, NULL, 0 },
};

static int set(bool *flag)
{
	*flag = true;
	return 0;
}

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

static int add_nodes(struct topdown_args *args, const char *text)
{
	size_t n;
	int code = 0;

	for (; !code; text += n + 1) {
		n = strcspn(text, ",");
		if (!n)
			return complain("topdown", EXIT_USAGE, "--nodes: the name of a node is "
					"empty");
		code = add_node(args, text, n);
		if (!text[n])
			break;
	}
	return code;
}

static int take_file(struct topdown_args *args, int opt)
{
	static const struct {
		int opt;
		const char *name;
		size_t offset;
	} files[] = {
		{ OPT_SVG, "--svg", offsetof(struct topdown_args, svg) },
		{ OPT_COUNTS, "--counts", offsetof(struct topdown_args, counts) },
		{ OPT_EVENTS_DIR, "--events-dir", offsetof(struct topdown_args, events_dir) },
		{ 'o', "-o", offsetof(struct topdown_args, output) },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i].opt == opt)
			return option_text("topdown", files[i].name, "the file name", optarg,
					   (const char **)((char *)args + files[i].offset));
	return usage("topdown");
}

/* Options that say what is counted, and where. */
static int take_target(struct topdown_args *args, int opt)
{
	switch (opt) {
	case 'a':
		return set(&args->targets.all_cpus);
	case 'C':
		return targets_set_cpus("topdown", &args->targets, optarg);
	case 'p':
		return targets_set_pids("topdown", &args->targets, TARGET_PROCESSES, optarg);
	case 't':
		return targets_set_pids("topdown", &args->targets, TARGET_THREADS, optarg);
	case 'i':
		return set(&args->no_inherit);
	case 'u':
		return set(&args->user);
	case 'k':
		return set(&args->kernel);
	case OPT_PER_TASK:
		return set(&args->per_task);
	case OPT_NO_MULTIPLEX:
		return set(&args->no_multiplex);
	case OPT_NMI_WATCHDOG:
		return option_watchdog("topdown", optarg, &args->watchdog_off);
	default:
		return take_file(args, opt);
	}
}

static int take_option(struct topdown_args *args, int opt)
{
	switch (opt) {
	case 'l':
		return option_int("topdown", "-l", optarg, 1, PMUCTL_TOPDOWN_LEVELS,
				  &args->levels);
	case OPT_TMA5:
		return set(&args->tma5);
	case OPT_CLASSICAL:
		return set(&args->classical);
	case OPT_NODES:
		return add_nodes(args, optarg);
	case 'r':
		return option_int("topdown", "-r", optarg, 1, INT_MAX, &args->repeat);
	case 'I':
		return option_int("topdown", "-I", optarg, 1, INT_MAX, &args->interval);
	case 'D':
		return option_int("topdown", "-D", optarg, 0, INT_MAX, &args->delay);
	case OPT_TIMEOUT:
		return option_int("topdown", "--timeout", optarg, 1, INT_MAX, &args->timeout);
	case OPT_FORMULA:
		return set(&args->formula);
	case 'x':
		return option_format("topdown", FORMAT_CSV, optarg, &args->format,
				     &args->separator);
	case 'j':
		return option_format("topdown", FORMAT_JSON, ",", &args->format,
				     &args->separator);
	case OPT_APPEND:
		return set(&args->append);
	case 'v':
		return set(&args->verbose);
	default:
		return take_target(args, opt);
	}
}

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

static bool splits_cpus(const struct topdown_args *args)
{
	return args->per_task && args->targets.kind == TARGET_CPUS;
}

static bool draws_too_much(const struct topdown_args *args)
{
	return args->svg && args->per_task && args->interval;
}

static bool appends_to_nothing(const struct topdown_args *args)
{
	return args->append && !args->output;
}

static bool same_file(const char *one, const char *other)
{
	return one && other && !strcmp(one, other);
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
	{ splits_cpus, "--per-task is for tasks: a command's, or with -p, -t or -a" },
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
	return targets_check("topdown", &args->targets, args->command);
}

int topdown_args_parse(struct topdown_args *args, int argc, char **argv)
{
	int opt, code = 0;

	memset(args, 0, sizeof(*args));
	args->separator = ",";
	while (!code && (opt = option_next("topdown", argc, argv, "+l:aC:p:t:iukr:I:D:x:jo:v",
					   options)) != -1)
		code = take_option(args, opt);
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
	targets_free(&args->targets);
}
