/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A subcommand that only prints, as text or with -j as JSON.
 */
#ifndef PMUCTL_PRINT_COMMAND_H
#define PMUCTL_PRINT_COMMAND_H

#include "tools/base/options.h"

struct pmuctl;

/* What its options become. */
struct print_args {
	struct layout layout;
	const char *events_dir;		/* NULL: not given */
	bool metrics;			/* --metrics */
};

struct print_command {
	const char *name;
	int min_args, max_args;
	const char *takes;	/* what they are, for who gives too few or too many */
	/* Arguments end with NULL; returns the exit code. */
	int (*print)(struct pmuctl *ctx, struct writer *w, char **args);
	int (*print_metrics)(struct pmuctl *ctx, struct writer *w, char **args);
};

#define OPTION_PRINT_JSON							\
	{ 'j', "json", NULL, take_json, offsetof(struct print_args, layout), .help = "JSON" }

/* The options of who has no other. */
extern const struct option_row print_options[];

int print_command_main(const struct print_command *command, int argc, char **argv);

#endif
