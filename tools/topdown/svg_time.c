// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down over time: a field for each level, with time from left to right.
 */
#include "tools/base/svg.h"
#include "tools/topdown/drawing.h"

#define KEY		300	/* right of a field: the names with their means */
#define FIELD		220	/* of a level over time */
#define WHISKER		6	/* narrower intervals have none */

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

int draw_fields(const struct drawing *s, int y)
{
	int top = y, i;

	for (i = 0; i < (int)s->levels && s->count; i++, y += CAPTION + GAP + FIELD + AXIS)
		if (s->out)
			draw_level(s, (uint32_t)i + 1, y);
	return y - top;
}
