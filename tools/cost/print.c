// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of pmuctl cost: a line an event and a column a method, and below why a place is empty.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/flags.h"
#include "tools/base/wrap.h"
#include "tools/cost/cost.h"

#define NAME_WIDTH	28

/* Decimals that show a cost to three digits or so. */
static int decimals_of(double cycles)
{
	double size = cycles < 0 ? -cycles : cycles;

	return size >= 100 ? 0 : size >= 0.1 ? 1 : 3;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void print_side(struct writer *w, const struct pairs *p, unsigned int side)
{
	const struct side *s = &p->contests[0].sides[side];
	size_t i;

	writer_text(w, " %c: '", 'A' + (int)side);
	writer_words(w, s->command);
	writer_text(w, "'");
	if (s->mode->name)
		writer_text(w, " in mode %s", s->mode->name);
	for (i = 1; side && i < p->nr_contests; i++)
		writer_text(w, ", then in mode %s", p->contests[i].name);
	writer_text(w, "\n");
}

static void print_head(struct writer *w, const struct cost_results *r)
{
	writer_text(w, "\n Cycles that an event costs%s:\n\n", r->settings ? ", by A and by how B differs" :
		    "");
	print_side(w, r->pairs, 0);
	if (r->settings)
		print_side(w, r->pairs, 1);
	writer_text(w, "\n  %-*s %16s %9s  %-14s %-16s %s\n", NAME_WIDTH, "event", "count", "analytic",
		    "duration", "pushout", "total-time");
}

/* What is said below the table: each text once, whichever places it is about. */
struct remarks {
	const char *texts[64];
	unsigned int count;
};

/* Returns its number, from 1 on; of more than there is room for the last one's. */
static unsigned int remark(struct remarks *remarks, const char *text)
{
	unsigned int i;

	for (i = 0; i < remarks->count; i++)
		if (!strcmp(remarks->texts[i], text))
			return i + 1;
	if (remarks->count < ARRAY_SIZE(remarks->texts))
		remarks->texts[remarks->count++] = text;
	return remarks->count;
}

static void duration_text(const struct cost_line *line, struct remarks *remarks, char *text,
			  size_t size)
{
	const struct cost_duration *d = &line->duration;
	int n = decimals_of(d->value);

	if (!d->value)
		snprintf(text, size, "- (%u)", remark(remarks, d->why_not));
	else if (d->error >= 0)
		snprintf(text, size, "%.*f +-%.*f", n, d->value, n, d->error);
	else
		snprintf(text, size, "%.*f", n, d->value);
}

static void pushout_text(const struct cost_line *line, struct remarks *remarks, char *text,
			 size_t size)
{
	const struct cost_pushout *p = &line->pushout;
	unsigned int number = *p->note ? remark(remarks, p->note) : 0;
	int n = decimals_of(p->value);

	if (!p->has && !number)
		snprintf(text, size, "-");
	else if (!p->has)
		snprintf(text, size, "- (%u)", number);
	else if (p->error >= 0)
		snprintf(text, size, "%.*f +-%.*f (%u)", n, p->value, n, p->error, number);
	else
		snprintf(text, size, "%.*f (%u)", n, p->value, number);
}

static void total_text(const struct cost_line *line, struct remarks *remarks, char *text,
		       size_t size)
{
	const struct cost_total *t = &line->total;
	int n = decimals_of(t->cost), at;

	if (t->refused)
		at = snprintf(text, size, "refused");
	else
		at = snprintf(text, size, "%.*f [%.*f, %.*f]", n, t->cost, n, t->interval.low, n,
			      t->interval.high);
	if (*t->note && at > 0 && (size_t)at < size)
		snprintf(text + at, size - (size_t)at, " (%u)", remark(remarks, t->note));
}

static void print_count(struct writer *w, const struct cost_line *line)
{
	char count[32];

	snprintf(count, sizeof(count), "%.0f", line->count);
	if (!line->counted)
		writer_text(w, "%16s", "not counted");
	else if (writer_format(w) == FORMAT_TEXT)
		writer_count(w, NULL, "%16" PRIu64, 16, strtoull(count, NULL, 10));
}

static void print_line(struct writer *w, const struct cost_line *line, struct remarks *remarks)
{
	char analytic[32] = "-", duration[48], pushout[64], total[96];

	if (line->figure && line->figure->cost.cycles > 0)
		snprintf(analytic, sizeof(analytic), "%g", line->figure->cost.cycles);
	duration_text(line, remarks, duration, sizeof(duration));
	pushout_text(line, remarks, pushout, sizeof(pushout));
	total_text(line, remarks, total, sizeof(total));
	writer_text(w, "  %-*s ", NAME_WIDTH, line->name);
	print_count(w, line);
	writer_text(w, " %9s  %-14s %-16s %s\n", analytic, duration, pushout, total);
}

static void print_remarks(struct writer *w, const struct remarks *remarks)
{
	char line[1024];
	unsigned int i;

	writer_text(w, "\n");
	for (i = 0; i < remarks->count; i++) {
		snprintf(line, sizeof(line), "(%u) %s", i + 1, remarks->texts[i]);
		wrapped_text(w, 1, line);
	}
}

static void print_sources(struct writer *w, const struct cost_results *r)
{
	char text[512];
	size_t i;

	wrapped_text(w, 1, "analytic: what one takes by itself, an upper bound where nothing else waits for "
		     "it; duration: how long one lasts, which others may hide; pushout: how much longer retirement "
		     "stands still for it; total-time: change of "
		     "cycles by change of events, with an interval of 95 % (Fieller)");
	for (i = 0; i < r->count; i++) {
		const struct cost_line *line = &r->lines[i];

		if (line->figure && line->figure->cost.source) {
			snprintf(text, sizeof(text), "%s %g: %s", line->name, line->figure->cost.cycles,
				 line->figure->cost.source);
			wrapped_text(w, 3, text);
		}
		if (line->duration.value && line->duration.meaning) {
			snprintf(text, sizeof(text), "%s lasts: %s", line->name, line->duration.meaning);
			wrapped_text(w, 3, text);
		}
	}
	if (r->no_figures)
		wrapped_text(w, 1, r->no_figures);
}

static void print_foot(struct writer *w, const struct cost_results *r)
{
	writer_text(w, " %zu pair%s, seed %llu", r->pairs->done, r->pairs->done == 1 ? "" : "s",
		    (unsigned long long)r->pairs->args->seed);
	if (r->pairs->nr_sets > 1)
		writer_text(w, "; what does not fit at once takes turns by pairs, in %zu sets",
			    r->pairs->nr_sets);
	writer_text(w, "\n");
	if (r->turns)
		writer_text(w, " events took turns within runs: their counts are estimates; fewer of them "
			    "need none\n");
	writer_text(w, "\n");
}

/* ---- CSV and JSON --------------------------------------------------------------------------- */

static void write_total(struct writer *w, const struct cost_total *t, bool interval)
{
	writer_number(w, "total-time", 6, t->cost, !t->refused);
	writer_number(w, "low", 6, t->interval.low, !t->refused && interval);
	writer_number(w, "high", 6, t->interval.high, !t->refused && interval);
	writer_number(w, "level", 2, t->interval.level, !t->refused && interval);
	writer_string(w, "verdict", NULL, t->refused ? "refused" : "cost");
}

/* The columns of CSV and the keys of JSON; what there is not is empty. */
static void write_row(struct writer *w, const struct cost_results *r, const struct cost_line *line)
{
	const struct cost_duration *d = &line->duration;
	const struct pmuctl_cost *cost = line->figure ? &line->figure->cost : NULL;
	char note[128] = "";

	writer_row(w);
	writer_string(w, "event", NULL, line->name);
	writer_number(w, "count", 3, line->count, line->counted);
	writer_number(w, "count-error", 3, line->spread, line->counted && line->spread >= 0);
	writer_number(w, "analytic", 3, cost ? cost->cycles : 0, cost && cost->cycles > 0);
	writer_string(w, "source", NULL, cost && cost->source ? cost->source : "");
	writer_number(w, "duration", 6, d->value, d->value > 0);
	writer_number(w, "duration-error", 6, d->error, d->value > 0 && d->error >= 0);
	writer_string(w, "duration-note", NULL, d->value > 0 ? d->meaning ? d->meaning : "" : d->why_not);
	writer_number(w, "pushout", 6, line->pushout.value, line->pushout.has);
	writer_string(w, "pushout-note", NULL, line->pushout.note);
	write_total(w, &line->total, true);
	writer_string(w, "total-note", NULL, line->total.note);
	writer_u64(w, "pairs", NULL, r->pairs->done);
	flags_note(line->flags, note, 0, sizeof(note));
	writer_string(w, "note", NULL, note);
	flags_print(w, line->flags);
	writer_number(w, "pushout-error", 6, line->pushout.error,
		      line->pushout.has && line->pushout.error >= 0);
	writer_end_row(w);
}

void cost_print(struct writer *w, const struct cost_results *r)
{
	struct remarks remarks = { .count = 0 };
	size_t i;

	print_head(w, r);
	for (i = 0; i < r->count; i++) {
		print_line(w, &r->lines[i], &remarks);
		write_row(w, r, &r->lines[i]);
	}
	print_remarks(w, &remarks);
	print_sources(w, r);
	print_foot(w, r);
}

/* ---- two points ----------------------------------------------------------------------------- */

void cost_print_points(struct writer *w, const struct cost_args *args,
		       const struct cost_total *total)
{
	const struct cost_point *from = &args->from, *to = &args->to;

	writer_text(w, "\n from %.15g events and %.15g cycles to %.15g and %.15g: ", from->events,
		    from->cycles, to->events, to->cycles);
	if (total->refused)
		writer_text(w, "refused\n %s\n\n", total->note);
	else
		writer_text(w, "%.1f cycles an event (%s)\n\n", total->cost, total->note);
	writer_row(w);
	write_total(w, total, false);
	writer_string(w, "total-note", NULL, total->note);
	writer_end_row(w);
}
