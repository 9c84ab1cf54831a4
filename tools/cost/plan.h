/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pmuctl cost counts in which run: the events that were asked for, what tells how long they
 * last, and what must not move with them.  What does not fit at once has runs of its own.
 */
#ifndef PMUCTL_COST_PLAN_H
#define PMUCTL_COST_PLAN_H

#include "tools/cost/cost.h"

/* Where the readings of a run begin, and what follows them. */
#define PLAN_CYCLES 0

struct plan_line {
	char *name;		/* as it is shown */
	char *text;		/* for events_add() */
	const char *ring;	/* its modifiers, with their colon, or "" */
	const struct cost_figure *figure;	/* NULL: none is known */
};

/* What is counted beside the events, in one of the sets; or an event that has to share. */
struct plan_item {
	char *text;
	const struct cost_figure *figure;
	const char *names[2];	/* of what it counts */
	char *owned[2];
	size_t slot, slots;	/* of its readings */
	size_t set, at;		/* where it is counted */
	size_t line;		/* whose duration, or which event, it is */
	bool other;		/* it is watched */
	bool duration;		/* of its line; or of what is watched, whose figure is its */
	const char *why_not;	/* it cannot be counted */
	char *why;		/* that, if it is ours */
};

struct cost_plan {
	struct pairs pairs;
	struct cost_figures figures;
	struct plan_line *lines;
	size_t nr_lines;
	bool settings;		/* two or more, between which events change */
	bool everywhere;	/* all lines are in each set */
	struct plan_item *items;
	size_t nr_items;
	size_t slots;
	struct reading *readings;	/* [contest][pair][side][slot] */
	bool turns;			/* a set does not fit at once */
};

void plan_init(struct cost_plan *plan, struct cost_args *args);
/* The context is there.  0, or the exit code. */
int plan_make(struct cost_plan *plan, const struct cost_args *args);
void plan_free(struct cost_plan *plan);

static inline size_t plan_slot(size_t line)
{
	return 1 + line;
}

/* Returns how many pairs are the least: with fewer something was counted in none. */
size_t plan_least_pairs(const struct cost_plan *plan);
/* Returns the readings of a run from this slot on. */
const struct reading *plan_reading(const struct cost_plan *plan, size_t contest, size_t pair,
				   unsigned int side, size_t slot);
/* Returns cycles that one takes by itself: published, or as long as it lasts; 0: not known. */
double plan_figure(const struct cost_plan *plan, const struct cost_figure *figure);
/* Returns what tells the line's duration; NULL: nothing does. */
const struct plan_item *plan_duration_of(const struct cost_plan *plan, size_t line);

/*
 * pushout.c: fills it in for all lines, in runs of its own behind those that were counted.  0, or
 * the exit code.
 */
int cost_fill_pushout(const struct cost_plan *plan, struct cost_line *lines);

#endif
