// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One metric of Intel's files: a formula over letters, and what those stand for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/intel.h"

static struct reading part_of(const struct reading *r, const char *field)
{
	struct reading part = *r;

	part.of = r;
	part.in = field;
	part.index = INTEL_NO_LIST;
	part.as = NULL;
	part.object = r->intel->jansson->get(r->object, field);
	return part;
}

static int take_alias(const struct reading *r, const char *meaning, struct metric_alias *to,
		      size_t *count)
{
	struct metric_alias alias = { .alias = NULL };
	int err = intel_text(r, meaning, &alias.meaning);

	if (!err)
		err = intel_text(r, "Alias", &alias.alias);
	if (err)
		return err;
	if (!alias.meaning || !alias.alias)
		return intel_bad(r, r->in, "has one without %s or Alias", meaning);
	if (metric_alias(to, alias.alias, strlen(alias.alias)))
		return intel_bad(r, "Alias", "'%.100s' is of another one already", alias.alias);
	to[(*count)++] = alias;
	return 0;
}

/* "Events" and "Constants": [{ "Name": "INST_RETIRED.ANY", "Alias": "a" }] */
static int take_aliases(const struct reading *r, const char *field, const char *meaning,
			struct metric_alias *to, size_t *count)
{
	const struct jansson *j = r->intel->jansson;
	struct reading part = part_of(r, field);
	const json_t *list = part.object;
	size_t size = list ? j->size(list) : 0;
	int err = 0;

	if (list && !json_is_array(list))
		return intel_bad(r, field, "is no list");
	for (part.index = 0; !err && part.index < size; part.index++) {
		part.object = j->at(list, part.index);
		err = take_alias(&part, meaning, to, count);
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
	err = take_aliases(r, "Events", "Name", aliases, &count);
	return err ? err : take_aliases(r, "Constants", "Name", aliases, &count);
}

/*
 * Its names are of these, or of the machine, which a threshold's cannot be.  Whether an alias
 * stands for an event that is there is looked at when it is asked for.
 */
static int check_names(const struct reading *r, const struct formula *formula,
		       const struct metric_alias *aliases, bool constants)
{
	const char *name;
	size_t i;

	for (i = 0; i < formula_names(formula); i++) {
		name = formula_name(formula, i);
		if (!metric_alias(aliases, name, strlen(name)) &&
		    !(constants && metric_is_constant(name)))
			return intel_bad(r, "Formula", "uses '%.100s', which is no alias", name);
	}
	return 0;
}

static int check_formula(const struct reading *r, const char *text,
			 const struct metric_alias *aliases, bool constants)
{
	struct formula_error error;
	struct formula *formula;
	int err = formula_parse(text, &formula, &error);

	if (err == -EINVAL)
		return intel_bad(r, "Formula", "is none: at character %zu, %s", error.at + 1,
				 error.why);
	if (err)
		return fail(r->ctx, err, "out of memory");
	err = check_names(r, formula, aliases, constants);
	formula_free(formula);
	return err;
}

/* { "Formula": "a > 5", "ThresholdMetrics": [{ "Alias": "a", "Value": "metric_..." }] } */
static int take_threshold(struct reading *r, struct metric_def *def)
{
	struct reading part = part_of(r, "Threshold");
	const json_t *formula;
	size_t count = 0;
	int err;

	part.as = "Threshold";
	if (!part.object || json_is_null(part.object))
		return 0;
	if (!json_is_object(part.object))
		return intel_bad(r, "Threshold", "is no object");
	formula = r->intel->jansson->get(part.object, "Formula");
	if (!formula || json_is_null(formula))
		return 0;
	if (!json_is_string(formula))
		return intel_bad(&part, "Formula", "has a Formula that is no string");
	def->threshold = r->intel->jansson->string(formula);
	if (!*def->threshold)
		return 0;
	def->threshold_aliases = calloc(length_of(&part, "ThresholdMetrics") + 1,
					sizeof(*def->threshold_aliases));
	if (!def->threshold_aliases)
		return fail(r->ctx, -ENOMEM, "out of memory");
	err = take_aliases(&part, "ThresholdMetrics", "Value", def->threshold_aliases, &count);
	return err ? err : check_formula(&part, def->threshold, def->threshold_aliases, false);
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
	if (!err)
		err = intel_text(r, "ParentCategory", &def->parent);
	return err ? err : intel_text(r, "LegacyName", &def->legacy);
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
	if (!err)
		err = check_formula(r, def->formula, def->aliases, true);
	return err ? err : take_threshold(r, def);
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

const char *metrics_intel_named(const struct pmuctl *ctx, const char *legacy)
{
	const struct metric_def *def;
	size_t i;

	for (i = 0; ctx->intel_metrics && i < ctx->intel_metrics->count; i++) {
		def = &ctx->intel_metrics->metrics[i];
		if (def->legacy && !strcmp(def->legacy, legacy))
			return def->name;
	}
	return NULL;
}

void metrics_intel_close(struct pmuctl *ctx)
{
	if (ctx->intel_metrics)
		intel_unload(ctx->intel_metrics);
	free(ctx->intel_metrics);
	ctx->intel_metrics = NULL;
}
