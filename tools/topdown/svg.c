// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down as a picture that needs nothing else: a bar for each tree, a row a level, or
 * with intervals a field a level with time from left to right.
 *
 * Nodes of levels 1 and 2 are as wide as their shares.  Deeper ones overlap each other and
 * are of other wholes: they share their parent's width in proportion, and what they leave
 * of it is free.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/svg.h"
#include "tools/topdown/topdown.h"

#define WIDTH		1200
#define MARGIN		40
#define INNER		(WIDTH - 2 * MARGIN)
#define TOP		40	/* title */
#define ROW		26	/* of a bar */
#define FIELD		220	/* of a level over time */
#define GAP		30	/* below a bar or a field; its text */

/* Of one node in one tree, percents of the whole. */
struct stripe {
	double from, to;
	double value;
	bool there;
};

struct moment {
	char *name;
	double time;
	struct stripe *stripes;		/* one a node */
};

struct topdown_svg {
	const struct topdown_args *args;
	const struct pmuctl_topdown *plan;
	struct printing to;
	size_t nodes;
	uint32_t levels;
	struct moment *moments;
	size_t count;
};

static const struct pmuctl_topdown_node *node_of(const struct topdown_svg *s, size_t i)
{
	return pmuctl_topdown_get_node(s->plan, i);
}

struct topdown_svg *topdown_svg_new(const struct topdown_args *args,
				    const struct pmuctl_topdown *plan)
{
	struct topdown_svg *s = calloc(1, sizeof(*s));
	size_t i;

	if (!s) {
		complain("topdown", 0, "out of memory");
		return NULL;
	}
	s->args = args;
	s->plan = plan;
	s->nodes = pmuctl_topdown_nodes(plan);
	for (i = 0; i < s->nodes; i++)
		if (node_of(s, i)->level > s->levels)
			s->levels = node_of(s, i)->level;
	s->to = (struct printing){ .cmd = "topdown", .option = "--svg", .path = args->svg,
				   .layout = LAYOUT_CSV };
	if (!printing_open(&s->to))
		return s;
	free(s);
	return NULL;
}

/* ---- where each node is -------------------------------------------------------------- */

static double sum_of_children(const struct topdown_svg *s, const struct stripe *stripes,
			      int32_t parent)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->nodes; i++)
		if (node_of(s, i)->parent == parent)
			sum += stripes[i].value;
	return sum;
}

/* Parents come before their children. */
static void place_children(const struct topdown_svg *s, struct stripe *stripes, int32_t parent)
{
	double from = parent < 0 ? 0 : stripes[parent].from;
	double room = parent < 0 ? 100 : stripes[parent].to - from;
	double whole = parent < 0 ? 100 : stripes[parent].value;
	double sum = sum_of_children(s, stripes, parent);
	size_t i;

	if (sum > whole)
		whole = sum;
	for (i = 0; i < s->nodes; i++) {
		if (node_of(s, i)->parent != parent)
			continue;
		stripes[i].from = from;
		from += whole > 0 ? room * stripes[i].value / whole : 0;
		stripes[i].to = from;
	}
}

static char *name_of(const struct topdown_tree *tree)
{
	char text[64];

	if (!tree->args->per_task)
		return strdup("");
	snprintf(text, sizeof(text), "%s, %d", tree->watch->comm, (int)tree->watch->tid);
	return clean_copy(text);
}

int topdown_svg_add(struct topdown_svg *s, const struct topdown_tree *tree)
{
	struct moment *grown = reallocarray(s->moments, s->count + 1, sizeof(*grown)), *m;
	size_t i;

	if (!grown)
		return -ENOMEM;
	s->moments = grown;
	m = &grown[s->count++];
	m->time = tree->time;
	m->name = name_of(tree);
	m->stripes = calloc(s->nodes + 1, sizeof(*m->stripes));
	if (!m->name || !m->stripes)
		return -ENOMEM;
	for (i = 0; i < s->nodes; i++) {
		m->stripes[i].there = !tree->results[i].why_not;
		m->stripes[i].value = m->stripes[i].there ? tree->results[i].value : 0;
	}
	place_children(s, m->stripes, -1);
	for (i = 0; i < s->nodes; i++)
		place_children(s, m->stripes, (int32_t)i);
	return 0;
}

