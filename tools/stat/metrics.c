// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The metrics of pmuctl stat -M: what they came to is a line behind the counts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/stat/stat.h"

int stat_add_metrics(struct pmuctl *ctx, const struct stat_args *args, struct events *events,
		     struct stat_metrics *metrics)
{
	metrics->all.cmd = "stat";
	metrics->all.ctx = ctx;
	return metrics_add(&metrics->all, &args->metrics, targets_are_tasks(&args->targets),
			   events);
}

int stat_metrics_room(const struct stat_args *args, struct stat_metrics *metrics)
{
	free(metrics->spreads);
	metrics->spreads = calloc(stat_metric_lines(args, metrics) + 1,
				  sizeof(*metrics->spreads));
	return metrics->spreads ? 0 : complain("stat", EXIT_FAILED, "out of memory");
}

void stat_free_metrics(struct stat_metrics *metrics)
{
	metrics_free(&metrics->all);
	free(metrics->spreads);
}

/* The lines of one event are one after the other: one, or one a CPU. */
static const struct stat_count *count_of(const struct stat_result *r, const struct metric *m,
					 size_t event, size_t cpu, size_t cpus)
{
	return &r->counts[m->events[event] * cpus + cpu];
}

/* false, with the reason in the count. */
static bool take_counts(const struct stat_result *r, const struct metric *m, size_t cpu,
			size_t cpus, double *counts, struct stat_count *of)
{
	size_t n = pmuctl_metric_get_info(m->metric)->events_count, i;

	for (i = 0; i < n; i++) {
		const struct stat_count *c = count_of(r, m, i, cpu, cpus);

		counts[i] = (double)c->value;
		of->flags |= c->flags;
		of->enabled = c->enabled;
		if (!i || c->running < of->running)
			of->running = c->running;
		if (c->why_not)
			of->why_not = c->why_not;
	}
	return !of->why_not;
}

size_t stat_metric_lines(const struct stat_args *args, const struct stat_metrics *metrics)
{
	return metrics->all.count * stat_args_cpus(args);
}

/* A line's figure, or in `of` the reason why there is none. */
static bool evaluate(const struct stat_result *r, size_t line, struct stat_count *of, double *value)
{
	size_t cpus = stat_args_cpus(r->args), cpu = line % cpus;
	const struct metric *m = &r->metrics->all.list[line / cpus];
	double *counts;

	*of = (struct stat_count){
		.why_not = m->why_not,
		.spread = r->metrics->spreads[line],
		.kinds = m->kind < 0 ? 0 : 1u << m->kind,
	};
	stat_set_place(r->args, cpu, of);
	if (!m->metric)
		return false;
	counts = calloc(pmuctl_metric_get_info(m->metric)->events_count + 1, sizeof(*counts));
	if (!counts)
		of->why_not = "out of memory";
	else if (take_counts(r, m, cpu, cpus, counts, of) &&
		 pmuctl_metric_value(m->metric, counts, r->elapsed, value))
		of->why_not = pmuctl_error(m->ctx);
	free(counts);
	return !of->why_not;
}

bool stat_metric_value(const struct stat_result *r, size_t line, double *value)
{
	struct stat_count of;

	return evaluate(r, line, &of, value);
}

struct asked {
	const struct stat_result *r;
	size_t cpu;
	const char *ring;	/* ":u", ":k" or "" */
};

/* Of the metrics that were asked for, the one of that name on the same CPU, of the same ring. */
static int value_of(void *data, const char *name, double *value)
{
	const struct asked *a = data;
	const struct metrics *metrics = &a->r->metrics->all;
	size_t i, len = strlen(name), cpus = stat_args_cpus(a->r->args);

	for (i = 0; i < metrics->count; i++) {
		const struct pmuctl_metric *m = metrics->list[i].metric;
		const char *other = m ? pmuctl_metric_get_info(m)->desc.name : "";

		if (!strncasecmp(other, name, len) && !strcmp(other + len, a->ring))
			return stat_metric_value(a->r, i * cpus + a->cpu, value) ? 0 : -ENODATA;
	}
	return -ENODATA;
}

const char *stat_metric_flagged(const struct stat_result *r, size_t line)
{
	size_t cpus = stat_args_cpus(r->args);
	const struct pmuctl_metric *m = r->metrics->all.list[line / cpus].metric;
	const struct pmuctl_metric_desc *desc = &pmuctl_metric_get_info(m)->desc;
	struct asked a = { .r = r, .cpu = line % cpus };
	bool is = false;

	a.ring = desc->name + strcspn(desc->name, ":");
	return pmuctl_metric_flagged(m, value_of, &a, &is) || !is ? NULL : desc->threshold;
}

void stat_print_metrics(struct writer *w, const struct stat_result *r)
{
	size_t cpus = stat_args_cpus(r->args), i;

	for (i = 0; r->metrics && i < stat_metric_lines(r->args, r->metrics); i++) {
		const struct metric *m = &r->metrics->all.list[i / cpus];
		struct stat_figure f = { .name = m->name, .unit = "" };
		struct stat_count of;

		if (m->metric && count_of(r, m, 0, i % cpus, cpus)->elsewhere)
			continue;
		if (m->metric)
			f.unit = pmuctl_metric_get_info(m->metric)->desc.unit;
		if (evaluate(r, i, &of, &f.value))
			f.flagged = stat_metric_flagged(r, i);
		stat_print_figure(w, r, &of, &f);
	}
}
