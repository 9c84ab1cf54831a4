// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line of pmuctl stat: a count, what follows from it, and how good it is.
 */
#include <inttypes.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/digits.h"
#include "tools/base/flags.h"
#include "tools/run/software.h"
#include "tools/stat/stat.h"

/* ---- what stands beside a count --------------------------------------------------------- */

/* Of --cascade A:M,B:N. */
static size_t cascade_note(const struct stat_count *c, char *text, size_t size)
{
	const struct event *e = c->event;
	size_t at = (size_t)snprintf(text, size, "%s", e->remark);

	if (!e->wanted || at >= size)
		return at;
	return at + (size_t)snprintf(text + at, size - at, ", %llu wanted: %s",
				     (unsigned long long)e->wanted,
				     c->value >= e->wanted ? "reached" : "not reached");
}

/* Of -r: the mean is not one of all of them. */
static bool is_in_some_runs(const struct stat_result *r, const struct stat_count *c)
{
	return r->args->repeat && !c->why_not && c->spread.runs < r->runs;
}

/* Why there is no count, or what is wrong with it; "" if nothing. */
static void stat_note(const struct stat_result *r, const struct stat_count *c, char *text,
		      size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	if (c->why_not)
		at = (size_t)snprintf(text, size, "%s", c->why_not);
	/* Of a metric there is no event. */
	if (!at && c->event && c->event->remark)
		at = cascade_note(c, text, size);
	if (!at && !c->part && kind_alone(c->kinds) >= 0)
		at = (size_t)snprintf(text, size, "%s%s%s",
				      r->kinds.list[kind_alone(c->kinds)].name,
				      c->event ? " alone" : "",
				      c->enabled ? "" : ", where nothing ran");
	if (is_in_some_runs(r, c) && at < size)
		at += (size_t)snprintf(text + at, size - at, "%sin %u of %u runs", at ? "; " : "",
				       c->spread.runs, r->runs);
	if (r->missed && at < size)
		at += (size_t)snprintf(text + at, size - at, "%sof %" PRIu64 " intervals",
				       at ? "; " : "", r->missed + 1);
	flags_note(c->flags, text, at, size);
}

void stat_warn(const struct pmuctl *ctx, const struct stat_result *r)
{
	uint32_t all = 0;
	size_t i;

	for (i = 0; i < r->count; i++)
		all |= r->counts[i].flags;
	flags_warn("stat", ctx, all);
}

/* As wide as the widest, if anything follows. */
#define METRIC_WIDTH 34

static void print_metric(struct writer *w, const struct stat_ratio *ratio, bool last)
{
	if (ratio->unit) {
		writer_text(w, " # ");
		writer_double(w, "metric-value", ratio->fmt, ratio->decimals, ratio->value);
		writer_string(w, "metric-unit", last ? " %s" : " %-22s", ratio->unit);
	} else {
		writer_text(w, "%*s", last ? 0 : METRIC_WIDTH, "");
		writer_null(w, "metric-value", NULL, "");
		writer_string(w, "metric-unit", NULL, "");
	}
}

static void print_times(struct writer *w, const struct stat_result *r)
{
	writer_double(w, "time-elapsed", NULL, 9, r->elapsed);
	if (r->has_usage) {
		writer_double(w, "time-user", NULL, 9, r->user);
		writer_double(w, "time-system", NULL, 9, r->system);
	} else {
		writer_null(w, "time-user", NULL, "");
		writer_null(w, "time-system", NULL, "");
	}
}

#define INTERVAL_WIDTH 16
#define INTERVAL_TEXT 32

static void interval_text(double time, char text[INTERVAL_TEXT])
{
	char digits[DIGITS_FIXED], *end = digits_fixed(digits, time, 9);
	size_t len = end ? (size_t)(end - digits) : 0;

	if (!end || len > INTERVAL_WIDTH) {
		snprintf(text, INTERVAL_TEXT, "%*.9f", INTERVAL_WIDTH, time);
		return;
	}
	memset(text, ' ', INTERVAL_WIDTH - len);
	memcpy(text + INTERVAL_WIDTH - len, digits, len);
	text[INTERVAL_WIDTH] = '\0';
}

