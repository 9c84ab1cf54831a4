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
#include "tools/run/kinds.h"
#include "tools/run/metrics.h"
#include "tools/run/targets.h"

/* What counts are shown by, besides -A. */
enum stat_split {
	SPLIT_NOT, SPLIT_CORES, SPLIT_SOCKETS, SPLIT_NODES, SPLIT_THREADS, SPLIT_CGROUPS
};

/* A core, a socket, a node, a thread or a control group. */
struct stat_place {
	const char *path;	/* of a control group, which has no name; else NULL */
	char name[48];		/* "S0-D0-C1", "comm-17" */
	char text[48];		/* the same, as wide as in a column of text */
	uint64_t cpus;		/* that it is the sum of */
	unsigned char order[8];
};

struct stat_places {
	struct stat_place *list;
	size_t count;
	size_t *of_cpu;		/* of each of the targets' CPUs; NULL: threads, groups */
	pid_t *tids;		/* of each thread; NULL: CPUs, groups */
};

struct stat_args {
	struct targets targets;
	bool no_inherit;
	bool per_cpu;
	enum stat_split split;
	struct stat_places places;

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

	bool regions;			/* that the command counts itself */
	bool net;			/* ... without what that took */

	bool null;			/* no events, times alone */
	bool metric_only;
	bool summary;			/* behind the intervals */
	bool big_num, no_big_num;

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

/* stat/regions.c: instead of all else; 0, or the exit code. */
int stat_regions(const struct stat_args *args);

/* ---- stat/places.c ------------------------------------------------------------------------ */

struct stat_count;

/* How many lines each event and metric has: with -A one a CPU, else one a place. */
size_t stat_args_cpus(const struct stat_args *args);
/* As they are now; 0, or the exit code. */
int stat_find_places(struct stat_args *args);
/* By another directory than /sys/devices/system, for tests. */
int stat_places_of_cpus(const char *directory, const struct stat_args *args,
			struct stat_places *places);
void stat_places_free(struct stat_places *places);
/* Whether there are threads that were not there then. */
bool stat_threads_came(const struct stat_args *args);
/* Which of them a line is of. */
void stat_set_place(const struct stat_args *args, size_t place, struct stat_count *c);
/* SIZE_MAX: none. */
size_t stat_place_of_cpu(const struct stat_args *args, int cpu);
size_t stat_place_of_thread(const struct stat_args *args, pid_t tid);
void stat_print_place_head(struct writer *w, const struct stat_args *args);
void stat_print_place(struct writer *w, const struct stat_args *args,
		      const struct stat_place *place);
/* A control group's, behind the event.  last: nothing follows. */
void stat_print_cgroup(struct writer *w, const struct stat_place *place, bool last);

/* stat/events.c: those of -e, or the usual ones, and those of -d; 0, or the exit code. */
int stat_add_events(struct pmuctl *ctx, const struct stat_args *args, struct events *events);


/* With -r, of a line's values in the runs. */
struct stat_spread {
	unsigned int runs;	/* that had one */
	double percent;		/* of their mean: its standard error */
};

/* A line is a metric, or with -A a metric on one of the CPUs. */
struct stat_metrics {
	struct metrics all;
	struct stat_spread *spreads;	/* of each line */
};

/* What became of one event, or of one event on one CPU: a line. */
struct stat_count {
	const struct event *event;
	int cpu;		/* -1: not of one CPU; of a place its number */
	const struct stat_place *place;	/* NULL: of none */
	const char *why_not;	/* not NULL: no count, and this is why */
	bool supported;
	/* Where cores are of several kinds, those that have the event, by bit. */
	uint32_t kinds;
	uint32_t part;		/* the one whose part of the count this is, by bit; 0: all */
	bool elsewhere;		/* its CPU is of a kind that does not have the event */
	uint64_t value;		/* an estimate if it did not run all the time */
	uint64_t enabled;
	uint64_t running;
	uint32_t flags;		/* enum pmuctl_value_flag */
	struct stat_spread spread;
};

struct stat_result {
	const struct stat_args *args;
	struct kinds kinds;
	/* Behind them, where cores are of several kinds, the parts of each: a line a kind. */
	struct stat_count *counts;
	size_t count;
	const struct stat_metrics *metrics;
	double elapsed;		/* seconds */
	double elapsed_error;	/* with -r: the standard error */
	bool has_usage;		/* a command ran: */
	double user, system;
	double time;		/* with -I: seconds since the counting began */
	bool summary;		/* with -I: of all intervals together */
	const struct stat_columns *columns;	/* of --metric-only, else NULL */
	uint64_t missed;	/* and intervals before this one that had no rows */
	unsigned int runs;	/* with -r: that came to their end */
};

/*
 * All of the output, but with -I: the line on top, then the lines of each interval, and with
 * --summary all of the output at the end.
 */
void stat_print(FILE *out, struct writer *w, const struct stat_result *result);
void stat_print_head(FILE *out, struct writer *w, const struct stat_result *result);
void stat_print_interval(struct writer *w, const struct stat_result *result);
/* stat/row.c: in front of a line, which interval and which CPU or place. */
void stat_print_where(struct writer *w, const struct stat_result *r, const struct stat_count *c);
/* A row of CSV or JSON of -n: there are times, and nothing else. */
void stat_print_null(struct writer *w, const struct stat_result *r);
/* The line of one count. */
void stat_print_count(struct writer *w, const struct stat_result *r, const struct stat_count *c);

/* stat/parts.c: of a count, the line of what that kind of core had of it. */
struct stat_count *stat_part(const struct stat_result *r, const struct stat_count *c,
			     unsigned int kind);
/* Whether it is a sum of such lines, of which some have the event. */
bool stat_is_sum(const struct stat_result *r, const struct stat_count *c);
/* From the lines of the parts, which are there, to the sums. */
void stat_sum_parts(const struct stat_result *r);
/* "p cores, 12.34 % of the time" */
void stat_part_text(const struct stat_result *r, const struct stat_count *part, char *text,
		    size_t size);

/* stat/ratio.c: what follows from a count and another one. */
struct stat_ratio {
	const char *unit;	/* NULL: nothing does */
	const char *fmt;
	int decimals;
	double value;
	double scale;		/* of a rate: how many a second one of it is; else 0 */
};

void stat_find_ratio(const struct stat_result *r, const struct stat_count *c,
		     struct stat_ratio *ratio);

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
/* Once all are added, and again when places have come: for each of their lines. */
int stat_metrics_room(const struct stat_args *args, struct stat_metrics *metrics);
/* How many lines they have. */
size_t stat_metric_lines(const struct stat_args *args, const struct stat_metrics *metrics);
/* What that line comes to by these counts; false: nothing. */
bool stat_metric_value(const struct stat_result *r, size_t line, double *value);
/* Why one that has a value is worth a look; NULL: it is not, or its parents were not asked for. */
const char *stat_metric_flagged(const struct stat_result *r, size_t line);
/* Their lines, behind those of the counts. */
void stat_print_metrics(struct writer *w, const struct stat_result *r);

/* stat/metric_only.c: the figures that there can be, a column each. */
struct stat_columns;
/* NULL: out of memory. */
struct stat_columns *stat_columns_new(const struct stat_result *r);
bool stat_columns_are_none(const struct stat_columns *columns);
void stat_columns_free(struct stat_columns *columns);
/* What the columns are called, in JSON nothing; and a row for each CPU or place. */
void stat_print_columns_head(struct writer *w, const struct stat_result *r);
void stat_print_columns(struct writer *w, const struct stat_result *r);

/* A line to stderr for each flag that any of the counts has. */
void stat_warn(const struct pmuctl *ctx, const struct stat_result *r);

#endif
