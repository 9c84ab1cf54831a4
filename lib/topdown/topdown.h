/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A plan of Top-Down from the inside, for the files that make it and those that
 * evaluate what was counted by it.
 */
#ifndef LIBPMUCTL_TOPDOWN_PRIVATE_H
#define LIBPMUCTL_TOPDOWN_PRIVATE_H

#include "lib/session/session.h"
#include "lib/tma/tma.h"

/* Fits into a mask; more sets take turns for too long to be of use. */
#define TOPDOWN_SETS 32
#define NO_NODE (-1)

/* A share of the time that is as good as all of it. */
#define ALWAYS 0.9995

struct topdown_node {
	struct pmuctl_topdown_node info;
	const struct tma_node *def;
	struct pmuctl_metric *metric;	/* NULL: not on this CPU */
	unsigned int *events;		/* of the metric's events, which of the plan's each is */
	uint32_t *from;			/* of each event, mask: these count it for the node */
	bool coarse;			/* of PERF_METRICS, which come in 255ths */
	char *why_not, *why_not_event, *threshold;
};

struct topdown_set {
	struct pmuctl_topdown_set info;
	struct unit unit;		/* the plan's events */
	size_t first;			/* where its counts begin in a tally's */
};

struct pmuctl_topdown {
	struct pmuctl *ctx;
	struct tma_scope scope;
	const struct tma_nodes *tree;
	char ring[3];			/* ":u", ":k" or "" */
	const char *method;
	bool unprivileged;		/* counted without CAP_PERFMON */
	bool runs;			/* that differ are tallied, not parts of one */
	bool cycles_precise;		/* PEBS records cycles */

	struct topdown_node *nodes;
	size_t nr_nodes;

	/* Each once; index: as in the session that the plan is tried on. */
	char **names;
	size_t nr_names;
	unsigned int clock;		/* which of them counts cycles */
	uint32_t *from;			/* of those of level 1, mask: sets that count it for all */

	struct topdown_set *sets;
	size_t nr_sets;
	size_t nr_counts;		/* events of all sets */
};

/* topdown/nodes.c */
int topdown_make_nodes(struct pmuctl_topdown *td, const struct pmuctl_topdown_options *options);
void topdown_free_nodes(struct pmuctl_topdown *td);
/* NO_NODE: not in this plan. */
int32_t topdown_find(const struct pmuctl_topdown *td, const char *name);
/* topdown/plan.c */
int topdown_make_sets(struct pmuctl_topdown *td);
void topdown_free_sets(struct pmuctl_topdown *td);
/* All events of the nodes of level 1. */
struct unit topdown_level_1(const struct pmuctl_topdown *td);
bool topdown_contains(const struct unit *unit, const struct unit *part);
/* topdown/homes.c: from which sets each node takes its counts. */
int topdown_find_homes(struct pmuctl_topdown *td);
/* topdown/flags.c: from raw and measured values to the rest of the results. */
void topdown_judge(const struct pmuctl_topdown *td, struct pmuctl_topdown_result *results);

/* Over readings, of their weights w and values x: what a weighted mean's error is made of. */
struct topdown_spread {
	size_t count;
	double w, w2, wx, w2x, w2x2;
};

/* topdown/error.c */
void topdown_spread_add(struct topdown_spread *s, double w, double x);
/* Of the mean, as in a result; in_turns: not of all the time. */
double topdown_spread_error(const struct topdown_spread *s, bool in_turns, bool coarse);
/* Of a mean of all there is. */
double topdown_rounding_error(const struct topdown_spread *s, bool coarse);

/* Where the plan's event is in the set; its number of events if it is not. */
static inline unsigned int topdown_place(const struct topdown_set *set, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < set->unit.count && set->unit.event[i] != event; i++)
		;
	return i;
}

#endif
