// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl report; perf's letters with perf's meaning.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/options.h"
#include "tools/report/run.h"

/* Those without a letter. */
enum {
	OPT_CHILDREN = 256,
	OPT_NO_CHILDREN,
	OPT_LIMIT,
	OPT_PID,
	OPT_TID,
	OPT_STDIO,
	OPT_SVG,
};

static const struct option options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "output", required_argument, NULL, 'o' },
	{ "sort", required_argument, NULL, 's' },
	{ "children", no_argument, NULL, OPT_CHILDREN },
	{ "no-children", no_argument, NULL, OPT_NO_CHILDREN },
	{ "call-graph", optional_argument, NULL, 'g' },
	{ "show-nr-samples", no_argument, NULL, 'n' },
	{ "percent-limit", required_argument, NULL, OPT_LIMIT },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json", no_argument, NULL, 'j' },
	{ "comms", required_argument, NULL, 'c' },
	{ "dsos", required_argument, NULL, 'd' },
	{ "symbols", required_argument, NULL, 'S' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, OPT_PID },
	{ "tid", required_argument, NULL, OPT_TID },
	{ "svg", required_argument, NULL, OPT_SVG },
	/* perf's word for what we always do. */
	{ "stdio", no_argument, NULL, OPT_STDIO },
	{ NULL, 0, NULL, 0 },
};

/* Percent, as in perf: callers with less are not worth a line. */
#define CALLERS_LEAST 0.5

static const struct {
	const char *name;
	enum report_key key;
} keys[] = {
	{ "task", KEY_COMM },
	{ "comm", KEY_COMM },
	{ "dso", KEY_DSO },
	{ "symbol", KEY_SYMBOL },
	{ "sym", KEY_SYMBOL },
	{ "pid", KEY_PID },
	{ "tid", KEY_TID },
	{ "line", KEY_LINE },
	{ "srcline", KEY_LINE },
	{ "cpu", KEY_CPU },
	{ "address", KEY_ADDRESS },
};

bool report_by(const struct report_args *args, enum report_key key)
{
	size_t i;

	for (i = 0; i < args->keys_count; i++)
		if (args->keys[i] == key)
			return true;
	return false;
}

static int add_key(struct report_args *args, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strlen(keys[i].name) != len || strncmp(keys[i].name, name, len) != 0)
			continue;
		if (!report_by(args, keys[i].key))
			args->keys[args->keys_count++] = keys[i].key;
		return 0;
	}
	return complain("report", EXIT_USAGE,
			"-s: '%.*s' is none of task (comm), dso, symbol (sym), pid, tid, line "
			"(srcline), cpu and address", (int)len, name);
}

static int set_keys(struct report_args *args, const char *text)
{
	int code = 0;

	args->keys_count = 0;
	while (!code) {
		size_t len = strcspn(text, ",");

		code = add_key(args, text, len);
		if (!text[len])
			break;
		text += len + 1;
	}
	return code;
}

static int set_limit(struct report_args *args, const char *text)
{
	char *end;

	args->limit = strtod(text, &end);
	if (end == text || *end || !(args->limit >= 0 && args->limit <= 100))
		return complain("report", EXIT_USAGE,
				"--percent-limit '%s': not a number from 0 to 100", text);
	return 0;
}

static int set_cpus(struct report_args *args, const char *text)
{
	const char *why;

	if (!parse_cpulist(text, &args->cpus, &args->cpus_count, &why))
		return 0;
	return complain("report", EXIT_USAGE, "-C '%s': %s", text, why);
}

/* As far as a filter is concerned: a task that was gone already has -1. */
static int set_numbers(const char *option, const char *text, const char **to)
{
	const char *at = text;
	char *end;
	long number;

	for (;; at = end + 1) {
		errno = 0;
		number = strtol(at, &end, 10);
		if (end == at || isspace((unsigned char)*at) || *at == '+' || errno ||
		    number < -1 || number > INT_MAX || (*end && *end != ','))
			return complain("report", EXIT_USAGE,
					"%s '%s': not a list of numbers like 17,23", option, text);
		if (!*end)
			break;
	}
	*to = text;
	return 0;
}

