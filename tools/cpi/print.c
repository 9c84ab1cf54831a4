// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of pmuctl cpi: the sum in a line, and a row for each of its parts.
 */
#include <stdio.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/flags.h"
#include "tools/base/wrap.h"
#include "tools/cpi/cpi.h"

#define NAME_WIDTH	20

#define ROUGH "too short for sets of events that take turns: each saw another part of it"

/* Parts of less than this share of all are added up in the line, and have their rows. */
#define LINE_LEAST	0.005

const char *cpi_method_text(enum cpi_method method)
{
	static const char *const texts[] = {
		[CPI_FLOOR] = "floor", [CPI_DURATION] = "duration", [CPI_ANALYTIC] = "analytic",
		[CPI_GIVEN] = "given", [CPI_NONE] = "",
	};

	return texts[method];
}

static const char *rest_name(const struct cpi_sum *sum)
{
	return sum->rest < 0 ? "overlap" : "unexplained";
}

static double size_of(double x)
{
	return x < 0 ? -x : x;
}

/* ---- the sum in a line ---------------------------------------------------------------------- */

/* Whether it is told by its name in the line. */
static bool is_in_line(const struct cpi_sum *sum, const struct cpi_row *row)
{
	return !row->why_not && row->cpi >= LINE_LEAST * sum->cpi;
}

static double small_parts(const struct cpi_sum *sum)
{
	double small = 0;
	size_t i;

	for (i = 0; i < sum->count; i++)
		if (!is_in_line(sum, &sum->rows[i]))
			small += sum->rows[i].cpi;
	return small;
}

static void sum_text(const struct cpi_sum *sum, char *text, size_t size)
{
	double small = small_parts(sum);
	int at = snprintf(text, size, "CPI %.2f =", sum->cpi);
	const char *plus = " ";
	size_t i;

	for (i = 0; i < sum->count && at > 0 && (size_t)at < size; i++)
		if (is_in_line(sum, &sum->rows[i])) {
			at += snprintf(text + at, size - (size_t)at, "%s%s %.2f", plus,
				       sum->rows[i].part->name, sum->rows[i].cpi);
			plus = " + ";
		}
	if (small >= 0.005 && at > 0 && (size_t)at < size)
		at += snprintf(text + at, size - (size_t)at, "%sothers %.2f", plus, small);
	if (at > 0 && (size_t)at < size)
		snprintf(text + at, size - (size_t)at, " %c %s %.2f%s", sum->rest < 0 ? '-' : '+',
			 rest_name(sum), size_of(sum->rest), sum->rest < -LINE_LEAST * sum->cpi ?
			 ": removing one will not give its part" : "");
}

static void print_where(struct writer *w, const struct cpi_view *view)
{
	if (view->args->interval)
		writer_text(w, " %.3f s", view->time);
	if (view->args->per_task)
		writer_text(w, " %s (process %d, thread %d)", view->watch->comm, (int)view->watch->pid,
			    (int)view->watch->tid);
	if (view->args->interval || view->args->per_task)
		writer_text(w, "\n");
}

/* ---- rows of text --------------------------------------------------------------------------- */

static void error_text(double error, char *text, size_t size)
{
	snprintf(text, size, error < 0 ? "" : "+-%.3f", error);
}

static void method_text(const struct cpi_row *row, char *text, size_t size)
{
	const struct cpi_part *part = row->part;

	if (part->method == CPI_FLOOR)
		snprintf(text, size, "uops / %.0f", 1 / part->cycles);
	else
		snprintf(text, size, "%s", cpi_method_text(part->method));
}

static bool is_none(const struct cpi_row *row)
{
	return !row->why_not && row->count <= 0;
}

/* What did not happen, in a line. */
static void print_none(struct writer *w, const struct cpi_sum *sum)
{
	bool any = false;
	size_t i;

	for (i = 0; i < sum->count; i++)
		if (is_none(&sum->rows[i])) {
			writer_text(w, "%s%s", any ? ", " : "  none at all: ", sum->rows[i].part->name);
			any = true;
		}
	writer_text(w, any ? "\n" : "");
}

