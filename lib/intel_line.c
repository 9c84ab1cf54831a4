// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The line of a file of Intel's events or metrics that an error is about.
 *
 * jansson says where text is no JSON, but not where a value stood whose
 * meaning is wrong; so the file, which is known to be JSON, is gone through
 * once more.
 */
#include <stdio.h>
#include <string.h>

#include "intel.h"

struct scan {
	FILE *file;
	unsigned int line;
	unsigned int depth;
	unsigned int list;	/* depth of the list of events, 0: not there yet */
	size_t element;		/* of the list */
	bool begins;		/* the next character begins an element */
	char text[32];		/* the last string, as much of it as a field's name has */
};

static int next(struct scan *s)
{
	int c = getc(s->file);

	s->line += c == '\n';
	return c;
}

/* Behind the opening quote. */
static void read_text(struct scan *s)
{
	size_t len = 0;
	int c;

	for (c = next(s); c != EOF && c != '"'; c = next(s)) {
		if (len < sizeof(s->text) - 1)
			s->text[len++] = (char)c;
		if (c == '\\')
			next(s);
	}
	s->text[len] = '\0';
}

/* The list is all of the file, or a list of the object that is. */
static void open_list(struct scan *s)
{
	if (s->list || !(s->depth == 1 || (s->depth == 2 && (!strcmp(s->text, "Events") ||
							     !strcmp(s->text, "Metrics")))))
		return;
	s->list = s->depth;
	s->begins = true;
}

static void take(struct scan *s, int c)
{
	if (c == '"')
		read_text(s);
	else if (c == '[' || c == '{')
		s->depth++;
	else if (c == ']' || c == '}')
		s->depth--;
	if (c == '[')
		open_list(s);
	if (c == ',' && s->depth == s->list) {
		s->element++;
		s->begins = true;
	}
}

static bool is_space(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static unsigned int find(struct scan *s, size_t index, const char *field)
{
	unsigned int line = 0, before;
	int c;

	while ((c = next(s)) != EOF && s->element <= index) {
		if (is_space(c))
			continue;
		if (s->begins && s->element == index)
			line = s->line;
		s->begins = false;
		before = s->line;
		take(s, c);
		if (line && c == '"' && s->depth == s->list + 1 && !strcmp(s->text, field))
			return before;
	}
	return line;
}

unsigned int intel_line(const char *path, size_t index, const char *field)
{
	struct scan s = { .file = fopen(path, "re"), .line = 1 };
	unsigned int line;

	if (!s.file)
		return 0;
	line = find(&s, index, field);
	fclose(s.file);
	return line;
}
