// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl stat; perf's letters with perf's meaning.
 */
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"
#include "tool.h"

static const struct option options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json-output", no_argument, NULL, 'j' },
	{ "json", no_argument, NULL, 'j' },
	{ "output", required_argument, NULL, 'o' },
	{ NULL, 0, NULL, 0 },
};

static int add_event_text(struct stat_args *args, const char *text)
{
	const char **grown = reallocarray(args->event_texts, args->nr_event_texts + 1,
					  sizeof(*grown));

	if (!grown)
		return complain("stat", EXIT_FAILED, "out of memory");
	args->event_texts = grown;
	grown[args->nr_event_texts++] = text;
	args->events_given = true;
	return 0;
}

static int set_target(struct stat_args *args, enum target target, const char *text)
{
	if (args->target != TARGET_COMMAND)
		return complain("stat", EXIT_USAGE, "one of -C, -p and -t at a time, and once");
	args->target = target;
	args->target_text = text;
	return 0;
}

static int set_cpus(struct stat_args *args, const char *text)
{
	int code = set_target(args, TARGET_CPUS, text);

	if (code)
		return code;
	if (parse_cpulist(text, &args->cpus, &args->nr_cpus))
		return complain("stat", EXIT_USAGE, "-C '%s': not a list of CPUs like 0,2-3", text);
	return 0;
}

static int add_pid(struct stat_args *args, const char *text, char **end)
{
	pid_t *grown;
	long pid;

	if (!isdigit((unsigned char)*text))
		return -1;
	pid = strtol(text, end, 10);
	if (pid <= 0 || pid > INT_MAX)
		return -1;
	grown = reallocarray(args->pids, args->nr_pids + 1, sizeof(*grown));
	if (!grown)
		return -1;
	args->pids = grown;
	grown[args->nr_pids++] = (pid_t)pid;
	return 0;
}

static int set_pids(struct stat_args *args, enum target target, const char *text)
{
	int code = set_target(args, target, text);
	char *end = NULL;
	int bad;

	if (code)
		return code;
	bad = add_pid(args, text, &end);
	while (!bad && *end == ',')
		bad = add_pid(args, end + 1, &end);
	if (bad || *end)
		return complain("stat", EXIT_USAGE, "-%c '%s': not a list of numbers like 17,23",
			    target == TARGET_THREADS ? 't' : 'p', text);
	return 0;
}

static int set_separator(struct stat_args *args, const char *text)
{
	if (!*text)
		return complain("stat", EXIT_USAGE, "-x: the separator is empty");
	args->format = FORMAT_CSV;
	args->separator = strcmp(text, "\\t") ? text : "\t";
	return 0;
}

static int set_output(struct stat_args *args, const char *text)
{
	if (!*text)
		return complain("stat", EXIT_USAGE, "-o: the file name is empty");
	args->output = text;
	return 0;
}

static int take_option(struct stat_args *args, int opt)
{
	switch (opt) {
	case 'e':
		return add_event_text(args, optarg);
	case 'a':
		args->all_cpus = true;
		return 0;
	case 'C':
		return set_cpus(args, optarg);
	case 'p':
		return set_pids(args, TARGET_PROCESSES, optarg);
	case 't':
		return set_pids(args, TARGET_THREADS, optarg);
	case 'i':
		args->no_inherit = true;
		return 0;
	case 'x':
		if (args->format == FORMAT_JSON)
			return complain("stat", EXIT_USAGE, "-x or -j, not both");
		return set_separator(args, optarg);
	case 'j':
		if (args->format == FORMAT_CSV)
			return complain("stat", EXIT_USAGE, "-x or -j, not both");
		args->format = FORMAT_JSON;
		return 0;
	case 'o':
		return set_output(args, optarg);
	default:
		return usage("stat");
	}
}

static int check(struct stat_args *args)
{
	if (args->all_cpus && args->target != TARGET_COMMAND && args->target != TARGET_CPUS)
		return complain("stat", EXIT_USAGE, "-a counts CPUs, -p and -t count tasks: "
						"one of them at a time");
	if (args->all_cpus && args->target == TARGET_COMMAND) {
		args->target = TARGET_ALL_CPUS;
		if (online_cpus(&args->cpus, &args->nr_cpus))
			return complain("stat", EXIT_FAILED, "/sys/devices/system/cpu/online: cannot "
							 "be read; name the CPUs with -C");
	}
	if (args->target == TARGET_COMMAND && !args->command) {
		complain("stat", 0, "nothing to count; name a command, or CPUs with -a or -C, or "
				"processes with -p");
		return usage("stat");
	}
	if (args->command && !args->command[0][0])
		return complain("stat", EXIT_USAGE, "the command's name is empty");
	return 0;
}

int stat_args_parse(struct stat_args *args, int argc, char **argv)
{
	char name[32];
	int opt, code = 0;

	memset(args, 0, sizeof(*args));
	args->separator = ",";
	name_for_getopt(argv, name, sizeof(name));
	while (!code && (opt = getopt_long(argc, argv, "+e:aC:p:t:ix:jo:", options, NULL)) != -1)
		code = take_option(args, opt);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

void stat_args_free(struct stat_args *args)
{
	free(args->cpus);
	free(args->pids);
	free(args->event_texts);
}
