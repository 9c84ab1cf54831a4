/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the tables of facts, which are CSV.
 */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>

/* In place; "a,b" in quotes is one field, and what is missing is empty. */
static inline void csv_split(char *line, char **fields, size_t columns)
{
	char *in = line, *out = line;
	size_t i;

	for (i = 0; i < columns; i++) {
		bool quoted = *in == '"';

		fields[i] = out;
		in += quoted;
		while (*in && *in != '\n' && (quoted ? *in != '"' : *in != ','))
			*out++ = *in++;
		in += quoted && *in == '"';
		in += *in == ',';
		*out++ = '\0';
	}
}

#endif
