// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The metrics of pmuctl stat -M: each one's events are a group, and what they
 * came to is a line behind the counts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/run/privilege.h"
#include "tools/stat/stat.h"

/* ---- asked for -------------------------------------------------------------- */

struct adding {
	struct pmuctl *ctx;
	struct stat_metrics *metrics;
	const char *group;	/* whose metrics are meant */
	size_t group_len;
	const char *ring;	/* behind it: ":u", ":k" or "" */
	bool found;
};

static struct stat_metric *grow(struct stat_metrics *metrics)
{
	struct stat_metric *grown = reallocarray(metrics->list, metrics->count + 1,
						 sizeof(*grown));

	if (!grown)
		return NULL;
	metrics->list = grown;
	memset(&grown[metrics->count], 0, sizeof(*grown));
	return &grown[metrics->count++];
}

static int no_memory(void)
{
	return complain("stat", EXIT_FAILED, "out of memory");
}

/* What this CPU lacks has its line all the same, with the reason. */
static int take(struct pmuctl *ctx, const char *name, struct pmuctl_metric *metric, bool here,
		struct stat_metrics *metrics)
{
	struct stat_metric *m = grow(metrics);

	if (m) {
		m->metric = metric;
		m->name = strdup(name);
		m->why_not = here ? NULL : strdup(pmuctl_error(ctx));
	}
	if (!m || !m->name || (!here && !m->why_not)) {
		if (!m)
			pmuctl_metric_free(metric);
		return no_memory();
	}
	return 0;
}

static bool names_group(const char *groups, const char *group, size_t len)
{
	size_t n;

	for (; *groups; groups += n + (groups[n] == ';')) {
		n = strcspn(groups, ";");
		if (n == len && !strncasecmp(groups, group, n))
			return true;
	}
	return false;
}

static int add_of_group(void *data, const struct pmuctl_metric_desc *desc)
{
	struct pmuctl_metric *metric = NULL;
	struct adding *a = data;
	char *name;
	int err;

	if (!names_group(desc->groups, a->group, a->group_len))
		return 0;
	a->found = true;
	if (asprintf(&name, "%s%s", desc->name, a->ring) < 0)
		return no_memory();
	err = pmuctl_metric_find(a->ctx, name, &metric);
	if (!err || err == -EOPNOTSUPP)
		err = take(a->ctx, name, metric, !err, a->metrics);
	free(name);
	return err;
}

/* "Memory:u" */
static void take_group(struct adding *a, const char *name)
{
	size_t len = strlen(name);

	a->group = name;
	a->ring = "";
	if (len > 2 && (!strcmp(name + len - 2, ":u") || !strcmp(name + len - 2, ":k")))
		a->ring = name + len - 2;
	a->group_len = len - strlen(a->ring);
}

static int bad_metric(struct pmuctl *ctx, const char *name, int err)
{
	if (err == -ENOENT || err == -EINVAL)
		return complain("stat", EXIT_USAGE, "-M '%s': %s", name, pmuctl_error(ctx));
	complain("stat", 0, "-M '%s': %s", name, pmuctl_error(ctx));
	diagnose(ctx, err, stderr);
	return EXIT_FAILED;
}

static int add_name(struct pmuctl *ctx, const char *name, struct stat_metrics *metrics)
{
	struct adding a = { .ctx = ctx, .metrics = metrics };
	struct pmuctl_metric *metric = NULL;
	int err = pmuctl_metric_find(ctx, name, &metric), of_group;

	if (!err || err == -EOPNOTSUPP)
		return take(ctx, name, metric, !err, metrics);
	if (err == -ENOENT) {
		take_group(&a, name);
		of_group = pmuctl_list_metrics(ctx, NULL, add_of_group, &a);
		if (of_group)
			return of_group < 0 ? bad_metric(ctx, name, of_group) : of_group;
		/* The reason why it is no metric's name. */
		if (!a.found)
			pmuctl_metric_find(ctx, name, &metric);
	}
	return a.found ? 0 : bad_metric(ctx, name, err);
}

