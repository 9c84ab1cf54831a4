// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of pmuctl compare: a line a row with its contests side by side; in CSV and JSON a
 * row for each of them.
 */
#include <stdio.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/flags.h"
#include "tools/base/wrap.h"
#include "tools/compare/compare.h"

#define NAME_WIDTH	24

#define IDENTICAL	"identical in all pairs"
#define ESTIMATES	"estimates: it took turns"

static const char *verdict_of(const struct cell *cell)
{
	if (*cell->why_not)
		return "no ratio";
	if (cell->identical)
		return IDENTICAL;
	return cell->apart ? "told apart" : "not told apart";
}

/*
 * Decimals by which the interval shows two digits of its width, or the ratio of those that are
 * identical what it is besides 1; from 3 to 6.
 */
static int decimals_of(const struct cell *cell)
{
	double width = cell->interval.high - cell->interval.low;
	int n = 3;

	if (width <= 0)
		width = cell->ratio < 1 ? 1 - cell->ratio : cell->ratio - 1;
	for (; width > 1e-9 && n < 6 && width < 0.01; n++)
		width *= 10;
	return n;
}

void compare_cell_text(const struct cell *cell, char text[CELL_TEXT])
{
	int n = decimals_of(cell);

	if (*cell->why_not)
		snprintf(text, CELL_TEXT, "%s", cell->why_not);
	else if (cell->identical)
		snprintf(text, CELL_TEXT, "%.*f " IDENTICAL, n, cell->ratio);
	else
		snprintf(text, CELL_TEXT, "%.*f [%.*f, %.*f] %s", n, cell->ratio, n, cell->interval.low, n,
			 cell->interval.high, verdict_of(cell));
}

static void median_text(const struct row *row, double median, char *text, size_t size)
{
	static const int decimals[] = {
		[ROW_COUNT] = 0, [ROW_METRIC] = 4, [ROW_TIME] = 6, [ROW_ENERGY] = 6,
	};

	snprintf(text, size, "%.*f", decimals[row->kind], median);
}

/* ---- around the rows ------------------------------------------------------------------------ */

static void print_side(struct writer *w, const struct results *r, unsigned int side)
{
	const struct side *s = &r->contests[0].sides[side];

	writer_text(w, " %c: '", 'A' + (int)side);
	writer_words(w, s->command);
	writer_text(w, "'");
	/* Of several contests the columns have the modes of B, and of A if that has the same. */
	if (s->mode->name && (r->nr_contests == 1 || s->mode == r->contests[1].sides[side].mode))
		writer_text(w, " in mode %s", s->mode->name);
	writer_text(w, "\n");
}

static void print_head(struct writer *w, const struct results *r)
{
	writer_text(w, "\n Comparison of A with B%s%s:\n\n", r->from ? ", by the counts in " : "",
		    r->from ? r->from : "");
	if (r->from)
		return;
	print_side(w, r, 0);
	print_side(w, r, 1);
	writer_text(w, "\n");
}

/* Columns as wide as what is in them. */
static size_t width_of(const struct results *r, size_t contest)
{
	const char *name = r->contests[contest].name;
	size_t width = name ? strlen(name) : 0, row, length;
	char text[CELL_TEXT];

	for (row = 0; row < r->nr_rows; row++) {
		compare_cell_text(results_cell(r, contest, row), text);
		length = strlen(text);
		width = length > width ? length : width;
	}
	return width;
}

static void print_titles(struct writer *w, const struct results *r)
{
	size_t c;

	writer_text(w, "  %-*s", NAME_WIDTH, r->nr_contests > 1 ? "A / B" : "");
	if (r->nr_contests == 1)
		writer_text(w, " %16s %16s  A / B", "A", "B");
	for (c = 0; r->nr_contests > 1 && c < r->nr_contests; c++)
		writer_text(w, "  %-*s", c + 1 < r->nr_contests ? (int)width_of(r, c) : 0,
			    r->contests[c].name);
	writer_text(w, "\n");
}

