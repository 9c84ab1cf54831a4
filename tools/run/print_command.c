// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A subcommand that only prints: its options, its context, its output.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/print_command.h"

static int print(const struct print_command *command, struct pmuctl *ctx, bool metrics,
		 enum format format, char **args)
{
	struct writer *w = writer_open(stdout, format, ",");
	int code;

	if (!w)
		return complain(command->name, EXIT_FAILED, "out of memory");
	code = (metrics ? command->print_metrics : command->print)(ctx, w, args);
	if (!writer_close(w))
		code = complain(command->name, EXIT_FAILED, "cannot write: %s", strerror(errno));
	return code;
}

/* Those are of other subcommands that come here; what is unknown was complained of. */
static int wrong_option(const struct print_command *command, int opt)
{
	if (opt == 'M')
		complain(command->name, 0, "there is no option '--metrics'");
	else if (opt == 'E')
		complain(command->name, 0, command->names_events ? "--events-dir: the file name is empty" :
			 "there is no option '--events-dir'");
	return usage(command->name);
}

static int check_number(const struct print_command *command, int argc, char **argv)
{
	if (argc - optind < command->min_args)
		return option_missing(command->name, command->name, command->takes);
	return option_rest(command->name, argc, argv, command->max_args, command->takes);
}

int print_command_main(const struct print_command *command, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "events-dir", required_argument, NULL, 'E' },
		{ "metrics", no_argument, NULL, 'M' },
		{ NULL, 0, NULL, 0 },
	};
	const char *events_dir = NULL;
	enum format format = FORMAT_TEXT;
	struct pmuctl *ctx;
	bool metrics = false;
	int opt, code;

	while ((opt = option_next(command->name, argc, argv, "j", options)) != -1) {
		if (opt == 'j')
			format = FORMAT_JSON;
		else if (opt == 'E' && command->names_events && *optarg)
			events_dir = optarg;
		else if (opt == 'M' && command->print_metrics)
			metrics = true;
		else
			return wrong_option(command, opt);
	}
	code = check_number(command, argc, argv);
	if (!code)
		code = open_context(command->name, events_dir, &ctx);
	if (code)
		return code;
	code = print(command, ctx, metrics, format, argv + optind);
	pmuctl_close(ctx);
	return code;
}
