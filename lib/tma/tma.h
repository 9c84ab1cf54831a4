/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Top-Down as data: formulas that stand for each other by name, and the nodes of
 * the two trees.
 */
#ifndef LIBPMUCTL_TMA_H
#define LIBPMUCTL_TMA_H

#include "lib/metric/metric.h"

/* What a formula holds for besides its generations; all of its bits have to be so. */
enum tma_when {
	TMA_SMT		= 1 << 0,	/* cores run two threads, which are switched on */
	TMA_NO_SMT	= 1 << 1,
	TMA_METRICS	= 1 << 2,	/* PERF_METRICS is there and wanted */
	TMA_ANY		= 1 << 3,	/* AnyThread may be set */
	TMA_SLOTS	= 1 << 4,	/* fixed counter 3 counts slots */
	TMA_CPUS	= 1 << 5,	/* CPUs are counted, and not tasks */
};

/* The first row that has the name and holds is meant. */
struct tma_row {
	uint8_t first, last;		/* enum generation */
	uint8_t when;			/* enum tma_when */
	const char *name;
	const char *formula;		/* over names of rows, events and constants */
};

struct tma_rows {
	const struct tma_row *rows;
	size_t count;
};

#define TMA_ROW(first_, last_, name_, formula_)					\
	{ GEN_##first_, GEN_##last_, 0, (name_), (formula_) }
#define TMA_ROW_WHEN(when_, first_, last_, name_, formula_)			\
	{ GEN_##first_, GEN_##last_, (when_), (name_), (formula_) }

/*
 * tma/formulas.c, tma/helpers.c, classical_formulas.c, pipeline_formulas.c, small_formulas.c,
 * lioncove_formulas.c
 */
extern const struct tma_rows tma_formulas, tma_helpers, classical_formulas, pipeline_formulas,
			     small_formulas, lioncove_formulas;

/* More than the tables of a scope have rows, so that each search comes to a free one. */
#define TMA_SCOPE_SLOTS 256

/*
 * Where names are looked for: the tables in this order, of one CPU.  Rows of names that hold
 * stand in slots by the hash of their names, each in the first free one from there on.
 */
struct tma_scope {
	enum generation generation;
	uint32_t when;
	const struct tma_rows *tables[3];
	const struct tma_row *slots[TMA_SCOPE_SLOTS];
};

enum tma_tree { TMA_TREE_TMA5, TMA_TREE_CLASSICAL, TMA_TREE_NONE };

/* without: what is not wanted, or not so, whatever the CPU has; enum tma_when. */
int tma_scope_of(struct pmuctl *ctx, enum tma_tree tree, uint32_t without,
		 struct tma_scope *scope);
/* Once all else in it is known, and before names are looked for. */
void tma_scope_index(struct tma_scope *scope);
/* NULL: there is no formula for it on this CPU. */
const char *tma_find(const struct tma_scope *scope, const char *name);
/* The formula with nothing but events and constants left, for free(); -ENOENT, -ENOMEM. */
int tma_expand(const struct tma_scope *scope, const char *name, char **formula);

/* A node's flag is that its percents are above a number, and more. */
enum tma_flag {
	TMA_AND_PARENT	= 1 << 0,	/* its parent is flagged as well */
	TMA_OR_HEAVY	= 1 << 1,	/* or Heavy_Operations is flagged */
	/* It explains its parent, but is no share of the same time: never first choice. */
	TMA_ASIDE	= 1 << 2,
	/* It is what no node beside it explains: one of those with half as much comes first. */
	TMA_REST	= 1 << 3,
};

struct tma_node {
	const char *name;
	const char *parent;		/* NULL: level 1 */
	const char *unit;
	double threshold;		/* percent; 0: there is none */
	uint32_t flags;			/* enum tma_flag */
	const char *text;
	const char *hint;
	const char *needs;		/* what generations without a formula lack */
	const char *cause;		/* node that it follows from, if that is flagged; or NULL */
};

struct tma_nodes {
	const struct tma_node *nodes;	/* parents first, each with all below it behind it */
	size_t count;
};

/* tma/nodes.c, classical_nodes.c, small_nodes.c */
extern const struct tma_nodes tma_nodes, classical_nodes, small_nodes;

/* Small cores have a tree of their own, that of their events; there is no classical one. */
bool tma_is_small(enum generation generation);
const struct tma_nodes *tma_nodes_of(enum generation generation);

/* NULL: there is no such node. */
const struct tma_node *tma_node(const struct tma_nodes *nodes, const char *name);
/* From 1 on. */
uint32_t tma_level(const struct tma_nodes *nodes, const struct tma_node *node);
/* Whether there is a value of the node to test. */
typedef bool tma_tested_fn(const void *data, const struct tma_node *node);
/*
 * "> 20 & Backend_Bound > 20" or "", for free(), over the nodes that are tested (NULL: all);
 * NULL: no memory.
 */
char *tma_threshold(const struct tma_nodes *nodes, const struct tma_node *node,
		    tma_tested_fn *tested, const void *data);

/* Samples of it, by PEBS, are at the instructions that retirement waits for. */
#define TMA_ADVICE_ANY "cycles"

/* tma/advice.c: the event to record a node's instructions with. */
const char *tma_advice(enum generation generation, const char *node);

#endif
