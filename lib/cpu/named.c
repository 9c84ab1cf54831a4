// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Processors by name, for who plans at a desk what another machine is to count: what CPUID would
 * say there, with threads on as most have them.
 */
#include <errno.h>
#include <string.h>

#include "lib/cpu/named.h"

#define PERFMON(n, s, p, v, counters, fixed_counters, events, metric_fields, ht)	\
	{ .name = n, .signature = s, .pfm = p, .version = v, .gp = counters,		\
	  .fixed = fixed_counters, .arch_events = events, .metrics = metric_fields,	\
	  .threads = ht }

static const struct named_cpu cpus[] = {
	{ .name = "pentium", .signature = 0x52c, .backend = BACKEND_P5 },
	{ .name = "pentium-mmx", .signature = 0x543, .backend = BACKEND_P5 },
	{ .name = "pentium3", .signature = 0x6b1, .pfm = "p6", .backend = BACKEND_P6 },
	{ .name = "pentium4", .signature = 0xf29, .pfm = "netburst", .backend = BACKEND_P4,
	  .threads = true },
	{ .name = "prescott", .signature = 0xf41, .pfm = "netburst_p", .backend = BACKEND_P4,
	  .threads = true },
	PERFMON("core2", 0x10676, "core", 2, 2, 3, 7, 0, false),
	PERFMON("nehalem", 0x106a5, "nhm", 3, 4, 3, 7, 0, true),
	PERFMON("westmere", 0x206c2, "wsm_dp", 3, 4, 3, 7, 0, true),
	PERFMON("sandybridge", 0x206a7, "snb", 3, 4, 3, 7, 0, true),
	PERFMON("sandybridge-ep", 0x206d7, "snb_ep", 3, 4, 3, 7, 0, true),
	PERFMON("ivybridge", 0x306a9, "ivb", 3, 4, 3, 7, 0, true),
	PERFMON("ivybridge-ep", 0x306e4, "ivb_ep", 3, 4, 3, 7, 0, true),
	PERFMON("haswell", 0x306c3, "hsw", 3, 4, 3, 7, 0, true),
	PERFMON("haswell-ep", 0x306f2, "hsw_ep", 3, 4, 3, 7, 0, true),
	PERFMON("broadwell", 0x306d4, "bdw", 3, 4, 3, 7, 0, true),
	PERFMON("broadwell-ep", 0x406f1, "bdw_ep", 3, 4, 3, 7, 0, true),
	PERFMON("skylake", 0x506e3, "skl", 4, 4, 3, 7, 0, true),
	PERFMON("skylake-sp", 0x50654, "skx", 4, 4, 3, 7, 0, true),
	PERFMON("cascadelake", 0x50657, "clx", 4, 4, 3, 7, 0, true),
	PERFMON("icelake", 0x706e5, "icl", 5, 8, 4, 8, 4, true),
	PERFMON("icelake-sp", 0x606a6, "icx", 5, 8, 4, 8, 4, true),
	PERFMON("sapphirerapids", 0x806f8, "spr", 5, 8, 4, 8, 8, true),
	PERFMON("emeraldrapids", 0xc06f2, "spr", 5, 8, 4, 8, 8, true),
	PERFMON("graniterapids", 0xa06d1, "spr", 5, 8, 4, 8, 8, true),
	PERFMON("alderlake-p", 0x90672, "adl_glc", 5, 8, 4, 8, 8, true),
	PERFMON("bartlettlake", 0xd0670, "adl_glc", 5, 8, 4, 8, 8, true),
	PERFMON("goldmont", 0x506c9, "glm", 4, 4, 3, 7, 0, false),
	PERFMON("goldmontplus", 0x706a8, "glm", 4, 4, 3, 7, 0, false),
	PERFMON("tremont", 0x90661, "tmt", 5, 4, 3, 7, 0, false),
	PERFMON("alderlake-n", 0xb06e0, "adl_grt", 5, 6, 3, 7, 0, false),
	PERFMON("sierraforest", 0xa06f3, NULL, 5, 8, 3, 7, 0, false),
	PERFMON("grandridge", 0xb0660, NULL, 5, 8, 3, 7, 0, false),
};

const char *pmuctl_cpu_name(size_t number)
{
	return number < ARRAY_SIZE(cpus) ? cpus[number].name : NULL;
}

void named_facts(const struct named_cpu *cpu, struct pmu_facts *facts)
{
	*facts = (struct pmu_facts){
		.signature = cpu->signature, .version = cpu->version, .backend = cpu->backend,
		.threads = cpu->threads, .smt = cpu->threads,
		/* Goldmont has version 4, one thread a core and no such bit. */
		.any = cpu->threads && (cpu->version == 3 || cpu->version == 4),
		.arch_events = (1u << cpu->arch_events) - 1,
		.counters = cpu->backend == BACKEND_P4 ? P4_COUNTERS_USUAL :
			    cpu->backend != BACKEND_PERFMON ? TWO_COUNTERS :
			    ((1ull << cpu->gp) - 1) |
			    ((1ull << cpu->fixed) - 1) << PMUCTL_COUNTER_FIXED |
			    ((1ull << cpu->metrics) - 1) << PMUCTL_COUNTER_METRIC,
	};
}

int pmuctl_plan_for(struct pmuctl *ctx, const char *name)
{
	size_t i;

	if (ctx->facts_known || ctx->info_known)
		return fail(ctx, -EBUSY, "the processor is chosen before anything is asked of it");
	for (i = 0; name && i < ARRAY_SIZE(cpus); i++) {
		if (strcmp(cpus[i].name, name) != 0)
			continue;
		ctx->planned = &cpus[i];
		named_facts(&cpus[i], &ctx->facts);
		ctx->facts_known = true;
		return 0;
	}
	return fail(ctx, -ENOENT, "no processor is called '%s'", name ? name : "");
}

const char *pmuctl_planned_for(const struct pmuctl *ctx)
{
	return ctx->planned ? ctx->planned->name : NULL;
}
