// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl info: the module, and the PMU as it found it.
 */
#include <inttypes.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/writer.h"
#include "tools/machine/info.h"
#include "tools/run/kinds.h"

struct bit {
	uint64_t bit;
	const char *name;
};

static const struct bit features[] = {
	{ PMUCTL_CAN_TASK, "task" },
	{ PMUCTL_CAN_CPU, "cpu" },
	{ PMUCTL_CAN_INHERIT, "inherit" },
	{ PMUCTL_CAN_ON_EXEC, "exec" },
	{ PMUCTL_CAN_DRY_RUN, "dry-run" },
	{ PMUCTL_CAN_SETS, "sets" },
	{ PMUCTL_CAN_RESET, "reset" },
	{ PMUCTL_CAN_EXTRA, "extra" },
	{ PMUCTL_CAN_FD, "fd" },
	{ PMUCTL_CAN_SAMPLE, "sample" },
	{ PMUCTL_CAN_PEBS, "pebs" },
	{ PMUCTL_CAN_CASCADE, "cascade" },
	{ PMUCTL_CAN_METRICS, "metrics" },
	{ PMUCTL_CAN_END, "end" },
	{ PMUCTL_CAN_SWITCH, "switch" },
	{ PMUCTL_CAN_RETIRE, "retire" },
	{ PMUCTL_CAN_COUNTS, "counts" },
	{ PMUCTL_CAN_SWITCH_TASK, "switch-task" },
	{ PMUCTL_CAN_CGROUP, "cgroup" },
	{ PMUCTL_CAN_KINDS, "kinds" },
	{ PMUCTL_CAN_SELF, "self" },
};

static const struct bit arch_events[] = {
	{ 1 << 0, "cycles" },
	{ 1 << 1, "instructions" },
	{ 1 << 2, "bus-cycles" },
	{ 1 << 3, "cache-references" },
	{ 1 << 4, "cache-misses" },
	{ 1 << 5, "branches" },
	{ 1 << 6, "branch-misses" },
	{ 1 << 7, "slots" },
};

/* IA32_PERF_CAPABILITIES, beside the numbers in it: SDM vol. 3, "Debug Store". */
static const struct bit capabilities[] = {
	{ 1 << 6, "PEBS traps" },
	{ 1 << 7, "PEBS registers" },
	{ 1 << 12, "freeze in SMM" },
	{ 1 << 13, "full-width writes" },
	{ 1 << 14, "PEBS baseline" },
	{ 1 << 15, "PERF_METRICS" },
	{ 1 << 16, "PEBS to PT" },
	{ 1 << 17, "retire latency" },
};

/* Their names with `between` between; what has no name as a number. */
static void bits_text(const struct bit *names, size_t count, uint64_t bits, const char *between,
		      char *text, size_t size)
{
	size_t i, at = 0;

	text[0] = '\0';
	for (i = 0; i < count; i++) {
		if ((bits & names[i].bit) && at < size)
			at += (size_t)snprintf(text + at, size - at, "%s%s", at ? between : "",
					       names[i].name);
		bits &= ~names[i].bit;
	}
	if (bits && at < size)
		snprintf(text + at, size - at, "%s%#" PRIx64, at ? between : "", bits);
}

static const char *holder_text(uint32_t holder)
{
	switch (holder) {
	case PMUCTL_HOLDER_NONE:
		return "free";
	case PMUCTL_HOLDER_MODULE:
		return "held by sessions of pmuctl";
	case PMUCTL_HOLDER_FOREIGN:
		return "held by somebody else in the kernel";
	default:
		return "unknown";
	}
}

static void print_counters(struct writer *w, const struct pmuctl_info *info)
{
	char text[128];

	counters_text(info->counters, text, sizeof(text));
	writer_text(w, "Counters:      ");
	writer_string(w, "counters", "%s", text);
	writer_u64(w, "gp_width", ", %" PRIu64 " bits", info->gp_width);
	writer_u64(w, "fixed_width", info->fixed_width ? ", fixed %" PRIu64 " bits" : NULL,
		   info->fixed_width);
	counters_text(info->counters_used, text, sizeof(text));
	writer_text(w, "\nIn use:        ");
	writer_string(w, "counters_used", "%s\n", text);
}

static void print_abilities(struct writer *w, const struct pmuctl_info *info)
{
	uint64_t caps = info->capabilities;
	char text[256];

	bits_text(arch_events, ARRAY_SIZE(arch_events), info->arch_events, " ", text, sizeof(text));
	writer_u64(w, "arch_events", "Arch. events:  %#" PRIx64, info->arch_events);
	writer_string(w, "arch_event_names", *text ? ": %s\n" : "\n", text);
	writer_u64(w, "capabilities", "Capabilities:  %#" PRIx64, caps);
	writer_u64(w, "lbr_format", ": LBR format %" PRIu64, caps & 0x3f);
	writer_u64(w, "pebs_format", ", PEBS format %" PRIu64, caps >> 8 & 0xf);
	bits_text(capabilities, ARRAY_SIZE(capabilities), caps & ~0xf3full, ", ", text,
		  sizeof(text));
	writer_string(w, "capability_names", *text ? ", %s\n" : "\n", text);
	writer_text(w, "Processor:     %s%s\n", info->arch_only ?
		    "unknown model, architectural events only" : "known",
		    info->any ? ", AnyThread may be set" : "");
	writer_bool(w, "arch_only", info->arch_only);
	writer_bool(w, "any", info->any);
}

static const char *pebs_text(const struct pmuctl_info *info)
{
	if (info->pebs_refusal[0])
		return info->pebs_refusal;
	return info->features & PMUCTL_CAN_PEBS && info->pebs_format >= 0 ? "can be used" :
									     "not there";
}

