// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pieces of SVG that our pictures share.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/svg.h"

#define CHARACTER	7.3	/* pixels, of the fixed-width font */

void svg_begin_part(FILE *out, unsigned int width, unsigned int height, const char *style)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\">\n"
		"<style>\n"
		"text { font: 12px monospace }\n"
		"%s"
		"</style>\n"
		"<rect id=\"back\" width=\"100%%\" height=\"100%%\" fill=\"#fcfcf8\"/>\n",
		width, height, width, height, style);
}

void svg_begin(FILE *out, unsigned int width, unsigned int height, const char *style)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	svg_begin_part(out, width, height, style);
}

double svg_width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return CHARACTER * (double)n;
}

void svg_label(FILE *out, double x, int y, double room, const char *text)
{
	size_t fits = room > 0 ? (size_t)(room / CHARACTER) : 0, length = strlen(text);
	char *part;

	fprintf(out, "<text x=\"%.2f\" y=\"%d\">", x, y);
	if (length > fits)
		length = fits;
	/* Not within a character. */
	while (length && (text[length] & 0xc0) == 0x80)
		length--;
	part = fits > 3 ? strndup(text, length) : NULL;
	if (part)
		put_xml(out, part);
	free(part);
	fputs("</text>", out);
}

void svg_text(FILE *out, double x, int y, double room, const char *text)
{
	char *clean = clean_copy(text);

	svg_label(out, x, y, room, clean ? clean : "");
	fputc('\n', out);
	free(clean);
}