/* ---- drawing --------------------------------------------------------------------------- */

/* A colour for each node of level 1, lighter and darker below it. */
static void put_colour(const struct topdown_svg *s, size_t node)
{
	static const unsigned int hues[] = { 30, 0, 215, 110, 275, 180 };
	size_t root = node, i, number = 0;

	while (node_of(s, root)->parent >= 0)
		root = (size_t)node_of(s, root)->parent;
	for (i = 0; i < root; i++)
		number += node_of(s, i)->parent < 0;
	fprintf(s->to.out, "hsl(%u,65%%,%u%%)", hues[number % ARRAY_SIZE(hues)],
		root == node ? 72 : 66 + (unsigned int)((node - root) * 5 % 20));
}

/* The first line is the name. */
static void put_tooltip(const struct topdown_svg *s, size_t node, double value)
{
	const struct pmuctl_topdown_node *n = node_of(s, node);

	fputs("<title>", s->to.out);
	put_xml(s->to.out, n->name);
	fprintf(s->to.out, "\n%.2f%% of ", value);
	put_xml(s->to.out, n->unit);
	fputc('\n', s->to.out);
	put_xml(s->to.out, n->text);
	fputs("</title>", s->to.out);
}

static void put_name(const struct topdown_svg *s, size_t node, double value, double x, int y,
		     double room)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %.1f%%", node_of(s, node)->name, value);
	svg_label(s->to.out, x + 3, y, room - 6, text);
}

/* Too narrow to be seen. */
static bool is_nothing(const struct stripe *stripe)
{
	return !stripe->there || stripe->to - stripe->from < 0.02;
}

static void draw_bar(const struct topdown_svg *s, const struct moment *m, int y)
{
	FILE *out = s->to.out;
	size_t i;

	svg_label(out, MARGIN, y - 5, INNER, m->name);
	fputc('\n', out);
	for (i = 0; i < s->nodes; i++) {
		const struct stripe *stripe = &m->stripes[i];
		double x = MARGIN + INNER * stripe->from / 100;
		double width = INNER * (stripe->to - stripe->from) / 100;
		int row = y + ((int)node_of(s, i)->level - 1) * ROW;

		if (is_nothing(stripe))
			continue;
		fputs("<g>", out);
		put_tooltip(s, i, stripe->value);
		fprintf(out, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"", x,
			row, width, ROW - 1);
		put_colour(s, i);
		fputs("\"/>", out);
		put_name(s, i, stripe->value, x, row + 17, width);
		fputs("</g>\n", out);
	}
}

static double x_of(const struct topdown_svg *s, double time)
{
	double end = s->moments[s->count - 1].time;

	return MARGIN + (end > 0 ? INNER * time / end : 0);
}

/* From left to right along one edge and back along the other, in steps. */
static void put_area(const struct topdown_svg *s, size_t node, int y)
{
	double before = 0;
	size_t i;

	for (i = 0; i < s->count; before = s->moments[i++].time)
		fprintf(s->to.out, "%.2f,%.2f %.2f,%.2f ", x_of(s, before),
			y + FIELD * s->moments[i].stripes[node].from / 100,
			x_of(s, s->moments[i].time),
			y + FIELD * s->moments[i].stripes[node].from / 100);
	for (i = s->count; i--;)
		fprintf(s->to.out, "%.2f,%.2f %.2f,%.2f ", x_of(s, s->moments[i].time),
			y + FIELD * s->moments[i].stripes[node].to / 100,
			x_of(s, i ? s->moments[i - 1].time : 0),
			y + FIELD * s->moments[i].stripes[node].to / 100);
}

/* The mean over time; 0 with false if it never was measured. */
static bool mean_of(const struct topdown_svg *s, size_t node, double *mean)
{
	double before = 0, time = 0, sum = 0;
	size_t i;

	for (i = 0; i < s->count; before = s->moments[i++].time) {
		if (!s->moments[i].stripes[node].there)
			continue;
		time += s->moments[i].time - before;
		sum += (s->moments[i].time - before) * s->moments[i].stripes[node].value;
	}
	*mean = time > 0 ? sum / time : 0;
	return time > 0;
}

