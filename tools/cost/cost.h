/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl cost tell each other: what is asked, what was counted, what an event
 * costs by each method.
 */
#ifndef PMUCTL_COST_COMMAND_H
#define PMUCTL_COST_COMMAND_H

#include "lib/base/statistics.h"
#include "tools/base/options.h"
#include "tools/base/writer.h"
#include "tools/cost/figures.h"
#include "tools/pairs/pairs.h"

/* Pairs where there are no two settings, whose runs are all alike. */
#define PAIRS_ALONE	3

#define COST_LEVEL	0.95

/* Events and the cycles that they took: E:C. */
struct cost_point {
	double events, cycles;
	bool given;
};

struct cost_args {
	struct option_list events;
	struct option_list given;	/* --analytic */
	struct pair_args runs;
	const char *old, *new;		/* of --pair; NULL: it was not given */
	struct cost_point from, to;
	const char *events_dir;
	struct layout layout;
	const char *output;		/* NULL: standard error */
	char **pair[2];			/* the commands that --pair makes */
};

extern const struct option_row cost_options[];
/* Returns 0, or the exit code. */
int cost_args_parse(struct cost_args *args, int argc, char **argv);
void cost_args_free(struct cost_args *args);

/* ---- total.c: the change of cycles by the change of events ---------------------------------- */

/* What else changed between the same settings. */
struct cost_other {
	const char *name;
	double change;		/* in the mean; added up over the settings, as a size */
	bool told;		/* cost_moved() of its changes in one setting at least */
	double figure;		/* cycles that one of it takes by itself; 0: not known */
	bool costs;		/* it takes some, known or not; others are watched only */
};

struct cost_changes {
	const char *name;	/* of the event */
	size_t contests;	/* each: another setting beside the first one */
	size_t pairs;
	const double *events, *cycles;	/* of the second side less the first: [contest][pair] */
	double before;		/* events of the first side, in the mean */
	double figure;		/* as above */
	const struct cost_other *others;
	size_t nr_others;
};

struct cost_total {
	bool refused;
	double cost;		/* cycles an event */
	struct interval interval;
	char note[512];		/* why it was refused; or what else moved; or "" */
};

/*
 * Whether changes of another event are more than scatter.  Where sets take turns there are but one
 * or two of them, and a cost that is refused for nothing is better than one that is another's: one
 * is believed, and several at a level below COST_LEVEL.
 */
bool cost_moved(const double *changes, size_t count);
/* Returns 0 or -ENOMEM. */
int cost_total_time(const struct cost_changes *changes, struct cost_total *total);
/* Of two points; there is no error then. */
void cost_of_points(const struct cost_point *from, const struct cost_point *to,
		    struct cost_total *total);

/* ---- what came of it ------------------------------------------------------------------------ */

struct cost_duration {
	double value;		/* 0: there is none, and why_not says why */
	double error;		/* half of its interval; below 0: not known */
	const char *meaning;
	char why_not[256];
};

struct cost_pushout {
	bool has;		/* else the note says why not */
	double value, error;	/* half of its interval; below 0: not known */
	char note[512];
};

struct cost_line {
	const char *name;
	const struct cost_figure *figure;	/* NULL: no row is its */
	bool counted;
	double count, spread;		/* of a run of the first side, and half of its interval */
	struct cost_duration duration;
	struct cost_pushout pushout;
	struct cost_total total;
	uint32_t flags;
};

struct cost_results {
	struct cost_line *lines;
	size_t count;
	const struct pairs *pairs;
	bool settings;		/* there are two or more */
	const char *no_figures;	/* why there are none for this processor; NULL: there are */
	bool turns;		/* a set did not fit */
};

/* print.c */
void cost_print(struct writer *w, const struct cost_results *r);
void cost_print_points(struct writer *w, const struct cost_args *args,
		       const struct cost_total *total);

#endif
