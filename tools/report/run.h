/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pmuctl report share: what was asked for, and the rows that
 * the samples of a file add up to.
 */
#ifndef PMUCTL_REPORT_RUN_H
#define PMUCTL_REPORT_RUN_H

#include "tools/base/base.h"
#include "tools/base/index.h"
#include "tools/base/options.h"
#include "tools/samples/callers.h"
#include "tools/samples/filter.h"
#include "tools/samples/inlines.h"
#include "tools/samples/missing.h"
#include "tools/samples/where.h"

/* What makes a row. */
enum report_key {
	KEY_COMM,
	KEY_DSO,
	KEY_SYMBOL,
	KEY_PID,
	KEY_TID,
	KEY_LINE,
	KEY_CPU,
	KEY_ADDRESS,
	/* Of each branch that a sample has, instead of the sample's own place. */
	KEY_DSO_FROM,
	KEY_DSO_TO,
	KEY_SYMBOL_FROM,
	KEY_SYMBOL_TO,
	KEY_MISPREDICT,
	KEYS,
};

/* Which entries of chains are one line of what stands below a row. */
enum report_caller {
	CALLER_FUNCTION,
	CALLER_ADDRESS,
	CALLER_LINE,
};

enum report_shape {
	SHAPE_TREE,
	SHAPE_FLAT,		/* whole chains, a line an entry... */
	SHAPE_FOLDED,		/* ...or all of one in a line */
};

/* What is said of each. */
enum report_value {
	VALUE_PERCENT,
	VALUE_EVENTS,
	VALUE_SAMPLES,
};

/* What stands below a row. */
struct report_graph {
	bool on;
	enum report_caller by;
	enum report_shape shape;
	enum report_value value;
	bool relative;		/* shares of the line above, not of all */
	bool caller_first;	/* from the outermost caller down, not from the row up */
	double least;		/* percent: lines with less are left out */
	size_t lines;		/* at most, below each line; 0: all */
};

struct report_args {
	const char *input;
	const char *output;	/* NULL: standard output */
	const char *svg;	/* a flame graph into this file instead; NULL: no */
	const char *event;	/* this one alone; NULL: all */
	bool arranged;		/* something was said of what makes a table's rows */
	enum report_key keys[KEYS];
	size_t keys_count;
	unsigned int by;	/* the same, a bit each */
	int children;		/* -1: if the file has call chains */
	struct report_graph graph;
	bool samples;		/* print how many */
	bool inlined;		/* functions that were inlined are frames */
	double limit;		/* percent */
	struct layout layout;
	struct filter_args filter;
	struct where_args where;
};

extern const struct option_row report_options[];

/* report/args.c: 0, or the exit code after a complaint. */
int report_args_parse(struct report_args *args, int argc, char **argv);
void report_args_free(struct report_args *args);
static inline bool report_by(const struct report_args *args, enum report_key key)
{
	return args->by >> key & 1;
}

static inline bool report_wants_lines(const struct report_args *args)
{
	return report_by(args, KEY_LINE) || (args->graph.on && args->graph.by == CALLER_LINE);
}

/* Rows are made of branches. */
static inline bool report_by_branches(const struct report_args *args)
{
	return args->by >> KEY_DSO_FROM;
}

/* A function, or an address that belongs to none. */
struct report_function {
	uint32_t dso;
	uint64_t start;
	const char *name;	/* NULL: there is no symbol */
	bool kernel;
	bool inlined;		/* it is one by its name alone, wherever it starts */
};

/* An address in a DSO, looked up once. */
struct report_spot {
	struct pmuctl_place place;
	bool kernel;
	bool returns;		/* of a call: where it is, and not where it returns to */
	uint32_t level;		/* of functions inlined there, from the outermost; 0: of none */
	uint32_t levels;	/* ... how many they are, where this is 0 */
	uint32_t function;
	const char *file;	/* NULL: no line is known */
	unsigned int line;
	bool wanted;		/* it is one of those that were asked for */
};

struct report_weight {
	uint64_t samples, events;
};

