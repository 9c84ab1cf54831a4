// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The nodes of a plan: those that were asked for and what is above them, each with
 * its formula, its events, or why there are none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/topdown/topdown.h"

int32_t topdown_find(const struct pmuctl_topdown *td, const char *name)
{
	size_t i;

	for (i = 0; name && i < td->nr_nodes; i++)
		if (!strcmp(td->nodes[i].info.name, name))
			return (int32_t)i;
	return NO_NODE;
}

/* ---- which ------------------------------------------------------------------ */

static int no_such_node(const struct pmuctl_topdown *td, const char *name)
{
	struct nearest nearest;
	char near[256];
	size_t i;

	nearest_start(&nearest, name);
	for (i = 0; i < td->tree->count; i++)
		nearest_consider(&nearest, td->tree->nodes[i].name);
	nearest_text(&nearest, near, sizeof(near));
	return fail(td->ctx, -ENOENT, "'%s' is no node of this tree%s%s", name,
		    near[0] ? "; nearest: " : "", near);
}

/* The node itself, and those above it. */
static int want(const struct pmuctl_topdown *td, const char *name, uint32_t levels, bool *wanted)
{
	const struct tma_node *node = tma_node(td->tree, name);

	if (!node)
		return no_such_node(td, name);
	if (tma_level(td->tree, node) > levels)
		return fail(td->ctx, -EINVAL, "node '%s' is of level %u, and only levels to %u are "
			    "wanted", node->name, tma_level(td->tree, node), levels);
	for (; node; node = node->parent ? tma_node(td->tree, node->parent) : NULL)
		wanted[node - td->tree->nodes] = true;
	return 0;
}

static int choose(const struct pmuctl_topdown *td, const struct pmuctl_topdown_options *o,
		  bool *wanted)
{
	uint32_t levels = o->levels ? o->levels : PMUCTL_TOPDOWN_LEVELS;
	size_t i;
	int err = 0;

	for (i = 0; !o->nodes && i < td->tree->count; i++)
		wanted[i] = tma_level(td->tree, &td->tree->nodes[i]) <= levels;
	for (i = 0; o->nodes && !err && i < o->nodes_count; i++)
		err = want(td, o->nodes[i], levels, wanted);
	return err;
}

/* ---- one of them -------------------------------------------------------------- */

static void describe(struct pmuctl_topdown *td, struct topdown_node *node)
{
	const struct tma_node *def = node->def;

	node->info = (struct pmuctl_topdown_node){
		.name = def->name, .parent = topdown_find(td, def->parent),
		.level = tma_level(td->tree, def), .unit = def->unit, .text = def->text,
		.hint = def->hint, .event = tma_advice(td->scope.generation, def->name),
	};
}

/* That of what is above it, which was checked before; or what counts everywhere. */
static int advise_other(struct pmuctl_topdown *td, struct topdown_node *node)
{
	int32_t parent = node->info.parent;

	node->why_not_event = strdup(td->ctx->error);
	if (!node->why_not_event)
		return fail(td->ctx, -ENOMEM, "out of memory");
	node->info.why_not_event = node->why_not_event;
	node->info.event = parent == NO_NODE ? NULL : td->nodes[parent].info.event;
	if (!node->info.event)
		node->info.event = TMA_ADVICE_ANY;
	return 0;
}

/* With :pp another code may stand in for it; whether it can be recorded at all, by PEBS or not. */
static bool is_recorded(struct pmuctl_topdown *td, const char *name, bool *precise)
{
	struct pmuctl_event *event;
	char text[80];

	snprintf(text, sizeof(text), "%s:pp", name);
	if (pmuctl_event_parse(td->ctx, text, &event))
		return false;
	*precise = pmuctl_event_get_info(event)->pebs;
	pmuctl_event_free(event);
	return true;
}

/* Without CAP_PERFMON, which PEBS needs. */
static int check_users_advice(struct pmuctl_topdown *td, struct topdown_node *node)
{
	struct pmuctl_event *event;
	int err;

	if (pmuctl_event_parse(td->ctx, node->info.event, &event)) {
		node->info.event = NULL;
		return 0;
	}
	err = event_check_privilege(event);
	pmuctl_event_free(event);
	return err ? advise_other(td, node) : 0;
}

/*
 * What cannot be recorded is no advice.  An event that PEBS does not record has its samples some
 * instructions behind those that it is about, which cycles name.
 */
static int check_advice(struct pmuctl_topdown *td, struct topdown_node *node)
{
	if (td->unprivileged)
		return check_users_advice(td, node);
	if (!is_recorded(td, node->info.event, &node->info.precise))
		node->info.event = NULL;
	if (!node->info.precise && td->cycles_precise) {
		node->info.event = TMA_ADVICE_ANY;
		node->info.precise = true;
	}
	return 0;
}

static int check_privilege(struct topdown_node *node)
{
	int err = metric_check_privilege(node->metric);

	if (err) {
		pmuctl_metric_free(node->metric);
		node->metric = NULL;
	}
	return err;
}

/* Its share in percent; -ENOENT: it has no definition here. */
static int write_formula(const struct pmuctl_topdown *td, const char *name, char **text)
{
	char *share = NULL;
	int len, err = tma_expand(&td->scope, name, &share);

	if (err)
		return err;
	len = asprintf(text, "100 * ( %s )", share);
	free(share);
	if (len < 0)
		return -ENOMEM;
	return 0;
}

