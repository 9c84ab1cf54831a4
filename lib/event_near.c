// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Searching event names: by pattern, and the nearest to one that is wrong.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "private.h"

#define NEAR_NAMES 3
#define NAME_MAX_LEN 80

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

/* '-', '_' and '.' are what people mix up most. */
static int fold(char c)
{
	return c == '-' || c == '.' ? '_' : tolower((unsigned char)c);
}

/* Levenshtein's distance, one row at a time. */
static unsigned int distance(const char *a, size_t alen, const char *b, size_t blen)
{
	unsigned int row[NAME_MAX_LEN + 1], diagonal, up;
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

struct nearest {
	const char *name;
	size_t len;
	bool umasks;		/* the name has one, so compare with those */
	unsigned int distance[NEAR_NAMES];
	char names[NEAR_NAMES][NAME_MAX_LEN + 1];
};

static int consider(void *data, const struct pmuctl_event_desc *desc)
{
	struct nearest *n = data;
	size_t len = strlen(desc->name), i;
	unsigned int d;

	if (len > NAME_MAX_LEN || (desc->event && !n->umasks))
		return 0;
	d = distance(n->name, n->len, desc->name, len);
	/* More than a third wrong is another word. */
	if (d > n->len / 3 + 1)
		return 0;
	for (i = 0; i < NEAR_NAMES && d >= n->distance[i]; i++)
		;
	if (i == NEAR_NAMES)
		return 0;
	memmove(&n->distance[i + 1], &n->distance[i],
		(NEAR_NAMES - 1 - i) * sizeof(n->distance[0]));
	memmove(&n->names[i + 1], &n->names[i], (NEAR_NAMES - 1 - i) * sizeof(n->names[0]));
	n->distance[i] = d;
	memcpy(n->names[i], desc->name, len + 1);
	return 0;
}

void nearest_events(struct pmuctl *ctx, const char *name, char *text, size_t size)
{
	struct nearest n = { .name = name };
	size_t i, at = 0;

	text[0] = '\0';
	/* Modifiers are not part of the name. */
	n.len = strlen(name);
	while (n.len > 2 && name[n.len - 2] == ':' && strchr("uk", name[n.len - 1]))
		n.len -= 2;
	n.umasks = memchr(name, ':', n.len) || memchr(name, '.', n.len);
	if (n.len > NAME_MAX_LEN)
		return;
	memset(n.distance, 0xff, sizeof(n.distance));
	pmuctl_list_events(ctx, NULL, consider, &n);
	for (i = 0; i < NEAR_NAMES && n.names[i][0] && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "", n.names[i]);
}
