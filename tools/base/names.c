// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words for counters and event sources.
 */
#include <string.h>

#include "tools/base/base.h"

void counter_name(unsigned int counter, bool p4, char *text, size_t size)
{
	const char *name = p4 ? pmuctl_p4_counter_name(counter) : NULL;

	if (name)
		snprintf(text, size, "gp%u (MSR_%s)", counter, name);
	else
		counter_text(counter, text, size);
}

void counter_text(unsigned int counter, char *text, size_t size)
{
	if (counter >= PMUCTL_COUNTER_METRIC)
		snprintf(text, size, "metric%u", counter - PMUCTL_COUNTER_METRIC);
	else if (counter >= PMUCTL_COUNTER_FIXED)
		snprintf(text, size, "fixed%u", counter - PMUCTL_COUNTER_FIXED);
	else
		snprintf(text, size, "gp%u", counter);
}

/* Runs of set bits from `from` to below `end`. */
static size_t add_runs(uint64_t counters, unsigned int from, unsigned int end, const char *name,
		       char *text, size_t size, size_t at)
{
	unsigned int i = 0, first;

	while (i < end - from) {
		if (!(counters >> (from + i) & 1)) {
			i++;
			continue;
		}
		for (first = i; i < end - from && (counters >> (from + i) & 1); i++)
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
	at = add_runs(counters, 0, PMUCTL_COUNTER_FIXED, "gp", text, size, 0);
	at = add_runs(counters, PMUCTL_COUNTER_FIXED, PMUCTL_COUNTER_METRIC, "fixed", text, size,
		      at);
	add_runs(counters, PMUCTL_COUNTER_METRIC, 64, "metric", text, size, at);
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
	case PMUCTL_SOURCE_INTEL:
		return "Intel";
	default:
		return "unknown";
	}
}
