/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting by a plan of Top-Down: what pmuctl topdown and pmuctl analyze share.
 *
 *	struct topdown_run r = { .c = { .cmd = .., .ctx = .., .targets = .., .command = .. } };
 *	code = topdown_make_plans(&r, &options);	one a kind of core
 *	code = topdown_count(&r);		one run, or with --no-multiplex one a set
 *	results = topdown_results(&r, &r.whole, part);	one a node of r.parts[part]'s plan
 *	topdown_run_free(&r);
 */
#ifndef PMUCTL_TOPDOWN_RUN_H
#define PMUCTL_TOPDOWN_RUN_H

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/counting.h"
#include "tools/run/kinds.h"

/* Readings of one session, as many as are good for an error and no more. */
struct topdown_history {
	size_t events;		/* of a reading */
	size_t count;		/* readings; the first is where it begins */
	struct pmuctl_topdown_count *readings;
	struct pmuctl_topdown_count *sums;	/* what the tally has */
	/* NULL; or of the runs of a round, what was counted up to the same place of each. */
	struct pmuctl_topdown_count *round;
	size_t round_count;
};

/* One session, and what was read of it. */
struct topdown_watch {
	struct pmuctl_session *session;
	struct topdown_history history;
	/* Of each part, of what is to be shown. */
	struct pmuctl_topdown_tally *tally[PMUCTL_KINDS_MAX];
	uint32_t flags;		/* enum pmuctl_value_flag of its counts */
	/* Of a task: */
	pid_t pid, tid;
	char comm[16];
	bool ended;
};

struct topdown_tasks;

/* What is counted on one kind of core, or on all of them where they are alike. */
struct topdown_part {
	const struct pmuctl_kind *kind;	/* NULL: they are alike */
	unsigned int number;		/* of the kind */
	struct pmuctl_topdown *plan;	/* NULL: nothing but the time on such cores is counted */
	/* Then: */
	char *why_not;			/* there is a plan */
	const char *cycles;
	struct pmuctl_topdown_set time;	/* of these */
	size_t first;			/* where its counts begin in a reading */
};

struct topdown_turn;

struct topdown_run {
	struct counting c;	/* set by the caller, but add, tick and data */
	struct kinds kinds;
	struct topdown_part parts[PMUCTL_KINDS_MAX];
	unsigned int nr_parts;	/* 0: the sets below alone */
	/* Sets that are counted as well; in the sums their counts are behind the plans'. */
	const struct pmuctl_topdown_set *more;
	size_t nr_more;
	/* What was counted between two readings, or in one of several runs, is tallied; or NULL. */
	void (*tallied)(void *data, const struct topdown_watch *watch,
			const struct pmuctl_topdown_count *counts);
	unsigned int repeat;	/* runs; 0 is 1 */
	unsigned int interval;	/* ms until interval_over() is called; 0: never */
	/* Of topdown_results() is that interval; 0, or the exit code. */
	int (*interval_over)(void *data);
	/* Whether there is no room for its rows yet: then it becomes longer; NULL: there is. */
	bool (*held_up)(void *data);
	void *data;
	bool per_task;
	bool first_alone;	/* of a command per task: not what it starts */

	struct topdown_watch whole;	/* all that is counted, but per task */
	struct topdown_tasks *tasks;	/* NULL: none */
	struct topdown_turn *turns;	/* all sets */
	size_t nr_turns;
	size_t events;			/* of all sets */
	size_t set;			/* without multiplexing: those of each part counted now */
	size_t *places;			/* of each event of a session, in a reading */
	size_t nr_places;
	unsigned int runs;		/* that came to their end */
	bool warming;			/* what is counted now is not kept */
	uint64_t due_ns;		/* when the next interval is over */
	uint64_t missed;		/* intervals that were not over by themselves */
	struct pmuctl_topdown_result *results;
};

/* Each but the last returns 0 or the exit code, after saying why. */

/*
 * topdown/plans.c: for each kind of core that is among the targets, with those of the nodes that
 * it has; one has a plan at least.  Of the run c.cmd, c.ctx and c.targets are looked at.  ring: "u",
 * "k", or NULL: both, or as far as the user may.
 */
int topdown_make_plans(struct topdown_run *r, const struct pmuctl_topdown_options *options);
/* Runs of the command that a round takes: one a set without multiplexing. */
size_t topdown_runs_of_round(const struct topdown_run *r);
int topdown_count(struct topdown_run *r);
/*
 * One a node of what was counted since the last interval, as long as no others are asked for;
 * NULL: no memory, and it was said.
 */
