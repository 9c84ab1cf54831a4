// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat -r: means over several runs, and how far they can be trusted.
 * The spread is the standard error of the mean, as under perf.
 */
#include <stdlib.h>

#include "lib/base/statistics.h"
#include "tools/stat/run.h"

struct line {
	struct moments value, enabled, running;
	uint32_t flags;
	const char *why_not;
};

struct repeat {
	struct moments elapsed, user, system;
	struct moments *figures;
	size_t figures_count;
	size_t count;
	struct line lines[];
};

static struct stat_spread spread(const struct moments *s)
{
	double size = s->mean < 0 ? -s->mean : s->mean;

	return (struct stat_spread){
		.runs = s->n, .percent = size > 0 ? 100 * moments_error(s) / size : 0,
	};
}

struct repeat *repeat_new(size_t lines, size_t figures)
{
	struct repeat *rep = calloc(1, sizeof(*rep) + lines * sizeof(rep->lines[0]));

	if (!rep)
		return NULL;
	rep->count = lines;
	rep->figures_count = figures;
	rep->figures = calloc(figures + 1, sizeof(*rep->figures));
	if (!rep->figures) {
		free(rep);
		return NULL;
	}
	return rep;
}

static void add_figures(struct repeat *rep, const struct stat_result *result)
{
	double value;
	size_t i;

	for (i = 0; i < rep->figures_count; i++)
		if (stat_metric_value(result, i, &value))
			moments_add(&rep->figures[i], value);
}

void repeat_add(struct repeat *rep, const struct stat_result *result)
{
	size_t i;

	moments_add(&rep->elapsed, result->elapsed);
	moments_add(&rep->user, result->user);
	moments_add(&rep->system, result->system);
	for (i = 0; i < rep->count; i++) {
		const struct stat_count *c = &result->counts[i];
		struct line *l = &rep->lines[i];

		l->flags |= c->flags;
		if (c->why_not) {
			l->why_not = c->why_not;
			continue;
		}
		moments_add(&l->value, (double)c->value);
		moments_add(&l->enabled, (double)c->enabled);
		moments_add(&l->running, (double)c->running);
	}
	add_figures(rep, result);
}

static void line_result(const struct line *l, struct stat_count *c)
{
	c->flags = l->flags;
	c->why_not = l->value.n ? NULL : l->why_not;
	if (c->why_not)
		return;
	c->value = (uint64_t)(l->value.mean + 0.5);
	c->enabled = (uint64_t)(l->enabled.mean + 0.5);
	c->running = (uint64_t)(l->running.mean + 0.5);
	c->spread = spread(&l->value);
}

void repeat_result(const struct repeat *rep, struct stat_result *result)
{
	size_t i;

	result->runs = rep->elapsed.n;
	result->elapsed = rep->elapsed.mean;
	result->elapsed_error = moments_error(&rep->elapsed);
	result->user = rep->user.mean;
	result->system = rep->system.mean;
	for (i = 0; i < rep->count; i++)
		line_result(&rep->lines[i], &result->counts[i]);
	/* Means are rounded one by one, and the parts make up the sum all the same. */
	if (result->kinds.count && !result->args->per_cpu)
		stat_sum_parts(result);
	for (i = 0; i < rep->figures_count; i++)
		result->metrics->spreads[i] = spread(&rep->figures[i]);
}

void repeat_free(struct repeat *rep)
{
	if (rep)
		free(rep->figures);
	free(rep);
}
