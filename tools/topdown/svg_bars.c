// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down as a bar for each tree, a row a level.
 */
#include "tools/base/svg.h"
#include "tools/topdown/drawing.h"

#define ROW		26	/* of a bar */

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

int draw_bars(const struct drawing *s, int y)
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
