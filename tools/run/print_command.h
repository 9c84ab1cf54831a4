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
	const char *cpu;		/* --for; NULL: this machine's */
	bool metrics;			/* --metrics */
};

struct print_command {
	const char *name;
	int min_args, max_args;
	const char *takes;	/* what they are, for who gives too few or too many */
	bool paged;		/* its options have --no-pager */
	/* Arguments end with NULL; returns the exit code. */
	int (*print)(struct pmuctl *ctx, struct writer *w, char **args);
	int (*print_metrics)(struct pmuctl *ctx, struct writer *w, char **args);
};

#define OPTION_PRINT_JSON							\
	{ 'j', "json", NULL, take_json, offsetof(struct print_args, layout), .help = "JSON" }

/* What is told is that of another processor. */
#define OPTION_FOR								\
	{ 0, "for", "CPU", take_text, offsetof(struct print_args, cpu),		\
	  .what = "the processor", .words = NAMED_CPUS,				\
	  .help = "of another processor than this machine's, like skylake" }
#define NAMED_CPUS								\
	"pentium pentium-mmx pentium3 pentium4 prescott core2 nehalem westmere "	\
	"sandybridge sandybridge-ep "						\
	"ivybridge ivybridge-ep haswell haswell-ep broadwell broadwell-ep skylake "	\
	"skylake-sp cascadelake icelake icelake-sp sapphirerapids emeraldrapids graniterapids " \
	"alderlake-p bartlettlake goldmont goldmontplus tremont alderlake-n sierraforest grandridge"

/* The options of who has no other. */
extern const struct option_row print_options[];

int print_command_main(const struct print_command *command, int argc, char **argv);

#endif
