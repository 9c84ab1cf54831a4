// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words that were mistyped: a letter too many, too few, another, or two that changed places;
 * and words that were not written to their end.
 */
#include <string.h>

#include "tools/base/near.h"

#define LONGEST 31

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Damerau's and Levenshtein's, of words of at most LONGEST letters. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[LONGEST + 1][LONGEST + 1], best;
	size_t i, j, alen = strlen(a), blen = strlen(b);

	for (i = 0; i <= alen; i++)
		rows[i][0] = (unsigned int)i;
	for (j = 0; j <= blen; j++)
		rows[0][j] = (unsigned int)j;
	for (i = 1; i <= alen; i++)
		for (j = 1; j <= blen; j++) {
			best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = least(best, least(rows[i - 1][j], rows[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = least(best, rows[i - 2][j - 2] + 1);
			rows[i][j] = best;
		}
	return rows[alen][blen];
}

void near_consider(struct near *n, const char *name)
{
	size_t len = strlen(n->word);
	unsigned int d;

	if (len > LONGEST || strlen(name) > LONGEST)
		return;
	/* More than a third wrong is another word. */
	d = distance(n->word, name);
	if (len > 1 && !strncmp(n->word, name, len))
		d = 1;
	if (d > len / 3 || (n->best && d >= n->distance))
		return;
	n->best = name;
	n->distance = d;
}
