// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl stat; perf's letters with perf's meaning.
 */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/stat/stat.h"

/* Those without a letter. */
enum {
	OPT_TIMEOUT = 256,
	OPT_APPEND,
	OPT_NO_MULTIPLEX,
	OPT_NMI_WATCHDOG,
	OPT_EVENTS_DIR,
	OPT_CASCADE,
};

static const struct option options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "metrics", required_argument, NULL, 'M' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "no-aggr", no_argument, NULL, 'A' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "interval-print", required_argument, NULL, 'I' },
	{ "delay", required_argument, NULL, 'D' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "detailed", no_argument, NULL, 'd' },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json-output", no_argument, NULL, 'j' },
	{ "json", no_argument, NULL, 'j' },
	{ "output", required_argument, NULL, 'o' },
	{ "append", no_argument, NULL, OPT_APPEND },
	{ "verbose", no_argument, NULL, 'v' },
	{ "no-multiplex", no_argument, NULL, OPT_NO_MULTIPLEX },
	{ "nmi-watchdog", required_argument, NULL, OPT_NMI_WATCHDOG },
	{ "events-dir", required_argument, NULL, OPT_EVENTS_DIR },
	{ "cascade", required_argument, NULL, OPT_CASCADE },
	{ NULL, 0, NULL, 0 },
};

static int add_event_text(struct stat_args *args, const char *text)
{
	int code = option_add("stat", text, &args->event_texts, &args->nr_event_texts);

	return code ? code : events_check("stat", text);
}

static int set_repeat(struct stat_args *args, const char *text)
{
	int code = option_int("stat", "-r", text, 0, INT_MAX, &args->repeat);

	args->forever = !code && !args->repeat;
	return code;
}

static int set(bool *flag)
{
	*flag = true;
	return 0;
}

static int take_option(struct stat_args *args, int opt)
{
	switch (opt) {
	case 'e':
		return add_event_text(args, optarg);
	case 'M':
		return option_add("stat", optarg, &args->metric_texts,
				  &args->nr_metric_texts);
	case 'a':
		return set(&args->targets.all_cpus);
	case 'C':
		return targets_set_cpus("stat", &args->targets, optarg);
	case 'A':
		return set(&args->per_cpu);
	case 'p':
		return targets_set_pids("stat", &args->targets, TARGET_PROCESSES, optarg);
	case 't':
		return targets_set_pids("stat", &args->targets, TARGET_THREADS, optarg);
	case 'i':
		return set(&args->no_inherit);
	case 'r':
		return set_repeat(args, optarg);
	case 'I':
		return option_int("stat", "-I", optarg, 1, INT_MAX, &args->interval);
	case 'D':
		return option_int("stat", "-D", optarg, 0, INT_MAX, &args->delay);
	case OPT_TIMEOUT:
		return option_int("stat", "--timeout", optarg, 1, INT_MAX, &args->timeout);
	case 'd':
		args->detail++;
		return 0;
	case 'x':
		return option_format("stat", FORMAT_CSV, optarg, &args->format,
				     &args->separator);
	case 'j':
		return option_format("stat", FORMAT_JSON, ",", &args->format,
				     &args->separator);
	case 'o':
		return option_text("stat", "-o", "the file name", optarg, &args->output);
	case OPT_APPEND:
		return set(&args->append);
	case 'v':
		return set(&args->verbose);
	case OPT_NO_MULTIPLEX:
		return set(&args->no_multiplex);
	case OPT_NMI_WATCHDOG:
		return option_watchdog("stat", optarg, &args->watchdog_off);
	case OPT_CASCADE:
		return option_add("stat", optarg, &args->cascades, &args->nr_cascades);
	case OPT_EVENTS_DIR:
		return option_text("stat", "--events-dir", "the file name", optarg, &args->events_dir);
	default:
		return usage("stat");
	}
}

int stat_args_parse(struct stat_args *args, int argc, char **argv)
{
	int opt, code = 0;

	memset(args, 0, sizeof(*args));
	args->separator = ",";
	while (!code && (opt = option_next("stat", argc, argv, "+e:M:aC:Ap:t:ir:I:D:dx:jo:v",
					   options)) != -1)
		code = take_option(args, opt);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return stat_args_check(args);
}

size_t stat_args_cpus(const struct stat_args *args)
{
	return args->per_cpu ? args->targets.nr_cpus : 1;
}

void stat_args_free(struct stat_args *args)
{
	targets_free(&args->targets);
	free(args->event_texts);
	free(args->cascades);
	free(args->metric_texts);
}
