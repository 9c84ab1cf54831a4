// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Metrics: found by name, with the events that they are made of, and their
 * values once those were counted.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/metric/metric.h"

/* ---- all of them ------------------------------------------------------------ */

static int each_metric(struct pmuctl *ctx, metric_fn *fn, void *data)
{
	int err = metrics_intel(ctx, fn, data);

	if (!err)
		err = metrics_portable(ctx, fn, data);
	/* Last, because its formulas are put together for it. */
	return err ? err : metrics_tma(ctx, fn, data);
}

struct listing {
	struct pmuctl *ctx;
	const char *pattern;
	pmuctl_metric_fn *fn;
	void *data;
};

/* The groups of one are separated by semicolons. */
static bool matches_group(const char *pattern, const char *groups)
{
	char group[64];
	size_t n;

	for (; *groups; groups += n + (groups[n] == ';')) {
		n = strcspn(groups, ";");
		snprintf(group, sizeof(group), "%.*s", (int)n, groups);
		if (pattern_matches(pattern, group))
			return true;
	}
	return false;
}

static int list_one(void *data, const struct metric_def *def)
{
	const struct listing *l = data;
	struct pmuctl_metric_desc desc = {
		.name = def->name, .text = def->text, .unit = def->unit,
		.groups = def->groups, .source = def->source,
		.parent = def->parent ? def->parent : "",
	};
	char *threshold;
	int err;

	if (!def->formula)
		return 0;
	if (!pattern_matches(l->pattern, def->name) && !matches_group(l->pattern, def->groups))
		return 0;
	threshold = metric_threshold_text(l->ctx, def);
	if (!threshold)
		return fail(l->ctx, -ENOMEM, "out of memory");
	desc.threshold = threshold;
	err = l->fn(l->data, &desc);
	free(threshold);
	return err;
}

int pmuctl_list_metrics(struct pmuctl *ctx, const char *pattern, pmuctl_metric_fn *fn,
			void *data)
{
	struct listing l = { .ctx = ctx, .pattern = pattern, .fn = fn, .data = data };

	ctx->error[0] = '\0';
	return fn ? each_metric(ctx, list_one, &l) : is_null(ctx, "the function for metrics");
}

struct search {
	char name[128];
	const char *ring;	/* ":u", ":k" or "" */
	const struct metric_def *found;
	const struct metric_def *lacking;	/* of a group of that name, without a formula */
	bool group_here;			/* it has one with */
	struct nearest nearest;
};

static bool is_in_group(const char *group, const char *groups)
{
	size_t n;

	for (; *groups; groups += n + (groups[n] == ';')) {
		n = strcspn(groups, ";");
		if (strlen(group) == n && !strncasecmp(group, groups, n))
			return true;
	}
	return false;
}

static void look_at_group(struct search *s, const struct metric_def *def)
{
	if (!is_in_group(s->name, def->groups))
		return;
	if (def->formula)
		s->group_here = true;
	else
		s->lacking = def;
}

static int look_at(void *data, const struct metric_def *def)
{
	struct search *s = data;

	nearest_consider(&s->nearest, def->name);
	look_at_group(s, def);
	if (strcasecmp(def->name, s->name) != 0)
		return 0;
	s->found = def;
	return 1;
}

static int not_defined(struct pmuctl *ctx, const struct metric_def *def)
{
	if (def->needs && *def->needs)
		return fail(ctx, -EOPNOTSUPP, "not on this CPU: it needs %s", def->needs);
	return fail(ctx, -EOPNOTSUPP, "not on this CPU: there is no formula for its generation");
}

static int unknown(struct pmuctl *ctx, const struct search *s)
{
	char near[256];

	/* The name of a group, of which this CPU has nothing. */
	if (s->lacking && !s->group_here)
		return not_defined(ctx, s->lacking);
	nearest_text(&s->nearest, near, sizeof(near));
	if (near[0])
		return fail(ctx, -ENOENT, "no such metric; nearest: %s", near);
	return fail(ctx, -ENOENT, "no such metric; `pmuctl list --metrics` shows all%s",
		    ctx->events_dir ? "" : ", and --events-dir adds Intel's");
}

