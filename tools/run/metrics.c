// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The metrics of -M: found by name or by group, and each one's events as a group of events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/events.h"
#include "tools/run/kinds.h"
#include "tools/run/metrics.h"
#include "tools/run/context.h"

/* ---- asked for -------------------------------------------------------------- */

struct adding {
	struct metrics *metrics;
	struct pmuctl *ctx;	/* whose metrics, */
	int kind;		/* ... of that kind of core; -1: all CPUs are alike */
	bool unknown;		/* there, which is told once no kind knows it */
	const char *group;	/* whose metrics are meant */
	size_t group_len;
	const char *ring;	/* behind it: ":u", ":k" or "" */
	bool found;
};

static struct metric *grow(struct metrics *metrics)
{
	struct metric *grown = reallocarray(metrics->list, metrics->count + 1,
					    sizeof(*grown));

	if (!grown)
		return NULL;
	metrics->list = grown;
	memset(&grown[metrics->count], 0, sizeof(*grown));
	return &grown[metrics->count++];
}

static int no_memory(const struct metrics *metrics)
{
	return complain(metrics->cmd, EXIT_FAILED, "out of memory");
}

/* What this CPU lacks has its line all the same, with the reason. */
static int take(const struct adding *a, const char *name, struct pmuctl_metric *metric, bool here)
{
	struct metric *m = grow(a->metrics);

	if (m) {
		m->metric = metric;
		m->ctx = a->ctx;
		m->kind = a->kind;
		m->name = strdup(name);
		m->why_not = here ? NULL : strdup(pmuctl_error(a->ctx));
	}
	if (!m || !m->name || (!here && !m->why_not)) {
		if (!m)
			pmuctl_metric_free(metric);
		return no_memory(a->metrics);
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
		return no_memory(a->metrics);
	err = pmuctl_metric_find(a->ctx, name, &metric);
	if (!err || err == -EOPNOTSUPP)
		err = take(a, name, metric, !err);
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

static int bad_metric(const struct adding *a, const char *name, int err)
{
	bool wrong = err == -ENOENT || err == -EINVAL;

	complain(a->metrics->cmd, 0, "-M '%s': %s", name, pmuctl_error(a->ctx));
	if (wrong)
		return EXIT_USAGE;
	diagnose(a->ctx, err, stderr);
	return EXIT_FAILED;
}

static int add_of(struct adding *a, const char *name)
{
	struct pmuctl_metric *metric = NULL;
	int err = pmuctl_metric_find(a->ctx, name, &metric), of_group;

	if (!err || err == -EOPNOTSUPP)
		return take(a, name, metric, !err);
	if (err == -ENOENT) {
		take_group(a, name);
		of_group = pmuctl_list_metrics(a->ctx, NULL, add_of_group, a);
		if (of_group)
			return of_group < 0 ? bad_metric(a, name, of_group) : of_group;
		/* The reason why it is no metric's name. */
		if (!a->found)
			pmuctl_metric_find(a->ctx, name, &metric);
	}
	if (a->kind >= 0 && !a->found && err == -ENOENT) {
		a->unknown = true;
		return 0;
	}
	return a->found ? 0 : bad_metric(a, name, err);
}

/* Of each kind of core its own, made of its own counts. */
static int add_name(struct metrics *metrics, const char *name)
{
	struct adding a = { .metrics = metrics, .ctx = metrics->ctx, .kind = -1 };
	bool known = false;
	struct kinds kinds;
	unsigned int k;
	int code = 0;

	kinds_find(metrics->ctx, &kinds);
	if (!kinds.count)
		return add_of(&a, name);
	for (k = 0; !code && k < kinds.count; k++) {
		a = (struct adding){
			.metrics = metrics, .ctx = kinds.list[k].ctx, .kind = (int)k,
		};
		code = add_of(&a, name);
		known |= !a.unknown;
	}
	return code || known ? code : bad_metric(&a, name, -ENOENT);
}

static int add_text(struct metrics *metrics, const char *text)
{
	size_t n;
	char *name;
	int code = 0;

	for (; !code; text += n + 1) {
		n = strcspn(text, ",");
		name = strndup(text, n);
		if (!name)
			return no_memory(metrics);
		code = add_name(metrics, name);
		free(name);
		if (!text[n])
			break;
	}
	return code;
}

/* ---- counted ------------------------------------------------------------------ */

/* "{a,b}", or "a" alone; where each event is among the others goes to m->events. */
static char *group_of(struct metric *m, uint32_t part, size_t *at)
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
static size_t find_event(const struct metric *before, const char *name)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(before->metric);
	size_t i;

	for (i = 0; i < info->events_count; i++)
		if (!strcmp(info->events[i], name))
			break;
	return i;
}

/* Another metric's group may have all of its events: those are counted once. */
static bool shares(const struct metric *before, struct metric *m)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(m->metric);
	const struct pmuctl_metric_info *other = pmuctl_metric_get_info(before->metric);
	size_t i, at, first = 0;

	if (before->ctx != m->ctx)
		return false;
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
static int add_groups(const struct metrics *metrics, struct metric *m, struct events *events)
{
	const struct pmuctl_metric_info *info = pmuctl_metric_get_info(m->metric);
	size_t at = events->count;
	uint32_t part;
	char *text;
	int code = 0;

	for (part = 0; !code && info->events_count && part < info->parts_count; part++) {
		text = group_of(m, part, &at);
		if (!text)
			return no_memory(metrics);
		code = events_add(m->ctx, metrics->cmd, text, events);
		free(text);
	}
	return code;
}

static int add_events(const struct metrics *metrics, struct metric *m, struct events *events)
{
	const struct metric *before;

	m->events = calloc(pmuctl_metric_get_info(m->metric)->events_count + 1, sizeof(*m->events));
	if (!m->events)
		return no_memory(metrics);
	for (before = metrics->list; before < metrics->list + metrics->count; before++)
		if (before != m && before->events && shares(before, m))
			return 0;
	return add_groups(metrics, m, events);
}

/* Those with most events first, which the others may share; NULL: that was all. */
static struct metric *next_metric(const struct metrics *metrics)
{
	struct metric *m, *best = NULL;

	for (m = metrics->list; m < metrics->list + metrics->count; m++)
		if (m->metric && !m->events &&
		    (!best || pmuctl_metric_get_info(m->metric)->events_count >
				      pmuctl_metric_get_info(best->metric)->events_count))
			best = m;
	return best;
}

int metrics_add(struct metrics *metrics, const struct option_list *texts, bool tasks,
		struct events *events)
{
	const struct pmuctl_metric_target target = {
		.size = sizeof(target), .tasks = tasks,
		.unprivileged = user_mode_only(metrics->ctx),
	};
	struct metric *m;
	size_t i;
	int code = 0;

	pmuctl_metrics_for(metrics->ctx, &target);
	for (i = 0; !code && i < texts->count; i++)
		code = add_text(metrics, texts->texts[i]);
	while (!code && (m = next_metric(metrics)))
		code = add_events(metrics, m, events);
	return code;
}

void metrics_free(struct metrics *metrics)
{
	size_t i;

	for (i = 0; i < metrics->count; i++) {
		pmuctl_metric_free(metrics->list[i].metric);
		free(metrics->list[i].name);
		free(metrics->list[i].why_not);
		free(metrics->list[i].events);
	}
	free(metrics->list);
}
