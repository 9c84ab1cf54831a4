// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tma-formulas: prints what our tables of Top-Down have, with nothing but events left in a
 * formula, a line each:
 * "formula GENERATION WAY TREE NAME<tab>FORMULA" and
 * "node GENERATION NODE LEVEL PARENT UNIT<tab>THRESHOLD<tab>EVENT TO RECORD".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tma/tma.h"

static struct pmu_facts cpu;
static enum generation generation;

int facts_get(struct pmuctl *ctx, struct pmu_facts *facts)
{
	(void)ctx;
	*facts = cpu;
	return 0;
}

enum generation generation_of(const struct pmu_facts *facts)
{
	(void)facts;
	return generation;
}

static const struct {
	const char *name;
	enum generation generation;
} generations[] = {
	{ "SNB", GEN_SNB }, { "IVB", GEN_IVB }, { "HSW", GEN_HSW }, { "BDW", GEN_BDW },
	{ "SKL", GEN_SKL }, { "SKX", GEN_SKX }, { "ICL", GEN_ICL }, { "ICX", GEN_ICX },
	{ "SPR", GEN_SPR }, { "ADL", GEN_ADL }, { "GRT", GEN_GRT }, { "CMT", GEN_CMT },
	{ "SKT", GEN_SKT }, { "DKT", GEN_DKT }, { "LNC", GEN_LNC }, { "CGC", GEN_CGC },
};

#define SLOTS_BIT (1ull << (PMUCTL_COUNTER_FIXED + 3))
#define METRICS_BITS (0xffull << PMUCTL_COUNTER_METRIC)
#define COUNTERS (0xff | 7ull << PMUCTL_COUNTER_FIXED)

/* Those of tests/lib/published.py. */
static const struct way {
	const char *name;
	bool smt, any, tasks;
	uint64_t counters;
} ways[] = {
	{ "c--", false, true, false, COUNTERS | SLOTS_BIT },
	{ "cs-", true, true, false, COUNTERS | SLOTS_BIT },
	{ "c-m", false, true, false, COUNTERS | SLOTS_BIT | METRICS_BITS },
	{ "csm", true, true, false, COUNTERS | SLOTS_BIT | METRICS_BITS },
	{ "t--", false, true, true, COUNTERS | SLOTS_BIT },
	{ "ts-", true, true, true, COUNTERS | SLOTS_BIT },
	{ "t-m", false, true, true, COUNTERS | SLOTS_BIT | METRICS_BITS },
	{ "tsm", true, true, true, COUNTERS | SLOTS_BIT | METRICS_BITS },
	{ "noany", true, false, false, COUNTERS | SLOTS_BIT },
	{ "noslots", true, true, false, COUNTERS },
};

struct printing {
	const char *generation;
	const struct way *way;
	const char *tree;
	struct tma_scope scope;
};

static void print_formula(const struct printing *p, const char *name)
{
	char *formula;

	if (tma_expand(&p->scope, name, &formula))
		return;
	printf("formula %s %s %s %s\t%s\n", p->generation, p->way->name, p->tree, name, formula);
	free(formula);
}

static void start(struct printing *p, const char *name, enum tma_tree tree)
{
	p->tree = name;
	if (tma_scope_of(NULL, tree, p->way->tasks ? TMA_CPUS : 0, &p->scope))
		exit(1);
}

static void print_nodes(struct printing *p, const struct tma_nodes *nodes)
{
	size_t i;

	for (i = 0; i < nodes->count; i++)
		print_formula(p, nodes->nodes[i].name);
}

/* Each name once, however many rows have it. */
static void print_pipeline(struct printing *p)
{
	const struct tma_row *row, *rows = pipeline_formulas.rows;

	for (row = rows; row < rows + pipeline_formulas.count; row++) {
		if (row->name[0] != '#' && row->first <= p->scope.generation &&
		    p->scope.generation <= row->last)
			print_formula(p, row->name);
	}
}

static void print_way(const char *name, const struct way *way)
{
	struct printing p = { .generation = name, .way = way };

	cpu = (struct pmu_facts){ .version = 4, .any = way->any, .smt = way->smt,
				  .counters = way->counters };
	start(&p, "tma", TMA_TREE_TMA5);
	print_nodes(&p, tma_nodes_of(generation));
	start(&p, "classical", TMA_TREE_CLASSICAL);
	print_nodes(&p, &classical_nodes);
	start(&p, "pipeline", TMA_TREE_NONE);
	print_pipeline(&p);
}

/* Of nodes that have a formula here. */
static void print_about(const char *name)
{
	struct printing p = { .generation = name, .way = &ways[0] };
	const struct tma_nodes *tree = tma_nodes_of(generation);
	const struct tma_node *node;
	char *threshold;

	start(&p, "tma", TMA_TREE_TMA5);
	for (node = tree->nodes; node < tree->nodes + tree->count; node++) {
		if (!tma_find(&p.scope, node->name))
			continue;
		threshold = tma_threshold(tree, node, NULL, NULL);
		if (!threshold)
			exit(1);
		printf("node %s %s %u %s %s\t%s\t%s\n", name, node->name,
		       tma_level(tree, node), node->parent ? node->parent : "-", node->unit,
		       threshold, tma_advice(generation, node->name));
		free(threshold);
	}
}

int main(void)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(generations); i++) {
		generation = generations[i].generation;
		for (k = 0; k < ARRAY_SIZE(ways); k++)
			print_way(generations[i].name, &ways[k]);
		print_about(generations[i].name);
	}
	return 0;
}
