// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl html: one page of all that is known of a run, for a browser.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/options.h"
#include "tools/base/output.h"
#include "tools/html/html.h"

#define TO(field) offsetof(struct html_args, field)

static const struct option_row options[] = {
	OPTION_VIEW_INPUT,
	{ 'o', "output", "FILE", take_text, TO(output),
	  .help = "instead of perf.html; - is standard output" },
	{ 'e', "event", "EVENT", take_any_text, TO(view.event),
	  .help = "only this one, as it is called in the file; or what a command is sampled by" },
	{ 0, "topdown", "FILE", take_text, TO(topdown),
	  .help = "what `pmuctl topdown -j -o FILE` wrote: of a run, of intervals (-I) or of "
		  "tasks (--per-task)" },
	{ 0, "sharing", "FILE", take_text, TO(sharing),
	  .help = "what threads share, of a file that `pmuctl mem --sharing -o FILE` recorded" },
	OPTION_INLINE(struct view_args),
	{ 0, "prefix", "DIR", take_text, TO(listing.prefix),
	  .what = "the directory", .help = "source files are below it" },
	{ 0, "prefix-strip", "N", take_uint, TO(listing.strip), 0, INT_MAX,
	  .place = PLACE_IN, .help = "... without the first N directories of their names" },
	OPTIONS_FILTER(struct html_args),
	OPTIONS_FILTER_PLACE(struct html_args),
	OPTIONS_WHERE(struct view_args),
	{ 'F', "freq", "FREQUENCY", take_uint, TO(frequency), 1, INT_MAX,
	  .help = "a command is sampled about so often a second; 4000 by default" },
	{ 0, "call-graph", "METHOD", take_text, TO(call_graph),
	  .words = "fp dwarf lbr", .help = "call chains of a command: fp, dwarf[,BYTES] or lbr; fp by default" },
	OPTION_END
};

static int check(const struct html_args *args)
{
	const char *option = args->frequency ? "-F" : args->call_graph ? "--call-graph" : NULL;

	if (args->command && args->view.has_input)
		return complain("html", EXIT_USAGE, "-i '%s' is read, or a command is run: one of them",
				args->view.input);
	if (args->command && (args->topdown || args->sharing))
		return complain("html", EXIT_USAGE, "--%s names a file of another run, and the command "
				"is run for that", args->topdown ? "topdown" : "sharing");
	if (args->command && !args->command[0][0])
		return complain("html", EXIT_USAGE, "the command's name is empty");
	if (option && !args->command)
		return complain("html", EXIT_USAGE, "%s: it says how a command is recorded, and there "
				"is none", option);
	if (args->listing.strip && !args->listing.prefix)
		return complain("html", EXIT_USAGE, "--prefix-strip goes with --prefix");
	if (names_standard_output(args->output) && isatty(STDOUT_FILENO))
		return complain("html", EXIT_USAGE, "-o -: a page is not for a terminal; name a file");
	return 0;
}

static int parse(struct html_args *args, int argc, char **argv)
{
	int code = options_parse("html", argc, argv, args);

	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

/* From a file of its own, which is opened and closed for that. */
static int add_sharing_of(struct page *page, const char *path)
{
	const struct html_args *args = page->args;
	struct page of = *page;
	int code = open_data("html", page->ctx, path, &args->view.where, &of.data);

	if (code)
		return code;
	of.info = pmuctl_data_get_info(of.data);
	code = page_add_sharing(&of);
	pmuctl_data_close(of.data);
	if (!code && !json_object_get(page->json, "sharing") && args->command)
		code = page_put(page->json, "noSharing",
				json_string("no load or store was sampled: the run was too short"));
	else if (!code && !json_object_get(page->json, "sharing"))
		code = complain("html", EXIT_FAILED, "--sharing %s has no sample of a load or store "
				"with its address; `pmuctl mem --sharing -o FILE -- COMMAND` records "
				"such", path);
	return code;
}

static int make(struct page *page)
{
	const struct html_args *args = page->args;
	int code = page_fill(page);

	if (!code && args->topdown)
		code = page_add_topdown(page, args->topdown);
	if (!code)
		code = args->sharing ? add_sharing_of(page, args->sharing) :
				       page_add_sharing(page);
	if (!code && args->no_topdown)
		code = page_put(page->json, "noTopdown", page_text(args->no_topdown));
	if (!code && args->no_sharing)
		code = page_put(page->json, "noSharing", page_text(args->no_sharing));
	return code ? code : page_write(page, args->output);
}

static int show(const struct html_args *args)
{
	struct page page = { .args = args };
	int code = view_open("html", &args->view, &page.ctx, &page.data);

	if (code)
		return code;
	page.info = pmuctl_data_get_info(page.data);
	code = make(&page);
	page_free(&page);
	view_close(page.ctx, page.data);
	return code;
}

/* With blanks between; NULL: no memory. */
static char *joined(char **words)
{
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	struct writer *w = out ? writer_open(out, FORMAT_TEXT, ",") : NULL;
	bool all = false;

	if (w) {
		writer_words(w, words);
		all = writer_close(w);
	}
	if (out)
		fclose(out);
	if (all)
		return text;
	free(text);
	return NULL;
}

/* The page is of what was recorded; what could not be measured is not in it, and was said. */
static int run_and_show(const struct html_args *args)
{
	struct html_args of_runs = *args;
	struct html_runs runs;
	int code = html_run(&runs, args);

	of_runs.title = joined(args->command);
	if (!code && !of_runs.title)
		code = page_no_memory();
	of_runs.view.input = runs.samples.path;
	of_runs.view.event = NULL;
	if (*runs.topdown.why_not)
		of_runs.no_topdown = runs.topdown.why_not;
	else
		of_runs.topdown = runs.topdown.path;
	if (*runs.sharing.why_not)
		of_runs.no_sharing = runs.sharing.why_not;
	else
		of_runs.sharing = runs.sharing.path;
	if (!code)
		code = show(&of_runs);
	html_runs_close(&runs);
	free(of_runs.title);
	return code ? code : runs.exit_code;
}

static int cmd_html(int argc, char **argv)
{
	struct html_args args = { .view.input = "perf.data", .output = "perf.html" };
	int code = parse(&args, argc, argv);

	if (!code)
		code = args.command ? run_and_show(&args) : show(&args);
	filter_args_free(&args.filter);
	return code;
}

const struct command command_html = {
	.name = "html",
	.run = cmd_html,
	.text = "a page for a browser: flame graph, hot lines, Top-Down, what threads share",
	.options = options,
	.operands = "[[--] COMMAND ...]",
	.runs_command = true,
};