static void print_part(struct writer *w, const struct cpi_sum *sum, const struct cpi_row *row)
{
	char error[24], method[32], node[96] = "";

	if (is_none(row))
		return;

	if (row->why_not) {
		writer_text(w, "  %-*s  %s\n", NAME_WIDTH, row->part->name, row->why_not);
		return;
	}
	error_text(row->error, error, sizeof(error));
	method_text(row, method, sizeof(method));
	if (row->node >= 0)
		snprintf(node, sizeof(node), "%s %.3f%s", row->part->node, row->node,
			 row->flagged ? " <== over twice" : "");
	writer_text(w, "  %-*s %8.3f %8s %6.1f %10.3f %8.*f  %-*s%s%s\n", NAME_WIDTH,
		    row->part->name, row->cpi, error, 100 * row->cpi / sum->cpi, 1000 * row->count,
		    row->part->method == CPI_FLOOR ? 3 : 1, row->cycles, *node ? 10 : 0, method,
		    *node ? " " : "",
		    node);
}

static void print_rest(struct writer *w, const struct cpi_sum *sum)
{
	char error[24];

	error_text(sum->rest_error, error, sizeof(error));
	writer_text(w, "  %-*s %8.3f %8s %6.1f\n", NAME_WIDTH, rest_name(sum), sum->rest, error,
		    100 * sum->rest / sum->cpi);
	error_text(sum->cpi_error, error, sizeof(error));
	writer_text(w, "  %-*s %8.3f%s%s\n", NAME_WIDTH, "CPI", sum->cpi, *error ? " " : "", error);
}

/* Level 1 as cycles an instruction; they add up to all of them. */
static void print_level(struct writer *w, const struct cpi_view *view)
{
	size_t i, count = view->results ? pmuctl_topdown_nodes(view->plan) : 0;
	char text[256] = "";
	int at = 0;

	for (i = 0; i < count && (size_t)at < sizeof(text); i++)
		if (pmuctl_topdown_get_node(view->plan, i)->level == 1 && !view->results[i].why_not)
			at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%s %.3f", at ? " + " : "",
				       pmuctl_topdown_get_node(view->plan, i)->name,
				       view->results[i].value / 100 * view->sum->cpi);
	if (at)
		writer_text(w, " by Top-Down: %s\n", text);
}

static void print_text(struct writer *w, const struct cpi_view *view)
{
	const struct cpi_sum *sum = view->sum;
	char text[1024];
	size_t i;

	print_where(w, view);
	if (sum->empty) {
		writer_text(w, " nothing ran\n");
		return;
	}
	sum_text(sum, text, sizeof(text));
	wrapped_text(w, 1, text);
	if (sum->rough)
		writer_text(w, " " ROUGH "; %s helps\n", view->args->interval ?
			    "a longer -I" : "--no-multiplex, or a longer run,");
	if (view->args->interval)
		return;
	writer_text(w, "\n  %-*s %8s %8s %6s %10s %8s  %-10s%s\n", NAME_WIDTH, "part", "CPI", "", "%",
		    "per 1000", "each", "method", view->results ? " node of Top-Down" : "");
	for (i = 0; i < sum->count; i++)
		print_part(w, sum, &sum->rows[i]);
	print_none(w, sum);
	print_rest(w, sum);
	print_level(w, view);
	writer_text(w, "\n");
}

/* ---- rows of CSV and JSON ------------------------------------------------------------------- */

static void write_where(struct writer *w, const struct cpi_view *view)
{
	if (view->args->interval)
		writer_double(w, "interval", NULL, 9, view->time);
	if (!view->args->per_task)
		return;
	writer_string(w, "comm", NULL, view->watch->comm);
	writer_u64(w, "pid", NULL, (uint64_t)view->watch->pid);
	writer_u64(w, "tid", NULL, (uint64_t)view->watch->tid);
}

static void write_flags(struct writer *w, const struct cpi_view *view)
{
	flags_print(w, view->watch->flags & ~(uint32_t)PMUCTL_VALUE_ESTIMATE);
	writer_end_row(w);
}

