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
#define LEFT		60	/* "level 1", "100 %" */
#define RIGHT		20
#define KEY		300	/* right of a field: the names with their means */
#define TITLE		40
#define CAPTION		22	/* above a bar or a field */
#define ROW		26	/* of a bar */
#define FIELD		220	/* of a level over time */
#define AXIS		24
#define GAP		16
#define LINE		16	/* of text */
#define TICK		4
#define WHISKER		6	/* narrower intervals have none */

/* Of one node in one tree, percents of the whole. */
struct stripe {
	double from, to;
	double value;
	double bar;		/* the error as it is shown, or below 0 */
	bool there, bottleneck;
};

struct moment {
	char *name;
	double time;
	bool too_short;
	struct stripe *stripes;		/* one a node */
};

/* The trees of one kind of core. */
struct drawing {
	const struct topdown_args *args;
	const struct topdown_part *part;
	FILE *out;
	size_t nodes;		/* 0: there is no tree */
	uint32_t levels;
	struct moment *moments;
	size_t count;
};

struct topdown_svg {
	const struct topdown_args *args;
	const struct topdown_run *run;
	struct printing to;
	struct drawing of[PMUCTL_KINDS_MAX];
};

static const struct pmuctl_topdown_node *node_of(const struct drawing *s, size_t i)
{
	return pmuctl_topdown_get_node(s->part->plan, i);
}

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

/* ---- what bars and fields share -------------------------------------------------------- */

/* A colour for each node of level 1, lighter and darker below it. */
static void put_colour(const struct drawing *s, size_t node)
{
	static const unsigned int hues[] = { 30, 0, 215, 110, 275, 180 };
	size_t root = node, i, number = 0;

	while (node_of(s, root)->parent >= 0)
		root = (size_t)node_of(s, root)->parent;
	for (i = 0; i < root; i++)
		number += node_of(s, i)->parent < 0;
	fprintf(s->out, "hsl(%u,65%%,%u%%)", hues[number % ARRAY_SIZE(hues)],
		root == node ? 72 : 54 + (unsigned int)((node - root) * 9 % 36));
}

/* "12.3 +- 4.5 %" */
static void number_text(double value, double bar, char *text, size_t size)
{
	if (bar > 0)
		snprintf(text, size, "%.1f +- %.1f %%", value, bar);
	else
		snprintf(text, size, "%.1f %%", value);
}

/* The first line is the name. */
static void put_tooltip(const struct drawing *s, size_t node, double value, double bar,
			const char *what)
{
	const struct pmuctl_topdown_node *n = node_of(s, node);
	char text[64];

	number_text(value, bar, text, sizeof(text));
	fputs("<title>", s->out);
	put_xml(s->out, n->name);
	fprintf(s->out, "\n%s%s of ", what, text);
	put_xml(s->out, n->unit);
	fputc('\n', s->out);
	put_xml(s->out, n->text);
	fputs("</title>", s->out);
}

static void put_line(FILE *out, double x1, double y1, double x2, double y2)
{
	fprintf(out, "<path d=\"M%.2f %.2fL%.2f %.2f\"/>\n", x1, y1, x2, y2);
}

/* 1, 2 or 5 times a power of ten, of which there are 4 to 10 up to the end. */
static double round_step(double end)
{
	static const double factors[] = { 2, 2.5, 2 };
	double step = 1e-6;
	size_t i;

	for (i = 0; end / step > 10; i++)
		step *= factors[i % ARRAY_SIZE(factors)];
	return step;
}

static void put_tick(FILE *out, double x, int y, const char *text)
{
	put_line(out, x, y, x, y + TICK);
	svg_text(out, x - svg_width(text) / 2, y + LINE, WIDTH, text);
}

/* ---- a bar ------------------------------------------------------------------------------- */

/* Too narrow to be seen. */
static bool is_nothing(const struct stripe *stripe)
{
	return !stripe->there || stripe->to - stripe->from < 0.02;
}

/* The longest that fits whole: a number that is cut is another number. */
static void put_name(const struct drawing *s, size_t node, const struct stripe *stripe,
		     double x, int y, double room)
{
	const char *name = node_of(s, node)->name;
	char texts[4][128], number[64];
	size_t i;

	number_text(stripe->value, stripe->bar, number, sizeof(number));
	snprintf(texts[0], sizeof(texts[0]), "%s %s", name, number);
	number_text(stripe->value, -1, number, sizeof(number));
	snprintf(texts[1], sizeof(texts[1]), "%s %s", name, number);
	snprintf(texts[2], sizeof(texts[2]), "%s", name);
	snprintf(texts[3], sizeof(texts[3]), "%s", number);
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		if (svg_width(texts[i]) > room)
			continue;
		svg_label(s->out, x, y, room, texts[i]);
		return;
	}
}

#define BAR_INNER	(WIDTH - LEFT - RIGHT)

static double bar_x(double percent)
{
	percent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
	return LEFT + BAR_INNER * percent / 100;
}

