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
#include "tools/topdown/drawing.h"

#define TITLE		40

struct topdown_svg {
	const struct topdown_args *args;
	const struct topdown_run *run;
	struct printing to;
	struct drawing of[PMUCTL_KINDS_MAX];
};

static void begin_drawing(struct drawing *s, const struct topdown_args *args,
			  const struct topdown_part *part)
{
	size_t i;

	s->args = args;
	s->part = part;
	s->nodes = part->plan ? pmuctl_topdown_nodes(part->plan) : 0;
	for (i = 0; i < s->nodes; i++)
		if (node_of(s, i)->level > s->levels)
			s->levels = node_of(s, i)->level;
}

struct topdown_svg *topdown_svg_new(const struct topdown_args *args,
				    const struct topdown_run *r)
{
	struct topdown_svg *s = calloc(1, sizeof(*s));
	unsigned int p;

	if (!s) {
		complain("topdown", 0, "out of memory");
		return NULL;
	}
	s->args = args;
	s->run = r;
	for (p = 0; p < r->nr_parts; p++)
		begin_drawing(&s->of[p], args, &r->parts[p]);
	s->to = (struct printing){ .cmd = "topdown", .option = "--svg", .path = args->svg,
				   .layout = LAYOUT_CSV };
	if (!printing_open(&s->to))
		return s;
	free(s);
	return NULL;
}

/* ---- where each node is -------------------------------------------------------------- */

static double sum_of_children(const struct drawing *s, const struct stripe *stripes,
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
static void place_children(const struct drawing *s, struct stripe *stripes, int32_t parent)
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
	char task[64] = "", kind[64] = "", text[160];

	if (tree->args->per_task)
		snprintf(task, sizeof(task), "%s, %d", tree->watch->comm, (int)tree->watch->tid);
	if (tree->kind && tree->time_share >= 0)
		snprintf(kind, sizeof(kind), "%s, %.2f %%", tree->kind->name, tree->time_share);
	snprintf(text, sizeof(text), "%s%s%s", task, *task && *kind ? ", " : "", kind);
	return clean_copy(text);
}

int topdown_svg_add(struct topdown_svg *svg, const struct topdown_tree *tree)
{
	struct drawing *s = &svg->of[tree->part];
	struct moment *grown = reallocarray(s->moments, s->count + 1, sizeof(*grown)), *m;
	size_t i;

	if (!grown)
		return -ENOMEM;
	s->moments = grown;
	m = &grown[s->count++];
	m->time = tree->time;
	m->name = name_of(tree);
	m->too_short = pmuctl_topdown_too_short(tree->plan, tree->results);
	m->stripes = calloc(s->nodes + 1, sizeof(*m->stripes));
	if (!m->name || !m->stripes)
		return -ENOMEM;
	for (i = 0; i < s->nodes; i++)
		if (!tree->results[i].why_not)
			m->stripes[i] = (struct stripe){
				.there = true, .value = tree->results[i].value,
				.bar = topdown_bar(&tree->results[i]),
				.bottleneck = tree->results[i].bottleneck,
			};
	place_children(s, m->stripes, -1);
	for (i = 0; i < s->nodes; i++)
		place_children(s, m->stripes, (int32_t)i);
	return 0;
}

/* ---- the picture --------------------------------------------------------------------------- */

/* As much of it as there is room for, to the end of a word. */
static void draw_title(const struct topdown_svg *s)
{
	size_t room = (size_t)((WIDTH - LEFT - RIGHT) / (svg_width("x") * 4 / 3));
	char target[1100], *text = NULL, *clean = NULL, *end;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to) {
		fprintf(to, "Top-Down of %s (", topdown_target(s->args, target, sizeof(target)));
		topdown_put_method(to, s->run);
		fputc(')', to);
		if (!fclose(to))
			clean = clean_copy(text);
		free(text);
	}
	fputs("<text id=\"title\" x=\"60\" y=\"22\">", s->to.out);
	if (clean && strlen(clean) > room) {
		clean[room - 4] = '\0';
		end = strrchr(clean, ' ');
		if (end)
			strcpy(end, " ...");
	}
	put_xml(s->to.out, clean ? clean : "Top-Down");
	fputs("</text>\n", s->to.out);
	free(clean);
}

struct marks {
	bool bottlenecks, bars;
	size_t too_short, count;
};

static void find_marks(const struct drawing *s, struct marks *found)
{
	size_t i, k;

	found->count += s->count;
	for (i = 0; i < s->count; i++) {
		found->too_short += s->moments[i].too_short;
		for (k = 0; k < s->nodes; k++) {
			found->bottlenecks |= s->moments[i].stripes[k].bottleneck;
			found->bars |= s->moments[i].stripes[k].there &&
				       s->moments[i].stripes[k].bar > 0;
		}
	}
}

static void draw_marks_key(const struct topdown_svg *s, int y)
{
	struct marks found = { .count = 0 };
	unsigned int p;
	char text[120];

	for (p = 0; p < s->run->nr_parts; p++)
		find_marks(&s->of[p], &found);
	if (found.bottlenecks)
		svg_text(s->to.out, LEFT, y, WIDTH, "framed: the bottleneck");
	if (found.bars)
		svg_text(s->to.out, LEFT + 240, y, WIDTH,
			 "lines with ends: three standard errors of the share");
	snprintf(text, sizeof(text), "%zu of %zu intervals were too short for turns: they may be "
		 "far off, and have no bottleneck", found.too_short, found.count);
	if (found.too_short && s->args->interval)
		svg_text(s->to.out, LEFT, y - LINE, WIDTH, text);
}

static const char style[] =
	SVG_FITS
	"#title { font-size: 16px }\n"
	"text { pointer-events: none }\n"
	"path { fill: none; stroke: #444 }\n"
	"path, .mark { pointer-events: none }\n"
	".error { stroke: #000 }\n"
	".mark { fill: none; stroke: #000; stroke-width: 2 }\n"
	".bottleneck rect { stroke: #000; stroke-width: 2 }\n"
	"g:hover rect, g:hover polygon { stroke: #000 }\n";

/* Without a file to draw to, the height alone. */
static int draw_all(struct topdown_svg *s, FILE *out)
{
	int y = TITLE;
	unsigned int p;

	for (p = 0; p < s->run->nr_parts; p++) {
		s->of[p].out = out;
		y += s->args->interval ? draw_fields(&s->of[p], y) : draw_bars(&s->of[p], y);
	}
	return y;
}

static void draw(struct topdown_svg *s)
{
	int height = draw_all(s, NULL) + 2 * LINE + (s->args->interval ? AXIS : 0);

	svg_begin(s->to.out, WIDTH, (unsigned int)height, style);
	draw_title(s);
	draw_all(s, s->to.out);
	draw_marks_key(s, height - 10);
	fputs("</svg>\n", s->to.out);
}

int topdown_svg_write(struct topdown_svg *s)
{
	int code = printing_begin(&s->to);

	if (!code)
		draw(s);
	return printing_end(&s->to, code);
}

static void free_moments(struct drawing *s)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		free(s->moments[i].name);
		free(s->moments[i].stripes);
	}
	free(s->moments);
}

void topdown_svg_free(struct topdown_svg *s)
{
	unsigned int p;

	if (!s)
		return;
	printing_end(&s->to, 0);
	for (p = 0; p < PMUCTL_KINDS_MAX; p++)
		free_moments(&s->of[p]);
	free(s);
}