static bool any_identical(const struct results *r)
{
	size_t i;

	for (i = 0; i < r->nr_contests * r->nr_rows; i++)
		if (r->cells[i].identical)
			return true;
	return false;
}

/* They differ from row to row, by Holm's steps. */
static void levels_text(const struct results *r, char *text, size_t size)
{
	double least = 1, most = 0;
	size_t i;

	for (i = 0; i < r->nr_contests * r->nr_rows; i++) {
		const struct cell *cell = &r->cells[i];

		if (*cell->why_not)
			continue;
		least = cell->interval.level < least ? cell->interval.level : least;
		most = cell->interval.level > most ? cell->interval.level : most;
	}
	*text = '\0';
	if (least < most)
		snprintf(text, size, " intervals of %.2f to %.2f %%,", 100 * least, 100 * most);
	else if (most > 0)
		snprintf(text, size, " intervals of %.2f %%,", 100 * most);
}

static bool has_energy(const struct results *r)
{
	size_t row;

	for (row = 0; row < r->nr_rows; row++)
		if (r->rows[row].kind == ROW_ENERGY)
			return true;
	return false;
}

static void print_foot(struct writer *w, const struct results *r)
{
	size_t m = results_comparisons(r);
	char levels[64], text[256], seed[40] = "";

	levels_text(r, levels, sizeof(levels));
	if (!r->from)
		snprintf(seed, sizeof(seed), ", seed %llu", (unsigned long long)r->seed);
	snprintf(text, sizeof(text), "%zu pairs%s;%s Wilcoxon on log ratios; %zu "
		 "comparison%s, Holm-corrected: if nothing differs, something is told apart in %.0f %% "
		 "of cases at most", r->pairs, seed, levels, m,
		 m == 1 ? "" : "s", 100 * ERROR_MOST);
	writer_text(w, "\n");
	wrapped_text(w, 1, text);
	if (any_identical(r))
		writer_text(w, " " IDENTICAL ": no noise seen, not a proof\n");
	if (has_energy(r))
		writer_text(w, " " ROW_ENERGY_NAME ": of all packages, so that whatever else ran on them is in it\n");
	if (results_flags(r) & PMUCTL_VALUE_ESTIMATE)
		writer_text(w, " events took turns: their counts are estimates; fewer of them need none\n");
	writer_text(w, "\n");
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The columns of CSV and the keys of JSON; where a cell has none of these they are empty. */
static void write_cell(struct writer *w, const struct results *r, size_t contest,
		       const struct row *row, const struct cell *cell)
{
	bool there = !*cell->why_not, medians = !row->why_not;
	char note[512];

	writer_row(w);
	writer_string(w, "event", NULL, row->name);
	writer_string(w, "mode", NULL, r->contests[contest].name ? r->contests[contest].name : "");
	writer_number(w, "a", row->kind == ROW_COUNT ? 0 : 9, cell->medians[0], medians);
	writer_number(w, "b", row->kind == ROW_COUNT ? 0 : 9, cell->medians[1], medians);
	writer_number(w, "ratio", 6, cell->ratio, there);
	writer_number(w, "low", 6, cell->interval.low, there);
	writer_number(w, "high", 6, cell->interval.high, there);
	writer_number(w, "level", 6, cell->interval.level, there);
	writer_number(w, "p", 9, cell->p, there);
	writer_string(w, "verdict", NULL, verdict_of(cell));
	writer_u64(w, "pairs", NULL, r->pairs);
	snprintf(note, sizeof(note), "%s", cell->why_not);
	if (cell->flags & PMUCTL_VALUE_ESTIMATE)
		snprintf(note + strlen(note), sizeof(note) - strlen(note), "%s" ESTIMATES,
			 *note ? "; " : "");
	flags_note(cell->flags, note, strlen(note), sizeof(note));
	writer_string(w, "note", NULL, note);
	flags_print(w, cell->flags);
	writer_end_row(w);
}

static void print_medians(struct writer *w, const struct row *row, const struct cell *cell)
{
	char a[32], b[32];

	median_text(row, cell->medians[0], a, sizeof(a));
	median_text(row, cell->medians[1], b, sizeof(b));
	writer_text(w, " %16s %16s", row->why_not ? "-" : a, row->why_not ? "-" : b);
}

static void print_row(struct writer *w, const struct results *r, size_t row)
{
	char text[CELL_TEXT];
	size_t c;

	writer_text(w, "  %-*s", NAME_WIDTH, r->rows[row].name);
	if (r->nr_contests == 1)
		print_medians(w, &r->rows[row], results_cell(r, 0, row));
	for (c = 0; c < r->nr_contests; c++) {
		compare_cell_text(results_cell(r, c, row), text);
		writer_text(w, "  %-*s", c + 1 < r->nr_contests ? (int)width_of(r, c) : 0, text);
		write_cell(w, r, c, &r->rows[row], results_cell(r, c, row));
	}
	writer_text(w, "\n");
}

/* ---- the part of --part --------------------------------------------------------------------- */

static void part_note(const struct part *part, const struct cell *time, char *note, size_t size)
{
	double alone = *time->why_not ? 0 : amdahl_part(part->share, time->ratio);
	int at = snprintf(note, size, "%s takes %.3g %% of A: if it took no time, A would be %.3f "
			  "times as fast", part->name, 100 * part->share, amdahl_bound(part->share));

	if (*time->why_not || at < 0 || (size_t)at >= size)
		return;
	if (alone > 0)
		snprintf(note + at, size - (size_t)at, "; B is %.3f times as fast as A, and if all of "
			 "that is this part's, it became %.3f times as fast", time->ratio, alone);
	else
		snprintf(note + at, size - (size_t)at, "; B is %.3f times as fast as A, which this "
			 "part alone cannot do", time->ratio);
}

static void print_part(struct writer *w, const struct results *r, size_t contest,
		       const struct cell *time)
{
	const char *mode = r->contests[contest].name;
	char note[512], line[640];

	part_note(r->part, time, note, sizeof(note));
	snprintf(line, sizeof(line), "part %s%s%s", r->nr_contests > 1 ? mode : "",
		 r->nr_contests > 1 ? ": " : "", note);
	writer_text(w, contest ? "" : "\n");
	wrapped_text(w, 1, line);
	writer_row(w);
	writer_string(w, "event", NULL, r->part->name);
	writer_string(w, "mode", NULL, mode ? mode : "");
	writer_double(w, "a", NULL, 9, r->part->share);
	writer_null(w, "b", NULL, "");
	writer_double(w, "ratio", NULL, 6, amdahl_bound(r->part->share));
	writer_null(w, "low", NULL, "");
	writer_null(w, "high", NULL, "");
	writer_null(w, "level", NULL, "");
	writer_null(w, "p", NULL, "");
	writer_string(w, "verdict", NULL, "bound");
	writer_u64(w, "pairs", NULL, r->pairs);
	writer_string(w, "note", NULL, note);
	writer_end_row(w);
}

static void print_parts(struct writer *w, const struct results *r)
{
	size_t contest, row;

	for (contest = 0; r->part->share > 0 && contest < r->nr_contests; contest++)
		for (row = 0; row < r->nr_rows; row++)
			if (r->rows[row].kind == ROW_TIME)
				print_part(w, r, contest, results_cell(r, contest, row));
}

void compare_print(struct writer *w, const struct results *r)
{
	size_t row;

	print_head(w, r);
	print_titles(w, r);
	for (row = 0; row < r->nr_rows; row++)
		print_row(w, r, row);
	print_parts(w, r);
	print_foot(w, r);
}