/* Where its end would be, were it off by the error; on the scale of its own. */
static void draw_whisker(FILE *out, const struct stripe *stripe, int y)
{
	double scale = stripe->value > 0 ? (stripe->to - stripe->from) / stripe->value : 0;
	double from = bar_x(stripe->to - scale * stripe->bar);
	double to = bar_x(stripe->to + scale * stripe->bar);

	if (stripe->bar <= 0 || scale <= 0)
		return;
	fprintf(out, "<path class=\"error\" d=\"M%.2f %dv4m0 -2H%.2fm0 -2v4\"/>\n", from,
		y + ROW - 6, to);
}

static void draw_node(const struct drawing *s, size_t node, const struct stripe *stripe, int y)
{
	double x = bar_x(stripe->from), width = bar_x(stripe->to) - x;
	FILE *out = s->out;

	fprintf(out, "<g%s>", stripe->bottleneck ? " class=\"bottleneck\"" : "");
	put_tooltip(s, node, stripe->value, stripe->bar, "");
	fprintf(out, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"", x, y, width,
		ROW - 1);
	put_colour(s, node);
	fputs("\"/>", out);
	put_name(s, node, stripe, x + 3, y + 15, width - 6);
	fputs("</g>\n", out);
}

/* Whose the bar is, and what stands out in it. */
static void put_caption(const struct drawing *s, const struct moment *m, int y)
{
	const char *between = *m->name ? ": " : "";
	char text[256], number[64];
	size_t i;

	snprintf(text, sizeof(text), "%s%s%s", m->name, between, m->too_short ?
		 "too short for turns, may be far off" : "no bottleneck");
	for (i = 0; i < s->nodes; i++) {
		if (!m->stripes[i].bottleneck)
			continue;
		number_text(m->stripes[i].value, m->stripes[i].bar, number, sizeof(number));
		snprintf(text, sizeof(text), "%s%sbottleneck: %s, %s of %s", m->name, between,
			 node_of(s, i)->name, number, node_of(s, i)->unit);
	}
	svg_text(s->out, LEFT, y, BAR_INNER, text);
}

static void draw_percents(const struct drawing *s, int y)
{
	char text[32];
	int i;

	for (i = 0; i <= 100; i += 20) {
		snprintf(text, sizeof(text), "%d %%", i);
		put_tick(s->out, bar_x(i), y, text);
	}
}

static void draw_bar(const struct drawing *s, const struct moment *m, int y)
{
	char text[32];
	uint32_t level;
	size_t i;

	put_caption(s, m, y + CAPTION - 6);
	y += CAPTION;
	for (level = 1; level <= s->levels; level++) {
		snprintf(text, sizeof(text), "level %u", level);
		svg_text(s->out, 4, y + ((int)level - 1) * ROW + 17, LEFT, text);
	}
	for (i = 0; i < s->nodes; i++)
		if (!is_nothing(&m->stripes[i]))
			draw_node(s, i, &m->stripes[i], y + ((int)node_of(s, i)->level - 1) * ROW);
	/* On top of all boxes. */
	for (i = 0; i < s->nodes; i++)
		if (!is_nothing(&m->stripes[i]))
			draw_whisker(s->out, &m->stripes[i],
				     y + ((int)node_of(s, i)->level - 1) * ROW);
}

/* ---- over time --------------------------------------------------------------------------- */

#define TIME_INNER	(WIDTH - LEFT - KEY)

static double x_of(const struct drawing *s, double time)
{
	double end = s->moments[s->count - 1].time;

	return LEFT + (end > 0 ? TIME_INNER * time / end : 0);
}

static double begin_of(const struct drawing *s, size_t moment)
{
	return moment ? s->moments[moment - 1].time : 0;
}

static double field_y(int y, double percent)
{
	percent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
	return y + FIELD * percent / 100;
}

/* From left to right along one edge and back along the other, in steps. */
static void put_area(const struct drawing *s, size_t node, int y)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		fprintf(s->out, "%.2f,%.2f %.2f,%.2f ", x_of(s, begin_of(s, i)),
			field_y(y, s->moments[i].stripes[node].from), x_of(s, s->moments[i].time),
			field_y(y, s->moments[i].stripes[node].from));
	for (i = s->count; i--;)
		fprintf(s->out, "%.2f,%.2f %.2f,%.2f ", x_of(s, s->moments[i].time),
			field_y(y, s->moments[i].stripes[node].to), x_of(s, begin_of(s, i)),
			field_y(y, s->moments[i].stripes[node].to));
}

/* The mean over time; 0 with false if it never was measured. */
static bool mean_of(const struct drawing *s, size_t node, double *mean)
{
	double time = 0, sum = 0, length;
	size_t i;

	for (i = 0; i < s->count; i++) {
		length = s->moments[i].time - begin_of(s, i);
		if (!s->moments[i].stripes[node].there)
			continue;
		time += length;
		sum += length * s->moments[i].stripes[node].value;
	}
	*mean = time > 0 ? sum / time : 0;
	return time > 0;
}

