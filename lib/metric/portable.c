// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Metrics of portable events, which are there wherever their events are.
 */
#include "lib/metric/metric.h"

#define METRIC(name_, unit_, groups_, formula_, text_)				\
	{ .name = (name_), .unit = (unit_), .groups = (groups_), .formula = (formula_),	\
	  .text = (text_), .source = PMUCTL_SOURCE_PORTABLE }

#define PER_1000 "per 1000 instructions"

/* Names of events have _ where they have - elsewhere. */
static const struct metric_def portables[] = {
	METRIC("IPC", "", "Summary", "instructions / cycles",
	       "instructions per core clock cycle"),
	METRIC("CPI", "", "Summary", "cycles / instructions",
	       "core clock cycles per instruction"),
	METRIC("clock-ratio", "", "Summary", "cycles / ref_cycles",
	       "core clock against the time-stamp counter's, while not halted"),
	METRIC("branch-miss-rate", "percent", "Branches", "100 * branch_misses / branches",
	       "mispredicted branches of all"),
	METRIC("branch-mpki", PER_1000, "Branches", "1000 * branch_misses / instructions",
	       "mispredicted branches per 1000 instructions"),
	METRIC("instructions-per-branch", "", "Branches", "instructions / branches",
	       "instructions from one branch to the next"),
	METRIC("l1d-miss-rate", "percent", "Memory", "100 * l1d_load_misses / l1d_loads",
	       "loads that missed the first-level data cache, of all"),
	METRIC("l1d-mpki", PER_1000, "Memory", "1000 * l1d_load_misses / instructions",
	       "loads that missed the first-level data cache per 1000 instructions"),
	METRIC("cache-miss-rate", "percent", "Memory", "100 * cache_misses / cache_references",
	       "references to the last-level cache that missed it"),
	METRIC("cache-mpki", PER_1000, "Memory", "1000 * cache_misses / instructions",
	       "misses of the last-level cache per 1000 instructions"),
	METRIC("dtlb-mpki", PER_1000, "Memory", "1000 * dtlb_load_misses / instructions",
	       "loads whose translation missed per 1000 instructions"),
	METRIC("itlb-mpki", PER_1000, "Fetch", "1000 * itlb_misses / instructions",
	       "instruction fetches whose translation missed per 1000 instructions"),
	METRIC("l1i-mpki", PER_1000, "Fetch", "1000 * l1i_misses / instructions",
	       "instruction fetches that missed the cache per 1000 instructions"),
	METRIC("kernel-share", "percent", "Summary", "100 * instructions:k / instructions",
	       "instructions in the kernel, of all"),
};

int metrics_portable(struct pmuctl *ctx, metric_fn *fn, void *data)
{
	size_t i;
	int err = 0;

	(void)ctx;
	for (i = 0; !err && i < ARRAY_SIZE(portables); i++)
		err = fn(data, &portables[i]);
	return err;
}