/* As perf does, the next word is the argument of -g if it is no option. */
static int set_graph(struct report_args *args, int argc, char **argv)
{
	const char *text = optarg;

	if (!text && optind < argc && argv[optind][0] != '-')
		text = argv[optind++];
	return report_graph_parse(&args->graph, text);
}

static int set(bool *flag)
{
	*flag = true;
	return 0;
}

static int set_children(struct report_args *args, int children)
{
	args->children = children;
	return 0;
}

static bool arranges(int opt)
{
	return opt == 's' || opt == 'g' || opt == 'n' || opt == OPT_CHILDREN ||
	       opt == OPT_NO_CHILDREN || opt == OPT_LIMIT;
}

static int take_option(struct report_args *args, int opt, int argc, char **argv)
{
	args->arranged |= arranges(opt);
	switch (opt) {
	case 'i':
		return option_text("report", "-i", "what follows", optarg, &args->input);
	case 'o':
		return option_text("report", "-o", "what follows", optarg, &args->output);
	case 's':
		return set_keys(args, optarg);
	case OPT_CHILDREN:
		return set_children(args, 1);
	case OPT_NO_CHILDREN:
		return set_children(args, 0);
	case 'g':
		return set_graph(args, argc, argv);
	case 'n':
		return set(&args->samples);
	case OPT_LIMIT:
		return set_limit(args, optarg);
	case 'x':
		return option_format("report", FORMAT_CSV, optarg, &args->format,
				     &args->separator);
	case 'j':
		return option_format("report", FORMAT_JSON, ",", &args->format,
				     &args->separator);
	case 'c':
		return option_text("report", "-c", "what follows", optarg, &args->comms);
	case 'd':
		return option_text("report", "-d", "what follows", optarg, &args->dsos);
	case 'S':
		return option_text("report", "-S", "what follows", optarg, &args->symbols);
	case 'C':
		return set_cpus(args, optarg);
	case OPT_PID:
		return set_numbers("--pid", optarg, &args->pids);
	case OPT_TID:
		return set_numbers("--tid", optarg, &args->tids);
	case OPT_SVG:
		return option_text("report", "--svg", "what follows", optarg, &args->svg);
	case OPT_STDIO:
		return 0;
	default:
		return usage("report");
	}
}

/* A flame graph is a report of its own. */
static int check_svg(const struct report_args *args)
{
	if (!args->svg)
		return 0;
	if (args->comms || args->dsos || args->symbols || args->pids || args->tids ||
	    args->cpus_count)
		return complain("report", EXIT_USAGE,
				"--svg draws all samples: it goes without -c, -d, -S, -C, --pid and --tid");
	if (args->arranged)
		return complain("report", EXIT_USAGE, "--svg draws the stacks as they are: it goes "
				"without -s, -n, -g, --children, --no-children and --percent-limit");
	if (args->format != FORMAT_TEXT || args->output)
		return complain("report", EXIT_USAGE, "--svg is the whole output: it goes without "
				"-x, -j and -o");
	return 0;
}

int report_args_parse(struct report_args *args, int argc, char **argv)
{
	int opt, code;

	*args = (struct report_args){
		.input = "perf.data", .separator = ",", .children = -1,
		.graph = { .least = CALLERS_LEAST },
	};
	code = set_keys(args, "comm,dso,symbol");
	while (!code && (opt = option_next("report", argc, argv, "i:o:s:g::nx:jc:d:S:C:",
					   options)) != -1)
		code = take_option(args, opt, argc, argv);
	if (!code)
		code = option_rest("report", argc, argv, 0, "a file by -i alone");
	return code ? code : check_svg(args);
}

void report_args_free(struct report_args *args)
{
	free(args->cpus);
}
