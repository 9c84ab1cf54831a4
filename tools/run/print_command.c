// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A subcommand that only prints: its options, its context, its output.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/pager.h"
#include "tools/run/print_command.h"

const struct option_row print_options[] = { OPTION_PRINT_JSON, OPTION_END };

static int print(const struct print_command *c, struct pmuctl *ctx, const struct print_args *args,
		 char **operands)
{
	struct writer *w;
	int code;

	if (c->paged)
		pager_start(&args->layout);
	w = writer_open_as(stdout, &args->layout);
	if (!w)
		return complain(c->name, EXIT_FAILED, "out of memory");
	code = (args->metrics ? c->print_metrics : c->print)(ctx, w, operands);
	if (!writer_close(w))
		code = complain(c->name, EXIT_FAILED, "cannot write: %s",
				strerror(errno));
	return code;
}

static int no_such_cpu(const char *cmd, const char *name)
{
	const char *known;
	size_t i;

	complain(cmd, 0, "--for '%s': no processor that is known here; these are:", name);
	for (i = 0; (known = pmuctl_cpu_name(i)); i++)
		fprintf(stderr, "  %s\n", known);
	return EXIT_USAGE;
}

static int check_number(const struct print_command *c, int argc, char **argv)
{
	const char *cmd = c->name;

	if (argc - optind < c->min_args)
		return option_missing(cmd, cmd, c->takes);
	return option_rest(cmd, argc, argv, c->max_args, c->takes);
}

int print_command_main(const struct print_command *c, int argc, char **argv)
{
	struct print_args args = { .layout = LAYOUT_TEXT };
	struct pmuctl *ctx;
	int code = options_parse(c->name, argc, argv, &args);

	if (!code)
		code = check_number(c, argc, argv);
	if (!code)
		code = open_context(c->name, args.events_dir, &ctx);
	if (code)
		return code;
	if (args.cpu && pmuctl_plan_for(ctx, args.cpu))
		code = no_such_cpu(c->name, args.cpu);
	if (!code)
		code = print(c, ctx, &args, argv + optind);
	pmuctl_close(ctx);
	return code;
}