static int search_for(struct pmuctl *ctx, const char *text, struct search *s)
{
	size_t len = text ? strlen(text) : 0;
	int err;

	if (!text)
		return is_null(ctx, "the metric's name");
	s->ring = "";
	if (len > 2 && (!strcmp(text + len - 2, ":u") || !strcmp(text + len - 2, ":k"))) {
		s->ring = text + len - 2;
		len -= 2;
	}
	if (len >= sizeof(s->name) || memchr(text, ':', len))
		return fail(ctx, -EINVAL, "no metric's name: it may have :u or :k behind it and "
					  "no other modifier");
	memcpy(s->name, text, len);
	s->name[len] = '\0';
	nearest_start(&s->nearest, s->name);
	err = each_metric(ctx, look_at, s);
	if (err)
		return err < 0 ? err : 0;
	return unknown(ctx, s);
}

/* ---- words -------------------------------------------------------------------- */

struct writing {
	const struct pmuctl_metric *m;
	const double *counts;	/* NULL, or what stands in for the events */
};

static void write_name(void *data, const char *name, size_t len, struct text *to)
{
	const struct writing *w = data;
	const struct pmuctl_metric *m = w->m;
	const double *counts = w->counts;
	size_t i = formula_find_name(m->formula, name, len);

	if (i < formula_names(m->formula) && m->meanings[i].kind == OF_EVENT && counts)
		text_printf(to, "%.15g", counts[m->meanings[i].event]);
	else if (i < formula_names(m->formula) && m->meanings[i].kind == OF_EVENT)
		text_add_string(to, m->events[m->meanings[i].event]);
	else if (i < formula_names(m->formula) && m->meanings[i].kind == OF_NUMBER)
		text_printf(to, "%g", m->meanings[i].number);
	else
		text_add(to, name, len);
}

char *metric_write(const char *text, size_t len, metric_name_fn *fn, void *data)
{
	const char *end = text + len;
	struct text to = { .at = NULL };
	size_t n;

	for (; text < end; text += n) {
		for (n = 0; text + n < end && !formula_in_word(text[n]); n++)
			;
		text_add(&to, text, n);
		text += n;
		for (n = 0; text + n < end && formula_in_word(text[n]); n++)
			;
		if (n)
			fn(data, text, n, &to);
	}
	return text_take(&to);
}

/* A part of the formula with what its names stand for. */
static char *write_out(const struct pmuctl_metric *m, const char *text, size_t len,
		       const double *counts)
{
	struct writing w = { .m = m, .counts = counts };

	return metric_write(text, len, write_name, &w);
}

static int take_words(struct pmuctl_metric *m, const struct metric_def *def, const char *ring)
{
	const char *formula = formula_text(m->formula);

	if (asprintf(&m->texts[0], "%s%s", def->name, ring) < 0)
		m->texts[0] = NULL;
	m->texts[1] = strdup(def->text);
	m->texts[2] = strdup(def->unit);
	m->texts[3] = strdup(def->groups);
	m->texts[4] = strdup(def->parent ? def->parent : "");
	m->written = write_out(m, formula, strlen(formula), NULL);
	if (!m->texts[0] || !m->texts[1] || !m->texts[2] || !m->texts[3] || !m->texts[4] ||
	    !m->written)
		return fail(m->ctx, -ENOMEM, "out of memory");
	m->info.desc = (struct pmuctl_metric_desc){
		.name = m->texts[0], .text = m->texts[1], .unit = m->texts[2],
		.groups = m->texts[3], .source = def->source, .parent = m->texts[4],
		.threshold = m->threshold_written,
	};
	m->info.formula = m->written;
	m->info.events = (const char *const *)m->events;
	return 0;
}

/* ---- the whole ---------------------------------------------------------------- */

static int take_all(struct pmuctl_metric *m, const struct metric_def *def, const char *ring)
{
	struct formula_error error;
	int err = formula_parse(def->formula, &m->formula, &error);

	if (err == -EINVAL)
		return fail(m->ctx, err, "its formula: at character %zu, %s", error.at + 1,
			    error.why);
	if (!err)
		err = metric_take_names(m, def, ring);
	if (!err)
		err = metric_take_threshold(m, def);
	return err ? err : take_words(m, def, ring);
}

