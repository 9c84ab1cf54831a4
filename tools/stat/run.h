/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One counting of pmuctl stat, from the session to the values.
 */
#ifndef PMUCTL_STAT_RUN_H
#define PMUCTL_STAT_RUN_H

#include "tools/run/counting.h"
#include "tools/run/printing.h"
#include "tools/run/signals.h"
#include "tools/stat/stat.h"

struct run {
	struct stat_args args;
	struct counting c;
	struct events events;
	struct stat_metrics metrics;
	struct printing to;
	struct printing words;		/* of -v with -I, where the rows go to a file */
	/*
	 * A line is an event, or with -A an event on one of the CPUs; then, where cores are of
	 * several kinds, a kind's part of each.
	 */
	size_t lines;
	bool parts;
	struct stat_count *counts;
	struct stat_columns *columns;	/* of --metric-only, else NULL */
	struct pmuctl_value *values;	/* read last, by line */
	struct pmuctl_value *before;	/* with -I: the time before */
	uint64_t missed_said;		/* intervals left out before the last row */
	size_t reading;			/* with a session a thread: whose is read */
	struct stat_result result;
};

/* Each returns 0 or the exit code, after saying why. */

/* stat/session.c: reads into values. */
int stat_read(struct run *r);
/* Fills the counts from the values, since `before` if not NULL. */
void stat_take_counts(struct run *r, const struct pmuctl_value *before);

/* cmd_stat.c: the writer, once something is to be printed. */
int stat_open_writer(struct run *r);

/* stat/verbose.c: what -v says. */
void stat_print_plan(const struct run *r);
void stat_print_values(const struct run *r);

/* stat/repeat.c: means and their errors over the runs of -r. */
struct repeat;
/* figures: of -M, a line each. */
struct repeat *repeat_new(size_t lines, size_t figures);
void repeat_add(struct repeat *rep, const struct stat_result *result);
/* Puts the means into the result. */
void repeat_result(const struct repeat *rep, struct stat_result *result);
void repeat_free(struct repeat *rep);

#endif