/*
 * In CSV with perf's blanks in front, too: by them toplev knows a line of an interval.  Not
 * where they would be taken for separators.
 */
static void print_interval(struct writer *w, const struct stat_result *r)
{
	char text[INTERVAL_TEXT];

	if (r->summary && writer_format(w) == FORMAT_TEXT)
		return;
	if (r->summary) {
		/* perf's word in that column. */
		writer_null(w, "interval", NULL, strchr(r->args->layout.separator, ' ') ?
			    "summary" : "         summary");
		return;
	}
	if (writer_format(w) == FORMAT_CSV && !strchr(r->args->layout.separator, ' ')) {
		interval_text(r->time, text);
		writer_string(w, "interval", NULL, text);
	} else {
		writer_double(w, "interval", "%16.9f ", 9, r->time);
	}
}

void stat_print_where(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	char cpu[16];

	if (r->args->interval)
		print_interval(w, r);
	/* A control group stands behind the event, where there is one. */
	if (c->place && (!c->place->path || r->columns))
		stat_print_place(w, r->args, c->place);
	if (c->cpu < 0 || c->place)
		return;
	if (writer_format(w) == FORMAT_JSON) {
		writer_u64(w, "cpu", NULL, (uint64_t)c->cpu);
		return;
	}
	snprintf(cpu, sizeof(cpu), "CPU%d", c->cpu);
	writer_string(w, "cpu", "%-7s", cpu);
}

static bool is_of_cgroup(const struct stat_count *c)
{
	return c->place && c->place->path;
}

/* Clocks count ns, and perf shows ms. */
static bool is_clock(const struct stat_count *c)
{
	return c->event->software && c->event->software->clock;
}

static void print_value(struct writer *w, const struct stat_count *c)
{
	bool clock = is_clock(c);

	if (c->why_not)
		writer_null(w, "counter-value", "%18s",
			    c->supported ? "<not counted>" : "<not supported>");
	else if (clock)
		writer_double(w, "counter-value", "%'18.2f", 6, (double)c->value / 1e6);
	else
		writer_count(w, "counter-value", "%'18" PRIu64, 18, c->value);
	writer_string(w, "unit", clock ? " %s" : NULL, clock ? "msec" : "");
}

/* With -r a column at the end, so that the others stay where they are. */
static void print_spread(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	if (!r->args->repeat)
		return;
	if (c->why_not || c->spread.runs < 2)
		writer_null(w, "variance", NULL, "");
	else
		writer_double(w, "variance", "  ( +-%6.2f%% )", 2, c->spread.percent);
}

/* A field at the end, where there are kinds: of a part its own, with -A the CPU's. */
static void print_kind(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	int kind = kind_alone(c->part ? c->part : c->kinds);

	if (!r->kinds.count)
		return;
	if (r->args->per_cpu)
		kind = (int)kind_of_cpu(&r->kinds, (unsigned int)c->cpu);
	writer_string(w, "kind", NULL, kind >= 0 && kind < (int)r->kinds.count ?
		      r->kinds.list[kind].name : "");
}

void stat_print_null(struct writer *w, const struct stat_result *r)
{
	writer_row(w);
	writer_null(w, "counter-value", NULL, "");
	writer_string(w, "unit", NULL, "");
	writer_null(w, "event", NULL, "");
	writer_null(w, "event-runtime", NULL, "");
	writer_null(w, "pcnt-running", NULL, "");
	writer_null(w, "metric-value", NULL, "");
	writer_string(w, "metric-unit", NULL, "");
	writer_string(w, "note", NULL, "no events");
	print_times(w, r);
	print_kind(w, r, &(struct stat_count){ .cpu = -1 });
	writer_end_row(w);
}

