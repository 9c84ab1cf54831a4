/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Top-Down: where the issue slots of a CPU went, as a tree of shares.
 *
 * pmuctl_topdown_new() makes a plan: a tree of nodes, and sets of events that
 * are counted at the same time.  The caller counts them with sessions of its own,
 * each set as a group (pmuctl_session_add_group()), all of them in one session with
 * PMUCTL_MULTIPLEX, or each in a run of its own.  What was counted goes into a
 * tally, interval by interval, and comes out of it as shares.
 *
 * Where cores are of several kinds each has a plan of its own, made with that kind's
 * context (pmuctl_kind).  Events of all of them go into one session, for which
 * pmuctl_event_parse_kind() makes them.
 */
#ifndef LIBPMUCTL_TOPDOWN_H
#define LIBPMUCTL_TOPDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct pmuctl;

/* ---- the plan ------------------------------------------------------- */

struct pmuctl_topdown;

enum pmuctl_topdown_kind {
	PMUCTL_TOPDOWN_TMA5,		/* TMA 5.2 */
	PMUCTL_TOPDOWN_CLASSICAL,	/* the equations of the first publications */
};

/* The deepest level that either tree has. */
#define PMUCTL_TOPDOWN_LEVELS 3

struct pmuctl_topdown_options {
	size_t size;
	uint32_t kind;		/* enum pmuctl_topdown_kind */
	uint32_t levels;	/* from 1 on; 0: all; no more than there are */
	/* These nodes of the levels, in any case of letters, with all above; NULL: all. */
	const char *const *nodes;
	size_t nodes_count;
	const char *ring;	/* "u", "k"; NULL or "": both */
	bool tasks;		/* tasks are counted, not CPUs: matters where cores share threads */
	bool no_metrics;	/* not from PERF_METRICS, though it may be there */
	bool unprivileged;	/* without CAP_PERFMON: by events that the module gives then */
	bool runs;		/* tallied are whole runs, which differ, and not parts of one */
};

/*
 * -ENOENT: no such node (the error names the nearest); -EINVAL: malformed;
 * -EOPNOTSUPP: this CPU has nothing of the tree, and the error says what is missing;
 * -ENOSPC: the events of a node can never be counted, and what counter is missing.
 */
int pmuctl_topdown_new(struct pmuctl *ctx, const struct pmuctl_topdown_options *options,
		       struct pmuctl_topdown **topdown);
void pmuctl_topdown_free(struct pmuctl_topdown *topdown);

struct pmuctl_topdown_node {
	const char *name;	/* "Memory_Bound" */
	int32_t parent;		/* its index, which is below; -1: level 1 */
	uint32_t level;		/* from 1 on */
	const char *unit;	/* what its value is percents of: "Slots", "Clocks", "Stalls"... */
	const char *text;	/* what it means, a sentence or two */
	const char *hint;	/* what may help, or "" */
	const char *event;	/* to record with, for pmuctl_event_parse(); NULL: there is none */
	bool precise;		/* ... by PEBS, with modifier pp */
	const char *formula;	/* over events and constants; NULL: not on this CPU */
	const char *threshold;	/* "> 20 & Backend_Bound > 20", or "" */
	const char *why_not;	/* NULL; or "not on this CPU: ..." */
	const char *why_not_event; /* NULL; or why event is no event of this node's own */
	bool together;		/* all its counts come from one set, or from the same ones */
};

/* In the order of the tree: a node, then all below it.  Valid as long as the plan. */
size_t pmuctl_topdown_nodes(const struct pmuctl_topdown *topdown);
const struct pmuctl_topdown_node *pmuctl_topdown_get_node(const struct pmuctl_topdown *topdown,
							  size_t node);

struct pmuctl_topdown_set {
	const char *const *events;	/* for pmuctl_event_parse(), with the ring */
	size_t events_count;
};

size_t pmuctl_topdown_sets(const struct pmuctl_topdown *topdown);
const struct pmuctl_topdown_set *pmuctl_topdown_get_set(const struct pmuctl_topdown *topdown,
							size_t set);
/* The events of all sets together; an event may be in several. */
size_t pmuctl_topdown_events(const struct pmuctl_topdown *topdown);
/* "TMA 5.2, level 1 from PERF_METRICS": how it is measured here. */
const char *pmuctl_topdown_method(const struct pmuctl_topdown *topdown);

/* ---- what was counted ------------------------------------------------ */

struct pmuctl_topdown_tally;

/* Of one plan as many as wanted: a task each, an interval of output each... */
int pmuctl_topdown_tally_new(struct pmuctl_topdown *topdown,
			     struct pmuctl_topdown_tally **tally);
/* Before its plan. */
void pmuctl_topdown_tally_free(struct pmuctl_topdown_tally *tally);
void pmuctl_topdown_tally_reset(struct pmuctl_topdown_tally *tally);

struct pmuctl_topdown_count {
	uint64_t value;		/* as counted: pmuctl_value.value, not .estimate */
	uint64_t enabled;	/* ns */
	uint64_t running;	/* ns; 0: was not counted in this interval */
};

/*
 * One interval (or run, or round of runs, one of each set): counts of all sets' events
 * in order, first those of set 0; pmuctl_topdown_events() of them.  The more intervals,
 * the better the error is known; those in which not every set had its turn are put together.
 */
int pmuctl_topdown_tally_add(struct pmuctl_topdown_tally *tally,
			     const struct pmuctl_topdown_count *counts);

struct pmuctl_topdown_result {
	double value;		/* percent, 0 to 100; level 1 adds up to 100 */
	double raw;		/* percent, as the formula comes to */
	/*
	 * Percent; below 0: unknown.  The standard error of value, and more where few intervals
	 * tell it (Student's t): three of it hold as often as of many.  Of what was counted all of
	 * the time, and not in several runs, it is that of rounding alone.
	 */
	double error;
	double measured;	/* percent of the time that its events were on counters */
	/*
	 * By more than rounding raw is below 0, or above 100 or, of the same unit, above what its
	 * parent has.
	 */
	bool outside;
	/* Over its threshold for certain: by more than PMUCTL_TOPDOWN_ERRORS of its error. */
	bool flagged;
	/*
	 * The deepest flagged one on the path of what is largest for certain, or its cause
	 * elsewhere.
	 */
	bool bottleneck;
	const char *why_not;	/* NULL; or why there are no numbers, valid as long as the tally */
};

/*
 * How many standard errors a share may be off by.  A tree has some 20 shares: with three, all of
 * them are within theirs in 19 of 20 runs; with two, each of them alone.
 */
#define PMUCTL_TOPDOWN_ERRORS 3

/* A result a node, in order.  Nothing but memory (-ENOMEM) can be wrong. */
int pmuctl_topdown_results(struct pmuctl_topdown_tally *tally,
			   struct pmuctl_topdown_result *results);
/*
 * Whether the time was too short for the sets: some node has no number or no error for that, and
 * nothing is flagged.
 */
bool pmuctl_topdown_too_short(const struct pmuctl_topdown *topdown,
			      const struct pmuctl_topdown_result *results);
/*
 * Unhalted cycles of all the time that was tallied, estimated where they were counted for a part
 * of it: where CPUs are counted, how busy they were.  0: the plan has no event for it.
 */
double pmuctl_topdown_cycles(const struct pmuctl_topdown_tally *tally);
/* The node's formula with the counts put in, for free(); NULL: no memory, or no formula. */
char *pmuctl_topdown_numbers(const struct pmuctl_topdown_tally *tally, size_t node);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
