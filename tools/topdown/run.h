/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting by a plan of Top-Down: what pmuctl topdown and pmuctl analyze share.
 *
 *	struct topdown_run r = { .c = { .cmd = .., .ctx = .., .targets = .., .command = .. } };
 *	code = topdown_make_plan("topdown", ctx, &options, &r.plan);
 *	code = topdown_count(&r);		one run, or with --no-multiplex one a set
 *	results = topdown_results(&r, &r.whole);	one a node
 *	topdown_run_free(&r);
 */
#ifndef PMUCTL_TOPDOWN_RUN_H
#define PMUCTL_TOPDOWN_RUN_H

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/counting.h"

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
	struct pmuctl_topdown_tally *tally;	/* of what is to be shown */
	uint32_t flags;		/* enum pmuctl_value_flag of its counts */
	/* Of a task: */
	pid_t pid, tid;
	char comm[16];
	bool ended;
};

struct topdown_tasks;

struct topdown_run {
	struct counting c;	/* set by the caller, but add, tick and data */
	struct pmuctl_topdown *plan;	/* NULL: the sets below alone */
	/* Sets that are counted as well; in the sums their counts are behind the plan's. */
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
	size_t events;			/* of all sets */
	size_t set;			/* without multiplexing: the one that is counted now */
	size_t first_event;		/* its first one */
	unsigned int runs;		/* that came to their end */
	bool warming;			/* what is counted now is not kept */
	uint64_t due_ns;		/* when the next interval is over */
	uint64_t missed;		/* intervals that were not over by themselves */
	struct pmuctl_topdown_result *results;
};

/* Each but the last returns 0 or the exit code, after saying why. */

/* How many sets there are, of the plan and more, and one of them. */
size_t topdown_sets(const struct topdown_run *r);
const struct pmuctl_topdown_set *topdown_set(const struct topdown_run *r, size_t number);
/* ring: "u", "k", or NULL: both, or as far as the user may. */
int topdown_make_plan(const char *cmd, struct pmuctl *ctx,
		      const struct pmuctl_topdown_options *options, struct pmuctl_topdown **plan);
int topdown_count(struct topdown_run *r);
/* One a node of what was counted since the last interval; NULL: no memory, and it was said. */
const struct pmuctl_topdown_result *topdown_results(struct topdown_run *r,
						    struct topdown_watch *watch);
/* The plan, too. */
void topdown_run_free(struct topdown_run *r);

/* ---- of its parts --------------------------------------------------------------- */

/* topdown/history.c */
int topdown_watch_init(struct topdown_run *r, struct topdown_watch *watch);
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

/* The node of that name; as many as there are nodes: there is none. */
size_t topdown_node_named(const struct pmuctl_topdown *plan, const char *name);
/*
 * topdown/run.c: the events of the plan, or of one of its sets, to a session; 0 or -errno.  Of the
 * run c.ctx, plan and interval are looked at, and what is counted besides.
 */
int topdown_add_events(void *run, struct pmuctl_session *session);

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
