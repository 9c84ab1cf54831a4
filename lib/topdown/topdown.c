// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Plans of Top-Down: made, looked at, freed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/topdown/topdown.h"

static int take_options(struct pmuctl *ctx, struct pmuctl_topdown_options *to,
			const struct pmuctl_topdown_options *from)
{
	int err = from ? take_sized(ctx, to, from, sizeof(*to)) : 0;

	if (err)
		return err;
	if (to->kind > PMUCTL_TOPDOWN_CLASSICAL)
		return fail(ctx, -EINVAL, "there is no such kind of Top-Down");
	if (to->levels > PMUCTL_TOPDOWN_LEVELS)
		return fail(ctx, -EINVAL, "Top-Down has levels 1 to %d here, not %u",
			    PMUCTL_TOPDOWN_LEVELS, to->levels);
	if (to->ring && *to->ring && strcmp(to->ring, "u") != 0 && strcmp(to->ring, "k") != 0)
		return fail(ctx, -EINVAL, "'%s' is no ring: it is u or k", to->ring);
	return 0;
}

static const char *method_of(const struct pmuctl_topdown *td)
{
	if (td->tree == &classical_nodes)
		return "the classical equations, by cycles of one thread";
	if (td->scope.generation == GEN_DKT)
		return "TMA 4 of Skymont, whose events of slots Darkmont has as well";
	if (td->tree == &small_nodes)
		return "TMA 4 of small cores, by events of slots";
	if (td->scope.generation == GEN_LNC)
		return "TMA 5.1 of Lion Cove, levels 1 and 2 from PERF_METRICS";
	if (td->scope.generation == GEN_CGC)
		return "PERF_METRICS of Cougar Cove, below whose two levels nothing is published";
	if (!(td->scope.when & TMA_METRICS))
		return "TMA 5.2";
	if (td->scope.generation < GEN_SPR)
		return "TMA 5.2, level 1 from PERF_METRICS";
	return is_redwood_cove(&td->ctx->facts) ?
	       "TMA 5.2 of Sapphire Rapids, levels 1 and 2 from PERF_METRICS" :
	       "TMA 5.2, levels 1 and 2 from PERF_METRICS";
}

static int check_generation(const struct pmuctl_topdown *td, bool classical)
{
	if (tma_is_small(td->scope.generation) && classical)
		return fail(td->ctx, -EOPNOTSUPP, "the classical equations are of big cores: small ones "
			    "have events of their own, and a tree of these");
	if (is_lion_cove(td->scope.generation) && classical)
		return fail(td->ctx, -EOPNOTSUPP, "the classical equations are of cores up to Golden "
			    "Cove: they have no events of Lion Cove and Cougar Cove");
	if (is_lion_cove(td->scope.generation) && !(td->scope.when & TMA_METRICS))
		return fail(td->ctx, -EOPNOTSUPP, "%s Cove counts Top-Down by PERF_METRICS, which is "
			    "not there, or not wanted",
			    td->scope.generation == GEN_LNC ? "Lion" : "Cougar");
	if (td->scope.generation > GEN_CGC && !tma_is_small(td->scope.generation))
		return fail(td->ctx, -EOPNOTSUPP, "Top-Down is not there yet for small cores before "
			    "Gracemont; `pmuctl stat` counts their events");
	return 0;
}

static int make(struct pmuctl_topdown *td, const struct pmuctl_topdown_options *o)
{
	bool classical = o->kind == PMUCTL_TOPDOWN_CLASSICAL;
	uint32_t without = (o->no_metrics ? TMA_METRICS : 0) | (o->tasks ? TMA_CPUS : 0);
	int err = tma_scope_of(td->ctx, classical ? TMA_TREE_CLASSICAL : TMA_TREE_TMA5, without,
			       &td->scope);

	if (!err)
		err = check_generation(td, classical);
	if (err)
		return err;
	td->unprivileged = o->unprivileged;
	td->runs = o->runs;
	td->tree = classical ? &classical_nodes : tma_nodes_of(td->scope.generation);
	if (o->ring && *o->ring)
		snprintf(td->ring, sizeof(td->ring), ":%s", o->ring);
	err = topdown_make_nodes(td, o);
	if (!err)
		err = topdown_make_sets(td);
	td->method = method_of(td);
	return err;
}

int pmuctl_topdown_new(struct pmuctl *ctx, const struct pmuctl_topdown_options *options,
		       struct pmuctl_topdown **topdown)
{
	struct pmuctl_topdown_options o = { .size = sizeof(o) };
	struct pmuctl_topdown *td;
	int err;

	ctx->error[0] = '\0';
	if (!topdown)
		return is_null(ctx, "the tree to be made");
	err = take_options(ctx, &o, options);
	if (!err)
		err = intel_open(ctx);
	if (err)
		return err;
	td = calloc(1, sizeof(*td));
	if (!td)
		return fail(ctx, -ENOMEM, "out of memory");
	td->ctx = ctx;
	err = make(td, &o);
	if (err) {
		pmuctl_topdown_free(td);
		return err;
	}
	*topdown = td;
	return 0;
}

void pmuctl_topdown_free(struct pmuctl_topdown *topdown)
{
	if (!topdown)
		return;
	topdown_free_sets(topdown);
	topdown_free_nodes(topdown);
	free(topdown);
}

size_t pmuctl_topdown_nodes(const struct pmuctl_topdown *topdown)
{
	return topdown->nr_nodes;
}

const struct pmuctl_topdown_node *pmuctl_topdown_get_node(const struct pmuctl_topdown *topdown,
							  size_t node)
{
	return node < topdown->nr_nodes ? &topdown->nodes[node].info : NULL;
}

size_t pmuctl_topdown_sets(const struct pmuctl_topdown *topdown)
{
	return topdown->nr_sets;
}

const struct pmuctl_topdown_set *pmuctl_topdown_get_set(const struct pmuctl_topdown *topdown,
							size_t set)
{
	return set < topdown->nr_sets ? &topdown->sets[set].info : NULL;
}

size_t pmuctl_topdown_events(const struct pmuctl_topdown *topdown)
{
	return topdown->nr_counts;
}

const char *pmuctl_topdown_method(const struct pmuctl_topdown *topdown)
{
	return topdown->method;
}
