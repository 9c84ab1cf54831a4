// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of Top-Down's picture what bars and fields have in common: colours, numbers, axes.
 */
#include "tools/base/clean.h"
#include "tools/base/svg.h"
#include "tools/topdown/drawing.h"

/* A colour for each node of level 1, lighter and darker below it. */
void put_colour(const struct drawing *s, size_t node)
{
	static const unsigned int hues[] = { 30, 0, 215, 110, 275, 180 };
	size_t root = node, i, number = 0;

	while (node_of(s, root)->parent >= 0)
		root = (size_t)node_of(s, root)->parent;
	for (i = 0; i < root; i++)
		number += node_of(s, i)->parent < 0;
	fprintf(s->out, "hsl(%u,65%%,%u%%)", hues[number % ARRAY_SIZE(hues)],
		root == node ? 72u : 54 + (unsigned int)((node - root) * 9 % 36));
}

void number_text(double value, double bar, char *text, size_t size)
{
	if (bar > 0)
		snprintf(text, size, "%.1f +- %.1f %%", value, bar);
	else
		snprintf(text, size, "%.1f %%", value);
}

void put_tooltip(const struct drawing *s, size_t node, double value, double bar,
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

void put_line(FILE *out, double x1, double y1, double x2, double y2)
{
	fprintf(out, "<path d=\"M%.2f %.2fL%.2f %.2f\"/>\n", x1, y1, x2, y2);
}

void put_tick(FILE *out, double x, int y, const char *text)
{
	put_line(out, x, y, x, y + TICK);
	svg_text(out, x - svg_width(text) / 2, y + LINE, WIDTH, text);
}