struct report_row {
	uint32_t event;
	uint32_t pid, tid, cpu;
	const char *comm;
	uint32_t spot;		/* one of it; of a branch: where it came from */
	uint32_t to;		/* of a branch: where it went; INDEX_NONE: it is none */
	const char *mispredict;	/* ... as perf says it; NULL: it is none, or nobody asked */
	struct report_weight self;	/* sampled here */
	struct report_weight all;	/* and in what was called from here */
	uint64_t last;		/* the sample that was last counted in `all` */
	uint32_t callers;	/* the first node; INDEX_NONE: none */
};

/* Who called a row, and who called those, or what graph.caller_first makes of it: a tree. */
struct report_node {
	uint32_t row;
	uint32_t parent;	/* INDEX_NONE: the row itself */
	uint32_t spot;		/* one of it */
	uint32_t child, next;
	struct report_weight weight;
};

struct profile {
	const struct report_args *args;
	struct filter filter;
	struct pmuctl_data *data;
	const struct pmuctl_data_event *events;
	bool children;
	struct report_function *functions;
	struct report_spot *spots;
	struct report_row *rows;
	struct report_node *nodes;
	uint32_t functions_count, functions_room, spots_count, spots_room;
	uint32_t rows_count, rows_room, nodes_count, nodes_room;
	struct index function_index, spot_index, row_index, node_index;
	struct callers chain;
	uint32_t *chain_spots;	/* of the sample that is being added, innermost first */
	size_t chain_count, chain_room;
	uint64_t sample;	/* its number, from 1 */
	size_t sums;		/* that rows are made of, if those are not made of samples */
	bool once;		/* an address comes once or twice: spots are those of rows */
	struct report_weight *totals;	/* by event, of what is shown and what is not */
	uint64_t *uncertain;	/* by event */
	struct missing missing;
	struct inlines inlines;
};

/* report/samples.c: -ENOMEM, or what pmuctl_data_chains() says. */
int report_read(struct profile *profile);
void report_free(struct profile *profile);
/* report/rows.c: by place, kernel, returns and level.  INDEX_NONE: no memory. */
uint32_t report_find_spot(struct profile *profile, const struct report_spot *key);
/* One that is not looked for, as it comes once; the last one may be dropped again. */
uint32_t report_add_spot(struct profile *profile, const struct report_spot *key);
/* report/branches.c: the branches of a sample; -ENOMEM. */
int report_add_branches(struct profile *profile, const struct pmuctl_data_sample *sample);
bool report_same_line(const struct report_spot *left, const struct report_spot *right);
/* report/rows.c: the row with this key, new or not; INDEX_NONE: no memory. */
uint32_t report_find_row(struct profile *profile, const struct report_row *key);
/* What of a row's key is the sample's. */
void report_set_key(const struct profile *profile, const struct pmuctl_data_sample *sample,
		    struct report_row *key);
/* report/callers.c: of the sample's chain what belongs below the row of its entry `own`. */
int report_add_callers(struct profile *profile, uint32_t row, size_t own, uint64_t events);
/* by_samples: shares of samples, as in the row; `total` is of those as well.  -ENOMEM. */
int report_print_callers(const struct profile *profile, struct writer *w,
			 const struct report_row *row, bool by_samples, double total);

/* report/print.c */
int report_print(const struct profile *profile, struct writer *w, FILE *out);
/* report/text.c: all zero: empty. */
struct report_texts {
	char *line;		/* the last one that had to be put together */
	size_t room;
	char **dsos;		/* names of DSOs by 2 * number + text; NULL: not asked for yet */
	size_t dsos_room;
};

void report_texts_free(struct report_texts *texts);
/* What a row has in a column, clean, until the next one is asked for; without memory "". */
const char *report_text(const struct profile *profile, const struct report_row *row,
			enum report_key key, bool text, struct report_texts *texts);
const char *report_function_text(const struct profile *profile, uint32_t function, bool text,
				 struct report_texts *texts);
/* What a line below a row is called, by graph.by. */
const char *report_caller_text(const struct profile *profile, const struct report_spot *spot,
			       struct report_texts *texts);
const char *report_heading(enum report_key key);
const char *report_json_key(enum report_key key);
double report_percent(uint64_t part, double total);
uint64_t report_amount(const struct report_weight *weight, bool by_samples);

#endif
