// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace of the instructions that retire in user mode, while the truth has slots of it: a
 * line for each; the environment variable PMUBOX_TRACE_RETIRE names its file.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "pmu-truth.h"
#include "retire-trace.h"

static FILE *trace;

/* A line for each; stdio keeps those of several CPUs apart. */
static void trace_retired(void *data, const struct pmu_retired *retired)
{
	const CPUX86State *env = data;
	const struct truth_cpu *cpu = env->pmu.truth;

	if (retired->cls != PMU_USER || !cpu || !cpu->space)
		return;
	fprintf(trace, "%u 0x%" PRIx64 " %" PRIu64 " %s\n", cpu->space->id, retired->ip,
		retired->gap, truth_gap_tags[retired->tag]);
}

void retire_trace_start(CPUX86State *env)
{
	const char *name = getenv("PMUBOX_TRACE_RETIRE");

	if (name && !trace) {
		trace = fopen(name, "w");
		if (!trace)
			error_report("PMUBOX_TRACE_RETIRE=%s: %s", name, strerror(errno));
	}
	pmu_want_gaps(env->pmu.model, trace ? trace_retired : NULL, env);
}