static void write_part(struct writer *w, const struct cpi_view *view, const struct cpi_row *row)
{
	bool there = !row->why_not;

	writer_row(w);
	write_where(w, view);
	writer_string(w, "part", NULL, row->part->name);
	writer_number(w, "cpi", 6, row->cpi, there);
	writer_number(w, "error", 6, row->error, there && row->error >= 0);
	writer_number(w, "per-instruction", 6, row->count, there);
	writer_number(w, "cycles", 6, row->cycles, there);
	writer_string(w, "method", NULL, cpi_method_text(row->part->method));
	writer_string(w, "source", NULL, row->part->source ? row->part->source : "");
	writer_string(w, "node", NULL, row->part->node ? row->part->node : "");
	writer_number(w, "node-cpi", 6, row->node, row->node >= 0);
	writer_bool(w, "flagged", row->flagged);
	writer_string(w, "note", NULL, row->why_not ? row->why_not : "");
	write_flags(w, view);
}

static void write_sum(struct writer *w, const struct cpi_view *view, const char *name, double value,
		      double error, const char *note)
{
	bool there = !view->sum->empty;

	writer_row(w);
	write_where(w, view);
	writer_string(w, "part", NULL, name);
	writer_number(w, "cpi", 6, value, there);
	writer_number(w, "error", 6, error, there && error >= 0);
	writer_null(w, "per-instruction", NULL, "");
	writer_null(w, "cycles", NULL, "");
	writer_string(w, "method", NULL, "");
	writer_string(w, "source", NULL, "");
	writer_string(w, "node", NULL, "");
	writer_null(w, "node-cpi", NULL, "");
	writer_bool(w, "flagged", false);
	writer_string(w, "note", NULL, there ? note : "nothing ran");
	write_flags(w, view);
}

static void write_rows(struct writer *w, const struct cpi_view *view)
{
	const struct cpi_sum *sum = view->sum;
	size_t i;

	for (i = 0; i < sum->count && !sum->empty; i++)
		write_part(w, view, &sum->rows[i]);
	write_sum(w, view, rest_name(sum), sum->rest, sum->rest_error, sum->rest < 0 ?
		  "parts that run at the same time: removing one will not give its part" :
		  "no event of the table tells it");
	write_sum(w, view, "CPI", sum->cpi, sum->cpi_error, sum->rough ? ROUGH : "");
}

/* ---- all of it ------------------------------------------------------------------------------ */

void cpi_print_head(struct writer *w, const struct cpi_args *args)
{
	writer_text(w, "\n Cycles per instruction");
	if (args->command) {
		writer_text(w, " of '");
		writer_words(w, args->command);
		writer_text(w, "'");
	}
	writer_text(w, ":\n\n");
}

void cpi_print(struct writer *w, const struct cpi_view *view)
{
	if (view->args->layout.format == FORMAT_TEXT)
		print_text(w, view);
	else
		write_rows(w, view);
}

static void print_sources(struct writer *w, const struct cpi_parts *parts)
{
	char text[512];
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct cpi_part *part = &parts->list[i];

		if (part->why_not || !part->source || part->method == CPI_FLOOR)
			continue;
		snprintf(text, sizeof(text), "%s, %s: %s", part->name, cpi_method_text(part->method),
			 part->source);
		wrapped_text(w, 3, text);
	}
}

void cpi_print_foot(struct writer *w, const struct cpi_parts *parts, const char *why_no_tree,
		    unsigned int runs)
{
	char text[640];

	wrapped_text(w, 1, "each part is how often its event happens times what one costs: by how long one "
		     "lasts, by published figures, or as given. No part is cut to fit; what they leave of "
		     "the CPI is unexplained, and what they are more than it is overlap");
	print_sources(w, parts);
	if (parts->inside) {
		snprintf(text, sizeof(text), "misses of the levels behind are in %s", parts->inside);
		wrapped_text(w, 3, text);
	}
	if (why_no_tree) {
		snprintf(text, sizeof(text), "without Top-Down: %s", why_no_tree);
		wrapped_text(w, 1, text);
	}
	if (runs > 1)
		writer_text(w, " %u runs; +- is half of an interval of 95 %% (Student's t)\n", runs);
	else
		writer_text(w, " one run has no error: -r has\n");
	writer_text(w, "\n");
}
