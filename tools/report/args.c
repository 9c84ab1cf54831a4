// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl report; perf's letters with perf's meaning.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/options.h"
#include "tools/report/run.h"
#include "tools/samples/view_args.h"

/* ---- -g: perf's words with perf's meaning ----------------------------------------------- */

static void take_none(struct report_graph *graph, int unused)
{
	(void)unused;
	graph->on = false;
}

static void take_shares(struct report_graph *graph, int relative)
{
	graph->shape = SHAPE_TREE;
	graph->relative = relative;
}

static void take_order(struct report_graph *graph, int caller_first)
{
	graph->caller_first = caller_first;
}

static void take_shape(struct report_graph *graph, int shape)
{
	graph->shape = (enum report_shape)shape;
}

static void take_value(struct report_graph *graph, int value)
{
	graph->value = (enum report_value)value;
}

static void take_caller(struct report_graph *graph, int by)
{
	graph->by = (enum report_caller)by;
}

static const struct {
	const char *name;
	void (*take)(struct report_graph *graph, int value);
	int value;
} words[] = {
	{ "none", take_none, 0 },
	{ "graph", take_shares, false },
	{ "fractal", take_shares, true },
	{ "flat", take_shape, SHAPE_FLAT },
	{ "folded", take_shape, SHAPE_FOLDED },
	{ "caller", take_order, true },
	{ "callee", take_order, false },
	{ "function", take_caller, CALLER_FUNCTION },
	{ "address", take_caller, CALLER_ADDRESS },
	{ "srcline", take_caller, CALLER_LINE },
	{ "percent", take_value, VALUE_PERCENT },
	{ "period", take_value, VALUE_EVENTS },
	{ "count", take_value, VALUE_SAMPLES },
};

/* The first number is the least share, the second how many lines. */
static int take_number(struct report_graph *graph, const char *text, unsigned int *numbers)
{
	char *end;
	double share;
	uint64_t lines = 0;
	int code;

	if (++*numbers > 2)
		return complain("report", EXIT_USAGE, "-g: '%s' is a third number; it takes a "
				"least share and a number of lines", text);
	if (*numbers == 2) {
		code = option_number("report", "-g", text, 0, UINT32_MAX, &lines);
		graph->lines = lines;
		return code;
	}
	share = strtod(text, &end);
	if (*end || !(share >= 0 && share <= 100))
		return complain("report", EXIT_USAGE, "-g '%s': not a share from 0 to 100", text);
	graph->least = share;
	return 0;
}

static int take(struct report_graph *graph, const char *text, unsigned int *numbers)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i].name, text)) {
			words[i].take(graph, words[i].value);
			return 0;
		}
	if (!strcmp(text, "branch"))
		return complain("report", EXIT_USAGE, "-g branch: callers have no branches; "
				"`pmuctl report -s symbol_from,symbol_to` has those that were recorded");
	if (isdigit((unsigned char)*text) || *text == '.')
		return take_number(graph, text, numbers);
	return complain("report", EXIT_USAGE, "-g: '%s' is none of graph, fractal, flat, folded, "
			"none, a least share, a number of lines, caller, callee, function, address, "
			"srcline, percent, period and count", text);
}

/* perf's argument of one more -g, NULL for none; 0, or the exit code. */
static int report_graph_parse(struct report_graph *graph, const char *text)
{
	char *copy = strdup(text ? text : ""), *rest = copy, *word;
	unsigned int numbers = 0;
	int code = copy ? 0 : complain("report", EXIT_FAILED, "out of memory");

	graph->on = true;
	while (text && !code && (word = strsep(&rest, ",")))
		code = take(graph, word, &numbers);
	free(copy);
	return code;
}

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
	{ "dso_from", KEY_DSO_FROM },
	{ "dso_to", KEY_DSO_TO },
	{ "symbol_from", KEY_SYMBOL_FROM },
	{ "symbol_to", KEY_SYMBOL_TO },
	{ "mispredict", KEY_MISPREDICT },
};

static int add_key(struct report_args *args, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strlen(keys[i].name) != len || strncmp(keys[i].name, name, len) != 0)
			continue;
		if (!report_by(args, keys[i].key))
			args->keys[args->keys_count++] = keys[i].key;
		args->by |= 1u << keys[i].key;
		return 0;
	}
	return complain("report", EXIT_USAGE,
			"-s: '%.*s' is none of task (comm), dso, symbol (sym), pid, tid, line "
			"(srcline), cpu, address, and of branches dso_from, dso_to, symbol_from, "
			"symbol_to and mispredict", (int)len, name);
}

static int set_keys(struct report_args *args, const char *text)
{
	int code = 0;

	args->keys_count = args->by = 0;
	while (!code) {
		size_t len = strcspn(text, ",");

		code = add_key(args, text, len);
		if (!text[len])
			break;
		text += len + 1;
	}
	return code;
}

