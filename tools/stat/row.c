// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line of pmuctl stat: a count, what follows from it, and how good it is.
 */
#include <inttypes.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/flags.h"
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
	size_t at = (size_t)snprintf(text, size, "%s", c->why_not ? c->why_not : "");

	/* Of a metric there is no event. */
	if (!at && c->event && c->event->remark)
		at = cascade_note(c, text, size);
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

/* A figure made of two counts. */
struct ratio {
	const char *event;	/* its count, ... */
	const char *base;	/* ... divided by this one's */
	double factor;
	const char *fmt;
	const char *unit;
};

static const struct ratio ratios[] = {
	{ "instructions", "cycles", 1, "%7.2f ", "insn per cycle" },
	{ "branch-misses", "branches", 100, "%7.2f%%", "of all branches" },
	{ "cache-misses", "cache-references", 100, "%7.2f%%", "of all cache refs" },
	{ "l1d-load-misses", "l1d-loads", 100, "%7.2f%%", "of all L1-dcache loads" },
	{ "llc-load-misses", "llc-loads", 100, "%7.2f%%", "of all LL-cache loads" },
};

/* Edge, AnyThread, inversion and cmask make another event of it; the Pentium 4's too. */
#define CHANGED 0xffa40000ull
#define CHANGED_CCCR 0x03ff0000ull
#define CHANGED_ESCR 0xfull

static bool is_changed(const struct pmuctl_event_info *e)
{
	if (e->registers[0].kind == PMUCTL_REGISTER_ESCR)
		return e->registers[0].value & CHANGED_ESCR || e->registers[1].value & CHANGED_CCCR;
	return e->registers[0].value & CHANGED;
}

/* Is this count one of `name`, in whatever rings? */
static bool is_event(const struct stat_count *c, const char *name)
{
	const struct pmuctl_event_info *e;
	size_t len = strlen(name);

	if (c->why_not)
		return false;
	e = pmuctl_event_get_info(c->event->event);
	if (e->source != PMUCTL_SOURCE_PORTABLE || is_changed(e))
		return false;
	return !strncmp(e->full_name, name, len) &&
	       (!e->full_name[len] || e->full_name[len] == ':');
}

static bool same_rings(const struct stat_count *a, const struct stat_count *b)
{
	const struct pmuctl_event_info *x = pmuctl_event_get_info(a->event->event);
	const struct pmuctl_event_info *y = pmuctl_event_get_info(b->event->event);

	return x->user == y->user && x->kernel == y->kernel;
}

/* Of the same group, if there is one: those were counted at the same time. */
static const struct stat_count *find_base(const struct stat_result *r, const struct stat_count *c,
					  const char *name)
{
	const struct stat_count *base, *found = NULL;

	for (base = r->counts; base < r->counts + r->count; base++) {
		if (!is_event(base, name) || base->cpu != c->cpu || base->cgroup != c->cgroup ||
		    !same_rings(base, c))
			continue;
		if (base->event->group == c->event->group)
			return base;
		if (!found)
			found = base;
	}
	return found;
}

static const struct ratio *find_ratio(const struct stat_result *r, const struct stat_count *c,
				      double *value)
{
	const struct stat_count *base;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ratios); i++) {
		if (!is_event(c, ratios[i].event))
			continue;
		base = find_base(r, c, ratios[i].base);
		if (!base || !base->value)
			return NULL;
		*value = ratios[i].factor * (double)c->value / (double)base->value;
		return &ratios[i];
	}
	return NULL;
}

/* As wide as the widest, if anything follows. */
#define METRIC_WIDTH 34

