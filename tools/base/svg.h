/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of SVG that our pictures share.
 */
#ifndef PMUCTL_SVG_H
#define PMUCTL_SVG_H

#include <stdio.h>

/* The first lines of a file; style: CSS, of the fonts besides. */
void svg_begin(FILE *out, unsigned int width, unsigned int height, const char *style);
/* The same of a picture within a page. */
void svg_begin_part(FILE *out, unsigned int width, unsigned int height, const char *style);
/* CSS: a window that is narrower than the picture has all of it. */
#define SVG_FITS "svg { max-width: 100%; height: auto }\n"

/* About how wide a text is, in pixels. */
double svg_width(const char *text);
/* A text element with as much of the text as fits into room pixels. */
void svg_label(FILE *out, double x, int y, double room, const char *text);

/* The same of text of unknown origin, on a line of its own. */
void svg_text(FILE *out, double x, int y, double room, const char *text);

#endif
