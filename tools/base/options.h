/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of a subcommand: a row each, from which its command line is read, and its
 * usage, --help and what a shell completes are made.
 */
#ifndef PMUCTL_OPTIONS_H
#define PMUCTL_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/writer.h"

struct command;
struct option_row;

/* An option that was found on the command line. */
struct option_use {
	const char *cmd;	/* whose */
	const struct option_row *row;
	const char *text;	/* the value; NULL: none */
	void *args;		/* the command's structure */
	int argc;		/* what is behind it begins with argv[optind] */
	char **argv;
};

/* Where it stands in the usage. */
enum option_place {
	PLACE_OWN,	/* in brackets of its own: [-x SEP] */
	PLACE_OR,	/* in those of the row before, or instead of it: [-x SEP | -j] */
	PLACE_IN,	/* in brackets within those of the row before: [-o FILE [--append]] */
	PLACE_BARE,	/* without brackets: one of these has to be given */
};

struct option_row {
	char letter;		/* 0: none */
	const char *name;	/* the long one; NULL: none. The row behind the last has neither */
	/* What its value is called; NULL: it has none.  In brackets: it can be left out.  "=off" */
	const char *argument;
	/* Takes the value; 0, or the exit code after a complaint. */
	int (*take)(const struct option_use *use);
	size_t to;		/* offset of where the value goes in the command's structure */
	uint64_t least, most;	/* of a number; take_bits(): `most` are the bits */
	const char *help;	/* NULL: not listed */
	const char *words;	/* that its value can be, for a shell: "graph caller"; NULL: any */
	const char *what;	/* is empty, of a text; NULL: the file name */
	const char *shown;	/* in --help instead of "-x, --name ARGUMENT" */
	const char *usage;	/* instead of "-x ARGUMENT"; "": it is in another row's */
	enum option_place place;
};

/*
 * Reads the options of argv into args; then argv[optind] is the first word behind them.  At
 * --help or -h that is all of the process.  0, or the exit code after a complaint.
 */
int options_parse(const char *cmd, int argc, char **argv, void *args);

/* Behind the last option: not more words than most.  takes: of which kind, "one file". */
int option_rest(const char *cmd, int argc, char **argv, int most, const char *takes);
/* There is nothing behind it, and has to be: "nothing to (verb); name (what)". */
int option_missing(const char *cmd, const char *verb, const char *what);

/* Bigger units are for people: not with -x and -j.  0, or the exit code after a complaint. */
int option_check_human(const char *cmd, const struct layout *layout);

/* Whether two options name one file; NULL: was not given. */
bool same_file(const char *one, const char *other);

/* ---- what takes a value: into what `to` is --------------------------------------------- */

int take_flag(const struct option_use *use);	/* bool */
int take_bits(const struct option_use *use);	/* uint64_t, which gets them as well */
int take_nothing(const struct option_use *use);	/* perf's word for what is done anyway */
int take_uint(const struct option_use *use);	/* unsigned int */
int take_u64(const struct option_use *use);
int take_percent(const struct option_use *use);	/* double, from 0 to 100 */
int take_text(const struct option_use *use);	/* const char *; not empty */
int take_any_text(const struct option_use *use);
/* -o of who writes perf.data: no pipe, whose format is another one.  const char * */
int take_data_file(const struct option_use *use);
int take_list(const struct option_use *use);	/* struct option_list */
/* struct layout; -x and -j exclude each other. */
int take_csv(const struct option_use *use);
int take_json(const struct option_use *use);
int take_colour(const struct option_use *use);	/* struct layout */
int take_watchdog(const struct option_use *use);	/* bool; of --nmi-watchdog=off */

/* Where the value goes, for who puts it there himself. */
void *option_target(const struct option_use *use);
/* A number within an option's value, which is complained of as that option's. */
int option_number(const char *cmd, const char *option, const char *text, uint64_t least,
		  uint64_t most, uint64_t *number);

/* The texts of an option that can be given several times; texts is to be freed. */
struct option_list {
	const char **texts;
	size_t count;
};

/* ---- rows that several have; type is the command's structure ---------------------------- */

