// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which options of pmuctl stat need or exclude each other.
 */
#include "tools/base/base.h"
#include "tools/stat/stat.h"

static bool repeats_nothing(const struct stat_args *args)
{
	return (args->repeat || args->forever) && !args->command;
}

static bool appends_to_nothing(const struct stat_args *args)
{
	return args->append && !args->output;
}

static bool splits_tasks(const struct stat_args *args)
{
	return args->per_cpu && !args->targets.all_cpus && args->targets.kind != TARGET_CPUS;
}

static bool ends_before_it_begins(const struct stat_args *args)
{
	return args->timeout && args->timeout <= args->delay;
}

static bool has_empty_command(const struct stat_args *args)
{
	return args->command && !args->command[0][0];
}

static const struct {
	bool (*wrong)(const struct stat_args *args);
	const char *why;
} rules[] = {
	{ splits_tasks, "-A shows CPUs one by one: it goes with -a or -C" },
	{ repeats_nothing, "-r repeats a command, and there is none" },
	{ appends_to_nothing, "--append appends to the file of -o, and there is no -o" },
	{ ends_before_it_begins, "--timeout is over before the delay of -D is" },
	{ has_empty_command, "the command's name is empty" },
};

int stat_args_check(struct stat_args *args)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong(args))
			return complain("stat", EXIT_USAGE, "%s", rules[i].why);
	return targets_check("stat", &args->targets, args->command);
}
