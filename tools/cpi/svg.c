// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of cycles an instruction takes as a picture: a bar for each run, interval or task, with
 * a line where its CPI is; what is right of that overlaps.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/svg.h"
#include "tools/cpi/cpi.h"

#define WIDTH	1200
#define MARGIN	20
#define LABEL	220		/* what a bar is of */
#define LEFT	(MARGIN + LABEL)
#define INNER	(WIDTH - LEFT - MARGIN - 80)
#define TOP	50
#define ROW	26
#define KEY	22		/* a line of the legend */

struct bar {
	char *name;
	double cpi, rest;
	double *parts;		/* one a part */
};

struct cpi_svg {
	struct printing to;
	struct bar *bars;
	size_t count;
	size_t parts;
};

struct cpi_svg *cpi_svg_new(const struct cpi_args *args)
{
	struct cpi_svg *s = calloc(1, sizeof(*s));

	if (!s) {
		complain("cpi", 0, "out of memory");
		return NULL;
	}
	s->to = (struct printing){ .cmd = "cpi", .option = "--svg", .path = args->svg,
				   .layout = LAYOUT_CSV };
	if (!printing_open(&s->to))
		return s;
	free(s);
	return NULL;
}

static char *name_of(const struct cpi_view *view)
{
	if (view->args->per_task)
		return new_text("%s %d%s", view->watch->comm, (int)view->watch->tid,
				view->args->interval ? " ..." : "");
	return view->args->interval ? new_text("%.3f s", view->time) : new_text("all");
}

int cpi_svg_add(struct cpi_svg *s, const struct cpi_view *view)
{
	struct bar *grown = reallocarray(s->bars, s->count + 1, sizeof(*grown)), *bar;
	size_t i;

	if (!grown)
		return -ENOMEM;
	s->bars = grown;
	bar = &grown[s->count];
	*bar = (struct bar){
		.name = name_of(view), .cpi = view->sum->cpi, .rest = view->sum->rest,
	};
	s->parts = view->sum->count;
	bar->parts = calloc(s->parts, sizeof(*bar->parts));
	if (!bar->name || !bar->parts) {
		free(bar->name);
		free(bar->parts);
		return -ENOMEM;
	}
	for (i = 0; i < s->parts && !view->sum->empty; i++)
		bar->parts[i] = view->sum->rows[i].cpi;
	s->count++;
	return 0;
}

/* ---- drawing -------------------------------------------------------------------------------- */

static const char *const colours[] = {
	"#9aa7b0", "#b03020", "#205080", "#4f8a8b", "#d08030", "#7a5195", "#6a994e", "#bc5090",
	"#a07040", "#577590", "#c9a227", "#386641", "#8d99ae", "#e07a5f", "#3d405b",
};

static const char *colour(size_t part)
{
	return colours[part % ARRAY_SIZE(colours)];
}

/* The longest bar: what its parts come to, or its CPI. */
static double longest(const struct cpi_svg *s)
{
	double most = 0, length;
	size_t i;

	for (i = 0; i < s->count; i++) {
		length = s->bars[i].rest < 0 ? s->bars[i].cpi - s->bars[i].rest : s->bars[i].cpi;
		most = length > most ? length : most;
	}
	return most > 0 ? most : 1;
}

static void draw_bar(FILE *out, const struct cpi_svg *s, const struct bar *bar, double scale, int y)
{
	double x = LEFT;
	char text[32];
	size_t i;

	svg_text(out, MARGIN, y + 14, LABEL - 10, bar->name);
	for (i = 0; i < s->parts; i++) {
		fprintf(out, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>\n", x,
			y, bar->parts[i] * scale, ROW - 6, colour(i));
		x += bar->parts[i] * scale;
	}
	if (bar->rest > 0)
		fprintf(out, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" class=\"rest\"/>\n",
			x, y, bar->rest * scale, ROW - 6);
	fprintf(out, "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>\n", LEFT + bar->cpi * scale,
		y - 2, LEFT + bar->cpi * scale, y + ROW - 4);
	snprintf(text, sizeof(text), "%.3f", bar->cpi);
	svg_text(out, LEFT + longest(s) * scale + 8, y + 14, 80, text);
}

static void draw_keys(FILE *out, const struct cpi_parts *parts, int y)
{
	size_t i;

	for (i = 0; i < parts->count; i++, y += KEY) {
		fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>\n", LEFT,
			y, colour(i));
		svg_text(out, LEFT + 22, y + 12, 400, parts->list[i].name);
	}
	fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" class=\"rest\"/>\n", LEFT, y);
	svg_text(out, LEFT + 22, y + 12, 800,
		  "unexplained; the line is the CPI, and what is right of it overlaps");
}

static void draw(FILE *out, const struct cpi_svg *s, const struct cpi_parts *parts)
{
	int bottom = TOP + (int)s->count * ROW;
	double scale = INNER / longest(s);
	size_t i;

	svg_begin(out, WIDTH, (unsigned int)(bottom + 20 + (int)(parts->count + 2) * KEY),
		  SVG_FITS "line { stroke: #000; stroke-width: 2 }\n"
		  ".rest { fill: none; stroke: #777; stroke-dasharray: 3 }\n");
	svg_text(out, MARGIN, 24, WIDTH - 2 * MARGIN, "cycles per instruction");
	for (i = 0; i < s->count; i++)
		draw_bar(out, s, &s->bars[i], scale, TOP + (int)i * ROW);
	draw_keys(out, parts, bottom + 20);
	fputs("</svg>\n", out);
}

int cpi_svg_write(struct cpi_svg *s, const struct cpi_parts *parts)
{
	int code = printing_begin(&s->to);

	if (!code)
		draw(s->to.out, s, parts);
	return printing_end(&s->to, code);
}

void cpi_svg_free(struct cpi_svg *s)
{
	size_t i;

	for (i = 0; s && i < s->count; i++) {
		free(s->bars[i].name);
		free(s->bars[i].parts);
	}
	if (s)
		free(s->bars);
	free(s);
}