#define OPTION_CSV(type)							\
	{ 'x', "field-separator", "SEP", take_csv, offsetof(type, layout),	\
	  .help = "CSV with this separator" }
#define OPTION_JSON(type)							\
	{ 'j', "json", NULL, take_json, offsetof(type, layout), .help = "JSON", .place = PLACE_OR }
/* perf's name of it, and the other. */
#define OPTION_JSON_OUTPUT(type)						\
	{ 'j', "json-output", NULL, take_json, offsetof(type, layout),		\
	  .help = "JSON, an object a line; --json as well", .place = PLACE_OR },	\
	{ 0, "json", NULL, take_json, offsetof(type, layout), .help = NULL }
#define OPTION_COLOUR(type)							\
	{ 0, "color", "WHEN", take_colour, offsetof(type, layout), .words = "auto always never", \
	  .help = "colours: auto, the default, on a terminal; always; never" }
#define OPTION_NO_PAGER(type)							\
	{ 0, "no-pager", NULL, take_flag, offsetof(type, layout.no_pager),	\
	  .help = "to the terminal itself, not through a pager" }
#define OPTION_HUMAN(type)							\
	{ 0, "human", NULL, take_flag, offsetof(type, layout.human),		\
	  .help = "counts in bigger units, rounded to three digits: 1.23 G" }
#define OPTIONS_PRIVILEGE(type)							\
	{ 'u', "user", NULL, take_flag, offsetof(type, user), .help = "user mode only" }, \
	{ 'k', "kernel", NULL, take_flag, offsetof(type, kernel), .help = "kernel mode only" }
#define OPTION_EVENTS_DIR(type)							\
	{ 0, "events-dir", "DIR", take_text, offsetof(type, events_dir),		\
	  .help = "Intel's event files, which have more names" }
#define OPTION_WATCHDOG(type)							\
	{ 0, "nmi-watchdog", "=off", take_watchdog, offsetof(type, watchdog_off),	\
	  .help = "turn the kernel's NMI watchdog off for this run; needs root" }
#define OPTION_METRICS(type)							\
	{ 'M', "metrics", "METRIC[,...]", take_list, offsetof(type, metrics),	\
	  .help = "metrics or groups of them, of `pmuctl list --metrics`" }
/* perf's word, in no usage. */
#define OPTION_STDIO								\
	{ 0, "stdio", NULL, take_nothing, .usage = "",				\
	  .help = "perf's word for what is done anyway" }
#define OPTION_NO_MULTIPLEX(type)						\
	{ 0, "no-multiplex", NULL, take_flag, offsetof(type, no_multiplex),	\
	  .help = "refuse what does not fit into the counters at once; without it events take turns" }
#define OPTION_INTERVAL(type)							\
	{ 'I', "interval-print", "MS", take_uint, offsetof(type, interval), 1, INT_MAX,	\
	  .help = "print what came in each interval" }
#define OPTION_DELAY(type)							\
	{ 'D', "delay", "MS", take_uint, offsetof(type, delay), 0, INT_MAX,	\
	  .help = "begin so long after the start of the command" }
#define OPTION_TIMEOUT(type)							\
	{ 0, "timeout", "MS", take_uint, offsetof(type, timeout), 1, INT_MAX,	\
	  .help = "end after so long; a command gets SIGTERM then" }
/* Where stat and topdown print. */
#define OPTIONS_RESULT(type)							\
	{ 'o', "output", "FILE", take_text, offsetof(type, output),		\
	  .help = "print there instead of to standard error, which - makes standard output" }, \
	{ 0, "append", NULL, take_flag, offsetof(type, append), .place = PLACE_IN,	\
	  .help = "add to the file of -o instead of replacing it" }
#define OPTION_OUTPUT(type)							\
	{ 'o', "output", "FILE", take_text, offsetof(type, output),		\
	  .help = "instead of standard output" }
#define OPTION_INPUT(type)							\
	{ 'i', "input", "FILE", take_text, offsetof(type, input),		\
	  .help = "instead of perf.data; - is standard input" }
#define OPTION_END	{ .name = NULL }

#endif
