// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events that are fields of PERF_METRICS: shares of the slots that fixed counter 3
 * counts, under perf's names and under those of Intel's formulas.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

static const struct field {
	const char *name;	/* perf's */
	const char *intels;
	const char *text;
} fields[] = {
	/* In the order of the register's bytes. */
	{ "topdown-retiring", "PERF_METRICS.RETIRING", "slots of uops that retired" },
	{ "topdown-bad-spec", "PERF_METRICS.BAD_SPECULATION",
	  "slots wasted on uops that never retired" },
	{ "topdown-fe-bound", "PERF_METRICS.FRONTEND_BOUND",
	  "slots that the front end left empty" },
	{ "topdown-be-bound", "PERF_METRICS.BACKEND_BOUND", "slots that the back end did not take" },
	{ "topdown-heavy-ops", "PERF_METRICS.HEAVY_OPERATIONS",
	  "slots of instructions of several uops, of those that retired" },
	{ "topdown-br-mispredict", "PERF_METRICS.BRANCH_MISPREDICTS",
	  "slots wasted by mispredicted branches" },
	{ "topdown-fetch-lat", "PERF_METRICS.FETCH_LATENCY",
	  "slots that the front end left empty by delivering nothing" },
	{ "topdown-mem-bound", "PERF_METRICS.MEMORY_BOUND",
	  "slots that the back end did not take while it waited for memory" },
};

static bool is_modified(const struct event_text *t)
{
	size_t i;

	for (i = 0; i < EVENT_FLAGS; i++)
		if (t->flags[i] >= 0 || t->words[i][0])
			return true;
	return t->cmask >= 0 || t->umask >= 0 || t->extra_given || t->precise;
}

int metric_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	struct pmu_facts facts;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (same_event_name(t->name, fields[i].name) ||
		    same_event_name(t->name, fields[i].intels))
			break;
	if (i == ARRAY_SIZE(fields))
		return -ENOENT;
	err = facts_get(ctx, &facts);
	if (err)
		return err;
	if (is_modified(t))
		return fail(ctx, -EINVAL, "a field of PERF_METRICS has no modifiers but u, k and D");
	enc->counters = 1ull << (PMUCTL_COUNTER_METRIC + i);
	if (!(facts.counters & enc->counters))
		return fail(ctx, -EOPNOTSUPP, "this CPU, or the loaded module, has no such field "
					      "of PERF_METRICS");
	enc->metric = true;
	enc->field = (unsigned int)i;
	snprintf(enc->full_name, sizeof(enc->full_name), "%s", fields[i].name);
	return 0;
}

int metric_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_PORTABLE };
	struct pmu_facts facts;
	size_t i;
	int err = facts_get(ctx, &facts);

	for (i = 0; !err && i < ARRAY_SIZE(fields); i++) {
		desc.name = fields[i].name;
		desc.text = fields[i].text;
		if (facts.counters >> (PMUCTL_COUNTER_METRIC + i) & 1 &&
		    pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err;
}
