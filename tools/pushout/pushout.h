/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl pushout tell each other.
 */
#ifndef PMUCTL_PUSHOUT_H
#define PMUCTL_PUSHOUT_H

#include "tools/base/options.h"
#include "tools/base/writer.h"
#include "tools/pushout/blocks.h"
#include "tools/pushout/tally.h"

/* How it is found out. */
enum pushout_way {
	WAY_PAIRS,		/* at any instruction, by PEBS */
	WAY_TAG,		/* at those with an event */
	WAY_BLOCKS,		/* between taken branches */
	WAY_LOADS,		/* of loads, by thresholds */
	WAY_FRONT_END,		/* of what the front end was late with, likewise */
	WAYS,
	WAY_NOT_GIVEN = WAYS
};

#define THRESHOLDS_MOST 32

struct thresholds {
	uint64_t cycles[THRESHOLDS_MOST];	/* ascending */
	size_t count;
};

struct pushout_args {
	bool ways[WAYS];
	const char *tag, *not_tag;	/* NULL: not given */
	struct thresholds over;
	uint64_t period;
	unsigned int limit;		/* rows of places */
	bool user, kernel;
	struct pair_args runs;
	const char *events_dir;
	struct layout layout;
	const char *output;		/* NULL: standard error */
};

extern const struct option_row pushout_options[];
/* Returns 0, or the exit code. */
int pushout_args_parse(struct pushout_args *args, int argc, char **argv);
void pushout_args_free(struct pushout_args *args);

/* ---- ways.c: what there is on this processor ------------------------------------------------ */

struct pushout_here {
	bool has[WAYS];
	char why_not[WAYS][512];
	/* Of load latency and of the front end: for printf(), with the threshold. */
	const char *loads;
	char front_end[64];
	/* The one behind a misprediction, and mispredictions; NULL: there is none here. */
	const char *behind, *misses;
	const char *taken;		/* taken branches; NULL: not known */
};

int pushout_look(struct pmuctl *ctx, struct pushout_here *here);
/* "--pairs" */
const char *pushout_spelled(enum pushout_way way);
/* Returns whether both texts are one event, in whichever ring. */
bool pushout_same_event(struct pmuctl *ctx, const char *a, const char *b);

/* ---- sweep.c: thresholds, each in runs of its own ------------------------------------------- */

struct step {
	uint64_t threshold;
	double mean, error;		/* events of a run; half of its interval, below 0: none */
	/* What is above it and not above the next one: with the interval of that. */
	double between, between_error;
};

struct sweep {
	struct pairs pairs;
	struct step *steps;
	size_t count;
	double instructions;		/* of a run */
	struct moments *counts;		/* by step */
};

/* Returns 0, or the exit code. */
int sweep_run(struct sweep *s, struct pmuctl *ctx, const struct pushout_here *here,
	      const struct pushout_args *args, enum pushout_way way, const char *ring);
void sweep_free(struct sweep *s);

/* ---- print.c -------------------------------------------------------------------------------- */

/* Gaps that a table is of. */
struct gap_row {
	const char *name;
	const struct gaps *gaps;
	double events;			/* of the run: counted */
};

struct pushout_result {
	const struct pushout_args *args;
	enum pushout_way way;
	const char *ring;
	struct gap_row rows[TALLY_EVENTS + LED_BY];
	size_t count;
	double cycles;			/* of the run; 0: not counted */
	double closure;			/* share of them that the gaps come to; below 0: none */
	struct tally *tally;		/* NULL: it was another way */
	struct blocks *blocks;
	const struct sweep *sweep;
};

void pushout_print(struct writer *w, const struct pushout_result *r);

#endif