static int take_metric(struct pmuctl_topdown *td, struct topdown_node *node)
{
	struct metric_def def = {
		.name = node->info.name, .text = node->info.text, .unit = "percent", .groups = "",
		.needs = node->def->needs, .source = PMUCTL_SOURCE_INTEL,
	};
	char *formula = NULL;
	int err = write_formula(td, node->info.name, &formula);

	if (err && err != -ENOENT)
		return fail(td->ctx, err, err == -ENOMEM ? "out of memory" :
			    "its definition runs in a circle");
	def.formula = formula;
	err = metric_make(td->ctx, &def, td->ring, &node->metric);
	free(formula);
	if (!err && td->unprivileged)
		err = check_privilege(node);
	if (err != -EOPNOTSUPP)
		return err;
	node->why_not = strdup(td->ctx->error);
	node->info.why_not = node->why_not;
	return node->why_not ? 0 : fail(td->ctx, -ENOMEM, "out of memory");
}

/* ---- its events ----------------------------------------------------------------- */

static int take_name(struct pmuctl_topdown *td, const char *name, unsigned int *index)
{
	char **grown;
	size_t i;

	for (i = 0; i < td->nr_names; i++)
		if (*td->names[i] == *name && !strcmp(td->names[i], name))
			break;
	*index = (unsigned int)i;
	if (i < td->nr_names)
		return 0;
	grown = reallocarray(td->names, i + 1, sizeof(*grown));
	if (!grown)
		return fail(td->ctx, -ENOMEM, "out of memory");
	td->names = grown;
	grown[i] = strdup(name);
	if (!grown[i])
		return fail(td->ctx, -ENOMEM, "out of memory");
	td->nr_names++;
	return 0;
}

static int take_events(struct pmuctl_topdown *td, struct topdown_node *node)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(node->metric);
	size_t i;
	int err = 0;

	node->info.formula = info->formula;
	node->events = calloc(info->events_count + 1, sizeof(*node->events));
	if (!node->events)
		return fail(td->ctx, -ENOMEM, "out of memory");
	for (i = 0; !err && i < info->events_count; i++) {
		node->coarse |= !strncmp(info->events[i], "PERF_METRICS.", 13);
		err = take_name(td, info->events[i], &node->events[i]);
	}
	return err;
}

static int make_node(struct pmuctl_topdown *td, const struct tma_node *def)
{
	struct topdown_node *node = &td->nodes[td->nr_nodes];
	int err;

	node->def = def;
	describe(td, node);
	/* From here on there is something to free. */
	td->nr_nodes++;
	err = take_metric(td, node);
	if (!err && node->metric)
		err = take_events(td, node);
	return err ? err : check_advice(td, node);
}

static bool is_measured(const void *data, const struct tma_node *def)
{
	const struct pmuctl_topdown *td = data;
	int32_t node = topdown_find(td, def->name);

	return node != NO_NODE && td->nodes[node].metric;
}

/* Once it is known what else there is: as topdown/flags.c tests it. */
static int take_threshold(struct pmuctl_topdown *td, struct topdown_node *node)
{
	node->threshold = tma_threshold(td->tree, node->def, is_measured, td);
	node->info.threshold = node->threshold;
	return node->threshold ? 0 : fail(td->ctx, -ENOMEM, "out of memory");
}

/* What sets are compared by, and every one of them has if it fits. */
static int take_clock(struct pmuctl_topdown *td)
{
	char name[64];

	snprintf(name, sizeof(name), "CPU_CLK_UNHALTED.THREAD%s", td->ring);
	return take_name(td, name, &td->clock);
}

/* ---- all of them ------------------------------------------------------------------ */

static int nothing_here(const struct pmuctl_topdown *td)
{
	size_t i;

	if (td->scope.generation < GEN_SNB)
		return fail(td->ctx, -EOPNOTSUPP, "Top-Down is for Sandy Bridge and what came "
						  "after it, up to Sapphire Rapids, and this CPU "
						  "is none of them");
	for (i = 0; i < td->nr_nodes; i++)
		if (td->nodes[i].metric)
			return 0;
	return fail(td->ctx, -EOPNOTSUPP, "%s: %s", td->nr_nodes ? td->nodes[0].info.name : "no node",
		    td->nr_nodes ? td->nodes[0].why_not : "was asked for");
}

int topdown_make_nodes(struct pmuctl_topdown *td, const struct pmuctl_topdown_options *options)
{
	bool *wanted = calloc(td->tree->count, sizeof(*wanted));
	size_t i;
	int err;

	td->nodes = calloc(td->tree->count, sizeof(*td->nodes));
	if (!wanted || !td->nodes) {
		free(wanted);
		return fail(td->ctx, -ENOMEM, "out of memory");
	}
	err = choose(td, options, wanted);
	if (!err)
		err = take_clock(td);
	if (!err && !td->unprivileged)
		is_recorded(td, TMA_ADVICE_ANY, &td->cycles_precise);
	for (i = 0; !err && i < td->tree->count; i++)
		if (wanted[i])
			err = make_node(td, &td->tree->nodes[i]);
	free(wanted);
	for (i = 0; !err && i < td->nr_nodes; i++)
		err = take_threshold(td, &td->nodes[i]);
	return err ? err : nothing_here(td);
}

void topdown_free_nodes(struct pmuctl_topdown *td)
{
	size_t i;

	for (i = 0; i < td->nr_nodes; i++) {
		pmuctl_metric_free(td->nodes[i].metric);
		free(td->nodes[i].events);
		free(td->nodes[i].from);
		free(td->nodes[i].why_not);
		free(td->nodes[i].why_not_event);
		free(td->nodes[i].threshold);
	}
	free(td->nodes);
	free(td->from);
	for (i = 0; i < td->nr_names; i++)
		free(td->names[i]);
	free(td->names);
}
