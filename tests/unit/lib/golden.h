/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output that is looked at: beside a file of tests/golden (tests run at the top of the
 * tree; PMUCTL_GOLDEN=write makes the files anew, for a human to look at), or for a text.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/cmocka_all.h"

static inline void matches_golden(const char *name, const char *text)
{
	static char expected[65536];
	const char *mode = getenv("PMUCTL_GOLDEN");
	char path[128];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "tests/golden/%s", name);
	if (mode && !strcmp(mode, "write")) {
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(text, f);
		fclose(f);
		return;
	}
	f = fopen(path, "r");
	if (!f)
		fail_msg("%s: not there", path);
	len = fread(expected, 1, sizeof(expected) - 1, f);
	fclose(f);
	expected[len] = '\0';
	assert_string_equal(text, expected);
}

/* How often the text is in there. */
static inline unsigned int count_text(const char *in, const char *text)
{
	unsigned int n = 0;

	for (in = strstr(in, text); in; in = strstr(in + 1, text))
		n++;
	return n;
}

#endif
