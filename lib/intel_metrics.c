// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One metric of Intel's files: a formula over letters, and what those stand for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "intel.h"

/* "Events" and "Constants": [{ "Name": "INST_RETIRED.ANY", "Alias": "a" }] */
static int take_aliases(struct reading *r, const char *field, struct metric_alias *to,
			size_t *count)
{
	const struct jansson *j = r->intel->jansson;
	const json_t *list = j->get(r->object, field);
	struct reading part = *r;
	size_t i, size = list ? j->size(list) : 0;
	int err = 0;

	if (list && !json_is_array(list))
		return intel_bad(r, field, "is no list");
	for (i = 0; !err && i < size; i++) {
		part.object = j->at(list, i);
		err = intel_text(&part, "Name", &to[*count].meaning);
		if (!err)
			err = intel_text(&part, "Alias", &to[*count].alias);
		if (!err && (!to[*count].meaning || !to[*count].alias))
			return intel_bad(r, field, "has one without Name or Alias");
		++*count;
	}
	return err;
}

static size_t length_of(const struct reading *r, const char *field)
{
	return r->intel->jansson->size(r->intel->jansson->get(r->object, field));
}

static int take_all_aliases(struct reading *r, struct metric_def *def)
{
	size_t room = length_of(r, "Events") + length_of(r, "Constants") + 1, count = 0;
	struct metric_alias *aliases = calloc(room, sizeof(*aliases));
	int err;

	if (!aliases)
		return fail(r->ctx, -ENOMEM, "out of memory");
	def->aliases = aliases;
	err = take_aliases(r, "Events", aliases, &count);
	return err ? err : take_aliases(r, "Constants", aliases, &count);
}

/* Whether its names stand for something is looked at when it is asked for. */
static int check_formula(const struct reading *r, const struct metric_def *def)
{
	struct formula_error error;
	struct formula *formula;
	int err = formula_parse(def->formula, &formula, &error);

	if (err)
		return intel_bad(r, "Formula", "is none: at character %zu, %s", error.at + 1,
				 error.why);
	formula_free(formula);
	return 0;
}

static int take_texts(const struct reading *r, struct metric_def *def)
{
	int err = intel_text(r, "BriefDescription", &def->text);

	if (!err)
		err = intel_text(r, "UnitOfMeasure", &def->unit);
	if (!err)
		err = intel_text(r, "MetricGroup", &def->groups);
	if (!err)
		err = intel_text(r, "Formula", &def->formula);
	return err;
}

int intel_take_metric(struct reading *r)
{
	struct metric_def *def = &r->intel->metrics[r->intel->count];
	int err = intel_text(r, "MetricName", &r->name);

	if (!err && (!r->name || !r->name[0]))
		return intel_bad(r, "MetricName", "is missing");
	*def = (struct metric_def){
		.name = r->name, .text = "", .unit = "", .groups = "",
		.source = PMUCTL_SOURCE_INTEL,
	};
	if (!err)
		err = take_texts(r, def);
	if (!err && !def->formula)
		return intel_bad(r, "Formula", "is missing");
	/* From here on there is something to free. */
	r->intel->count++;
	if (!err)
		err = take_all_aliases(r, def);
	return err ? err : check_formula(r, def);
}

/* ---- all of them ------------------------------------------------------------ */

static int open_metrics(struct pmuctl *ctx)
{
	int err;

	if (ctx->intel_metrics)
		return 0;
	ctx->intel_metrics = calloc(1, sizeof(*ctx->intel_metrics));
	if (!ctx->intel_metrics)
		return fail(ctx, -ENOMEM, "out of memory");
	ctx->intel_metrics->kind = INTEL_METRICS;
	err = intel_load(ctx, ctx->intel_metrics, ctx->events_dir);
	if (err)
		metrics_intel_close(ctx);
	return err;
}

int metrics_intel(struct pmuctl *ctx, metric_fn *fn, void *data)
{
	size_t i;
	int err;

	if (!ctx->events_dir)
		return 0;
	err = open_metrics(ctx);
	for (i = 0; !err && i < ctx->intel_metrics->count; i++)
		err = fn(data, &ctx->intel_metrics->metrics[i]);
	return err;
}

bool metrics_intel_has(const struct pmuctl *ctx, const char *name)
{
	size_t i;

	for (i = 0; ctx->intel_metrics && i < ctx->intel_metrics->count; i++)
		if (!strcasecmp(ctx->intel_metrics->metrics[i].name, name))
			return true;
	return false;
}

void metrics_intel_close(struct pmuctl *ctx)
{
	if (ctx->intel_metrics)
		intel_unload(ctx->intel_metrics);
	free(ctx->intel_metrics);
	ctx->intel_metrics = NULL;
}