static void print_metric(struct writer *w, const struct ratio *ratio, double value, bool last)
{
	if (ratio) {
		writer_text(w, " # ");
		writer_double(w, "metric-value", ratio->fmt, 2, value);
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

/*
 * In CSV with perf's blanks in front, too: by them toplev knows a line of an interval.  Not
 * where they would be taken for separators.
 */
static void print_interval(struct writer *w, const struct stat_result *r)
{
	char text[32];

	if (writer_format(w) == FORMAT_CSV && !strchr(r->args->layout.separator, ' ')) {
		snprintf(text, sizeof(text), "%16.9f", r->time);
		writer_string(w, "interval", NULL, text);
	} else {
		writer_double(w, "interval", "%16.9f ", 9, r->time);
	}
}

/* Which interval and which CPU: columns in front, as perf has them. */
static void print_where(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	char cpu[16];

	if (r->args->interval)
		print_interval(w, r);
	if (c->cpu < 0)
		return;
	snprintf(cpu, sizeof(cpu), "CPU%d", c->cpu);
	if (writer_format(w) == FORMAT_JSON)
		writer_u64(w, "cpu", NULL, (uint64_t)c->cpu);
	else
		writer_string(w, "cpu", "%-7s", cpu);
}

/* Behind the event, as perf has it; a machine gets the path. */
static void print_cgroup(struct writer *w, const struct stat_count *c, bool last)
{
	char label[256];

	if (!c->cgroup)
		return;
	if (writer_format(w) == FORMAT_TEXT)
		writer_text(w, last ? " %s" : " %-24s",
			    cgroup_label(c->cgroup, label, sizeof(label)));
	else
		writer_string(w, "cgroup", NULL, c->cgroup);
}

static void print_value(struct writer *w, const struct stat_count *c)
{
	if (c->why_not)
		writer_null(w, "counter-value", "%18s",
			    c->supported ? "<not counted>" : "<not supported>");
	else
		writer_u64(w, "counter-value", "%'18" PRIu64, c->value);
	writer_string(w, "unit", NULL, "");
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

void stat_print_count(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	double percent = c->enabled ? 100.0 * (double)c->running / (double)c->enabled : 0;
	bool more = r->args->repeat || (!c->why_not && c->running < c->enabled);
	const struct ratio *ratio;
	double value = 0;
	char note[512];

	ratio = find_ratio(r, c, &value);
	stat_note(r, c, note, sizeof(note));
	writer_row(w);
	print_where(w, r, c);
	print_value(w, c);
	writer_string(w, "event",
		      ratio || *note || more || c->cgroup ? "      %-32s" : "      %s",
		      c->event->name);
	print_cgroup(w, c, !ratio && !*note && !more);
	writer_u64(w, "event-runtime", NULL, c->running);
	writer_double(w, "pcnt-running", NULL, 2, percent);
	print_metric(w, ratio, value, !more || *note);
	writer_string(w, "note", *note ? " # %s" : NULL, note);
	print_times(w, r);
	print_spread(w, r, c);
	flags_print(w, c->flags);
	if (!c->why_not && c->running < c->enabled)
		writer_text(w, "  (%.2f%%)", percent);
	writer_text(w, "\n");
	writer_end_row(w);
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

void stat_print_figure(struct writer *w, const struct stat_result *r, const struct stat_count *of,
		       const struct stat_figure *f)
{
	double percent = of->enabled ? 100.0 * (double)of->running / (double)of->enabled : 0;
	char note[512];
	bool more;

	figure_note(r, of, f, note, sizeof(note));
	more = *f->unit || *note || r->args->repeat;
	writer_row(w);
	print_where(w, r, of);
	if (of->why_not)
		writer_null(w, "counter-value", "%18s", "<not measured>");
	else
		writer_text(w, "%18.4f", f->value);
	if (!of->why_not)
		writer_null(w, "counter-value", NULL, "");
	writer_string(w, "unit", NULL, "");
	writer_string(w, "event", more || of->cgroup ? "      %-32s" : "      %s", f->name);
	print_cgroup(w, of, !more);
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
	if (!of->why_not && of->running < of->enabled)
		writer_text(w, "  (%.2f%%)", percent);
	writer_text(w, "\n");
	writer_end_row(w);
}