const struct pmuctl_topdown_result *topdown_results(struct topdown_run *r,
						    struct topdown_watch *watch, unsigned int part);
/*
 * topdown/plans.c: percent of the time that its tasks were on such cores; of CPUs, which are
 * where they are, of the cycles that these were busy for.  Below 0: nothing ran at all.
 */
double topdown_time_share(const struct topdown_run *r, const struct topdown_watch *watch,
			  unsigned int part);
/* The cycles on such cores, of tasks and of CPUs; before topdown_results() takes the counts. */
double topdown_cycles(const struct topdown_run *r, const struct topdown_watch *watch,
		      unsigned int part);
/* The plans, too. */
void topdown_run_free(struct topdown_run *r);

/* ---- of its parts --------------------------------------------------------------- */

/* topdown/history.c */
int topdown_watch_init(struct topdown_run *r, struct topdown_watch *watch);
/* The tallies alone, for who keeps readings elsewhere; 0 or -ENOMEM. */
int topdown_watch_tallies(const struct topdown_run *r, struct topdown_watch *watch);
void topdown_watch_free(struct topdown_watch *watch);
/* A reading now; *thinned: there were too many, and every other one has gone. */
int topdown_watch_read(struct topdown_run *r, struct topdown_watch *watch, bool *thinned);
/* Its readings to its tally, one by one or as one; it begins again where it is. */
int topdown_watch_tally(struct topdown_run *r, struct topdown_watch *watch, bool as_one);
/* Its readings to those of the runs for the other sets; all of them to its tally. */
int topdown_watch_keep(struct topdown_run *r, struct topdown_watch *watch);
int topdown_watch_end_round(struct topdown_run *r, struct topdown_watch *watch);
/* What was tallied has been shown. */
void topdown_watch_reset(struct topdown_watch *watch);
/* A session begins: what is read counts from 0. */
void topdown_watch_begin(struct topdown_watch *watch);

/* topdown/plans.c: the node of that name; as many as there are nodes: there is none. */
size_t topdown_node_named(const struct pmuctl_topdown *plan, const char *name);
/*
 * topdown/run.c: which sets there are, of the plans and besides, before any is counted; 0 or
 * -ENOMEM.
 */
int topdown_list_turns(struct topdown_run *r);
/*
 * All that is to be counted in this run to a session; 0 or -errno.  Of the run c.ctx, interval and
 * the listed sets are looked at.
 */
int topdown_add_events(void *run, struct pmuctl_session *session);
/* The same events, each by itself: for sets that are all to be on counters at the same time. */
int topdown_add_alone(struct topdown_run *r, struct pmuctl_session *session);
/* topdown/plans.c */
size_t topdown_part_sets(const struct topdown_part *part);
const struct pmuctl_topdown_set *topdown_part_set(const struct topdown_part *part, size_t number);
void topdown_parts_free(struct topdown_run *r);

/* topdown/tasks.c: a session for each task. */
int topdown_tasks_begin(struct topdown_run *r);
/* NULL: no more. */
struct topdown_watch *topdown_task(const struct topdown_run *r, size_t i);
/* How many there were that could not be counted, and why. */
size_t topdown_tasks_missed(const struct topdown_run *r, const char **why);
/* A task that has just begun, or goes; the session of the latter ends. */
int topdown_task_add(struct topdown_run *r, pid_t tid, bool inherit);
void topdown_task_name(struct topdown_run *r, pid_t tid);
int topdown_task_ended(struct topdown_run *r, pid_t tid);
void topdown_tasks_end(struct topdown_run *r);
void topdown_tasks_free(struct topdown_run *r);

/*
 * topdown/follow.c: follows what the command starts, each task from its first
 * instruction on, as a debugger does.
 */
int topdown_follow_begin(struct topdown_run *r);
void topdown_follow_end(struct topdown_run *r);

/* Rows of both; type is the command's structure. */
#define OPTIONS_TREE(type)							\
	{ 0, "tma5", NULL, take_flag, offsetof(type, tma5),			\
	  .help = "Intel's method in version 5.2: the default" },		\
	{ 0, "classical", NULL, take_flag, offsetof(type, classical), .place = PLACE_OR,	\
	  .help = "the equations with which the method was first published" }
#define OPTION_RUN_PER_SET(type)						\
	{ 0, "no-multiplex", NULL, take_flag, offsetof(type, no_multiplex),	\
	  .help = "a run of the command for each set of events; without it they take turns" }

#endif