static int take_keys(const struct option_use *use)
{
	struct report_args *args = use->args;

	args->arranged = true;
	return set_keys(args, use->text);
}

static int take_limit(const struct option_use *use)
{
	struct report_args *args = use->args;

	args->arranged = true;
	return take_percent(use);
}

/* As perf does, the next word is the argument of -g if it is no option. */
static int take_graph(const struct option_use *use)
{
	struct report_args *args = use->args;
	const char *text = use->text;

	if (!text && optind < use->argc && use->argv[optind][0] != '-')
		text = use->argv[optind++];
	args->arranged = true;
	return report_graph_parse(&args->graph, text);
}

static int take_samples(const struct option_use *use)
{
	struct report_args *args = use->args;

	args->arranged = args->samples = true;
	return 0;
}

/* --children and --no-children */
static int take_children(const struct option_use *use)
{
	struct report_args *args = use->args;

	args->arranged = true;
	args->children = (int)use->row->most;
	return 0;
}

#define TO(field) offsetof(struct report_args, field)
#define FILTER(field) take_text, TO(field), .what = "what follows"

const struct option_row report_options[] = {
	{ 'i', "input", "FILE", FILTER(input),
	  .help = "instead of perf.data; - is standard input" },
	OPTION_VIEW_EVENT(struct report_args),
	{ 's', "sort", "KEY[,...]", take_keys, .words = "task dso symbol line address cpu pid tid dso_from dso_to symbol_from symbol_to mispredict",
	  .help = "what makes a row: task, dso, symbol, line, address, cpu, pid, tid; of branches dso_from, dso_to, symbol_from, symbol_to, mispredict" },
	{ 0, "children", NULL, take_children, .most = 1,
	  .help = "functions have the samples of what they called, too" },
	{ 0, "no-children", NULL, take_children, .most = 0, .place = PLACE_OR,
	  .help = "a sample belongs to the function it was taken in" },
	{ 'g', "call-graph", "[WORD[,...]]", take_graph,
	  .words = "graph fractal none caller callee",
	  .help = "below each row who called it; caller: from the outermost down" },
	{ 'n', "show-nr-samples", NULL, take_samples, .help = "how many samples a row has" },
	{ 0, "percent-limit", "PERCENT", take_limit, TO(limit), .help = "no rows with less" },
	OPTIONS_FILTER(struct report_args),
	OPTIONS_FILTER_PLACE(struct report_args),
	OPTION_INLINE(struct report_args),
	OPTION_CSV(struct report_args),
	OPTION_JSON(struct report_args),
	{ 0, "svg", "FILE", FILTER(svg), .place = PLACE_OR, .usage = "--svg SVG",
	  .help = "no table, but a flame graph" },
	{ 'o', "output", "FILE", FILTER(output), .help = "instead of standard output" },
	OPTION_HUMAN(struct report_args),
	OPTION_COLOUR(struct report_args),
	OPTION_NO_PAGER(struct report_args),
	OPTIONS_WHERE(struct report_args),
	OPTION_STDIO,
	OPTION_END
};

/* A flame graph is a report of its own. */
static int check_svg(const struct report_args *args)
{
	if (!args->svg)
		return 0;
	if (args->arranged)
		return complain("report", EXIT_USAGE, "--svg draws the stacks as they are: it goes "
				"without -s, -n, -g, --children, --no-children and --percent-limit");
	if (args->layout.format != FORMAT_TEXT || args->output)
		return complain("report", EXIT_USAGE, "--svg is the whole output: it goes without "
				"-x, -j and -o");
	return 0;
}

/* A branch is no place, and nobody called it. */
static int check_branches(const struct report_args *args)
{
	static const enum report_key places[] = { KEY_DSO, KEY_SYMBOL, KEY_LINE, KEY_ADDRESS };
	size_t i;

	if (!report_by_branches(args))
		return 0;
	for (i = 0; i < ARRAY_SIZE(places); i++)
		if (report_by(args, places[i]))
			return complain("report", EXIT_USAGE, "-s: a row of branches has no %s of its "
					"own: dso_from, symbol_from and the like go together",
					report_json_key(places[i]));
	if (args->graph.on || args->children > 0)
		return complain("report", EXIT_USAGE, "-s: branches have no callers: leave -g and "
				"--children out");
	return 0;
}

int report_args_parse(struct report_args *args, int argc, char **argv)
{
	int code;

	*args = (struct report_args){
		.input = "perf.data", .layout = LAYOUT_TEXT, .children = -1,
		.graph = { .least = CALLERS_LEAST },
	};
	code = set_keys(args, "comm,dso,symbol");
	if (!code)
		code = options_parse("report", argc, argv, args);
	if (!code)
		code = option_rest("report", argc, argv, 0, "a file by -i alone");
	if (!code)
		code = option_check_human("report", &args->layout);
	if (!code)
		code = check_branches(args);
	return code ? code : check_svg(args);
}

void report_args_free(struct report_args *args)
{
	filter_args_free(&args->filter);
}
