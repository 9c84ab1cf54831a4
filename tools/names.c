// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words for counters and event sources.
 */
#include <string.h>

#include "tool.h"

void counter_text(unsigned int counter, char *text, size_t size)
{
	if (counter >= PMUCTL_COUNTER_FIXED)
		snprintf(text, size, "fixed%u", counter - PMUCTL_COUNTER_FIXED);
	else
		snprintf(text, size, "gp%u", counter);
}

/* Runs of set bits from `from` on, 32 of them. */
static size_t add_runs(uint64_t counters, unsigned int from, const char *name, char *text,
		       size_t size, size_t at)
{
	unsigned int i = 0, first;

	while (i < 32) {
		if (!(counters >> (from + i) & 1)) {
			i++;
			continue;
		}
		for (first = i; i < 32 && (counters >> (from + i) & 1); i++)
			;
		if (at < size)
			at += (size_t)snprintf(text + at, size - at, "%s%s%u", at ? ", " : "",
					       name, first);
		if (at < size && i - 1 > first)
			at += (size_t)snprintf(text + at, size - at, "-%u", i - 1);
	}
	return at;
}

void counters_text(uint64_t counters, char *text, size_t size)
{
	size_t at;

	snprintf(text, size, "none");
	at = add_runs(counters, 0, "gp", text, size, 0);
	add_runs(counters, PMUCTL_COUNTER_FIXED, "fixed", text, size, at);
}

const char *source_text(unsigned int source)
{
	switch (source) {
	case PMUCTL_SOURCE_PORTABLE:
		return "portable";
	case PMUCTL_SOURCE_LIBPFM4:
		return "libpfm4";
	case PMUCTL_SOURCE_RAW:
		return "raw";
	default:
		return "unknown";
	}
}
