// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The line of a file of Intel's events or metrics that an error is about.
 *
 * jansson says where text is no JSON, but not where a value stood whose
 * meaning is wrong; so the file, which is known to be JSON, is gone through
 * once more, down to that value.
 */
#include <stdio.h>
#include <string.h>

#include "lib/event/intel.h"

struct scan {
	FILE *file;
	unsigned int line;
	unsigned int found;	/* line of the innermost that was found; 0: none was */
	int token;		/* first character of a value, or what is between them */
	char text[32];		/* the last string, as much of it as a field's name has */
};

static int next(struct scan *s)
{
	int c = feof(s->file) || ferror(s->file) ? EOF : getc(s->file);

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

static bool is_space(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A string is one of them; a number is as many as it has characters. */
static int token(struct scan *s)
{
	do
		s->token = next(s);
	while (is_space(s->token));
	if (s->token == '"')
		read_text(s);
	return s->token;
}

/* From a value's first token to what is behind it; whether that is another value. */
static bool skip(struct scan *s)
{
	unsigned int depth = 0;
	int c;

	for (c = s->token; c != EOF; c = token(s)) {
		if (!depth && (c == ',' || c == ']' || c == '}'))
			return c == ',';
		depth += c == '[' || c == '{';
		depth -= c == ']' || c == '}';
	}
	return false;
}

static bool enter_element(struct scan *s, size_t index)
{
	if (s->token != '[')
		return false;
	for (token(s); index; index--) {
		if (!skip(s))
			return false;
		token(s);
	}
	s->found = s->line;
	return true;
}

static bool enter_field(struct scan *s, const char *field)
{
	unsigned int line;
	bool is_it;

	if (s->token != '{')
		return false;
	do {
		if (token(s) != '"')
			return false;
		line = s->line;
		is_it = !strcmp(s->text, field);
		/* The colon, and the value. */
		token(s);
		token(s);
	} while (!is_it && skip(s));
	if (is_it)
		s->found = line;
	return is_it;
}

/* The list is a field of the object that it is in, or all of the file. */
static bool enter(struct scan *s, const struct reading *r)
{
	bool there = r->of ? enter(s, r->of) : token(s) != EOF;

	if (there && (r->of || s->token == '{'))
		there = enter_field(s, r->in);
	return there && (r->index == INTEL_NO_LIST || enter_element(s, r->index));
}

unsigned int intel_line(const struct reading *r, const char *field)
{
	struct scan s = { .file = fopen(r->path, "re"), .line = 1 };

	if (!s.file)
		return 0;
	if (enter(&s, r))
		enter_field(&s, field);
	fclose(s.file);
	return s.found;
}
