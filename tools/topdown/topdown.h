/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl topdown tell each other: what was asked, and what came.
 */
#ifndef PMUCTL_TOPDOWN_H
#define PMUCTL_TOPDOWN_H

#include "tools/run/printing.h"
#include "tools/topdown/run.h"

struct topdown_args {
	struct targets targets;
	bool no_inherit;

	bool tma5, classical;
	unsigned int levels;		/* 0: all */
	char **nodes;			/* of --nodes; NULL: all */
	size_t nr_nodes;
	bool user, kernel;		/* rings; neither: both */
	bool user_only;			/* this user may have no other */
	const char *events_dir;		/* NULL: not given */
	bool no_multiplex;

	unsigned int repeat;		/* 0: -r was not given */
	unsigned int interval;		/* ms, 0: none */
	unsigned int delay;
	unsigned int timeout;
	struct option_list with;	/* features that are held */
	bool watchdog_off;
	bool per_task;

	bool formula;
	bool verbose;
	const char *svg;		/* NULL: none */
	const char *counts;		/* of --counts; NULL: none */
	struct layout layout;
	const char *output;		/* NULL: stderr */
	bool append;

	char **command;			/* NULL: none */
};

extern const struct option_row topdown_options[];

/* 0, or the exit code. */
int topdown_args_parse(struct topdown_args *args, int argc, char **argv);
void topdown_args_free(struct topdown_args *args);

/* A tree that is to be shown: of a run, an interval, a task, on a kind of core. */
struct topdown_tree {
	const struct topdown_args *args;
	const struct pmuctl_kind *kind;	/* NULL: CPUs are alike */
	double time_share;		/* percent; below 0: nothing ran */
	double cycles;			/* that what was counted took */
	unsigned int part;
	const struct pmuctl_topdown *plan;
	const struct topdown_watch *watch;
	const struct pmuctl_topdown_result *results;	/* one a node */
	double time;		/* with -I: seconds since the counting began */
	uint64_t missed;	/* and intervals before this one that were not shown */
};

/* Whether any node of it has an error that is shown. */
bool topdown_has_bars(const struct topdown_tree *tree);

/*
 * topdown/text.c: the error as it is shown; below 0: there is none.
 */
double topdown_bar(const struct pmuctl_topdown_result *result);
/*
 * Whether it was measured in turns, and not all the time; whoever reads it need not know to
 * the hundredth.
 */
bool topdown_is_partial(const struct pmuctl_topdown_result *result);
/* The node's formula with its counts, for free(); NULL: it has none. */
char *topdown_numbers(const struct topdown_tree *tree, size_t node);
/* What is odd about a node's share, so that the raw value is shown beside it; or "". */
void topdown_remark(const struct topdown_tree *tree, size_t node, char *text, size_t size);
/* What was too short, and what to do about it. */
enum topdown_length {
	TOPDOWN_RUN,		/* of a command, which can be run again */
	TOPDOWN_TIME,
	TOPDOWN_INTERVAL,	/* of -I */
};

/* If it was; else NULL. */
const char *topdown_rough_advice(const struct pmuctl_topdown *plan,
				 const struct pmuctl_topdown_result *results,
				 enum topdown_length length);

/* topdown/print.c: text; the head once, then trees, then the foot. */
void topdown_print_head(struct writer *w, const struct topdown_args *args,
			const struct topdown_run *r);
/* The interval and the task that a tree is of, or those of all kinds of cores. */
void topdown_print_title(struct writer *w, const struct topdown_tree *tree);
void topdown_print_tree(struct writer *w, const struct topdown_tree *tree);
/* What +- means; where there is one. */
void topdown_print_legend(struct writer *w, const struct topdown_args *args);
void topdown_print_foot(struct writer *w, const struct topdown_args *args,
			const struct topdown_run *r, double seconds);
/* Where cores are of several kinds, of one on which there is no tree: why, or that nothing ran. */
void topdown_print_absent(struct writer *w, const struct topdown_tree *tree, const char *why);
/* Which kind of core matters, behind the trees of all. */
struct topdown_verdict {
	const struct pmuctl_kind *kind;
	double time_share;
	bool has_tree;
	const char *bottleneck;		/* NULL: none stands out */
};

void topdown_print_verdict(struct writer *w, const struct topdown_verdict *kinds,
			   unsigned int count, const struct topdown_args *args);
/* "TMA 5.2", or where there are kinds what each one's is. */
void topdown_put_method(FILE *out, const struct topdown_run *r);
/* topdown/text.c: behind a tree, what the flagged nodes mean and what to do next. */
void topdown_print_advice(struct writer *w, const struct topdown_tree *tree);
/* topdown/rows.c: CSV and JSON, a row a node; one alone where there is no tree. */
void topdown_print_rows(struct writer *w, const struct topdown_tree *tree);
void topdown_print_absent_row(struct writer *w, const struct topdown_tree *tree, const char *why);

/* topdown/svg.c: trees as bars, or over time; its text has been copied. */
struct topdown_svg;
struct topdown_svg *topdown_svg_new(const struct topdown_args *args,
				    const struct topdown_run *r);
/* 0 or -ENOMEM. */
int topdown_svg_add(struct topdown_svg *svg, const struct topdown_tree *tree);
/* 0, or the exit code, after saying why. */
int topdown_svg_write(struct topdown_svg *svg);
void topdown_svg_free(struct topdown_svg *svg);

/* topdown/text.c: of the command line, as a shell would read it. */
void topdown_put_command(FILE *out, char *const *command);
const char *topdown_target(const struct topdown_args *args, char *text, size_t size);

#endif
