// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * When a metric is worth a look: a formula over it and other metrics, those that it
 * is a part of.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/metric/metric.h"

struct writing {
	struct pmuctl *ctx;
	const struct metric_def *def;
};

/* The metric's name; NULL: it is a number, or itself that name. */
static const char *metric_of(struct pmuctl *ctx, const struct metric_def *def, const char *name,
			     size_t len)
{
	const char *meaning = metric_alias(def->threshold_aliases, name, len);
	const char *named = meaning ? metrics_intel_named(ctx, meaning) : NULL;

	return named ? named : meaning;
}

static void write_metric(void *data, const char *name, size_t len, struct text *to)
{
	const struct writing *w = data;
	const char *metric = metric_of(w->ctx, w->def, name, len);

	if (metric)
		text_add_string(to, metric);
	else
		text_add(to, name, len);
}

char *metric_threshold_text(struct pmuctl *ctx, const struct metric_def *def)
{
	const char *text = def->threshold ? def->threshold : "";
	struct writing w = { .ctx = ctx, .def = def };

	return metric_write(text, strlen(text), write_metric, &w);
}

static int take_metrics(struct pmuctl_metric *m, const struct metric_def *def)
{
	size_t i, names = formula_names(m->threshold);
	const char *name, *metric;

	m->threshold_metrics = calloc(names + 1, sizeof(*m->threshold_metrics));
	for (i = 0; m->threshold_metrics && i < names; i++) {
		name = formula_name(m->threshold, i);
		metric = metric_of(m->ctx, def, name, strlen(name));
		m->threshold_metrics[i] = strdup(metric ? metric : name);
		if (!m->threshold_metrics[i])
			return -ENOMEM;
	}
	return m->threshold_metrics ? 0 : -ENOMEM;
}

int metric_take_threshold(struct pmuctl_metric *m, const struct metric_def *def)
{
	struct formula_error error;
	int err;

	m->threshold_written = metric_threshold_text(m->ctx, def);
	if (!m->threshold_written)
		return fail(m->ctx, -ENOMEM, "out of memory");
	if (!*m->threshold_written)
		return 0;
	err = formula_parse(def->threshold, &m->threshold, &error);
	if (err == -EINVAL)
		return fail(m->ctx, err, "its threshold: at character %zu, %s", error.at + 1,
			    error.why);
	if (!err)
		err = take_metrics(m, def);
	return err ? fail(m->ctx, -ENOMEM, "out of memory") : 0;
}

void metric_free_threshold(struct pmuctl_metric *m)
{
	size_t i;

	for (i = 0; m->threshold_metrics && i < formula_names(m->threshold); i++)
		free(m->threshold_metrics[i]);
	free(m->threshold_metrics);
	free(m->threshold_written);
	formula_free(m->threshold);
}

struct asking {
	const struct pmuctl_metric *m;
	pmuctl_metric_value_fn *fn;
	void *data;
};

static int ask(void *data, size_t name, double *value)
{
	const struct asking *a = data;

	return a->fn(a->data, a->m->threshold_metrics[name], value) ? -ENODATA : 0;
}

int pmuctl_metric_flagged(const struct pmuctl_metric *metric, pmuctl_metric_value_fn *fn,
			  void *data, bool *flagged)
{
	struct asking a = { .m = metric, .fn = fn, .data = data };
	struct formula_error error;
	double value;
	int err;

	if (!metric || !fn || !flagged)
		return -EINVAL;
	if (!metric->threshold)
		return fail(metric->ctx, -ENODATA, "there is no threshold");
	err = formula_evaluate(metric->threshold, ask, &a, &value, &error);
	if (err == -EDOM)
		return fail(metric->ctx, err, "its threshold divides by 0");
	if (err)
		return fail(metric->ctx, err, "a metric of its threshold is not known");
	*flagged = value != 0;
	return 0;
}