/* At the widest place, if there is room for a line. */
static void put_area_name(const struct topdown_svg *s, size_t node, int y, double mean)
{
	const struct stripe *widest = &s->moments[0].stripes[node], *stripe;
	double x = MARGIN;
	size_t i;

	for (i = 1; i < s->count; i++) {
		stripe = &s->moments[i].stripes[node];
		if (stripe->to - stripe->from <= widest->to - widest->from)
			continue;
		widest = stripe;
		x = x_of(s, s->moments[i - 1].time);
	}
	if (x > WIDTH - MARGIN - 250)
		x = WIDTH - MARGIN - 250;
	if ((widest->to - widest->from) * FIELD / 100 > 13)
		put_name(s, node, mean, x,
			 y + (int)(FIELD * (widest->from + widest->to) / 200) + 4, 250);
}

static void draw_level(const struct topdown_svg *s, uint32_t level, int y)
{
	FILE *out = s->to.out;
	double mean;
	size_t i;

	for (i = 0; i < s->nodes; i++) {
		if (node_of(s, i)->level != level || !mean_of(s, i, &mean))
			continue;
		fputs("<g>", out);
		put_tooltip(s, i, mean);
		fputs("<polygon points=\"", out);
		put_area(s, i, y);
		fputs("\" fill=\"", out);
		put_colour(s, i);
		fputs("\"/>", out);
		put_area_name(s, i, y, mean);
		fputs("</g>\n", out);
	}
}

static void draw_axis(const struct topdown_svg *s, int y)
{
	double end = s->moments[s->count - 1].time;
	char text[32];
	int i;

	for (i = 0; i <= 4; i++) {
		snprintf(text, sizeof(text), "%.3g s", end * i / 4);
		svg_label(s->to.out, x_of(s, end * i / 4) - (i == 4 ? 40 : 0), y, 60, text);
		fputc('\n', s->to.out);
	}
}

static void draw_title(const struct topdown_svg *s)
{
	char target[1100], text[1300];
	char *clean;

	snprintf(text, sizeof(text), "Top-Down of %s (%s)",
		 topdown_target(s->args, target, sizeof(target)), pmuctl_topdown_method(s->plan));
	clean = clean_copy(text);
	fputs("<text id=\"title\" x=\"40\" y=\"22\">", s->to.out);
	put_xml(s->to.out, clean ? clean : "Top-Down");
	fputs("</text>\n", s->to.out);
	free(clean);
}

static void draw(const struct topdown_svg *s)
{
	bool over_time = s->args->interval && s->count;
	size_t fields = over_time ? s->levels : s->count, i;
	int each = GAP + (over_time ? FIELD : ROW * (int)s->levels), y = TOP + GAP / 2;

	svg_begin(s->to.out, WIDTH, TOP + GAP + (unsigned int)fields * (unsigned int)each,
		  "#title { font-size: 16px }\ng text { pointer-events: none }\n"
		  "g:hover rect, g:hover polygon { stroke: #000 }\n");
	draw_title(s);
	for (i = 0; i < fields; i++, y += each) {
		if (!over_time) {
			draw_bar(s, &s->moments[i], y);
			continue;
		}
		draw_level(s, (uint32_t)i + 1, y);
		draw_axis(s, y + FIELD + 15);
	}
	fputs("</svg>\n", s->to.out);
}

int topdown_svg_write(struct topdown_svg *s)
{
	int code = printing_begin(&s->to);

	if (!code)
		draw(s);
	return printing_end(&s->to, code);
}

void topdown_svg_free(struct topdown_svg *s)
{
	size_t i;

	if (!s)
		return;
	printing_end(&s->to, 0);
	for (i = 0; i < s->count; i++) {
		free(s->moments[i].name);
		free(s->moments[i].stripes);
	}
	free(s->moments);
	free(s);
}
