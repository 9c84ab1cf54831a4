/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the steps of pmuctl analyze tell each other: where the slots of a command go, which
 * event says by which instructions, and what those have in common.
 */
#ifndef PMUCTL_ANALYZE_H
#define PMUCTL_ANALYZE_H

#include "tools/advise/advise.h"
#include "tools/record/record.h"
#include "tools/run/context.h"
#include "tools/topdown/run.h"

struct analyze_args {
	struct targets targets;		/* the command, and nothing else */
	bool tma5, classical;
	unsigned int levels;		/* 0: all */
	const char *node;		/* instead of the one that stands out; NULL: none */
	bool user, kernel;		/* rings; neither: both */
	const char *events_dir;		/* NULL: not given */
	bool no_multiplex;
	bool advise;

	uint64_t period;		/* of samples; 0: by frequency */
	uint64_t frequency;

	unsigned int rows;
	const char *output;		/* keep the samples there; NULL: nowhere */
	struct layout layout;
	char **command;
	char **argv;			/* all of it */
};

extern const struct option_row analyze_options[];

/* analyze/args.c: 0, or the exit code. */
int analyze_args_parse(struct analyze_args *args, int argc, char **argv);
void analyze_args_free(struct analyze_args *args);

struct analyze {
	struct analyze_args args;
	const char *ring;		/* "u", "k" or "" */

	/* Step 1. */
	struct topdown_run run;
	const struct topdown_part *part;	/* the kind of core that is gone into */
	double time_share;			/* the time on it, percent */
	const struct pmuctl_topdown *plan;	/* its */
	const struct pmuctl_topdown_result *results;
	size_t leaf;			/* the node that is gone into */
	const struct pmuctl_topdown_node *node;		/* the same */

	/* Step 2. */
	char *event;			/* as it is recorded */
	char *why_not_precise;		/* NULL: it is by PEBS */
	char *why_not_event;		/* it is not the node's own; NULL: it is */
	uint64_t content;
	struct record record;
	int file;			/* of memory alone; -1: args.output */
	char path[MEMORY_FILE_PATH];

	/* With --advise, in runs behind both. */
	struct advise advise;
};

/* Each returns 0 or the exit code, after saying why. */

/* analyze/count.c: the shares, and the node that is gone into. */
int analyze_count(struct analyze *a);
/* analyze/event.c: what to record for it. */
int analyze_choose_event(struct analyze *a);
/* analyze/print.c: what was found in the samples. */
int analyze_show(struct analyze *a);
/* analyze/print.c: of step 1 and 2. */
void analyze_print_path(const struct analyze *a, struct writer *w);
void analyze_print_sampling(const struct analyze *a, struct writer *w, uint64_t samples);

#endif
