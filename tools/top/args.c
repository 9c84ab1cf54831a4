// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl top; perf's letters with perf's meaning.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/features.h"
#include "tools/top/top.h"

/* A quarter of perf's: it is enough to see what is hot, and what it costs is not. */
#define FREQUENCY 1000

#define TO(field) offsetof(struct top_args, field)

/* As "2" or "0.5". */
static int take_seconds(const struct option_use *use)
{
	char *end = NULL;
	double seconds = isdigit((unsigned char)*use->text) ? strtod(use->text, &end) : 0;

	if (!end || *end || seconds < DELAY_LEAST || seconds > DELAY_MOST)
		return complain(use->cmd, EXIT_USAGE, "-d '%s': not a number of seconds from %g to %g",
				use->text, DELAY_LEAST, DELAY_MOST);
	*(double *)option_target(use) = seconds;
	return 0;
}

const struct option_row top_options[] = {
	{ 'e', "event", "EVENT[,...]", take_events, TO(record.events),
	  .help = "events, each sampled by itself; without it cycles" },
	{ 'c', "count", "PERIOD", take_u64, TO(record.period), 1, PERIOD_MAX,
	  .help = "a sample every so many events" },
	{ 'F', "freq", "FREQUENCY", record_take_frequency, TO(record.frequency), 1, INT_MAX,
	  .place = PLACE_OR, .help = "about so many samples a second; 1000 by default" },
	OPTIONS_TARGETS(struct record_args),
	OPTION_NO_INHERIT(struct record_args),
	{ 'd', "delay", "SECONDS", take_seconds, TO(delay),
	  .help = "from one look to the next, like 0.5; 1 by default" },
	{ 'n', "iterations", "N", take_uint, TO(iterations), 1, INT_MAX,
	  .help = "end behind so many looks" },
	{ 0, "stdio", NULL, take_flag, TO(stdio),
	  .help = "print a table at each look, as where there is no terminal" },
	OPTION_CSV(struct top_args),
	OPTION_JSON(struct top_args),
	{ 'E', "entries", "ROWS", take_uint, TO(entries), 0, INT_MAX,
	  .help = "of a table that is printed; 0: all; 20 by default" },
	{ 0, "view", "VIEW", take_text, TO(view), .what = "the view",
	  .words = "symbol task cpu topdown",
	  .help = "what a line is: symbol, task, cpu, or topdown: a task's Top-Down level 1" },
	{ 0, "sort", "COLUMN", take_text, TO(sort), .what = "the column",
	  .words = "overhead samples dso symbol pid tid comm cpu retiring bad frontend backend",
	  .help = "by a column of the view, like samples; by overhead without it" },
	{ 0, "filter", "TEXT", take_text, TO(filter), .what = "the text",
	  .help = "lines that have it alone" },
	{ 'K', "hide_kernel_symbols", NULL, take_flag, TO(hide_kernel),
	  .help = "no lines of symbols of the kernel" },
	{ 'U', "hide_user_symbols", NULL, take_flag, TO(hide_user), .place = PLACE_OR,
	  .help = "no lines of symbols of programs" },
	{ 'z', "zero", NULL, take_flag, TO(zero),
	  .help = "each look shows the samples since the one before" },
	{ 0, "accumulate", NULL, take_flag, TO(accumulate), .place = PLACE_OR,
	  .help = "since the start; without both a sample counts half after 10 seconds" },
	{ 'm', "mmap-pages", "PAGES", record_take_buffer, TO(record.ring),
	  .help = "room for the samples of a CPU: pages, or bytes like 512K" },
	OPTION_NO_MULTIPLEX(struct record_args),
	OPTION_WATCHDOG(struct record_args),
	OPTION_EVENTS_DIR(struct record_args),
	OPTION_END
};

static int check_view(const struct top_args *args)
{
	unsigned int view = VIEW_SYMBOLS;

	while (args->view && view < VIEWS_NAMED && strcmp(args->view, top_layouts[view].name) != 0)
		view++;
	if (view == VIEWS_NAMED)
		return complain("top", EXIT_USAGE, "--view '%s': views are symbol, task, cpu and "
				"topdown", args->view);
	if (args->sort && top_column_named(view, args->sort) == top_layouts[view].count) {
		char names[128] = "";
		size_t i, at = 0;

		for (i = 0; i < top_layouts[view].count; i++)
			at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s", i ? ", " : "",
					       top_layouts[view].columns[i].name);
		return complain("top", EXIT_USAGE, "--sort '%s': columns of the view %s are %s",
				args->sort, top_layouts[view].name, names);
	}
	if (args->filter && strlen(args->filter) >= FILTER_SIZE)
		return complain("top", EXIT_USAGE, "--filter '%s': longer than %d bytes",
				args->filter, FILTER_SIZE - 1);
	return 0;
}

static int check(struct top_args *args)
{
	struct record_args *record = &args->record;

	if (record->period && record->frequency)
		return complain("top", EXIT_USAGE, "-c or -F, one of them");
	if (args->zero && args->accumulate)
		return complain("top", EXIT_USAGE, "-z or --accumulate, one of them");
	if (args->hide_kernel && args->hide_user)
		return complain("top", EXIT_USAGE, "-K or -U, one of them: nothing is left of both");
	if (record->command && !record->command[0][0])
		return complain("top", EXIT_USAGE, "the command's name is empty");
	if (!record->period && !record->frequency)
		record->frequency = FREQUENCY;
	if (record->targets.kind == TARGET_COMMAND && !record->command)
		record->targets.all_cpus = true;
	return targets_check("top", &record->targets, record->command, record->no_inherit);
}

int top_args_parse(struct top_args *args, int argc, char **argv)
{
	int code;

	*args = (struct top_args){
		.entries = 20, .layout = LAYOUT_TEXT,
		/* Not a file, but it is what is named where it cannot be written. */
		.record = { .output = "samples in memory", .argv = argv, .live = true },
	};
	code = options_parse("top", argc, argv, args);
	if (code)
		return code;
	if (optind < argc)
		args->record.command = argv + optind;
	args->stdio |= args->layout.format != FORMAT_TEXT;
	code = check_view(args);
	return code ? code : check(args);
}