static int add_text(struct pmuctl *ctx, const char *text, struct stat_metrics *metrics)
{
	size_t n;
	char *name;
	int code = 0;

	for (; !code; text += n + 1) {
		n = strcspn(text, ",");
		name = strndup(text, n);
		if (!name)
			return no_memory();
		code = add_name(ctx, name, metrics);
		free(name);
		if (!text[n])
			break;
	}
	return code;
}

/* ---- counted ------------------------------------------------------------------ */

/* "{a,b}", or "a" alone; where each event is among the others goes to m->events. */
static char *group_of(struct stat_metric *m, uint32_t part, size_t *at)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(m->metric);
	size_t size, i, first = *at;
	char *text = NULL, *braced;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (i = 0; i < info->events_count; i++)
		if (info->parts[i] == part) {
			fprintf(to, "%s%s", *at > first ? "," : "", info->events[i]);
			m->events[i] = (*at)++;
		}
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	if (*at - first < 2)
		return text;
	if (asprintf(&braced, "{%s}", text) < 0)
		braced = NULL;
	free(text);
	return braced;
}

/* Where the event is in the metric that was there before; its number of events: nowhere. */
static size_t find_event(const struct stat_metric *before, const char *name)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(before->metric);
	size_t i;

	for (i = 0; i < info->events_count; i++)
		if (!strcmp(info->events[i], name))
			break;
	return i;
}

/* Another metric's group may have all of its events: those are counted once. */
static bool shares(const struct stat_metric *before, struct stat_metric *m)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(m->metric);
	const struct pmuctl_metric_info *other = pmuctl_metric_get_info(before->metric);
	size_t i, at, first = 0;

	for (i = 0; i < info->events_count; i++) {
		at = find_event(before, info->events[i]);
		if (!i)
			first = at;
		/* Groups that take turns are no group. */
		if (at == other->events_count || other->parts[at] != other->parts[first])
			return false;
		m->events[i] = before->events[at];
	}
	return true;
}

/* One group, or several where the counters are too few for one. */
static int add_groups(struct pmuctl *ctx, struct stat_metric *m, struct events *events)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(m->metric);
	size_t at = events->count;
	uint32_t part;
	char *text;
	int code = 0;

	for (part = 0; !code && info->events_count && part < info->parts_count; part++) {
		text = group_of(m, part, &at);
		if (!text)
			return no_memory();
		code = events_add(ctx, "stat", text, events);
		free(text);
	}
	return code;
}

static int add_events(struct pmuctl *ctx, struct stat_metrics *metrics, struct stat_metric *m,
		      struct events *events)
{
	struct stat_metric *before;

	m->events = calloc(pmuctl_metric_get_info(m->metric)->events_count + 1, sizeof(*m->events));
	if (!m->events)
		return no_memory();
	for (before = metrics->list; before < metrics->list + metrics->count; before++)
		if (before != m && before->events && shares(before, m))
			return 0;
	return add_groups(ctx, m, events);
}

/* Those with most events first, which the others may share; NULL: that was all. */
static struct stat_metric *next_metric(struct stat_metrics *metrics)
{
	struct stat_metric *m, *best = NULL;

	for (m = metrics->list; m < metrics->list + metrics->count; m++)
		if (m->metric && !m->events &&
		    (!best || pmuctl_metric_get_info(m->metric)->events_count >
				      pmuctl_metric_get_info(best->metric)->events_count))
			best = m;
	return best;
}

int stat_add_metrics(struct pmuctl *ctx, const struct stat_args *args, struct events *events,
		     struct stat_metrics *metrics)
{
	const struct pmuctl_metric_target target = {
		.size = sizeof(target), .tasks = targets_are_tasks(&args->targets),
		.unprivileged = user_mode_only(ctx),
	};
	struct stat_metric *m;
	size_t i;
	int code = 0;

