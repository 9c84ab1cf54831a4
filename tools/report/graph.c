// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl report -g takes: perf's words with perf's meaning.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/options.h"
#include "tools/report/run.h"

enum word {
	WORD_NONE,
	WORD_GRAPH,
	WORD_FRACTAL,
	WORD_CALLER,
	WORD_CALLEE,
	WORD_AS_ALWAYS,
	WORD_NOT_YET,
};

static const struct {
	const char *name;
	enum word word;
} words[] = {
	{ "none", WORD_NONE },
	{ "graph", WORD_GRAPH },
	{ "fractal", WORD_FRACTAL },
	{ "caller", WORD_CALLER },
	{ "callee", WORD_CALLEE },
	{ "function", WORD_AS_ALWAYS },
	{ "percent", WORD_AS_ALWAYS },
	{ "flat", WORD_NOT_YET },
	{ "folded", WORD_NOT_YET },
	{ "address", WORD_NOT_YET },
	{ "srcline", WORD_NOT_YET },
	{ "branch", WORD_NOT_YET },
	{ "period", WORD_NOT_YET },
	{ "count", WORD_NOT_YET },
};

static int take_word(struct report_graph *graph, enum word word, const char *name)
{
	switch (word) {
	case WORD_NONE:
		graph->on = false;
		break;
	case WORD_GRAPH:
	case WORD_FRACTAL:
		graph->relative = word == WORD_FRACTAL;
		break;
	case WORD_CALLER:
	case WORD_CALLEE:
		graph->caller_first = word == WORD_CALLER;
		break;
	case WORD_AS_ALWAYS:
		break;
	case WORD_NOT_YET:
		return complain("report", EXIT_USAGE, "-g %s: not yet", name);
	}
	return 0;
}

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
		if (!strcmp(words[i].name, text))
			return take_word(graph, words[i].word, text);
	if (isdigit((unsigned char)*text) || *text == '.')
		return take_number(graph, text, numbers);
	return complain("report", EXIT_USAGE, "-g: '%s' is none of graph, fractal, none, a least "
			"share, a number of lines, caller and callee", text);
}

int report_graph_parse(struct report_graph *graph, const char *text)
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
