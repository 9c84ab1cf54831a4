// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl info: the CPU, the module, who holds the PMU, and what is wrong.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "tool.h"
#include "writer.h"

static void print_cpu(struct writer *w, const struct pmuctl_cpu *cpu)
{
	writer_text(w, "CPU:           ");
	writer_string(w, "cpu", "%s", cpu->name[0] ? cpu->name : "(no name)");
	writer_string(w, "vendor", " (%s", cpu->vendor);
	writer_u64(w, "family", ", family %" PRIu64, cpu->family);
	writer_u64(w, "model", ", model %" PRIu64, cpu->model);
	writer_u64(w, "stepping", ", stepping %" PRIu64 ")\n", cpu->stepping);
	writer_text(w, "Hypervisor:    ");
	if (cpu->hypervisor)
		writer_string(w, "hypervisor", "%s\n",
			      cpu->hypervisor_name[0] ? cpu->hypervisor_name : "unnamed");
	else
		writer_null(w, "hypervisor", "%s\n", "none");
	writer_text(w, "PMU:           ");
	writer_u64(w, "perfmon_version", cpu->version ?
		   "architectural perfmon version %" PRIu64 "\n" :
		   "architectural perfmon version %" PRIu64 ": none, or hidden\n", cpu->version);
}

struct feature {
	uint64_t bit;
	const char *name;
};

static const struct feature features[] = {
	{ PMUCTL_CAN_TASK, "task" },
	{ PMUCTL_CAN_CPU, "cpu" },
	{ PMUCTL_CAN_INHERIT, "inherit" },
	{ PMUCTL_CAN_ON_EXEC, "exec" },
	{ PMUCTL_CAN_DRY_RUN, "dry-run" },
};

static void features_text(uint64_t bits, char *text, size_t size)
{
	size_t i, at = 0;

	text[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if ((bits & features[i].bit) && at < size)
			at += (size_t)snprintf(text + at, size - at, "%s%s", at ? " " : "",
					       features[i].name);
		bits &= ~features[i].bit;
	}
	if (bits && at < size)
		snprintf(text + at, size - at, "%s%#" PRIx64, at ? " " : "", bits);
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

static void print_module(struct writer *w, const struct pmuctl_info *info)
{
	char text[128];

	features_text(info->features, text, sizeof(text));
	writer_text(w, "Module:        ");
	writer_u64(w, "abi", "ABI %" PRIu64, info->abi);
	writer_string(w, "backend", ", backend %s", info->backend);
	writer_u64(w, "backend_version", " version %" PRIu64, info->version);
	writer_string(w, "features", ", features: %s\n", text);
	print_counters(w, info);
	writer_u64(w, "arch_events", "Arch. events:  %#" PRIx64 "\n", info->arch_events);
	writer_u64(w, "capabilities", "Capabilities:  %#" PRIx64 "\n", info->capabilities);
	writer_string(w, "state", "State:         %s\n", holder_text(info->holder));
	writer_u64(w, "session_count", "Sessions:      %" PRIu64 "\n", info->sessions);
}

/* The same keys, so that no column and no key ever moves. */
static void print_no_module(struct writer *w, const char *why)
{
	static const char *const keys[] = { "abi", "backend", "backend_version", "features",
					    "counters", "gp_width", "fixed_width", "counters_used",
					    "arch_events", "capabilities", "state",
					    "session_count" };
	size_t i;

	writer_text(w, "Module:        %s\n", why);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		writer_null(w, keys[i], NULL, "");
}

static int print_session(void *data, const struct pmuctl_session_info *s)
{
	struct writer *w = data;
	char text[128];

	counters_text(s->counters, text, sizeof(text));
	writer_row(w);
	writer_u64(w, "id", "  session %" PRIu64, s->id);
	writer_u64(w, "pid", " of process %" PRIu64, (uint64_t)s->owner_pid);
	writer_string(w, "comm", " (%s)", s->owner_comm);
	writer_string(w, "counters", ": %s", text);
	writer_bool(w, "running", s->running);
	writer_text(w, "%s\n", s->running ? ", running" : ", stopped");
	writer_end_row(w);
	return 0;
}

struct holders {
	struct writer *w;
	unsigned int count;
};

static void print_holder(void *data, const struct holder *h)
{
	struct holders *holders = data;
	struct writer *w = holders->w;

	if (!holders->count++)
		writer_text(w, "\n");
	writer_row(w);
	writer_u64(w, "pid", "  process %" PRIu64, (uint64_t)h->pid);
	writer_string(w, "comm", " (%s)", h->comm);
	writer_u64(w, "events", ": %" PRIu64 " open\n", h->events);
	writer_end_row(w);
}

static void print_others(struct writer *w)
{
	struct holders holders = { .w = w };
	unsigned int hidden;

	writer_text(w, "NMI watchdog:  %s\n", watchdog_enabled() ? "on" : "off");
	writer_bool(w, "nmi_watchdog", watchdog_enabled());
	writer_text(w, "Perf events:  ");
	writer_array(w, "perf_events");
	hidden = perf_holders(print_holder, &holders);
	writer_end_array(w);
	writer_text(w, "%s", holders.count ? "" : " none\n");
	writer_u64(w, "processes_hidden",
		   hidden ? "  %" PRIu64 " processes could not be looked into; root can\n" : NULL,
		   hidden);
}

static char *diagnosis(struct pmuctl *ctx, int err)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	diagnose(ctx, err, f);
	fclose(f);
	return text;
}

