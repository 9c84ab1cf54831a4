// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of pmuctl stat: perf's text, and the same values as CSV and JSON.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "stat.h"
#include "tool.h"

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
};

/* Is this count one of `name`, with any modifiers? */
static bool is_event(const struct stat_count *c, const char *name)
{
	size_t len = strlen(name);

	return !c->why_not && !strncmp(c->event->name, name, len) &&
	       (!c->event->name[len] || c->event->name[len] == ':');
}

static bool same_rings(const struct stat_count *a, const struct stat_count *b)
{
	const struct pmuctl_event_info *x = pmuctl_event_info(a->event->event);
	const struct pmuctl_event_info *y = pmuctl_event_info(b->event->event);

	return x->user == y->user && x->kernel == y->kernel;
}

static const struct stat_count *find_base(const struct stat_result *r, const struct stat_count *c,
					  const char *name)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		if (is_event(&r->counts[i], name) && same_rings(&r->counts[i], c))
			return &r->counts[i];
	return NULL;
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

static const char *note_text(const struct stat_count *c)
{
	if (c->why_not)
		return c->why_not;
	if (c->flags & PMUCTL_VALUE_DISTURBED)
		return "disturbed: someone else wrote the PMU";
	if (c->flags & PMUCTL_VALUE_INCOMPLETE)
		return "incomplete: a child was not followed";
	return "";
}

static void print_metric(struct writer *w, const struct ratio *ratio, double value)
{
	if (ratio) {
		writer_text(w, " # ");
		writer_double(w, "metric-value", ratio->fmt, 2, value);
		writer_string(w, "metric-unit", " %s", ratio->unit);
	} else {
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

static void print_count(struct writer *w, const struct stat_result *r, const struct stat_count *c)
{
	double percent = c->enabled ? 100.0 * (double)c->running / (double)c->enabled : 0;
	const char *note = note_text(c);
	const struct ratio *ratio;
	double value = 0;

	ratio = find_ratio(r, c, &value);
	writer_row(w);
	if (c->why_not)
		writer_null(w, "counter-value", "%18s",
			    c->supported ? "<not counted>" : "<not supported>");
	else
		writer_u64(w, "counter-value", "%'18" PRIu64, c->value);
	writer_string(w, "unit", NULL, "");
	writer_string(w, "event", ratio || *note ? "      %-32s" : "      %s",
		      c->event->name);
	writer_u64(w, "event-runtime", NULL, c->running);
	writer_double(w, "pcnt-running", NULL, 2, percent);
	print_metric(w, ratio, value);
	writer_string(w, "note", *note ? " # %s" : NULL, note);
	print_times(w, r);
	if (!c->why_not && c->running < c->enabled)
		writer_text(w, "  (%.2f%%)", percent);
	writer_text(w, "\n");
	writer_end_row(w);
}

static void print_command(struct writer *w, char **command)
{
	writer_text(w, "'");
	for (; *command; command++)
		writer_text(w, "%s%s", *command, command[1] ? " " : "");
	writer_text(w, "'");
}

static void print_title(struct writer *w, const struct stat_args *args)
{
	writer_text(w, "\n Performance counter stats for ");
	switch (args->target) {
	case TARGET_COMMAND:
		print_command(w, args->command);
		break;
	case TARGET_ALL_CPUS:
		writer_text(w, "'system wide'");
		break;
	case TARGET_CPUS:
		writer_text(w, "'CPU(s) %s'", args->target_text);
		break;
	case TARGET_PROCESSES:
		writer_text(w, "process id '%s'", args->target_text);
		break;
	case TARGET_THREADS:
		writer_text(w, "thread id '%s'", args->target_text);
		break;
	}
	writer_text(w, ":\n\n");
}

static void print_started(FILE *out)
{
	time_t now = time(NULL);
	char text[64];
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm))
		fprintf(out, "# started on %s\n\n", text);
}

void stat_print(FILE *out, struct writer *w, const struct stat_result *r)
{
	size_t i;

	if (r->args->output && r->args->format == FORMAT_TEXT)
		print_started(out);
	print_title(w, r->args);
	for (i = 0; i < r->count; i++)
		print_count(w, r, &r->counts[i]);
	writer_text(w, "\n%17.9f seconds time elapsed\n", r->elapsed);
	if (r->has_usage)
		writer_text(w, "\n%17.9f seconds user\n%17.9f seconds sys\n", r->user, r->system);
	writer_text(w, "\n");
}
