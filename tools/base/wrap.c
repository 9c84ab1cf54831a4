// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sentences in lines that fit a screen.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/base/pager.h"
#include "tools/base/wrap.h"
#include "tools/base/writer.h"

#define WIDTH 96
/* Below that a wrapped line is harder to read than one that the terminal breaks. */
#define LEAST_WIDTH 50

void wrapped_text(struct writer *w, int indent, const char *text)
{
	int column = 0, length;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		length = (int)strcspn(text, " ");
		if (column && column + 1 + length > WIDTH) {
			writer_text(w, "\n");
			column = 0;
		}
		writer_text(w, "%*s%.*s", column ? 1 : indent, "", length, text);
		column += (column ? 1 : indent) + length;
		text += length;
	}
	writer_text(w, "\n");
}

/* Columns of the terminal that it goes to; 0: to none, so that lines stay whole for grep. */
static size_t screen_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	size_t width = columns ? strtoul(columns, NULL, 10) : 0;
	int terminal = terminal_of(fileno(out));
	struct winsize size;

	if (!isatty(terminal))
		return 0;
	if (!width && !ioctl(terminal, TIOCGWINSZ, &size))
		width = size.ws_col;
	return width < LEAST_WIDTH ? 0 : width;
}

/* The length up to a blank that is not within brackets. */
static size_t piece_length(const char *text)
{
	int open = 0;
	size_t i;

	for (i = 0; text[i] && (open || !strchr(" \n", text[i])); i++)
		open += (text[i] == '[') - (text[i] == ']');
	return i;
}

static void fill(FILE *out, const char *text, size_t column, size_t indent, size_t width)
{
	bool first = true;
	size_t length;

	for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
		length = piece_length(text);
		if (!first && column + 1 + length > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, length, out);
		column += length;
		text += length;
		first = false;
	}
}

void put_wrapped(FILE *out, const char *text, size_t column, size_t indent)
{
	size_t width = screen_width(out);

	if (width)
		fill(out, text, column, indent, width);
	else
		fputs(text, out);
}

void put_filled(FILE *out, const char *text, size_t column, size_t indent)
{
	size_t width = screen_width(out);

	fill(out, text, column, indent, width ? width : WIDTH);
}
