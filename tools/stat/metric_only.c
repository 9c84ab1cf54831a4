// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat --metric-only: a table of what follows from counts.  Its columns are the same in
 * every interval, whatever was counted in it.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/stat/stat.h"

#define NARROWEST 12

struct column {
	bool metric;
	size_t index;		/* of the event or the metric */
	int kind;		/* of core, whose part it follows from; -1: the whole */
	char name[80];
};

struct stat_columns {
	size_t count;
	struct column list[];
};

/* ---- which there are ------------------------------------------------------------------------ */

/* Another group may have the same figure; in JSON each has a key of its own. */
static void make_unique(struct stat_columns *columns, struct column *c)
{
	size_t same = 1, len = strlen(c->name), i;

	for (i = 0; &columns->list[i] < c; i++)
		if (!strncmp(columns->list[i].name, c->name, len) &&
		    (!columns->list[i].name[len] || !strncmp(columns->list[i].name + len, " (", 2)))
			same++;
	if (same > 1)
		snprintf(c->name + len, sizeof(c->name) - len, " (%zu)", same);
}

/* Rates are all in one unit here: it may not change from row to row. */
static void name_column(struct column *c, const char *kind, const struct event *e,
			const struct stat_ratio *ratio)
{
	bool own = strcmp(ratio->unit, "GHz") == 0 || !strchr(e->name, ':');
	size_t at = (size_t)snprintf(c->name, sizeof(c->name), "%s%s", kind, *kind ? " " : "");
	char *name = c->name + at;
	size_t size = sizeof(c->name) - at;

	if (ratio->scale > 0)
		snprintf(name, size, "%s/sec", e->name);
	else if (own && strncmp(ratio->unit, "of ", 3) != 0)
		snprintf(name, size, "%s", ratio->unit);
	else
		snprintf(name, size, "%s %s", e->name, ratio->unit);
}

/* What a metric is made of is shown as that. */
static bool is_of_metric(const struct stat_result *r, size_t event)
{
	const struct metrics *all = &r->metrics->all;
	size_t i, j;

	for (i = 0; i < all->count; i++)
		for (j = 0; all->list[i].metric &&
			    j < pmuctl_metric_get_info(all->list[i].metric)->events_count; j++)
			if (all->list[i].events[j] == event)
				return true;
	return false;
}

/* As if all had been counted, once. */
static struct stat_count *suppose(const struct stat_result *r)
{
	size_t lines = r->count * (r->args->per_cpu ? 1 : 1 + r->kinds.count), i;
	struct stat_count *counts = calloc(lines + 1, sizeof(*counts));

	for (i = 0; counts && i < lines; i++) {
		counts[i] = r->counts[i];
		if (!counts[i].supported)
			continue;
		counts[i].why_not = NULL;
		counts[i].value = counts[i].enabled = counts[i].running = 1;
	}
	return counts;
}

static void add_column(struct stat_columns *columns, const struct stat_result *supposed,
		       size_t event, const struct stat_count *line)
{
	struct column *c = &columns->list[columns->count];
	struct stat_ratio ratio;

	stat_find_ratio(supposed, line, &ratio);
	if (!ratio.unit || !line->event)
		return;
	c->index = event;
	c->kind = kind_alone(line->part);
	name_column(c, c->kind < 0 ? "" : supposed->kinds.list[c->kind].name, line->event,
		    &ratio);
	make_unique(columns, c);
	columns->count++;
}

/* Of what is a sum over kinds of cores, of each part. */
static void add_columns_of(struct stat_columns *columns, const struct stat_result *supposed,
			   size_t event)
{
	const struct stat_count *whole =
		&supposed->counts[event * stat_args_cpus(supposed->args)];
	unsigned int k;

	add_column(columns, supposed, event, whole);
	for (k = 0; stat_is_sum(supposed, whole) && k < supposed->kinds.count; k++)
		if (whole->kinds & 1u << k)
			add_column(columns, supposed, event, stat_part(supposed, whole, k));
}

struct stat_columns *stat_columns_new(const struct stat_result *r)
{
	size_t places = stat_args_cpus(r->args), i, most;
	struct stat_result supposed = *r;
	struct stat_columns *columns;

