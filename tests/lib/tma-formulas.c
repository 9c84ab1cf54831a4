// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tma-formulas: prints "GENERATION SMT METRICS TASKS TREE NODE<tab>FORMULA" for all that
 * our tables of Top-Down have, with nothing but events left in the formula.
 */
#include <stdio.h>
#include <stdlib.h>

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
	{ "SPR", GEN_SPR },
};

static void print_tree(const char *name, enum tma_tree tree, const struct tma_nodes *nodes,
		       bool tasks)
{
	struct tma_scope scope;
	char *formula;
	size_t i;

	if (tma_scope_of(NULL, tree, tasks ? TMA_CPUS : 0, &scope))
		exit(1);
	for (i = 0; i < nodes->count; i++) {
		if (tma_expand(&scope, nodes->nodes[i].name, &formula))
			continue;
		printf("%s %d %d %d %s %s\t%s\n", name, !!(scope.when & TMA_SMT),
		       !!(scope.when & TMA_METRICS), tasks,
		       tree == TMA_TREE_TMA5 ? "tma" : "classical", nodes->nodes[i].name, formula);
		free(formula);
	}
}

int main(void)
{
	size_t i;
	int way;

	for (i = 0; i < ARRAY_SIZE(generations); i++)
		for (way = 0; way < 8; way++) {
			generation = generations[i].generation;
			cpu = (struct pmu_facts){ .version = 4, .any = true, .smt = way & 1 };
			cpu.counters = 0xff000f000000ffull & (way & 2 ? ~0ull : (1ull << 48) - 1);
			print_tree(generations[i].name, TMA_TREE_TMA5, &tma_nodes, way & 4);
			print_tree(generations[i].name, TMA_TREE_CLASSICAL, &classical_nodes,
				   way & 4);
		}
	return 0;
}
