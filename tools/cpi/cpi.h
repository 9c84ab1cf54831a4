/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl cpi tell each other: what is counted, and what cycles an instruction
 * takes are made of.
 */
#ifndef PMUCTL_CPI_H
#define PMUCTL_CPI_H

#include "lib/base/statistics.h"
#include "tools/base/options.h"
#include "tools/base/writer.h"
#include "tools/cost/figures.h"
#include "tools/run/printing.h"
#include "tools/topdown/run.h"

struct cpi_args {
	struct targets targets;
	bool no_inherit;
	struct option_list given;	/* --analytic */
	bool user, kernel;		/* rings; neither: both */
	const char *events_dir;
	bool no_multiplex;
	unsigned int repeat;		/* 0: -r was not given */
	unsigned int interval;		/* ms, 0: none */
	bool per_task;
	const char *svg;		/* NULL: none */
	struct layout layout;
	const char *output;		/* NULL: stderr */
	bool append;
	char **command;			/* NULL: none */
};

extern const struct option_row cpi_options[];
/* Returns 0, or the exit code. */
int cpi_args_parse(struct cpi_args *args, int argc, char **argv);
void cpi_args_free(struct cpi_args *args);

/* ---- parts.c: what there is to count -------------------------------------------------------- */

enum cpi_method { CPI_FLOOR, CPI_DURATION, CPI_ANALYTIC, CPI_GIVEN, CPI_NONE };

/* Where an event is: its place among all counts of the sets. */
#define CPI_NOWHERE SIZE_MAX

/* A kind of event whose cycles are a part of all. */
struct cpi_part {
	const char *name;
	enum cpi_method method;
	double cycles;		/* that one costs; of the floor: a uop; 0: by duration */
	const char *source;	/* of that; or what lasts */
	const struct pmuctl_cost *cost;	/* of the floor NULL */
	char *texts[3];		/* its count; its duration, and the periods of that; or NULL */
	size_t at[3];		/* of these */
	size_t instructions;	/* of its set */
	const char *node;	/* of Top-Down; NULL: none */
	size_t node_at;		/* in the plan; CPI_NOWHERE: it has it not */
	const char *why_not;	/* it is not counted; NULL: it is */
	char *why;		/* that, if it is ours */
};

/* Where a set has its cycles and instructions; without cycles it is no clock. */
struct cpi_clock {
	size_t cycles, instructions;
};

struct cpi_parts {
	struct cpi_part *list;	/* the floor first */
	size_t count;
	struct pmuctl_topdown_set *sets;	/* for struct topdown_run */
	size_t nr_sets;
	struct cpi_clock *clocks;	/* one a set */
	const char *inside;	/* the part that has those of the levels behind it; NULL: none */
};

/* ring: "", ":u" or ":k".  Returns 0, or the exit code. */
int cpi_parts_make(struct pmuctl *ctx, const struct cost_figures *figures, const char *ring,
		   struct cpi_parts *parts);
/* Where their counts and nodes are, behind the plan's, which may be NULL; 0, or the exit code. */
int cpi_parts_place(struct cpi_parts *parts, const struct pmuctl_topdown *plan);
void cpi_parts_free(struct cpi_parts *parts);

/* ---- sum.c: what was counted ---------------------------------------------------------------- */

struct cpi_row {
	const struct cpi_part *part;
	double cpi;		/* cycles an instruction */
	double error;		/* half of its interval; below 0: not known */
	double count;		/* an instruction */
	double cycles;		/* each; 0: none is known */
	bool flagged;		/* it is over twice its node */
	double node;		/* cycles an instruction of that; below 0: not known */
	const char *why_not;	/* it has no part; NULL: it has */
};

struct cpi_sum {
	double cpi, cpi_error;
	double instructions;
	struct cpi_row *rows;	/* one a part */
	size_t count;
	double rest, rest_error;	/* what is left: unexplained, or below 0 overlap */
	bool empty;		/* nothing ran */
	bool rough;		/* its sets took turns, and some had too few of them */
};

/* Readings of a run, or of what is one: how they differ is the error. */
struct cpi_scatter {
	struct moments *parts;	/* one a part, then the CPI, and the rest */
};

/* counts: of all sets, the plan's first.  Fills in but errors and nodes; rows have room. */
void cpi_add_up(const struct cpi_parts *parts, const struct pmuctl_topdown_count *counts,
		struct cpi_sum *sum);
void cpi_scatter_add(const struct cpi_parts *parts, const struct pmuctl_topdown_count *counts,
		     struct cpi_sum *spare, struct cpi_scatter *scatter);
void cpi_take_errors(const struct cpi_scatter *scatter, struct cpi_sum *sum);
/* Nodes, and which parts are over twice theirs; results may be NULL. */
void cpi_take_nodes(const struct pmuctl_topdown_result *results, struct cpi_sum *sum);

/* ---- what is shown -------------------------------------------------------------------------- */

/* Of a run, an interval or a task. */
struct cpi_view {
	const struct cpi_args *args;
	const struct cpi_parts *parts;
	const struct pmuctl_topdown *plan;	/* NULL: none of this processor */
	const struct pmuctl_topdown_result *results;
	const struct cpi_sum *sum;
	const struct topdown_watch *watch;
	double time;		/* with -I: seconds since the counting began */
};

const char *cpi_method_text(enum cpi_method method);
void cpi_print_head(struct writer *w, const struct cpi_args *args);
void cpi_print(struct writer *w, const struct cpi_view *view);
/* why_no_tree: of Top-Down; NULL: there is one. */
void cpi_print_foot(struct writer *w, const struct cpi_parts *parts, const char *why_no_tree,
		    unsigned int runs);

/* svg.c: a bar for each view. */
struct cpi_svg;
struct cpi_svg *cpi_svg_new(const struct cpi_args *args);
/* Returns 0 or -ENOMEM. */
int cpi_svg_add(struct cpi_svg *svg, const struct cpi_view *view);
/* Returns 0, or the exit code. */
int cpi_svg_write(struct cpi_svg *svg, const struct cpi_parts *parts);
void cpi_svg_free(struct cpi_svg *svg);

#endif
