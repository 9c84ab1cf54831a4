// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printing what pmuctl report found: a table an event, the heaviest rows first.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/report/run.h"
#include "tools/samples/stacks.h"

/* ---- the order of rows that have the same weight ---------------------------------------- */

static int by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_function(const struct report_function *a, const struct report_function *b)
{
	int order = !a->name - !b->name;

	if (a == b)
		return 0;
	if (!order && a->name)
		order = strcmp(a->name, b->name);
	return order ? order : by_number(a->start, b->start);
}

static int by_line(const struct report_spot *a, const struct report_spot *b)
{
	int order = !a->file - !b->file;

	if (!order && a->file)
		order = strcmp(a->file, b->file);
	return order ? order : by_number(a->line, b->line);
}

/* As strcmp() does for what is shown, but for numbers as numbers. */
static int report_compare(const struct profile *p, const struct report_row *l,
		   const struct report_row *r, enum report_key key)
{
	const struct report_spot *a = &p->spots[l->spot], *b = &p->spots[r->spot];

	if (key == KEY_DSO_TO || key == KEY_SYMBOL_TO) {
		a = &p->spots[l->to];
		b = &p->spots[r->to];
	}
	switch (key) {
	case KEY_COMM:
		return l->comm == r->comm ? 0 : strcmp(l->comm, r->comm);
	case KEY_MISPREDICT:
		return strcmp(l->mispredict, r->mispredict);
	case KEY_DSO:
	case KEY_DSO_FROM:
	case KEY_DSO_TO:
		return a->place.dso == b->place.dso ? 0 :
			strcmp(pmuctl_data_dso(p->data, a->place.dso),
			       pmuctl_data_dso(p->data, b->place.dso));
	case KEY_SYMBOL:
	case KEY_SYMBOL_FROM:
	case KEY_SYMBOL_TO:
		return by_function(&p->functions[a->function], &p->functions[b->function]);
	case KEY_LINE:
		return by_line(a, b);
	case KEY_ADDRESS:
		return by_number(a->place.address, b->place.address);
	case KEY_PID:
		return by_number(l->pid, r->pid);
	case KEY_TID:
		return by_number(l->tid, r->tid);
	default:
		return by_number(l->cpu, r->cpu);
	}
}

#define GAP "  "

/* A row, and what it is sorted by first. */
struct ranked {
	uint64_t amount;
	uint32_t row;
};

struct sheet {
	const struct profile *profile;
	struct writer *w;
	uint32_t event;
	double total;		/* of events, or of samples if those have no periods */
	bool by_samples;
	struct ranked *rows;
	size_t count;
	size_t width[KEYS];
	char formats[KEYS][32];
	struct report_texts texts;
};

static uint64_t amount(const struct sheet *t, const struct report_weight *weight)
{
	return report_amount(weight, t->by_samples);
}

static uint64_t row_amount(const struct sheet *t, const struct report_row *row)
{
	return amount(t, t->profile->children ? &row->all : &row->self);
}

/* DSOs may have one name: they have their numbers in the order of the file. */
static int by_dso(const struct profile *p, uint32_t left, uint32_t right)
{
	if (left == right || left == INDEX_NONE || right == INDEX_NONE)
		return 0;
	return by_number(p->spots[left].place.dso, p->spots[right].place.dso);
}

/*
 * Of equal rows the order is that of their texts, so that it is always the same, by however many
 * threads the samples were read.
 */
static int by_text(const struct profile *p, const struct report_row *l, const struct report_row *r)
{
	size_t i;
	int order = 0;

	for (i = 0; i < p->args->keys_count && !order; i++)
		order = report_compare(p, l, r, p->args->keys[i]);
	if (!order)
		order = by_dso(p, l->spot, r->spot);
	if (!order)
		order = by_dso(p, l->to, r->to);
	return order ? order : p->spots[l->spot].kernel - p->spots[r->spot].kernel;
}

static int heavier(const void *left, const void *right, void *data)
{
	const struct ranked *x = left, *y = right;
	const struct sheet *t = data;
	const struct report_row *l = &t->profile->rows[x->row], *r = &t->profile->rows[y->row];
	uint64_t a, b;

	if (x->amount != y->amount)
		return x->amount > y->amount ? -1 : 1;
	if (!t->profile->children)
		return by_text(t->profile, l, r);
	a = amount(t, &l->self);
	b = amount(t, &r->self);
	if (a != b)
		return a > b ? -1 : 1;
	return by_text(t->profile, l, r);
}

