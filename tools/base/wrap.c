// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sentences in lines that fit a screen.
 */
#include <string.h>

#include "tools/base/wrap.h"
#include "tools/base/writer.h"

#define WIDTH 96

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
