/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A subcommand that only prints, as text or with -j as JSON.
 */
#ifndef PMUCTL_PRINT_COMMAND_H
#define PMUCTL_PRINT_COMMAND_H

#include "tools/base/writer.h"

struct pmuctl;

struct print_command {
	const char *name;
	int min_args, max_args;
	const char *takes;	/* what they are, for who gives too few or too many */
	bool names_events;	/* --events-dir makes sense */
	/* Arguments end with NULL; returns the exit code. */
	int (*print)(struct pmuctl *ctx, struct writer *w, char **args);
	/* With --metrics; NULL: there is no such option. */
	int (*print_metrics)(struct pmuctl *ctx, struct writer *w, char **args);
};

int print_command_main(const struct print_command *command, int argc, char **argv);

#endif
