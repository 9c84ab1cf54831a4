/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl compare tell each other: what is to run, and what came of it.
 */
#ifndef PMUCTL_COMPARE_H
#define PMUCTL_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/statistics.h"
#include "tools/base/options.h"
#include "tools/base/writer.h"
#include "tools/pairs/pairs.h"

/* How often rows that do not differ may be told apart, of all rows together. */
#define ERROR_MOST	0.05

/* ---- what runs ------------------------------------------------------------------------------ */

/* A part of the first program, of which the rest says how much all can gain. */
struct part {
	char *name;
	double share;		/* of its time; 0: no part was named */
};

struct compare_args {
	struct option_list events;
	struct option_list metrics;
	struct pair_args runs;
	struct part part;
	bool energy;
	const char *events_dir;
	struct layout layout;
	const char *output;	/* NULL: standard error */
	const char *svg;	/* NULL: none */
	const char *counts;	/* where the counts of all runs go; NULL: nowhere */
	const char *from;	/* where they come from; NULL: programs run */
};

extern const struct option_row compare_options[];
/* Returns 0, or the exit code. */
int compare_args_parse(struct compare_args *args, int argc, char **argv);
void compare_args_free(struct compare_args *args);

/* ---- what came of it ------------------------------------------------------------------------ */

/* What a contest has of a row. */
struct cell {
	char why_not[256];	/* "": there is a ratio */
	double medians[2];	/* of the sides; 0 where nothing was counted */
	double ratio;		/* of the first side by the second */
	struct interval interval;	/* of that */
	double p;
	bool apart;
	bool identical;		/* the ratio, in all pairs */
	uint32_t flags;		/* of any of its readings */
};

enum row_kind { ROW_COUNT, ROW_METRIC, ROW_TIME, ROW_ENERGY };
#define ROW_TIME_NAME "seconds elapsed"
#define ROW_ENERGY_NAME "energy (J)"

struct row {
	enum row_kind kind;
	const char *name;
	const char *why_not;	/* it cannot be measured here, and is no comparison */
};

struct results {
	const char *from;	/* the file of --from; NULL: programs ran */
	uint64_t seed;
	const struct contest *contests;
	size_t nr_contests;
	const struct row *rows;
	size_t nr_rows;
	size_t pairs;		/* that are complete */
	size_t room;		/* pairs that there is room for */
	struct reading *readings;
	struct cell *cells;
	const struct part *part;
};

/* Makes room for the readings of so many pairs, and for cells; returns 0 or -ENOMEM. */
int results_make(struct results *r, size_t pairs);
void results_free(struct results *r);
/* Returns where the readings of a run are, one a row. */
struct reading *results_of(const struct results *r, size_t contest, size_t pair, unsigned int side);
const struct cell *results_cell(const struct results *r, size_t contest, size_t row);
/* Returns the flags of any cell. */
uint32_t results_flags(const struct results *r);
/* Returns how many comparisons are judged together. */
size_t results_comparisons(const struct results *r);
/* Fills the cells from the readings of all complete pairs; returns 0 or -ENOMEM. */
int results_judge(struct results *r);

/*
 * What Amdahl's law says of a program one part of which, of this share, was changed.  The whole
 * is at most `bound` times as fast; at a speed-up of the whole the part became as many times as
 * fast as is returned, and 0 if no change of the part alone can do that.
 */
double amdahl_bound(double share);
double amdahl_part(double share, double whole);

/* print.c: all of the output. */
void compare_print(struct writer *w, const struct results *r);
#define CELL_TEXT 320
/* Its ratio, interval and verdict, or why it has none. */
void compare_cell_text(const struct cell *cell, char text[CELL_TEXT]);
/* file.c: the counts of all complete pairs as CSV. */
void compare_write_counts(struct writer *w, FILE *out, const struct results *r);

/* Such a file, once it is read. */
struct counts_file {
	char **modes, **events;
	size_t nr_modes, nr_events, pairs;
	struct pair_line *lines;
	size_t nr_lines;
	struct contest *contests;
	struct row *rows;
};

/*
 * Fills the results, which keep pointers into f, but does not judge them.  Returns 0, or the exit
 * code; in either case compare_free_counts() frees what f has.
 */
int compare_read_counts(const char *path, struct counts_file *f, struct results *r);
void compare_free_counts(struct counts_file *f);

/* svg.c: a whole file of SVG. */
void compare_draw(FILE *out, const struct results *r);

#endif
