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
static void name_column(struct column *c, const struct event *e, const struct stat_ratio *ratio)
{
	bool own = strcmp(ratio->unit, "GHz") == 0 || !strchr(e->name, ':');

	if (ratio->scale > 0)
		snprintf(c->name, sizeof(c->name), "%s/sec", e->name);
	else if (own && strncmp(ratio->unit, "of ", 3) != 0)
		snprintf(c->name, sizeof(c->name), "%s", ratio->unit);
	else
		snprintf(c->name, sizeof(c->name), "%s %s", e->name, ratio->unit);
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
	struct stat_count *counts = calloc(r->count + 1, sizeof(*counts));
	size_t i;

	for (i = 0; counts && i < r->count; i++) {
		counts[i] = r->counts[i];
		if (!counts[i].supported)
			continue;
		counts[i].why_not = NULL;
		counts[i].value = counts[i].enabled = counts[i].running = 1;
	}
	return counts;
}

struct stat_columns *stat_columns_new(const struct stat_result *r)
{
	size_t places = stat_args_cpus(r->args), i, most;
	struct stat_result supposed = *r;
	struct stat_columns *columns;
	struct stat_ratio ratio;

	most = r->count / places + r->metrics->all.count;
	columns = calloc(1, sizeof(*columns) + most * sizeof(columns->list[0]));
	supposed.counts = suppose(r);
	supposed.elapsed = 1;
	for (i = 0; columns && supposed.counts && i < r->count / places; i++) {
		stat_find_ratio(&supposed, &supposed.counts[i * places], &ratio);
		if (!ratio.unit || is_of_metric(r, i))
			continue;
		columns->list[columns->count].index = i;
		name_column(&columns->list[columns->count], r->counts[i * places].event, &ratio);
		make_unique(columns, &columns->list[columns->count++]);
	}
	for (i = 0; columns && i < r->metrics->all.count; i++) {
		struct column *c = &columns->list[columns->count++];

		c->metric = true;
		c->index = i;
		snprintf(c->name, sizeof(c->name), "%s", r->metrics->all.list[i].name);
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
	struct stat_ratio ratio;

	*decimals = 4;
	if (c->metric)
		return stat_metric_value(r, line, value);
	stat_find_ratio(r, &r->counts[line], &ratio);
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
