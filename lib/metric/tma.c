// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Top-Down's nodes and what else is known of the pipeline, as metrics: percents
 * by formulas of this CPU's generation.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/tma/tma.h"

/* Made once for a context; formulas are its own. */
struct tma {
	struct metric_def *defs;
	size_t count, room;
};

/* ---- beside the tree ------------------------------------------------------- */

struct pipeline_metric {
	const char *name, *groups, *unit, *text;
	const char *needs;	/* what CPUs without a formula lack; NULL: nothing is known */
};

#define CYCLES(name_, groups_, text_) { (name_), (groups_), "percent", (text_), NULL }
#define EXECUTES(name_, text_)							\
	{ (name_), "ExecuteWidth", "percent", (text_),				\
	  "an event of the uops that one thread of a core executes" }

static const struct pipeline_metric pipeline[] = {
	{ "Ring_Switches", "RingSwitches", "per 1000 instructions", "entries into the kernel",
	  NULL },
	CYCLES("Ring0_Cycles", "RingSwitches", "cycles in the kernel"),
	{ "Ring0_Cycles_Per_Switch", "RingSwitches", "cycles", "cycles in the kernel per entry",
	  NULL },
	CYCLES("Issue_0", "IssueWidth", "cycles that issued no uop"),
	CYCLES("Issue_1", "IssueWidth", "cycles that issued one uop"),
	CYCLES("Issue_2", "IssueWidth", "cycles that issued two uops"),
	CYCLES("Issue_3", "IssueWidth", "cycles that issued three uops"),
	CYCLES("Issue_4", "IssueWidth", "cycles that issued four uops"),
	CYCLES("Issue_5", "IssueWidth", "cycles that issued five uops"),
	CYCLES("Issue_6", "IssueWidth", "cycles that issued six uops"),
	CYCLES("Issue_2_Or_More", "IssueWidth", "cycles that issued two uops or more"),
	EXECUTES("Execute_0", "cycles that executed no uop"),
	EXECUTES("Execute_1", "cycles that executed one uop"),
	EXECUTES("Execute_2", "cycles that executed two uops"),
	EXECUTES("Execute_3", "cycles that executed three uops"),
	EXECUTES("Execute_4_Or_More", "cycles that executed four uops or more"),
	EXECUTES("Execute_2_Or_More", "cycles that executed two uops or more"),
	CYCLES("Retire_0", "RetireWidth", "cycles that retired no slot"),
	CYCLES("Retire_1", "RetireWidth", "cycles that retired one slot"),
	CYCLES("Retire_2", "RetireWidth", "cycles that retired two slots"),
	CYCLES("Retire_3", "RetireWidth", "cycles that retired three slots"),
	CYCLES("Retire_4_Or_More", "RetireWidth", "cycles that retired four slots or more"),
	CYCLES("Retire_2_Or_More", "RetireWidth", "cycles that retired two slots or more"),
	CYCLES("Stalls_Resources", "StallCauses", "cycles in which allocation waited"),
	CYCLES("Stalls_RS", "StallCauses", "cycles without a free scheduler entry"),
	CYCLES("Stalls_ROB", "StallCauses", "cycles with the reorder buffer full"),
	CYCLES("Stalls_Store_Buffer", "StallCauses", "cycles without a free store buffer"),
	CYCLES("Stalls_Load_Buffer", "StallCauses", "cycles without a free load buffer"),
	CYCLES("Stalls_Branch_Buffer", "StallCauses", "cycles without room for a branch"),
	CYCLES("Stalls_Scoreboard", "StallCauses", "cycles that a serializing operation held up"),
	CYCLES("Stalls_Execution", "StallCauses", "cycles that executed nothing"),
	CYCLES("Stalls_Loads", "StallCauses", "cycles that executed nothing, with a load pending"),
	CYCLES("Stalls_L1D_Miss", "StallCauses",
	       "cycles that executed nothing, with a load beyond the first-level cache"),
	CYCLES("Stalls_L2_Miss", "StallCauses",
	       "cycles that executed nothing, with a load beyond the second-level cache"),
	CYCLES("Stalls_L3_Miss", "StallCauses",
	       "cycles that executed nothing, with a load beyond the last-level cache"),
	CYCLES("Port_0", "Ports", "uops of port 0, per cycle"),
	CYCLES("Port_1", "Ports", "uops of port 1, per cycle"),
	CYCLES("Port_2", "Ports", "uops of port 2, per cycle"),
	CYCLES("Ports_2_3", "Ports", "uops of ports 2 and 3, per cycle"),
	CYCLES("Ports_2_3_10", "Ports", "uops of ports 2, 3 and 10, per cycle"),
	CYCLES("Port_3", "Ports", "uops of port 3, per cycle"),
	CYCLES("Port_4", "Ports", "uops of port 4, per cycle"),
	CYCLES("Ports_4_9", "Ports", "uops of ports 4 and 9, per cycle"),
	CYCLES("Port_5", "Ports", "uops of port 5, per cycle"),
	CYCLES("Ports_5_11", "Ports", "uops of ports 5 and 11, per cycle"),
	CYCLES("Port_6", "Ports", "uops of port 6, per cycle"),
	CYCLES("Port_7", "Ports", "uops of port 7, per cycle"),
	CYCLES("Ports_7_8", "Ports", "uops of ports 7 and 8, per cycle"),
	CYCLES("Ports_Used_0", "Ports", "cycles in which no port was used, though memory was not "
	       "waited for"),
	CYCLES("Ports_Used_1", "Ports", "cycles in which one port was used"),
	CYCLES("Ports_Used_2", "Ports", "cycles in which two ports were used"),
	CYCLES("Ports_Used_3_Or_More", "Ports", "cycles in which three ports or more were used"),
};

