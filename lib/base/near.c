// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Searching event names: by pattern, and the nearest to one that is wrong.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

bool pattern_matches(const char *pattern, const char *name)
{
	if (!pattern)
		return true;
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, name, FNM_CASEFOLD);
	return strcasestr(name, pattern);
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/* tolower() without the call: most names differ from what is looked for in the first character. */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* '-', '_' and '.' are what people mix up most. */
static int fold(char c)
{
	return c == '-' || c == '.' || c == ':' ? '_' : tolower((unsigned char)c);
}

static char same(char c)
{
	return c == ':' ? '.' : lower(c);
}

bool same_event_name(const char *a, const char *b)
{
	for (; *a && same(*a) == same(*b); a++, b++)
		;
	return !*a && !*b;
}

/* Levenshtein's distance, one row at a time. */
static unsigned int distance(const char *a, size_t alen, const char *b, size_t blen)
{
	unsigned int row[NEAR_NAME_LEN + 1], diagonal, up;
	size_t i, j;

	for (j = 0; j <= blen; j++)
		row[j] = (unsigned int)j;
	for (i = 1; i <= alen; i++) {
		diagonal = row[0];
		row[0] = (unsigned int)i;
		for (j = 1; j <= blen; j++) {
			up = row[j];
			row[j] = min3(up + 1, row[j - 1] + 1,
				      diagonal + (fold(a[i - 1]) != fold(b[j - 1])));
			diagonal = up;
		}
	}
	return row[blen];
}

void nearest_start(struct nearest *n, const char *name)
{
	memset(n, 0, sizeof(*n));
	n->name = name;
	n->len = strlen(name);
	memset(n->distance, 0xff, sizeof(n->distance));
}

void nearest_consider(struct nearest *n, const char *name)
{
	size_t len = strlen(name), i;
	unsigned int d;

	if (len > NEAR_NAME_LEN || n->len > NEAR_NAME_LEN)
		return;
	d = distance(n->name, n->len, name, len);
	/* More than a third wrong is another word. */
	if (d > n->len / 3 + 1)
		return;
	for (i = 0; i < NEAR_NAMES && d >= n->distance[i]; i++)
		;
	if (i == NEAR_NAMES)
		return;
	memmove(&n->distance[i + 1], &n->distance[i],
		(NEAR_NAMES - 1 - i) * sizeof(n->distance[0]));
	memmove(&n->names[i + 1], &n->names[i], (NEAR_NAMES - 1 - i) * sizeof(n->names[0]));
	n->distance[i] = d;
	memcpy(n->names[i], name, len + 1);
}

void nearest_text(const struct nearest *n, char *text, size_t size)
{
	size_t i, at = 0;

	text[0] = '\0';
	for (i = 0; i < NEAR_NAMES && n->names[i][0] && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "", n->names[i]);
}