static int collect(struct sheet *t)
{
	const struct profile *p = t->profile;
	uint32_t i;

	t->rows = malloc((p->rows_count ? p->rows_count : 1) * sizeof(*t->rows));
	if (!t->rows)
		return -ENOMEM;
	for (i = 0; i < p->rows_count; i++) {
		uint64_t own = row_amount(t, &p->rows[i]);

		if (p->rows[i].event == t->event &&
		    report_percent(own, t->total) >= p->args->limit)
			t->rows[t->count++] = (struct ranked){ own, i };
	}
	qsort_r(t->rows, t->count, sizeof(*t->rows), heavier, t);
	return 0;
}

static void measure(struct sheet *t)
{
	const struct report_args *args = t->profile->args;
	size_t i, k;

	for (k = 0; k < args->keys_count; k++)
		t->width[k] = strlen(report_heading(args->keys[k]));
	for (i = 0; i < t->count; i++) {
		for (k = 0; k + 1 < args->keys_count; k++) {
			const char *text = report_text(t->profile,
						       &t->profile->rows[t->rows[i].row],
						       args->keys[k], true, &t->texts);
			size_t width = strlen(text);

			if (width > t->width[k])
				t->width[k] = width;
		}
	}
}

/* The last column is as wide as it is. */
static void set_formats(struct sheet *t)
{
	size_t k, last = t->profile->args->keys_count - 1;

	for (k = 0; k < last; k++)
		snprintf(t->formats[k], sizeof(t->formats[k]), GAP "%%-%zus", t->width[k]);
	snprintf(t->formats[last], sizeof(t->formats[last]), GAP "%%s");
}

static void print_dots(struct sheet *t, size_t count)
{
	while (count--)
		writer_text(t->w, ".");
}

static void print_headings(struct sheet *t)
{
	const struct report_args *args = t->profile->args;
	bool children = t->profile->children;
	size_t k;

	writer_text(t->w, "#\n# %s%s", children ? "Children      Self" : "Overhead",
		    args->samples ? "       Samples" : "");
	for (k = 0; k < args->keys_count; k++)
		writer_text(t->w, GAP "%-*s", k + 1 < args->keys_count ? (int)t->width[k] : 0,
			    report_heading(args->keys[k]));
	writer_text(t->w, "\n# %s%s", children ? "........  ........" : "........",
		    args->samples ? "  ............" : "");
	for (k = 0; k < args->keys_count; k++) {
		writer_text(t->w, GAP);
		print_dots(t, t->width[k]);
	}
	writer_text(t->w, "\n#\n");
}

/* A CSV's reader wants to know the columns too, and skips lines like perf's. */
static void print_csv_headings(struct sheet *t, FILE *out)
{
	const struct report_args *args = t->profile->args;
	const char *s = args->layout.separator;
	size_t k;

	fprintf(out, "# event%s", s);
	if (t->profile->children)
		fprintf(out, "children%schildren samples%schildren events%s", s, s, s);
	fprintf(out, "overhead%ssamples%sevents", s, s);
	for (k = 0; k < args->keys_count; k++)
		fprintf(out, "%s%s", s, report_json_key(args->keys[k]));
	fputc('\n', out);
}

static void print_share(struct sheet *t, const char *key, const struct report_weight *weight)
{
	double percent = report_percent(amount(t, weight), t->total);

	writer_heat(t->w, percent);
	writer_double(t->w, key, GAP "%7.2f%%", 2, percent);
}

static void print_amounts(struct sheet *t, const struct report_row *row)
{
	if (t->profile->children) {
		print_share(t, "children", &row->all);
		writer_u64(t->w, "children_samples", NULL, row->all.samples);
		writer_u64(t->w, "children_events", NULL, row->all.events);
	}
	print_share(t, "overhead", &row->self);
	writer_count(t->w, "samples", t->profile->args->samples ? GAP "%12" PRIu64 : NULL,
		     2 + 12, row->self.samples);
	writer_u64(t->w, "events", NULL, row->self.events);
}

static bool is_number(enum report_key key)
{
	return key == KEY_PID || key == KEY_TID || key == KEY_CPU;
}

static void print_key(struct sheet *t, const struct report_row *row, size_t k)
{
	const struct report_args *args = t->profile->args;
	enum report_key key = args->keys[k];
	const char *text = report_text(t->profile, row, key, args->layout.format == FORMAT_TEXT,
				       &t->texts);

	if (is_number(key))
		writer_digits(t->w, report_json_key(key), t->formats[k], text);
	else
		writer_string(t->w, report_json_key(key), t->formats[k], text);
}

static int print_row(struct sheet *t, const struct report_row *row)
{
	const struct report_args *args = t->profile->args;
	int err = 0;
	size_t k;

	writer_row(t->w);
	writer_string(t->w, "event", NULL,
		      pmuctl_data_get_info(t->profile->data)->events[t->event].name);
	print_amounts(t, row);
	for (k = 0; k < args->keys_count; k++)
		print_key(t, row, k);
	writer_text(t->w, "\n");
	if (args->graph.on)
		err = report_print_callers(t->profile, t->w, row, t->by_samples, t->total);
	writer_end_row(t->w);
	return err;
}

