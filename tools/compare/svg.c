// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The intervals of pmuctl compare as a picture: a line for each, on one scale of ratios, which is
 * logarithmic, so that twice and half are as far from 1.
 */
#include <stdio.h>

#include "tools/base/base.h"
#include "tools/base/svg.h"
#include "tools/compare/compare.h"

#define WIDTH		1200
#define MARGIN		20
#define LABEL		300	/* what a line is of */
#define FIELD_LEFT	(MARGIN + LABEL)
#define FIELD_WIDTH	440
#define TEXT_LEFT	(FIELD_LEFT + FIELD_WIDTH + 20)
#define TOP		60	/* title, and a line for what A and B are */
#define ROW		22
#define AXIS		40

/* Around the outermost ends, so that none touches the frame; and as wide if all are 1. */
#define AROUND		0.05
#define LEAST_WIDTH	0.02

struct scale {
	double low, high;	/* logarithms of ratios */
};

static bool is_drawn(const struct cell *cell)
{
	return !*cell->why_not;
}

/* All intervals and 1. */
static struct scale find_scale(const struct results *r)
{
	struct scale s = { 0, 0 };
	double low, high, around;
	size_t i;

	for (i = 0; i < r->nr_contests * r->nr_rows; i++) {
		if (!is_drawn(&r->cells[i]))
			continue;
		low = natural_log(r->cells[i].interval.low);
		high = natural_log(r->cells[i].interval.high);
		s.low = low < s.low ? low : s.low;
		s.high = high > s.high ? high : s.high;
	}
	around = AROUND * (s.high - s.low);
	if (around < LEAST_WIDTH)
		around = LEAST_WIDTH;
	return (struct scale){ s.low - around, s.high + around };
}

static double place(const struct scale *s, double ratio)
{
	return FIELD_LEFT + (natural_log(ratio) - s->low) / (s->high - s->low) * FIELD_WIDTH;
}

/* ---- the scale ------------------------------------------------------------------------------ */

static void draw_tick(FILE *out, const struct scale *s, double ratio, int decimals, int bottom)
{
	double x = place(s, ratio);

	fprintf(out, "<line class=\"tick\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>\n"
		"<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%.*f</text>\n", x, TOP, x, bottom, x,
		bottom + 16, decimals, ratio);
}

static void draw_doublings(FILE *out, const struct scale *s, int bottom)
{
	double low = exponential(s->low), high = exponential(s->high), ratio = 1;

	while (ratio / 2 > low)
		ratio /= 2;
	while (ratio < high) {
		draw_tick(out, s, ratio, ratio < 1 ? 3 : 0, bottom);
		ratio *= 2;
	}
}

/* Up to four times the range of ratios in even steps, 8 at most; beyond in powers of two. */
static void draw_ticks(FILE *out, const struct scale *s, int bottom)
{
	static const double steps[] = { 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 };
	double low = exponential(s->low), high = exponential(s->high);
	size_t i = 0, k;

	if (high > 4 * low) {
		draw_doublings(out, s, bottom);
		return;
	}
	while (i + 1 < ARRAY_SIZE(steps) && (high - low) / steps[i] > 8)
		i++;
	for (k = (size_t)(low / steps[i]) + 1; (double)k * steps[i] < high; k++)
		draw_tick(out, s, (double)k * steps[i], 3, bottom);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void label_text(const struct results *r, size_t contest, size_t row, char *text, size_t size)
{
	const char *mode = r->nr_contests > 1 ? r->contests[contest].name : NULL;

	snprintf(text, size, "%s%s%s", r->rows[row].name, mode ? ", " : "", mode ? mode : "");
}

static void draw_interval(FILE *out, const struct scale *s, const struct cell *cell, int y)
{
	const char *class = cell->identical ? "same" : cell->apart ? "apart" : "not";

	fprintf(out, "<line class=\"%s\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>\n"
		"<circle class=\"%s\" cx=\"%.2f\" cy=\"%d\" r=\"4\"/>\n", class,
		place(s, cell->interval.low), y, place(s, cell->interval.high), y, class,
		place(s, cell->ratio), y);
}

static void draw_row(FILE *out, const struct results *r, const struct scale *s, size_t contest,
		     size_t row, int y)
{
	const struct cell *cell = results_cell(r, contest, row);
	char text[CELL_TEXT];

	label_text(r, contest, row, text, sizeof(text));
	svg_text(out, MARGIN, y + 4, LABEL, text);
	if (is_drawn(cell))
		draw_interval(out, s, cell, y);
	compare_cell_text(cell, text);
	svg_text(out, TEXT_LEFT, y + 4, WIDTH - TEXT_LEFT - MARGIN, text);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void draw_title(FILE *out, const struct results *r)
{
	const struct side *sides = r->contests[0].sides;
	char text[256];

	if (r->from)
		snprintf(text, sizeof(text), "A / B, %zu pairs, of %s", r->pairs, r->from);
	else
		snprintf(text, sizeof(text), "A / B, %zu pairs; A: %s, B: %s", r->pairs,
			 sides[0].command[0], sides[1].command[0]);
	svg_text(out, MARGIN, 24, WIDTH - 2 * MARGIN, text);
}

void compare_draw(FILE *out, const struct results *r)
{
	unsigned int lines = (unsigned int)(r->nr_contests * r->nr_rows);
	int bottom = TOP + (int)lines * ROW, y = TOP + ROW / 2;
	struct scale s = find_scale(r);
	size_t row, contest;

	svg_begin(out, WIDTH, (unsigned int)bottom + AXIS,
		  SVG_FITS "line { stroke-width: 2 }\n.tick { stroke: #ddd; stroke-width: 1 }\n"
		  ".one { stroke: #888; stroke-dasharray: 4 }\n"
		  ".apart { stroke: #b03020; fill: #b03020 }\n.not { stroke: #777; fill: #777 }\n"
		  ".same { stroke: #205080; fill: #fcfcf8 }\n");
	draw_title(out, r);
	draw_ticks(out, &s, bottom);
	fprintf(out, "<line class=\"one\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>\n",
		place(&s, 1), TOP - 8, place(&s, 1), bottom);
	for (row = 0; row < r->nr_rows; row++)
		for (contest = 0; contest < r->nr_contests; contest++, y += ROW)
			draw_row(out, r, &s, contest, row, y);
	fputs("</svg>\n", out);
}