static void print_diagnosis(struct writer *w, const char *problem, char *advice)
{
	char *line;

	writer_string(w, "problem", "\nCounting is not possible: %s\n", problem);
	writer_string(w, "advice", NULL, advice ? advice : "");
	for (line = advice ? strtok(advice, "\n") : NULL; line; line = strtok(NULL, "\n"))
		writer_text(w, "  %s\n", line);
}

/* The errno that diagnose() takes, and its words; 0 if counting is possible. */
static int find_problem(const struct pmuctl_cpu *cpu, const struct pmuctl_info *info, int err,
			char *text, size_t size)
{
	/* A module that answers knows better than CPUID in user space. */
	if (err && !has_pmu(cpu)) {
		snprintf(text, size, "this machine shows no PMU that pmuctl can use");
		return -ENODEV;
	}
	if (!err && info->holder == PMUCTL_HOLDER_FOREIGN) {
		snprintf(text, size, "somebody else in the kernel holds the PMU");
		return -EBUSY;
	}
	return err;
}

static int print_all(struct pmuctl *ctx, struct writer *w, char **args)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };
	struct pmuctl_info info = { .size = sizeof(info) };
	char problem[1024], *advice;
	int err;

	(void)args;	/* it takes none */
	pmuctl_get_cpu(ctx, &cpu);
	err = pmuctl_get_info(ctx, &info);
	snprintf(problem, sizeof(problem), "%s", pmuctl_error(ctx));
	writer_row(w);
	print_cpu(w, &cpu);
	if (err)
		print_no_module(w, pmuctl_error(ctx));
	else
		print_module(w, &info);
	writer_array(w, "sessions");
	if (!err)
		pmuctl_list_sessions(ctx, print_session, w);
	writer_end_array(w);
	print_others(w);
	err = find_problem(&cpu, &info, err, problem, sizeof(problem));
	if (err) {
		advice = diagnosis(ctx, err);
		print_diagnosis(w, problem, advice);
		free(advice);
	} else {
		writer_null(w, "problem", NULL, "");
		writer_null(w, "advice", NULL, "");
	}
	writer_end_row(w);
	return err ? EXIT_CANNOT : EXIT_OK;
}

int cmd_info(int argc, char **argv)
{
	static const struct report report = {
		.name = "info",
		.min_args = 0,
		.max_args = 0,
		.print = print_all,
	};

	return report_main(&report, argc, argv);
}
