// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl workload: small programs of which it is known what they wait for, to try the others
 * on.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/options.h"
#include "tools/base/writer.h"
#include "tools/workload/workload.h"

struct options {
	bool list;
	uint64_t rounds;	/* 0: as many as the workload has by itself */
	struct layout layout;
};

/* ---- the list ----------------------------------------------------------------------- */

#define INDENT "                          "

static void print_one(struct writer *w, const struct workload *workload)
{
	writer_row(w);
	writer_string(w, "name", "%-26s", workload->name);
	writer_string(w, "text", "%s\n", workload->text);
	writer_string(w, "leaf", INDENT "of Top-Down: %s", workload->leaf);
	writer_u64(w, "rounds", "; %" PRIu64 " rounds\n", workload->rounds);
	writer_string(w, "remedy", INDENT "remedy: %s", workload->remedy);
	writer_string(w, "remedied", ", as in %s\n", workload->remedied);
	writer_end_row(w);
}

static int list(const struct options *o)
{
	struct writer *w = writer_open(stdout, o->layout.format, o->layout.separator);
	const struct workload *workload;

	if (!w)
		return complain("workload", EXIT_FAILED, "out of memory");
	for (workload = workloads; workload->name; workload++)
		print_one(w, workload);
	if (!writer_close(w))
		return complain("workload", EXIT_FAILED, "cannot write: %s", strerror(errno));
	return EXIT_OK;
}

/* ---- one of them -------------------------------------------------------------------- */

static const struct workload *find(const char *name)
{
	const struct workload *workload = workloads;

	while (workload->name && strcmp(workload->name, name) != 0)
		workload++;
	return workload->name ? workload : NULL;
}

static int no_such(const char *name)
{
	const struct workload *workload;

	complain("workload", 0, "there is no workload '%s'; there are:", name);
	for (workload = workloads; workload->name; workload++)
		fprintf(stderr, "  %s\n", workload->name);
	return EXIT_USAGE;
}

static int run_loop(const struct workload *workload, struct workload_run *run)
{
	run->size = workload->memory ? workload->memory(run->machine) : 0;
	run->memory = run->size ? workload_allocate(run->size) : NULL;
	if (run->size && !run->memory)
		return complain("workload", EXIT_FAILED, "%s wants %zu MiB of memory, and there is "
				"not so much", workload->name, run->size >> 20);
	if (workload->prepare)
		workload->prepare(run);
	workload->run(run);
	free(run->memory);
	return EXIT_OK;
}

static int run_workload(const char *name, const struct options *o)
{
	const struct workload *workload = find(name);
	struct workload_machine machine;
	struct workload_run run = { .machine = &machine };
	struct pmuctl *ctx;
	int code;

	if (!workload)
		return no_such(name);
	code = open_context("workload", NULL, &ctx);
	if (code)
		return code;
	workload_machine(ctx, &machine);
	pmuctl_close(ctx);
	run.rounds = o->rounds ? o->rounds : workload->rounds;
	return run_loop(workload, &run);
}

/* ---- options ------------------------------------------------------------------------ */

#define TO(field) offsetof(struct options, field)

static const struct option_row rows[] = {
	{ 0, "list", NULL, take_flag, TO(list), .place = PLACE_BARE,
	  .help = "their names, and what each does" },
	{ 'x', "field-separator", "SEP", take_csv, TO(layout), .place = PLACE_IN,
	  .usage = "-x SEP | -j", .help = "CSV with this separator" },
	{ 'j', "json", NULL, take_json, TO(layout), .usage = "", .help = "JSON" },
	/* As many as fit into a register of either width. */
	{ 0, "rounds", "N", take_u64, TO(rounds), 1, LONG_MAX, .place = PLACE_OR,
	  .usage = "[--rounds N]", .help = "how often the loop goes round" },
	OPTION_END
};

static int check(const struct options *o, int argc, char **argv)
{
	const char *name = argv[optind];

	if (o->list && name)
		return complain("workload", EXIT_USAGE, "--list runs none: no '%s'", name);
	if (o->list && o->rounds)
		return complain("workload", EXIT_USAGE, "--list runs none: no --rounds");
	if (o->list)
		return 0;
	if (o->layout.format != FORMAT_TEXT)
		return complain("workload", EXIT_USAGE, "-x and -j go with --list");
	if (!name)
		return option_missing("workload", "run", "a workload, or --list");
	return option_rest("workload", argc, argv, 1, "one workload");
}

static int cmd_workload(int argc, char **argv)
{
	struct options o = { .layout = LAYOUT_TEXT };
	int code = options_parse("workload", argc, argv, &o);

	if (!code)
		code = check(&o, argc, argv);
	if (code)
		return code;
	return o.list ? list(&o) : run_workload(argv[optind], &o);
}

static void list_names(void (*fn)(void *data, const char *name, const char *text), void *data)
{
	const struct workload *workload;

	for (workload = workloads; workload->name; workload++)
		fn(data, workload->name, workload->text);
}

const struct command command_workload = {
	.name = "workload",
	.run = cmd_workload,
	.text = "programs of which it is known what they wait for",
	.options = rows,
	.operands = "NAME",
	.list_operands = list_names,
};
