// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl stat; perf's letters with perf's meaning.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/features.h"
#include "tools/stat/stat.h"

#define TO(field) offsetof(struct stat_args, field)

static int take_repeat(const struct option_use *use)
{
	struct stat_args *args = use->args;
	int code = take_uint(use);

	args->forever = !code && !args->repeat;
	return code;
}

static int take_detail(const struct option_use *use)
{
	++*(unsigned int *)option_target(use);
	return 0;
}

const struct option_row stat_options[] = {
	{ 'e', "event", "EVENT[,...]", take_events, TO(events),
	  .help = "events, and groups {EVENT,...}:MODIFIERS; without it cycles, instructions, branches and branch-misses" },
	OPTION_METRICS(struct stat_args),
	{ 0, "cascade", "A:M,B[:N]", take_list, TO(cascades),
	  .usage = "--cascade EVENT:M,EVENT[:N]",
	  .help = "Pentium 4: count B only after the Mth A" },
	{ 'd', "detailed", NULL, take_detail, TO(detail),
	  .help = "more events: caches; twice and three times even more" },
	OPTIONS_TARGETS(struct stat_args),
	{ 0, "for-each-cgroup", "CGROUPS", take_each_cgroup, TO(targets),
	  .help = "each of these control groups by itself; like a,b or '/system.slice/*'" },
	{ 'A', "no-aggr", NULL, take_flag, TO(per_cpu),
	  .help = "each CPU by itself; with -a or -C" },
	OPTION_NO_INHERIT(struct stat_args),
	{ 'r', "repeat", "RUNS", take_repeat, TO(repeat), 0, INT_MAX,
	  .help = "run the command so many times, print means with their errors; 0: until a signal comes" },
	OPTION_INTERVAL(struct stat_args),
	OPTION_DELAY(struct stat_args),
	OPTION_TIMEOUT(struct stat_args),
	OPTION_NO_MULTIPLEX(struct stat_args),
	OPTION_WITH(struct stat_args, with),
	OPTION_WATCHDOG(struct stat_args),
	OPTION_EVENTS_DIR(struct stat_args),
	OPTION_CSV(struct stat_args),
	OPTION_JSON_OUTPUT(struct stat_args),
	OPTIONS_RESULT(struct stat_args),
	{ 'v', "verbose", NULL, take_flag, TO(verbose),
	  .help = "each event's counter, set and registers, and its figures as they came" },
	OPTION_END
};

/* ---- which options need or exclude each other ----------------------------------------- */

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
	return args->per_cpu && args->targets.kind != TARGET_CPUS &&
	       (!args->targets.all_cpus || args->targets.kind == TARGET_CGROUPS);
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

static int check(struct stat_args *args)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong(args))
			return complain("stat", EXIT_USAGE, "%s", rules[i].why);
	return targets_check("stat", &args->targets, args->command, args->no_inherit);
}

int stat_args_parse(struct stat_args *args, int argc, char **argv)
{
	int code;

	*args = (struct stat_args){ .layout = LAYOUT_TEXT };
	code = options_parse("stat", argc, argv, args);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

size_t stat_args_parts(const struct stat_args *args)
{
	return args->per_cpu ? args->targets.nr_cpus : targets_sessions(&args->targets);
}

int stat_args_cpu(const struct stat_args *args, size_t part)
{
	return args->per_cpu ? (int)args->targets.cpus[part] : -1;
}

const char *stat_args_cgroup(const struct stat_args *args, size_t part)
{
	return args->targets.each_cgroup ? args->targets.cgroups.paths[part] : NULL;
}

void stat_args_free(struct stat_args *args)
{
	targets_free(&args->targets);
	free(args->events.texts);
	free(args->cascades.texts);
	free(args->metrics.texts);
	free(args->with.texts);
}
