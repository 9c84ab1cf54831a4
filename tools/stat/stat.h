/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl stat tell each other: what was asked, and what came.
 */
#ifndef PMUCTL_STAT_H
#define PMUCTL_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/base/options.h"
#include "tools/run/events.h"
#include "tools/run/metrics.h"
#include "tools/run/targets.h"

struct stat_args {
	struct targets targets;
	bool no_inherit;
	bool per_cpu;

	struct option_list events;	/* of every -e */
	struct option_list cascades;
	struct option_list metrics;
	struct option_list with;	/* features that are held */
	unsigned int detail;		/* how many -d */
	const char *events_dir;		/* NULL: not given */
	bool no_multiplex;

	unsigned int repeat;		/* runs; 0: -r was not given, or is 0 */
	bool forever;			/* -r 0: until a signal comes, each run by itself */
	unsigned int interval;		/* ms, 0: none */
	unsigned int delay;
	unsigned int timeout;
	bool watchdog_off;

	struct layout layout;
	const char *output;		/* NULL: stderr */
	bool append;
	bool verbose;

	char **command;			/* NULL: none */
};

extern const struct option_row stat_options[];

/* 0, or the exit code. */
int stat_args_parse(struct stat_args *args, int argc, char **argv);
void stat_args_free(struct stat_args *args);
/* How many lines each event and metric has: with -A one a CPU, or one a control group. */
size_t stat_args_parts(const struct stat_args *args);
/* Of the line of that part: its CPU, or -1; its control group, or NULL. */
int stat_args_cpu(const struct stat_args *args, size_t part);
const char *stat_args_cgroup(const struct stat_args *args, size_t part);

/* stat/events.c: those of -e, or the usual ones, and those of -d; 0, or the exit code. */
int stat_add_events(struct pmuctl *ctx, const struct stat_args *args, struct events *events);


/* With -r, of a line's values in the runs. */
struct stat_spread {
	unsigned int runs;	/* that had one */
	double percent;		/* of their mean: its standard error */
};

/* A line is a metric, or a metric on one of the CPUs of -A or in one of several control groups. */
struct stat_metrics {
	struct metrics all;
	struct stat_spread *spreads;	/* of each line */
};

/* What became of one event, or of one event on one CPU or in one control group: a line. */
struct stat_count {
	const struct event *event;
	int cpu;		/* -1: not of one CPU */
	const char *cgroup;	/* NULL: not of one of several control groups */
	const char *why_not;	/* not NULL: no count, and this is why */
	bool supported;
	uint64_t value;		/* an estimate if it did not run all the time */
	uint64_t enabled;
	uint64_t running;
	uint32_t flags;		/* enum pmuctl_value_flag */
	struct stat_spread spread;
};

struct stat_result {
	const struct stat_args *args;
	struct stat_count *counts;
	size_t count;
	const struct stat_metrics *metrics;
	double elapsed;		/* seconds */
	double elapsed_error;	/* with -r: the standard error */
	bool has_usage;		/* a command ran: */
	double user, system;
	double time;		/* with -I: seconds since the counting began */
	uint64_t missed;	/* and intervals before this one that had no rows */
	unsigned int runs;	/* with -r: that came to their end */
};

/* All of the output, but with -I: the line on top, then the lines of each interval. */
void stat_print(FILE *out, struct writer *w, const struct stat_result *result);
void stat_print_head(FILE *out, struct writer *w, const struct stat_args *args);
void stat_print_interval(struct writer *w, const struct stat_result *result);
/* stat/row.c: the line of one count. */
void stat_print_count(struct writer *w, const struct stat_result *r, const struct stat_count *c);

/* What was made of several counts. */
struct stat_figure {
	const char *name;
	const char *unit;
	double value;
	const char *flagged;	/* the threshold that it is over, or NULL */
};

/* of: how good the counts are, or why there is no figure. */
void stat_print_figure(struct writer *w, const struct stat_result *r, const struct stat_count *of,
		       const struct stat_figure *f);

/* stat/metrics.c: those of -M, and their events; 0, or the exit code. */
int stat_add_metrics(struct pmuctl *ctx, const struct stat_args *args, struct events *events,
		     struct stat_metrics *metrics);
void stat_free_metrics(struct stat_metrics *metrics);
/* Once all are added: how many lines they have. */
size_t stat_metric_lines(const struct stat_args *args, const struct stat_metrics *metrics);
/* What that line comes to by these counts; false: nothing. */
bool stat_metric_value(const struct stat_result *r, size_t line, double *value);
/* Their lines, from the first on so many apart; behind those of the counts. */
void stat_print_metrics(struct writer *w, const struct stat_result *r, size_t first, size_t step);

/* A line to stderr for each flag that any of the counts has. */
void stat_warn(const struct pmuctl *ctx, const struct stat_result *r);

#endif
