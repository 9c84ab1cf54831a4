/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of subcommands that show what is in a perf.data file.
 */
#ifndef PMUCTL_VIEW_ARGS_H
#define PMUCTL_VIEW_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/options.h"
#include "tools/samples/where.h"

struct view_args {
	const char *input;	/* the file */
	bool has_input;		/* -i named it */
	struct layout layout;
	const char *event;	/* this one alone, or NULL */
	const char *dso;	/* ... */
	unsigned int limit;	/* rows of a list; 0: all */
	const char *operand;	/* NULL: none */
	bool inlined;
	struct where_args where;
};

struct pmuctl;
struct pmuctl_data;
struct pmuctl_data_info;

struct option_use;

int take_input(const struct option_use *use);
/* takes: what the one operand is, "one file".  0 or an exit code. */
int view_args_parse(const char *cmd, const char *takes, struct view_args *args,
		    int argc, char **argv);

/* Rows of who shows a perf.data file; that of -i, and of -e. */
#define OPTION_VIEW_INPUT							\
	{ 'i', "input", "FILE", take_input, offsetof(struct view_args, input),	\
	  .help = "instead of perf.data; - is standard input" }
#define OPTION_VIEW_EVENT(type)							\
	{ 'e', "event", "EVENT", take_any_text, offsetof(type, event),		\
	  .help = "only this one, as it is called in the file" }
/* Without a decoder every instruction would be (bad): says so; 0 or an exit code. */
int view_check_decoder(const char *cmd);
/* Opens the context and the file, and says what is wrong; 0 or an exit code. */
int view_open(const char *cmd, const struct view_args *args, struct pmuctl **ctx,
	      struct pmuctl_data **data);
void view_close(struct pmuctl *ctx, struct pmuctl_data *data);
/* The first event of that name; INDEX_NONE: there is none. */
uint32_t event_named(const struct pmuctl_data_info *info, const char *name);
/* That the file has no such event, and which it has; the exit code. */
int no_such_event(const char *cmd, const char *input, const char *event,
		  const struct pmuctl_data_info *info);
/*
 * On standard error: that samples are not in the file, that some of those in it or its traces
 * are not shown, and that callers are not.
 */
void complain_lost(const char *cmd, const char *input, const struct pmuctl_data_info *info);
void complain_left_out(const char *cmd, const char *input, const struct pmuctl_data_info *info);
/* Whether a path is the one, or ends with it behind a slash. */
int names_file(const char *path, const char *name);

#endif
