// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A subcommand that only prints: its options, its context, its output.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "report.h"
#include "tool.h"

static int print(const struct report *report, struct pmuctl *ctx, bool metrics,
		 enum format format, char **args)
{
	struct writer *w = writer_open(stdout, format, ",");
	int code;

	if (!w)
		return complain(report->name, EXIT_FAILED, "out of memory");
	code = (metrics ? report->print_metrics : report->print)(ctx, w, args);
	if (!writer_close(w))
		code = complain(report->name, EXIT_FAILED, "cannot write: %s", strerror(errno));
	return code;
}

/* Those are of other subcommands that come here; what is unknown was complained of. */
static int wrong_option(const struct report *report, int opt)
{
	if (opt == 'M')
		complain(report->name, 0, "there is no option '--metrics'");
	else if (opt == 'E')
		complain(report->name, 0, report->names_events ? "--events-dir: the file name is empty" :
			 "there is no option '--events-dir'");
	return usage(report->name);
}

int report_main(const struct report *report, int argc, char **argv)
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

	while ((opt = option_next(report->name, argc, argv, "j", options)) != -1) {
		if (opt == 'j')
			format = FORMAT_JSON;
		else if (opt == 'E' && report->names_events && *optarg)
			events_dir = optarg;
		else if (opt == 'M' && report->print_metrics)
			metrics = true;
		else
			return wrong_option(report, opt);
	}
	if (argc - optind < report->min_args || argc - optind > report->max_args)
		return usage(report->name);
	code = open_context(report->name, events_dir, &ctx);
	if (code)
		return code;
	code = print(report, ctx, metrics, format, argv + optind);
	pmuctl_close(ctx);
	return code;
}
