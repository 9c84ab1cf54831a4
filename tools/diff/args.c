// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl diff.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/output.h"
#include "tools/diff/diff.h"
#include "tools/samples/inlines.h"
#include "tools/samples/view_args.h"

#define TO(field) offsetof(struct diff_args, field)

static const struct {
	const char *name;
	enum diff_key key;
} keys[] = {
	{ "task", DIFF_COMM }, { "comm", DIFF_COMM }, { "dso", DIFF_DSO },
	{ "symbol", DIFF_SYMBOL }, { "sym", DIFF_SYMBOL }, { "line", DIFF_LINE },
	{ "srcline", DIFF_LINE }, { "address", DIFF_ADDRESS },
};

static int add_key(struct diff_args *args, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strlen(keys[i].name) != length || strncmp(keys[i].name, name, length) != 0)
			continue;
		if (!diff_by(args, keys[i].key))
			args->keys[args->keys_count++] = keys[i].key;
		return 0;
	}
	return complain("diff", EXIT_USAGE, "-s: '%.*s' is none of task (comm), dso, symbol (sym), "
			"line (srcline) and address", (int)length, name);
}

static int set_keys(struct diff_args *args, const char *text)
{
	int code;

	args->keys_count = 0;
	for (;; text++) {
		size_t length = strcspn(text, ",");

		code = add_key(args, text, length);
		text += length;
		if (code || !*text)
			return code;
	}
}

static int take_keys(const struct option_use *use)
{
	return set_keys(use->args, use->text);
}

static int take_compute(const struct option_use *use)
{
	struct diff_args *args = use->args;

	args->by_events = !strcmp(use->text, "events");
	if (args->by_events || !strcmp(use->text, "share"))
		return 0;
	return complain("diff", EXIT_USAGE, "-c '%s': it is share, of all events of each side, or "
			"events, by all of A", use->text);
}

/* Where the files of one side are, if they are not where the other's are. */
#define OPTION_OWN(option, metavar, side, field, means)					\
	{ 0, option, metavar, take_text, TO(own[side].field), .what = "the name", .help = means }

const struct option_row diff_options[] = {
	OPTION_VIEW_EVENT(struct diff_args),
	{ 's', "sort", "KEY[,...]", take_keys, .words = "task dso symbol line address",
	  .help = "what makes a row: task, dso, symbol, line, address; without it dso,symbol" },
	{ 'c', "compute", "WHAT", take_compute, .words = "share events",
	  .help = "changes of a row's share of its side (share), or of its events by all of A (events)" },
	{ 0, "percent-limit", "PERCENT", take_percent, TO(limit),
	  .help = "no rows with less on both sides, unless they are told apart; 0.1 without it" },
	OPTION_CSV(struct diff_args),
	OPTION_JSON(struct diff_args),
	{ 0, "svg", "FILE", take_text, TO(svg), .place = PLACE_OR, .usage = "--svg SVG",
	  .what = "the file name", .help = "no table, but a flame graph of both, coloured by change" },
	OPTION_INLINE(struct diff_args),
	OPTION_OUTPUT(struct diff_args),
	OPTION_COLOUR(struct diff_args),
	OPTION_NO_PAGER(struct diff_args),
	OPTIONS_WHERE(struct diff_args),
	OPTION_OWN("symfs-a", "DIR", 0, symfs, "those of A alone are below this one"),
	OPTION_OWN("symfs-b", "DIR", 1, symfs, "those of B alone"),
	OPTION_OWN("kallsyms-a", "FILE", 0, kallsyms, "the kernel's symbols in A"),
	OPTION_OWN("kallsyms-b", "FILE", 1, kallsyms, "and in B"),
	OPTION_OWN("vmlinux-a", "FILE", 0, vmlinux, "the kernel of A"),
	OPTION_OWN("vmlinux-b", "FILE", 1, vmlinux, "and of B"),
	OPTION_STDIO,
	OPTION_END
};

static int check(const struct diff_args *args)
{
	if (!strcmp(args->files[0], "-") && !strcmp(args->files[1], "-"))
		return complain("diff", EXIT_USAGE, "only one of the two can be standard input");
	if (args->svg && (args->layout.format != FORMAT_TEXT || args->output))
		return complain("diff", EXIT_USAGE,
				"--svg is the whole output: it goes without -x, -j and -o");
	if (args->inlined && !args->svg)
		return complain("diff", EXIT_USAGE, "--inline is for --svg: the table says by itself "
				"what is inlined now");
	return 0;
}

/* Of one side what was said of both, and of it alone. */
static void set_where(struct diff_args *args, unsigned int side)
{
	struct where_args *own = &args->own[side];

	own->symfs = own->symfs ? own->symfs : args->where.symfs;
	own->kallsyms = own->kallsyms ? own->kallsyms : args->where.kallsyms;
	own->vmlinux = own->vmlinux ? own->vmlinux : args->where.vmlinux;
	own->download = args->where.download;
}

int diff_args_parse(struct diff_args *args, int argc, char **argv)
{
	int code;

	*args = (struct diff_args){ .layout = LAYOUT_TEXT, .limit = 0.1 };
	code = set_keys(args, "dso,symbol");
	if (!code)
		code = options_parse("diff", argc, argv, args);
	if (!code)
		code = option_rest("diff", argc, argv, 2, "two files");
	if (code)
		return code;
	if (argc - optind < 2)
		return option_missing("diff", "compare", "two files of samples, A and B");
	args->files[0] = argv[optind];
	args->files[1] = argv[optind + 1];
	set_where(args, 0);
	set_where(args, 1);
	return check(args);
}

FILE *diff_open_output(const struct diff_args *args, const char *path)
{
	return open_output("diff", path, args->files[path && output_is(path, args->files[1])]);
}
