// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of events for files that have none: a recorder that was killed leaves
 * only their codes.
 */
#include <stdio.h>

#include "lib/perfdata/perfdata.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const hardware[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const software[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
};

static const char *known(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_HARDWARE && attr->config < COUNT(hardware))
		return hardware[attr->config];
	if (attr->type == PERF_TYPE_SOFTWARE && attr->config < COUNT(software))
		return software[attr->config];
	return NULL;
}

void data_name_event(const struct perf_event_attr *attr, char *name, size_t size)
{
	const char *text = known(attr);

	if (text)
		snprintf(name, size, "%s", text);
	else if (attr->type == PERF_TYPE_RAW)
		snprintf(name, size, "r%llx", (unsigned long long)attr->config);
	else
		snprintf(name, size, "type%u/%#llx/", attr->type,
			 (unsigned long long)attr->config);
}
