// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mask of counters in words, as the command has them, too: what refuses
 * names them so.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "kmod/base/counters_text.h"
#include "kmod/pmu/pmu.h"

static unsigned int end_of_run(u32 bits, unsigned int first)
{
	while (first < 31 && bits & BIT(first + 1))
		first++;
	return first;
}

static size_t add_run(struct pmuctl_text *text, size_t used, const char *before,
		      unsigned int first, unsigned int last)
{
	char *to = text->line + used;
	size_t room = sizeof(text->line) - used;

	if (first == last)
		return used + scnprintf(to, room, "%s%u", before, first);
	return used + scnprintf(to, room, "%s%u-%u", before, first, last);
}

static size_t add_kind(struct pmuctl_text *text, size_t used, const char *kind,
		       u32 bits)
{
	const char *before = kind;
	unsigned int i, last;

	if (bits && used)
		used += scnprintf(text->line + used, sizeof(text->line) - used,
				  ", ");
	for (i = 0; i < 32; i++) {
		if (!(bits & BIT(i)))
			continue;
		last = end_of_run(bits, i);
		used = add_run(text, used, before, i, last);
		before = ",";
		i = last;
	}
	return used;
}

const char *pmuctl_counters_text(u64 counters, struct pmuctl_text *text)
{
	u64 fixed = counters & ~PMUCTL_METRICS;
	size_t used;

	if (!counters)
		return "none";
	used = add_kind(text, 0, "gp", (u32)counters);
	used = add_kind(text, used, "fixed", fixed >> PMUCTL_FIXED_BASE);
	add_kind(text, used, "metric",
		 (counters & PMUCTL_METRICS) >> PMUCTL_METRIC_BASE);
	return text->line;
}