/* Of a part the text has its kind in place of the event. */
static void print_name(struct writer *w, const struct stat_result *r, const struct stat_count *c,
		       bool more)
{
	char part[80];

	if (c->part && writer_format(w) == FORMAT_TEXT) {
		stat_part_text(r, c, part, sizeof(part));
		writer_text(w, more ? "%-30s" : "%s", part);
	} else {
		writer_string(w, "event", more ? "%-32s" : "%s", c->event->name);
	}
}

static void print_line(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	double percent = c->enabled ? 100.0 * (double)c->running / (double)c->enabled : 0;
	bool more = r->args->repeat || (!c->why_not && c->running < c->enabled);
	struct stat_ratio ratio;
	char note[512];

	stat_find_ratio(r, c, &ratio);
	stat_note(r, c, note, sizeof(note));
	writer_row(w);
	stat_print_where(w, r, c);
	print_value(w, c);
	writer_text(w, is_clock(c) ? " " : c->part ? "        " : "      ");
	print_name(w, r, c, ratio.unit || *note || more || is_of_cgroup(c));
	if (is_of_cgroup(c))
		stat_print_cgroup(w, c->place, !ratio.unit && !*note && !more);
	writer_u64(w, "event-runtime", NULL, c->running);
	writer_double(w, "pcnt-running", NULL, 2, percent);
	print_metric(w, &ratio, !more || *note);
	writer_string(w, "note", *note ? " # %s" : NULL, note);
	print_times(w, r);
	print_spread(w, r, c);
	flags_print(w, c->flags);
	print_kind(w, r, c);
	if (!c->why_not && c->running < c->enabled)
		writer_text(w, "  (%.2f%%)", percent);
	writer_text(w, "\n");
	writer_end_row(w);
}

void stat_print_count(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	unsigned int k;

	print_line(w, r, c);
	for (k = 0; stat_is_sum(r, c) && k < r->kinds.count; k++)
		if (c->kinds & 1u << k)
			print_line(w, r, stat_part(r, c, k));
}

static void figure_note(const struct stat_result *r, const struct stat_count *of,
			const struct stat_figure *f, char *text, size_t size)
{
	size_t at;

	stat_note(r, of, text, size);
	at = strlen(text);
	if (f->flagged)
		snprintf(text + at, size - at, "%sflagged: %s", at ? "; " : "", f->flagged);
}

static void print_figure_value(struct writer *w, const struct stat_figure *f)
{
	if (f->flagged)
		writer_colour(w, COLOUR_RED);
	writer_text(w, "%18.4f", f->value);
}

void stat_print_figure(struct writer *w, const struct stat_result *r, const struct stat_count *of,
		       const struct stat_figure *f)
{
	double percent = of->enabled ? 100.0 * (double)of->running / (double)of->enabled : 0;
	char note[512];
	bool more;

	figure_note(r, of, f, note, sizeof(note));
	more = *f->unit || *note || r->args->repeat;
	writer_row(w);
	stat_print_where(w, r, of);
	if (of->why_not)
		writer_null(w, "counter-value", "%18s", "<not measured>");
	else
		print_figure_value(w, f);
	if (!of->why_not)
		writer_null(w, "counter-value", NULL, "");
	writer_string(w, "unit", NULL, "");
	writer_string(w, "event", more || is_of_cgroup(of) ? "      %-32s" : "      %s", f->name);
	if (is_of_cgroup(of))
		stat_print_cgroup(w, of->place, !more);
	writer_u64(w, "event-runtime", NULL, of->running);
	writer_double(w, "pcnt-running", NULL, 2, percent);
	if (of->why_not)
		writer_null(w, "metric-value", NULL, "");
	else
		writer_double(w, "metric-value", NULL, 6, f->value);
	writer_string(w, "metric-unit", *f->unit ? " # %s" : NULL, f->unit);
	writer_string(w, "note", *note ? " # %s" : NULL, note);
	print_times(w, r);
	print_spread(w, r, of);
	flags_print(w, of->flags);
	print_kind(w, r, of);
	if (!of->why_not && of->running < of->enabled)
		writer_text(w, "  (%.2f%%)", percent);
	writer_text(w, "\n");
	writer_end_row(w);
}
