/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of Top-Down's picture tell each other.
 */
#ifndef PMUCTL_TOPDOWN_DRAWING_H
#define PMUCTL_TOPDOWN_DRAWING_H

#include "tools/topdown/topdown.h"

#define WIDTH		1200
#define LEFT		60	/* "level 1", "100 %" */
#define RIGHT		20
#define CAPTION		22	/* above a bar or a field */
#define AXIS		24
#define GAP		16
#define LINE		16	/* of text */
#define TICK		4

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

static inline const struct pmuctl_topdown_node *node_of(const struct drawing *s, size_t i)
{
	return pmuctl_topdown_get_node(s->part->plan, i);
}

/* Too narrow to be seen. */
static inline bool is_nothing(const struct stripe *stripe)
{
	return !stripe->there || stripe->to - stripe->from < 0.02;
}

/* topdown/svg_parts.c: the fill of a node, what is said where the mouse is, and of an axis. */
void put_colour(const struct drawing *s, size_t node);
/* "12.3 +- 4.5 %" */
void number_text(double value, double bar, char *text, size_t size);
/* The first line is the name. */
void put_tooltip(const struct drawing *s, size_t node, double value, double bar,
		 const char *what);
void put_line(FILE *out, double x1, double y1, double x2, double y2);
void put_tick(FILE *out, double x, int y, const char *text);

/*
 * topdown/svg_bars.c, svg_time.c: all of a kind's trees below each other; the height, which is that
 * without a file to draw to as well.
 */
int draw_bars(const struct drawing *s, int y);
int draw_fields(const struct drawing *s, int y);

#endif
