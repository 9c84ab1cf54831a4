// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A subcommand that only prints: its options, its context, its output.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "tool.h"

static int print(const struct report *report, struct pmuctl *ctx, enum format format, char **args)
{
	struct writer *w = writer_open(stdout, format, ",");
	int code;

	if (!w)
		return complain(report->name, EXIT_FAILED, "out of memory");
	code = report->print(ctx, w, args);
	if (!writer_close(w))
		code = complain(report->name, EXIT_FAILED, "cannot write: %s", strerror(errno));
	return code;
}

int report_main(const struct report *report, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 },
	};
	enum format format = FORMAT_TEXT;
	struct pmuctl *ctx;
	char name[32];
	int opt, code;

	name_for_getopt(argv, name, sizeof(name));
	while ((opt = getopt_long(argc, argv, "j", options, NULL)) != -1) {
		if (opt != 'j')
			return usage(report->name);
		format = FORMAT_JSON;
	}
	if (argc - optind < report->min_args || argc - optind > report->max_args)
		return usage(report->name);
	code = open_context(report->name, &ctx);
	if (code)
		return code;
	code = print(report, ctx, format, argv + optind);
	pmuctl_close(ctx);
	return code;
}