	most = r->count / places * (1 + r->kinds.count) + r->metrics->all.count;
	columns = calloc(1, sizeof(*columns) + most * sizeof(columns->list[0]));
	supposed.counts = suppose(r);
	supposed.elapsed = 1;
	for (i = 0; columns && supposed.counts && i < r->count / places; i++)
		if (!is_of_metric(r, i))
			add_columns_of(columns, &supposed, i);
	for (i = 0; columns && i < r->metrics->all.count; i++) {
		const struct metric *m = &r->metrics->all.list[i];
		struct column *c = &columns->list[columns->count++];

		c->metric = true;
		c->index = i;
		snprintf(c->name, sizeof(c->name), "%s%s%s", m->kind < 0 ? "" :
			 r->kinds.list[m->kind].name, m->kind < 0 ? "" : " ", m->name);
	}
	if (!supposed.counts) {
		free(columns);
		columns = NULL;
	}
	free(supposed.counts);
	return columns;
}

bool stat_columns_are_none(const struct stat_columns *columns)
{
	return !columns->count;
}

void stat_columns_free(struct stat_columns *columns)
{
	free(columns);
}

/* ---- printing ------------------------------------------------------------------------------- */

static int width_of(const struct column *c)
{
	size_t len = strlen(c->name);

	return len < NARROWEST ? NARROWEST : (int)len;
}

/* In CSV the names of the columns in front, as those of JSON. */
static void print_where_names(struct writer *w, const struct stat_args *args)
{
	static const char *const names[] = {
		[SPLIT_CORES] = "core", [SPLIT_SOCKETS] = "socket", [SPLIT_NODES] = "node",
		[SPLIT_THREADS] = "thread", [SPLIT_CGROUPS] = "cgroup",
	};

	if (args->interval)
		writer_string(w, "interval", NULL, "interval");
	if (args->per_cpu)
		writer_string(w, "cpu", NULL, "cpu");
	if (args->split != SPLIT_NOT)
		writer_string(w, "place", NULL, names[args->split]);
	if (args->places.of_cpu)
		writer_string(w, "cpus", NULL, "cpus");
}

void stat_print_columns_head(struct writer *w, const struct stat_result *r)
{
	const struct stat_columns *columns = r->columns;
	size_t i;

	if (writer_format(w) == FORMAT_JSON)
		return;
	writer_row(w);
	writer_text(w, "%s", r->args->interval && !r->summary ? "#           time " : "");
	stat_print_place_head(w, r->args);
	print_where_names(w, r->args);
	for (i = 0; i < columns->count; i++) {
		writer_text(w, "  %*s", width_of(&columns->list[i]), columns->list[i].name);
		writer_string(w, "name", NULL, columns->list[i].name);
	}
	writer_text(w, "\n");
	writer_end_row(w);
}

static bool find_figure(const struct stat_result *r, const struct column *c, size_t place,
			int *decimals, double *value)
{
	size_t line = c->index * stat_args_cpus(r->args) + place;
	const struct stat_count *count = &r->counts[line];
	struct stat_ratio ratio;

	*decimals = 4;
	if (c->metric)
		return stat_metric_value(r, line, value);
	if (c->kind >= 0)
		count = stat_part(r, count, (unsigned int)c->kind);
	stat_find_ratio(r, count, &ratio);
	*decimals = ratio.decimals;
	*value = ratio.scale > 0 ? ratio.value * ratio.scale : ratio.value;
	return ratio.unit;
}

static void print_figure(struct writer *w, const struct stat_result *r, const struct column *c,
			 size_t place)
{
	double value = 0;
	int decimals;
	char fmt[32];

	if (find_figure(r, c, place, &decimals, &value)) {
		snprintf(fmt, sizeof(fmt), "  %%%d.%df", width_of(c), decimals);
		if (c->metric && stat_metric_flagged(r, c->index * stat_args_cpus(r->args) + place))
			writer_colour(w, COLOUR_RED);
		writer_double(w, c->name, fmt, 6, value);
	} else {
		snprintf(fmt, sizeof(fmt), "  %%%ds", width_of(c));
		writer_null(w, c->name, fmt, writer_format(w) == FORMAT_TEXT ? "-" : "");
	}
}

void stat_print_columns(struct writer *w, const struct stat_result *r)
{
	size_t place, i;

	for (place = 0; place < stat_args_cpus(r->args); place++) {
		struct stat_count where = { .value = 0 };

		stat_set_place(r->args, place, &where);
		writer_row(w);
		stat_print_where(w, r, &where);
		for (i = 0; i < r->columns->count; i++)
			print_figure(w, r, &r->columns->list[i], place);
		writer_text(w, "\n");
		writer_end_row(w);
	}
}
