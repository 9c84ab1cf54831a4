// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl cpi.
 */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/cpi/cpi.h"

#define TO(field) offsetof(struct cpi_args, field)

const struct option_row cpi_options[] = {
	{ 0, "analytic", "EVENT=CYCLES", take_figure, TO(given),
	  .help = "what one of these events costs, instead of what is published or counted" },
	OPTIONS_PRIVILEGE(struct cpi_args),
	OPTIONS_TARGETS(struct cpi_args),
	OPTION_NO_INHERIT(struct cpi_args),
	{ 0, "per-task", NULL, take_flag, TO(per_task), .help = "for each thread" },
	{ 'r', "repeat", "RUNS", take_uint, TO(repeat), 1, INT_MAX,
	  .help = "run the command so many times; errors are by how the runs differ" },
	OPTION_INTERVAL(struct cpi_args),
	OPTION_RUN_PER_SET(struct cpi_args),
	OPTION_EVENTS_DIR(struct cpi_args),
	{ 0, "svg", "FILE", take_text, TO(svg), .help = "a picture as well: a bar for each" },
	OPTION_CSV(struct cpi_args),
	OPTION_JSON_OUTPUT(struct cpi_args),
	OPTIONS_RESULT(struct cpi_args),
	OPTION_END
};

/* ---- which options need or exclude each other ----------------------------------------- */

static bool repeats_nothing(const struct cpi_args *args)
{
	return args->repeat && !args->command;
}

static bool repeats_parts(const struct cpi_args *args)
{
	return args->repeat > 1 && (args->per_task || args->interval);
}

static bool splits_no_tasks(const struct cpi_args *args)
{
	return args->per_task && (args->targets.kind == TARGET_CPUS ||
				  args->targets.kind == TARGET_CGROUPS);
}

static bool needs_one_run(const struct cpi_args *args)
{
	return args->no_multiplex && (!args->command || args->interval || args->per_task);
}

static bool appends_to_nothing(const struct cpi_args *args)
{
	return args->append && !args->output;
}

static bool writes_over_itself(const struct cpi_args *args)
{
	return same_file(args->output, args->svg);
}

static bool has_empty_command(const struct cpi_args *args)
{
	return args->command && !args->command[0][0];
}

static const struct {
	bool (*wrong)(const struct cpi_args *args);
	const char *why;
} rules[] = {
	{ repeats_nothing, "-r repeats a command, and there is none" },
	{ repeats_parts, "-r is for whole runs: it goes neither with -I nor with --per-task" },
	{ splits_no_tasks, "--per-task is for tasks: a command's, or with -p, -t or -a" },
	{ needs_one_run, "--no-multiplex runs a command for each set of events; it takes a command, "
			 "without -I and --per-task" },
	{ appends_to_nothing, "--append appends to the file of -o, and there is no -o" },
	{ writes_over_itself, "-o and --svg need files of their own" },
	{ has_empty_command, "the command's name is empty" },
};

static int check(struct cpi_args *args)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong(args))
			return complain("cpi", EXIT_USAGE, "%s", rules[i].why);
	return targets_check("cpi", &args->targets, args->command, args->no_inherit);
}

int cpi_args_parse(struct cpi_args *args, int argc, char **argv)
{
	int code;

	*args = (struct cpi_args){ .layout = LAYOUT_TEXT };
	code = options_parse("cpi", argc, argv, args);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

void cpi_args_free(struct cpi_args *args)
{
	free(args->given.texts);
	targets_free(&args->targets);
}
