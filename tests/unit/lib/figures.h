/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of tests/figures, which tests/lib/make-figures made from what others publish.
 * Tests run at the top of the tree.
 */
#ifndef LIB_FIGURES_H
#define LIB_FIGURES_H

#include <stdio.h>

#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/csv.h"

#define FIGURES_COLUMNS 8

/* Calls row for each line and its fields, those that are missing empty; there are some. */
static inline void figures_read(const char *name, void (*row)(char **fields, void *data),
				void *data)
{
	char path[256], line[4096], *fields[FIGURES_COLUMNS];
	unsigned int rows = 0;
	FILE *f;

	snprintf(path, sizeof(path), "tests/figures/%s", name);
	f = fopen(path, "r");
	if (!f)
		fail_msg("%s: not there, or the test does not run at the top of the tree", path);
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#')
			continue;
		csv_split(line, fields, FIGURES_COLUMNS);
		row(fields, data);
		rows++;
	}
	fclose(f);
	assert_int_not_equal(rows, 0);
}

#endif