/* How its lower edge may be off in each interval, and where it is the bottleneck. */
static void put_marks(const struct drawing *s, size_t node, int y)
{
	FILE *out = s->out;
	size_t i;

	for (i = 0; i < s->count; i++) {
		const struct stripe *stripe = &s->moments[i].stripes[node];
		double x = x_of(s, begin_of(s, i)), width = x_of(s, s->moments[i].time) - x;
		double scale = stripe->value > 0 ? (stripe->to - stripe->from) / stripe->value : 0;
		double top = field_y(y, stripe->from), off = scale * stripe->bar;

		if (is_nothing(stripe))
			continue;
		if (stripe->bottleneck)
			fprintf(out, "<rect class=\"mark\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
				"height=\"%.2f\"/>\n", x, top, width, field_y(y, stripe->to) - top);
		if (stripe->bar <= 0 || width < WHISKER)
			continue;
		fprintf(out, "<path class=\"error\" d=\"M%.2f %.2fh4m-2 0V%.2fm-2 0h4\"/>\n",
			x + width / 2 - 2, field_y(y, stripe->to - off),
			field_y(y, stripe->to + off));
	}
}

/* Beside the field, as it is of all of it: in the order of the areas, those to be seen. */
static void put_key(const struct drawing *s, uint32_t level, int y)
{
	int x = WIDTH - KEY + 20, row = y;
	size_t i, left_out = 0;
	char text[128];
	double mean;

	for (i = 0; i < s->nodes; i++) {
		if (node_of(s, i)->level != level || !mean_of(s, i, &mean))
			continue;
		if (mean < 0.05 || row > y + FIELD - 2 * LINE) {
			left_out++;
			continue;
		}
		fprintf(s->out, "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"", x,
			row);
		put_colour(s, i);
		fputs("\"/>\n", s->out);
		snprintf(text, sizeof(text), "%s, mean %.1f %%", node_of(s, i)->name, mean);
		svg_text(s->out, x + 16, row + 10, KEY - 36, text);
		row += LINE;
	}
	if (!left_out)
		return;
	snprintf(text, sizeof(text), "and %zu more", left_out);
	svg_text(s->out, x + 16, row + 10, KEY - 36, text);
}

static void draw_time(const struct drawing *s, int y)
{
	double end = s->moments[s->count - 1].time, step = round_step(end);
	double factor = end < 1 ? 1000 : 1;
	char text[32];
	int i;

	for (i = 0; i * step <= end * (1 + 1e-9); i++) {
		snprintf(text, sizeof(text), "%.6g %s", i * step * factor, end < 1 ? "ms" : "s");
		put_tick(s->out, x_of(s, i * step), y, text);
	}
}

static void draw_level(const struct drawing *s, uint32_t level, int y)
{
	FILE *out = s->out;
	char text[32];
	double mean;
	size_t i;
	int percent;

	snprintf(text, sizeof(text), "%s%slevel %u", s->part->kind ? s->part->kind->name : "",
		 s->part->kind ? ", " : "", level);
	svg_text(out, LEFT, y + CAPTION - 6, TIME_INNER, text);
	y += CAPTION;
	for (percent = 0; percent <= 100; percent += 50) {
		snprintf(text, sizeof(text), "%d %%", percent);
		svg_text(out, LEFT - 8 - svg_width(text), (int)field_y(y, percent) + 4, LEFT, text);
		put_line(out, LEFT - TICK, field_y(y, percent), LEFT, field_y(y, percent));
	}
	for (i = 0; i < s->nodes; i++) {
		if (node_of(s, i)->level != level || !mean_of(s, i, &mean))
			continue;
		fputs("<g>", out);
		put_tooltip(s, i, mean, -1, "mean ");
		fputs("<polygon points=\"", out);
		put_area(s, i, y);
		fputs("\" fill=\"", out);
		put_colour(s, i);
		fputs("\"/></g>\n", out);
	}
	for (i = 0; i < s->nodes; i++)
		if (node_of(s, i)->level == level)
			put_marks(s, i, y);
	put_key(s, level, y);
	draw_time(s, y + FIELD);
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

/* Below each other; the height of all of them. */
static int draw_fields(const struct drawing *s, int y)
{
	int top = y, i;

	for (i = 0; i < (int)s->levels && s->count; i++, y += CAPTION + GAP + FIELD + AXIS)
		if (s->out)
			draw_level(s, (uint32_t)i + 1, y);
	return y - top;
}

static int draw_bars(const struct drawing *s, int y)
{
	int top = y;
	size_t i;

	for (i = 0; i < s->count; i++, y += CAPTION + GAP + ROW * (int)s->levels)
		if (s->out)
			draw_bar(s, &s->moments[i], y);
	if (s->count && s->out)
		draw_percents(s, y - GAP + 4);
	return y - top + (s->count ? AXIS : 0);
}

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