/* ---- all of them ------------------------------------------------------------ */

/* NULL: no memory. */
static struct metric_def *grow(struct tma *tma)
{
	struct metric_def *grown = tma->defs;

	if (tma->count == tma->room) {
		tma->room = tma->room ? 2 * tma->room : 64;
		grown = reallocarray(tma->defs, tma->room, sizeof(*grown));
		if (!grown)
			return NULL;
		tma->defs = grown;
	}
	grown[tma->count] = (struct metric_def){ .source = PMUCTL_SOURCE_INTEL };
	return &grown[tma->count++];
}

/* scale: what its share of 1 is multiplied by; "": nothing. */
static int take_formula(struct metric_def *def, const struct tma_scope *scope, const char *scale)
{
	char *formula = NULL, *scaled;
	int err = tma_expand(scope, def->name, &formula);

	if (err)
		return err == -ENOMEM ? err : 0;
	if (!*scale) {
		def->formula = formula;
		return 0;
	}
	err = asprintf(&scaled, "%s * ( %s )", scale, formula);
	free(formula);
	if (err < 0)
		return -ENOMEM;
	def->formula = scaled;
	return 0;
}

/* "ICache_Misses > 5 & Fetch_Latency > 10 & Frontend_Bound > 15"; "": there is none. */
static char *threshold_of(const struct tma_nodes *tree, const struct tma_node *node)
{
	char *behind = tma_threshold(tree, node, NULL, NULL), *text = NULL;
	int len;

	if (!behind || !*behind)
		return behind;
	len = asprintf(&text, "%s %s", node->name, behind);
	free(behind);
	if (len < 0)
		return NULL;
	return text;
}

static uint32_t without(const struct pmuctl *ctx)
{
	return ctx->metric_target.tasks ? TMA_CPUS : 0;
}

static int add_nodes(struct pmuctl *ctx, struct tma *tma)
{
	static const char *const levels[] = { "TMA;TopdownL1", "TMA;TopdownL2", "TMA;TopdownL3" };
	const struct tma_nodes *tree;
	const struct tma_node *node;
	struct metric_def *def;
	struct tma_scope scope;
	int err = tma_scope_of(ctx, TMA_TREE_TMA5, without(ctx), &scope);

	if (err)
		return err;
	tree = tma_nodes_of(scope.generation);
	for (node = tree->nodes; !err && node < tree->nodes + tree->count; node++) {
		def = grow(tma);
		if (!def)
			return -ENOMEM;
		def->name = node->name;
		def->text = node->text;
		def->unit = "percent";
		def->needs = node->needs;
		def->groups = levels[tma_level(tree, node) - 1];
		def->parent = node->parent;
		def->threshold = threshold_of(tree, node);
		err = def->threshold ? take_formula(def, &scope, "100") : -ENOMEM;
	}
	return err;
}

static int add_pipeline(struct pmuctl *ctx, struct tma *tma)
{
	struct metric_def *def;
	struct tma_scope scope;
	size_t i;
	int err = tma_scope_of(ctx, TMA_TREE_NONE, without(ctx), &scope);

	for (i = 0; !err && i < ARRAY_SIZE(pipeline); i++) {
		def = grow(tma);
		if (!def)
			return -ENOMEM;
		def->name = pipeline[i].name;
		def->text = pipeline[i].text;
		def->unit = pipeline[i].unit;
		def->groups = pipeline[i].groups;
		def->needs = pipeline[i].needs;
		err = take_formula(def, &scope, "");
	}
	return err;
}

static int open_tma(struct pmuctl *ctx)
{
	int err;

	if (ctx->tma)
		return 0;
	ctx->tma = calloc(1, sizeof(*ctx->tma));
	if (!ctx->tma)
		return fail(ctx, -ENOMEM, "out of memory");
	err = add_nodes(ctx, ctx->tma);
	if (!err)
		err = add_pipeline(ctx, ctx->tma);
	if (!err)
		return 0;
	metrics_tma_close(ctx);
	return err == -ENOMEM ? fail(ctx, err, "out of memory") : err;
}

int metrics_tma(struct pmuctl *ctx, metric_fn *fn, void *data)
{
	struct pmu_facts facts;
	size_t i;
	/* Without a PMU the names are still no metrics' of this machine. */
	int err = facts_get(ctx, &facts) ? 0 : open_tma(ctx);

	for (i = 0; !err && ctx->tma && i < ctx->tma->count; i++)
		if (!metrics_intel_has(ctx, ctx->tma->defs[i].name))
			err = fn(data, &ctx->tma->defs[i]);
	return err;
}

int pmuctl_metrics_for(struct pmuctl *ctx, const struct pmuctl_metric_target *target)
{
	struct pmuctl_metric_target t = { .size = sizeof(t) };
	unsigned int k;
	int err;

	ctx->error[0] = '\0';
	err = take_sized(ctx, &t, target, sizeof(t));
	if (err)
		return err;
	/* What was made is for something else. */
	metrics_tma_close(ctx);
	ctx->metric_target = t;
	/* Kinds that are found later start with it. */
	for (k = 0; ctx->kinds && k < ctx->kinds->count; k++)
		pmuctl_metrics_for(ctx->kinds->kind[k].ctx, &t);
	return 0;
}

void metrics_tma_close(struct pmuctl *ctx)
{
	size_t i;

	for (i = 0; ctx->tma && i < ctx->tma->count; i++) {
		free((char *)(uintptr_t)ctx->tma->defs[i].formula);
		free((char *)(uintptr_t)ctx->tma->defs[i].threshold);
	}
	if (ctx->tma)
		free(ctx->tma->defs);
	free(ctx->tma);
	ctx->tma = NULL;
}