int metric_make(struct pmuctl *ctx, const struct metric_def *def, const char *ring,
		struct pmuctl_metric **metric)
{
	struct pmuctl_metric *m;
	int err;

	if (!def->formula)
		return not_defined(ctx, def);
	m = calloc(1, sizeof(*m));
	if (!m)
		return fail(ctx, -ENOMEM, "out of memory");
	m->ctx = ctx;
	err = take_all(m, def, ring);
	if (err) {
		pmuctl_metric_free(m);
		return err;
	}
	*metric = m;
	return 0;
}

static int check_event(struct pmuctl *ctx, const char *text)
{
	struct pmuctl_event *event;
	int err = pmuctl_event_parse(ctx, text, &event);

	if (err)
		return err;
	err = event_check_privilege(event);
	pmuctl_event_free(event);
	return err;
}

int metric_check_privilege(const struct pmuctl_metric *metric)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < metric->info.events_count; i++)
		err = check_event(metric->ctx, metric->events[i]);
	return err;
}

int pmuctl_metric_find(struct pmuctl *ctx, const char *text, struct pmuctl_metric **metric)
{
	struct search s = { .found = NULL };
	int err;

	ctx->error[0] = '\0';
	err = metric ? search_for(ctx, text, &s) : is_null(ctx, "the metric to be made");
	if (err || !s.found)
		return err;
	err = metric_make(ctx, s.found, s.ring, metric);
	if (err)
		return err;
	err = ctx->metric_target.unprivileged ? metric_check_privilege(*metric) : 0;
	if (!err)
		err = metric_find_parts(*metric);
	if (err)
		pmuctl_metric_free(*metric);
	return err;
}

void pmuctl_metric_free(struct pmuctl_metric *metric)
{
	size_t i;

	if (!metric)
		return;
	for (i = 0; i < metric->info.events_count; i++)
		free(metric->events[i]);
	for (i = 0; i < ARRAY_SIZE(metric->texts); i++)
		free(metric->texts[i]);
	metric_free_threshold(metric);
	free(metric->written);
	free(metric->events);
	free(metric->meanings);
	free(metric->parts);
	formula_free(metric->formula);
	free(metric);
}

const struct pmuctl_metric_info *pmuctl_metric_get_info(const struct pmuctl_metric *metric)
{
	return &metric->info;
}

struct counted {
	const struct pmuctl_metric *m;
	const double *counts;
	double seconds;
};

static int value_of(void *data, size_t name, double *value)
{
	const struct counted *c = data;
	const struct metric_meaning *m = &c->m->meanings[name];

	*value = m->kind == OF_EVENT ? c->counts[m->event] :
		 m->kind == OF_NUMBER ? m->number : m->number * c->seconds;
	return 0;
}

/* "cycles:u", but not what is more than one event. */
static bool is_cycles(const char *event)
{
	static const char *const names[] = {
		"cycles", "cpu-cycles", "ref-cycles", "CPU_CLK_UNHALTED", "UNHALTED_CORE_CYCLES",
	};
	size_t len = strcspn(event, ":."), i;

	for (i = 0; !strchr(event, ' ') && i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !strncasecmp(event, names[i], len))
			return true;
	return false;
}

int pmuctl_metric_value(const struct pmuctl_metric *metric, const double *counts, double seconds,
			double *value)
{
	struct counted c = { .m = metric, .counts = counts, .seconds = seconds };
	struct formula_error error;
	char *divisor;
	int err;

	if (!metric || !counts || !value)
		return -EINVAL;
	err = formula_evaluate(metric->formula, value_of, &c, value, &error);
	if (err != -EDOM)
		return err;
	divisor = write_out(metric, formula_text(metric->formula) + error.at, error.len, NULL);
	if (divisor && is_cycles(divisor))
		fail(metric->ctx, err, "not measurable: no cycles counted (%.200s is 0)", divisor);
	else
		fail(metric->ctx, err, "not measurable: %.200s is 0",
		     divisor ? divisor : "a divisor");
	free(divisor);
	return err;
}

char *metric_numbers(const struct pmuctl_metric *metric, const double *counts)
{
	const char *text = formula_text(metric->formula);

	return write_out(metric, text, strlen(text), counts);
}
