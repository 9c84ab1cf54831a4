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

static int take_split(const struct option_use *use)
{
	struct stat_args *args = use->args;
	enum stat_split split = (enum stat_split)use->row->most;

	if (args->split != SPLIT_NOT && args->split != split)
		return complain("stat", EXIT_USAGE, "--per-thread, --per-core, --per-socket, --per-node "
				"and --for-each-cgroup: one of them at a time");
	args->split = split;
	return split == SPLIT_CGROUPS ? take_cgroups(use) : 0;
}

const struct option_row stat_options[] = {
	{ 'e', "event", "EVENT[,...]", take_events, TO(events),
	  .help = "events, and groups {EVENT,...}:MODIFIERS; without it time, switches, faults, cycles, instructions and branches" },
	OPTION_METRICS(struct stat_args),
	{ 0, "cascade", "A:M,B[:N]", take_list, TO(cascades),
	  .usage = "--cascade EVENT:M,EVENT[:N]",
	  .help = "Pentium 4: count B only after the Mth A" },
	{ 'd', "detailed", NULL, take_detail, TO(detail),
	  .help = "more events: caches; twice and three times even more" },
	{ 'n', "null", NULL, take_flag, TO(null), .help = "no events, times alone" },
	OPTIONS_TARGETS(struct stat_args),
	{ 'A', "no-aggr", NULL, take_flag, TO(per_cpu),
	  .help = "each CPU by itself; with -a or -C" },
	{ 0, "per-core", NULL, take_split, TO(split), .most = SPLIT_CORES, .place = PLACE_OR,
	  .help = "sums of each core's CPUs; with -a or -C" },
	{ 0, "per-socket", NULL, take_split, TO(split), .most = SPLIT_SOCKETS, .place = PLACE_OR,
	  .help = "sums of each socket's CPUs; with -a or -C" },
	{ 0, "per-node", NULL, take_split, TO(split), .most = SPLIT_NODES, .place = PLACE_OR,
	  .help = "sums of each node's CPUs; with -a or -C" },
	{ 0, "per-thread", NULL, take_split, TO(split), .most = SPLIT_THREADS, .place = PLACE_OR,
	  .help = "each thread by itself; with -p or -t" },
	{ 0, "for-each-cgroup", "CGROUPS", take_split, TO(targets), .most = SPLIT_CGROUPS,
	  .help = "each of these control groups by itself; like a,b or '/system.slice/*'" },
	OPTION_NO_INHERIT(struct stat_args),
	{ 'r', "repeat", "RUNS", take_repeat, TO(repeat), 0, INT_MAX,
	  .help = "run the command so many times, print means with their errors; 0: until a signal comes" },
	OPTION_INTERVAL(struct stat_args),
	{ 0, "summary", NULL, take_flag, TO(summary), .place = PLACE_IN,
	  .help = "with -I, the whole behind the intervals" },
	OPTION_DELAY(struct stat_args),
	OPTION_TIMEOUT(struct stat_args),
	{ 0, "regions", NULL, take_flag, TO(regions),
	  .help = "parts of the command that it marks itself (pmuctl-region.h), instead of all of it" },
	{ 0, "net", NULL, take_flag, TO(net),
	  .help = "with --regions, without what counting them took" },
	OPTION_NO_MULTIPLEX(struct stat_args),
	OPTION_WITH(struct stat_args, with),
	OPTION_WATCHDOG(struct stat_args),
	OPTION_EVENTS_DIR(struct stat_args),
	OPTION_CSV(struct stat_args),
	OPTION_JSON_OUTPUT(struct stat_args),
	OPTIONS_RESULT(struct stat_args),
	OPTION_COLOUR(struct stat_args),
	OPTION_HUMAN(struct stat_args),
	{ 0, "metric-only", NULL, take_flag, TO(metric_only),
	  .help = "a table of what follows from the counts, without these" },
	{ 'B', "big-num", NULL, take_flag, TO(big_num),
	  .help = "thousands as the language has them, as is done anyway" },
	{ 0, "no-big-num", NULL, take_flag, TO(no_big_num), .place = PLACE_OR,
	  .help = "numbers without thousands" },
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

static bool splits_twice(const struct stat_args *args)
{
	return args->per_cpu && args->split != SPLIT_NOT;
}

static bool is_of_cpus(const struct stat_args *args)
{
	return args->targets.kind == TARGET_CPUS ||
	       (args->targets.all_cpus && args->targets.kind != TARGET_CGROUPS);
}

static bool sums_tasks(const struct stat_args *args)
{
	return (args->split == SPLIT_CORES || args->split == SPLIT_SOCKETS ||
		args->split == SPLIT_NODES) && !is_of_cpus(args);
}

/* What a command starts is there too late for a session of its own. */
static bool has_no_threads(const struct stat_args *args)
{
	return args->split == SPLIT_THREADS && args->targets.kind != TARGET_PROCESSES &&
	       args->targets.kind != TARGET_THREADS;
}

/* In each run there may be others. */
static bool repeats_threads(const struct stat_args *args)
{
	return args->split == SPLIT_THREADS && (args->repeat || args->forever);
}

static bool counts_nothing(const struct stat_args *args)
{
	return args->null && (args->events.count || args->metrics.count || args->cascades.count ||
			      args->detail || args->interval || args->per_cpu || args->verbose ||
			      args->metric_only || args->split != SPLIT_NOT);
}

static bool sums_up_nothing(const struct stat_args *args)
{
	return args->summary && (!args->interval || args->repeat || args->forever);
}

static bool has_plain_numbers(const struct stat_args *args)
{
	return args->big_num && (args->no_big_num || args->layout.format != FORMAT_TEXT);
}

static bool ends_before_it_begins(const struct stat_args *args)
{
	return args->timeout && args->timeout <= args->delay;
}

static bool has_empty_command(const struct stat_args *args)
{
	return args->command && !args->command[0][0];
}

/* The command counts itself, and what is not there is not counted by anybody. */
static bool regions_of_others(const struct stat_args *args)
{
	return args->regions &&
	       (!args->command || args->targets.kind || args->targets.all_cpus ||
		args->metrics.count || args->cascades.count || args->with.count || args->detail ||
		args->null || args->per_cpu || args->split != SPLIT_NOT || args->no_inherit ||
		args->repeat || args->forever || args->interval || args->summary || args->delay ||
		args->timeout || args->metric_only || args->verbose || args->watchdog_off);
}

static bool nets_nothing(const struct stat_args *args)
{
	return args->net && !args->regions;
}

static const struct {
	bool (*wrong)(const struct stat_args *args);
	const char *why;
} rules[] = {
	{ splits_tasks, "-A shows CPUs one by one: it goes with -a or -C" },
	{ splits_twice, "-A and --per-core, --per-socket, --per-node, --per-thread or "
	  "--for-each-cgroup: one at a time" },
	{ sums_tasks, "--per-core, --per-socket and --per-node are sums of CPUs: they go with -a or -C" },
	{ has_no_threads, "--per-thread shows threads that run already: it goes with -p or -t; `pmuctl "
	  "topdown --per-task` follows what a command starts" },
	{ repeats_threads, "--per-thread shows the threads of one run: it goes without -r" },
	{ counts_nothing, "-n counts nothing: it goes with neither events nor metrics, nor with what "
	  "shows them (-e, -M, -d, -I, -A, -v, --per-..., --metric-only)" },
	{ sums_up_nothing, "--summary is the sum of the intervals of one run: it goes with -I, and "
	  "without -r" },
	{ has_plain_numbers, "-B is thousands in text: it goes with neither -x, -j nor --no-big-num" },
	{ repeats_nothing, "-r repeats a command, and there is none" },
	{ appends_to_nothing, "--append appends to the file of -o, and there is no -o" },
	{ ends_before_it_begins, "--timeout is over before the delay of -D is" },
	{ has_empty_command, "the command's name is empty" },
	{ regions_of_others, "--regions are parts of a command that it counts itself: with -e, -o, "
	  "--append, -x, -j and --net alone" },
	{ nets_nothing, "--net takes away what counting regions took: it goes with --regions" },
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
	if (!code)
		code = option_check_human("stat", &args->layout);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

void stat_args_free(struct stat_args *args)
{
	targets_free(&args->targets);
	stat_places_free(&args->places);
	free(args->events.texts);
	free(args->cascades.texts);
	free(args->metrics.texts);
	free(args->with.texts);
}