	metrics->ctx = ctx;
	pmuctl_metrics_for(ctx, &target);
	for (i = 0; !code && i < args->metrics.count; i++)
		code = add_text(ctx, args->metrics.texts[i], metrics);
	while (!code && (m = next_metric(metrics)))
		code = add_events(ctx, metrics, m, events);
	if (code)
		return code;
	metrics->spreads = calloc(stat_metric_lines(args, metrics) + 1,
				  sizeof(*metrics->spreads));
	return metrics->spreads ? 0 : no_memory();
}

void stat_free_metrics(struct stat_metrics *metrics)
{
	size_t i;

	for (i = 0; i < metrics->count; i++) {
		pmuctl_metric_free(metrics->list[i].metric);
		free(metrics->list[i].name);
		free(metrics->list[i].why_not);
		free(metrics->list[i].events);
	}
	free(metrics->spreads);
	free(metrics->list);
}

/* ---- what they came to ---------------------------------------------------------- */

/* The lines of one event are one after the other: one, or one a CPU. */
static const struct stat_count *count_of(const struct stat_result *r, const struct stat_metric *m,
					 size_t event, size_t cpu, size_t cpus)
{
	return &r->counts[m->events[event] * cpus + cpu];
}

/* false, with the reason in the count. */
static bool take_counts(const struct stat_result *r, const struct stat_metric *m, size_t cpu,
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
	return metrics->count * stat_args_cpus(args);
}

/* A line's figure, or in `of` the reason why there is none. */
static bool evaluate(const struct stat_result *r, size_t line, struct stat_count *of, double *value)
{
	size_t cpus = stat_args_cpus(r->args), cpu = line % cpus;
	const struct stat_metric *m = &r->metrics->list[line / cpus];
	double *counts;

	*of = (struct stat_count){
		.cpu = r->args->per_cpu ? (int)r->args->targets.cpus[cpu] : -1,
		.why_not = m->why_not,
		.spread = r->metrics->spreads[line],
	};
	if (!m->metric)
		return false;
	counts = calloc(pmuctl_metric_get_info(m->metric)->events_count + 1, sizeof(*counts));
	if (!counts)
		of->why_not = "out of memory";
	else if (take_counts(r, m, cpu, cpus, counts, of) &&
		 pmuctl_metric_value(m->metric, counts, r->elapsed, value))
		of->why_not = pmuctl_error(r->metrics->ctx);
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
	const struct stat_metrics *metrics = a->r->metrics;
	size_t i, len = strlen(name), cpus = stat_args_cpus(a->r->args);

	for (i = 0; i < metrics->count; i++) {
		const struct pmuctl_metric *m = metrics->list[i].metric;
		const char *other = m ? pmuctl_metric_get_info(m)->desc.name : "";

		if (!strncasecmp(other, name, len) && !strcmp(other + len, a->ring))
			return stat_metric_value(a->r, i * cpus + a->cpu, value) ? 0 : -ENODATA;
	}
	return -ENODATA;
}

/* NULL, too, where its parents were not asked for. */
static const char *flagged(const struct stat_result *r, const struct pmuctl_metric *m, size_t cpu)
{
	const struct pmuctl_metric_desc *desc = &pmuctl_metric_get_info(m)->desc;
	struct asked a = { .r = r, .cpu = cpu };
	bool is = false;

	a.ring = desc->name + strcspn(desc->name, ":");
	return pmuctl_metric_flagged(m, value_of, &a, &is) || !is ? NULL : desc->threshold;
}

void stat_print_metrics(struct writer *w, const struct stat_result *r)
{
	size_t cpus = stat_args_cpus(r->args), i;

	for (i = 0; r->metrics && i < stat_metric_lines(r->args, r->metrics); i++) {
		const struct stat_metric *m = &r->metrics->list[i / cpus];
		struct stat_figure f = { .name = m->name, .unit = "" };
		struct stat_count of;

		if (m->metric)
			f.unit = pmuctl_metric_get_info(m->metric)->desc.unit;
		if (evaluate(r, i, &of, &f.value))
			f.flagged = flagged(r, m->metric, i % cpus);
		stat_print_figure(w, r, &of, &f);
	}
}