static int print_rows(struct sheet *t)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < t->count; i++)
		err = print_row(t, &t->profile->rows[t->rows[i].row]);
	return err;
}

/* What the file says of this event, in each format. */
static void print_summary(struct sheet *t, FILE *out)
{
	const struct profile *p = t->profile;
	const struct pmuctl_data_info *info = pmuctl_data_get_info(p->data);
	const struct pmuctl_data_event *event = &info->events[t->event];
	const struct report_weight *total = &p->totals[t->event];
	bool json = p->args->layout.format == FORMAT_JSON;
	char count[COUNT_TEXT];

	if (!json) {
		char *name = clean_copy(event->name);

		fprintf(out, "#\n# Samples: %s of event '%s'\n",
			writer_count_text(t->w, total->samples, count), name ? name : "");
		free(name);
		if (is_off_cpu(event))
			fprintf(out, "# Off-CPU time: %.9f s in %" PRIu64 " waits\n",
				(double)total->events / 1e9, total->samples);
		else
			fprintf(out, "# Event count (approx.): %s\n",
				writer_count_text(t->w, total->events, count));
		if (event->precise)
			fprintf(out, "# Uncertain: %" PRIu64 " samples do not name the very instruction\n",
				p->uncertain[t->event]);
		return;
	}
	writer_row(t->w);
	writer_string(t->w, "event", NULL, event->name);
	writer_u64(t->w, "total_samples", NULL, total->samples);
	writer_u64(t->w, "total_events", NULL, total->events);
	writer_u64(t->w, "uncertain", NULL, p->uncertain[t->event]);
	writer_u64(t->w, "period", NULL, event->period);
	if (is_off_cpu(event))
		writer_string(t->w, "unit", NULL, "ns");
	writer_end_row(t->w);
}

static int print_event(const struct profile *p, struct writer *w, FILE *out, uint32_t event)
{
	const struct report_weight *total = &p->totals[event];
	struct sheet t = { .profile = p, .w = w, .event = event };
	int err;

	t.by_samples = !total->events;
	t.total = (double)amount(&t, total);
	err = collect(&t);
	if (err)
		return err;
	print_summary(&t, out);
	if (p->args->layout.format == FORMAT_TEXT) {
		measure(&t);
		print_headings(&t);
	} else if (p->args->layout.format == FORMAT_CSV) {
		print_csv_headings(&t, out);
	}
	set_formats(&t);
	err = print_rows(&t);
	writer_text(w, "\n");
	report_texts_free(&t.texts);
	free(t.rows);
	return err;
}

/* The file's own account: produced = written + lost. */
static void print_ledger(const struct profile *p, struct writer *w, FILE *out)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(p->data);

	if (p->args->layout.format == FORMAT_JSON) {
		writer_row(w);
		writer_string(w, "file", NULL, p->args->input);
		writer_string(w, "command", NULL, info->command);
		writer_u64(w, "written", NULL, info->samples);
		writer_u64(w, "lost", NULL, info->lost);
		writer_u64(w, "produced", NULL, info->samples + info->lost);
		writer_u64(w, "throttled", NULL, info->throttled);
		writer_bool(w, "cut", info->cut);
		writer_u64(w, "undescribed", NULL, info->undescribed);
		writer_end_row(w);
		return;
	}
	fprintf(out, "# Total Lost Samples: %" PRIu64 "\n", info->lost);
	fprintf(out, "# Samples produced: %" PRIu64 " = %" PRIu64 " written + %" PRIu64 " lost\n",
		info->samples + info->lost, info->samples, info->lost);
	fprintf(out, "# Throttled: %" PRIu64 " times\n", info->throttled);
	if (info->undescribed)
		fprintf(out, "# Left out: %" PRIu64 " samples of events that the file does not "
			"describe\n", info->undescribed);
	if (info->cut)
		fprintf(out, "# The file was cut or not closed: these are its whole records\n");
}

/* The event that only tells of maps and tasks has no samples, and nobody asked for it. */
static bool is_shown(const struct profile *p, const struct pmuctl_data_info *info, uint32_t event)
{
	const struct pmuctl_data_event *e = &info->events[event];

	if (p->args->event)
		return !strcmp(p->args->event, e->name);
	return e->samples || info->events_count == 1 ||
	       !(e->type == PERF_TYPE_SOFTWARE && e->config == PERF_COUNT_SW_DUMMY);
}

int report_print(const struct profile *p, struct writer *w, FILE *out)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(p->data);
	uint32_t event;
	int err = 0;

	print_ledger(p, w, out);
	for (event = 0; event < info->events_count && !err; event++)
		if (is_shown(p, info, event))
			err = print_event(p, w, out, event);
	return err;
}