static void print_sampling(struct writer *w, const struct pmuctl_info *info)
{
	bool none = !strcmp(info->backend, "p5");

	writer_text(w, "Sampling:      %s", none ? "none: an overflow interrupts nobody here\n" : "");
	writer_u64(w, "rate_max", none ? NULL : "up to %" PRIu64 " a second and CPU",
		   info->rate_max);
	writer_u64(w, "lbr_depth", none ? NULL : ", %" PRIu64 " last branches", info->lbr_depth);
	writer_string(w, "pebs", none ? NULL : "; PEBS: %s\n", pebs_text(info));
}

static void print_erratum(struct writer *w, const struct pmuctl_erratum *e, bool open, bool first)
{
	writer_row(w);
	writer_text(w, first ? "Errata:        " : "               ");
	writer_string(w, "names", "%s: ", e->names);
	writer_string(w, "effect", "%s\n", e->effect);
	writer_string(w, "measure", "               - %s\n", open ? e->open : e->measure);
	writer_bool(w, "open", open);
	writer_end_row(w);
}

static void print_errata(struct writer *w, const struct pmuctl_info *info)
{
	const struct pmuctl_erratum *e;
	bool first = true;
	size_t i;

	writer_array(w, "errata");
	for (i = 0; (e = pmuctl_erratum_get(i)); i++) {
		if (!(info->errata & e->bit))
			continue;
		print_erratum(w, e, info->errata_open & e->bit, first);
		first = false;
	}
	writer_end_array(w);
	writer_text(w, "%s", first ? "Errata:        none that pmuctl knows\n" : "");
}

static void print_rules(struct writer *w, const struct pmuctl_info *info)
{
	writer_text(w, "Who may count: %s\n", info->unprivileged ?
		    "everybody the user mode of own tasks (unprivileged=1); the rest with CAP_PERFMON" :
		    "who has CAP_PERFMON or CAP_SYS_ADMIN");
	writer_bool(w, "unprivileged", info->unprivileged);
	writer_u64(w, "sessions_max", "Limits a user: %" PRIu64 " sessions", info->sessions_max);
	writer_u64(w, "events_max", ", %" PRIu64 " events", info->events_max);
	writer_u64(w, "tasks_max", ", %" PRIu64 " tasks followed", info->tasks_max);
	writer_u64(w, "memory_max", ", %" PRIu64 " bytes\n", info->memory_max);
	writer_u64(w, "interval_ns", "Sets:          take turns every %" PRIu64 " ns\n",
		   info->interval);
}

static void print_pmu(struct writer *w, const struct pmuctl_info *info)
{
	print_counters(w, info);
	print_abilities(w, info);
	print_errata(w, info);
}

static void print_kind(struct writer *w, const struct pmuctl_kind *kind)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	size_t i;

	writer_row(w);
	writer_string(w, "name", "%s", kind->name);
	writer_string(w, "pmu", " (%s/.../): CPUs", kind->pmu);
	writer_array(w, "cpus");
	for (i = 0; i < kind->cpus_count; i++)
		writer_u64(w, NULL, i ? ",%" PRIu64 : " %" PRIu64, kind->cpus[i]);
	writer_end_array(w);
	writer_u64(w, "core", ", CPUID leaf 1AH %#" PRIx64 "\n", kind->core);
	if (!pmuctl_get_info(kind->ctx, &info))
		print_pmu(w, &info);
	writer_end_row(w);
}

/* In text each has its own; in JSON what stands outside is the first one's. */
static void print_kinds(struct writer *w, struct pmuctl *ctx, const struct pmuctl_info *info)
{
	struct kinds kinds;
	unsigned int k;

	kinds_find(ctx, &kinds);
	if (!kinds.count || writer_format(w) == FORMAT_JSON)
		print_pmu(w, info);
	writer_array(w, "kinds");
	for (k = 0; k < kinds.count; k++)
		print_kind(w, &kinds.list[k]);
	writer_end_array(w);
}

void info_print_module(struct writer *w, struct pmuctl *ctx, const struct pmuctl_info *info)
{
	char text[160];

	bits_text(features, ARRAY_SIZE(features), info->features, " ", text, sizeof(text));
	writer_text(w, "Module:        ");
	writer_u64(w, "abi", "ABI %" PRIu64, info->abi);
	writer_string(w, "backend", ", backend %s", info->backend);
	writer_u64(w, "backend_version", " version %" PRIu64, info->version);
	writer_string(w, "features", ", features: %s\n", text);
	print_kinds(w, ctx, info);
	print_sampling(w, info);
	print_rules(w, info);
	writer_string(w, "state", "State:         %s\n", holder_text(info->holder));
	writer_u64(w, "session_count", "Sessions:      %" PRIu64 "\n", info->sessions);
}

void info_print_no_module(struct writer *w, const char *why)
{
	static const char *const keys[] = {
		"abi", "backend", "backend_version", "features", "counters", "gp_width",
		"fixed_width", "counters_used", "arch_events", "arch_event_names", "capabilities",
		"lbr_format", "pebs_format", "capability_names", "arch_only", "any", "rate_max",
		"lbr_depth", "pebs", "unprivileged",
		"sessions_max", "events_max", "tasks_max", "memory_max", "interval_ns", "state",
		"session_count"
	};
	size_t i;

	writer_text(w, "Module:        %s\n", why);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		writer_null(w, keys[i], NULL, "");
	writer_array(w, "errata");
	writer_end_array(w);
	writer_array(w, "kinds");
	writer_end_array(w);
}
