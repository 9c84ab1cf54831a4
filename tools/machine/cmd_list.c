// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl list: the names of events, and of metrics.
 */
#include <errno.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/writer.h"
#include "tools/run/kinds.h"
#include "tools/run/print_command.h"
#include "tools/run/software.h"

struct listing {
	struct writer *w;
	const char *cpu;	/* whose they are, in words */
	const char *intel;	/* ... and where Intel's are from */
	struct kinds kinds;
	size_t count, software;
	uint32_t source;
	bool headed;		/* what follows is of that source, and of that CPU */
};

static void print_heading(struct listing *l, uint32_t source)
{
	if (l->count && l->source == source)
		return;
	l->source = source;
	if (source == PMUCTL_SOURCE_PORTABLE)
		writer_text(l->w, "%sPortable names:\n", l->count ? "\n" : "");
	else
		writer_text(l->w, "%sEvents of %s (%s):\n", l->count ? "\n" : "", l->cpu,
			    source == PMUCTL_SOURCE_INTEL ? l->intel : "libpfm4");
}

static const char *cpu_of(const struct pmuctl *ctx)
{
	const char *planned = pmuctl_planned_for(ctx);

	return planned ? planned : "this CPU";
}

static int print_event(void *data, const struct pmuctl_event_desc *desc)
{
	int alone = kind_alone(desc->kinds);
	struct listing *l = data;

	print_heading(l, desc->source);
	l->count++;
	writer_row(l->w);
	writer_string(l->w, "name", desc->event ? "    %-44s" : "  %-46s", desc->name);
	writer_string(l->w, "event", NULL, desc->event);
	writer_string(l->w, "source", NULL, source_text(desc->source));
	writer_string(l->w, "description", " %s", desc->text);
	if (l->kinds.count)
		writer_string(l->w, "kind", alone >= 0 ? " [%s alone]" : NULL,
			      alone >= 0 ? l->kinds.list[alone].name : "");
	writer_text(l->w, "\n");
	writer_end_row(l->w);
	return 0;
}

static void print_software(void *data, const char *name, const char *text)
{
	struct listing *l = data;

	if (!l->software)
		writer_text(l->w, "%sCounted by Linux itself (pmuctl stat alone):\n",
			    l->count ? "\n" : "");
	l->software++;
	writer_row(l->w);
	writer_string(l->w, "name", "  %-46s", name);
	writer_string(l->w, "event", NULL, NULL);
	writer_string(l->w, "source", NULL, "Linux");
	writer_string(l->w, "description", " %s\n", text);
	writer_end_row(l->w);
}

/* By the module, or by CPUID where it is not loaded. */
static bool is_driven_as(struct pmuctl *ctx, const char *backend)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };

	if (!pmuctl_get_info(ctx, &info))
		return !strcmp(info.backend, backend);
	return !pmuctl_get_cpu(ctx, &cpu) && !strcmp(cpu.pmu, backend);
}

static void print_codes(struct pmuctl *ctx, struct writer *w)
{
	writer_text(w, "\nTracepoints of Linux (pmuctl stat alone): SYSTEM:NAME, as "
		       "/sys/kernel/tracing/events has them.\n");
	if (is_driven_as(ctx, "p4"))
		writer_text(w, "\nAny code: cpu/escr=0x..,cccr=0x../, of the two registers.\n");
	else if (is_driven_as(ctx, "p5"))
		writer_text(w, "\nAny code: rNN, or cpu/event=0xNN,counter=0,clocks,pin/.  ");
	else
		writer_text(w, "\nAny code: rNNNN, the hexadecimal event (2 digits) below umask, "
			       "edge, inv and cmask,\nor cpu/event=..,umask=../.  ");
	writer_text(w, "After any of them: :u user, :k kernel, :uk both;\nsee pmuctl(1).\n");
}

static int list(struct pmuctl *ctx, struct writer *w, char **args)
{
	const char *pattern = args[0];
	struct listing l = {
		.w = w, .cpu = cpu_of(ctx),
		.intel = is_driven_as(ctx, "p5") ? "Intel's manual" : "Intel's files",
	};
	int err;

	kinds_find(ctx, &l.kinds);
	err = pmuctl_list_events(ctx, pattern, print_event, &l);
	if (err == -EINVAL)
		return complain("list", EXIT_USAGE, "%s", pmuctl_error(ctx));
	if (!err || l.count)
		software_list(pattern, print_software, &l);
	if (err && !l.count) {
		complain("list", EXIT_FAILED, "%s", pmuctl_error(ctx));
		diagnose(ctx, err, stderr);
		return EXIT_FAILED;
	}
	if (err)
		complain("list", EXIT_OK, "warning: %s", pmuctl_error(ctx));
	if (!l.count && !l.software)
		return complain("list", EXIT_USAGE, "no event's name matches '%s'; `pmuctl list` shows all",
			    pattern ? pattern : "");
	print_codes(ctx, w);
	return EXIT_OK;
}

/* ---- metrics ------------------------------------------------------------------- */

static int print_metric(void *data, const struct pmuctl_metric_desc *desc)
{
	struct listing *l = data;

	if (!l->headed || l->source != desc->source)
		writer_text(l->w, desc->source == PMUCTL_SOURCE_INTEL ?
			    "%sMetrics of %s's own events:\n" : l->kinds.count ?
			    "%sMetrics of portable events, of %s:\n" :
			    "%sMetrics of portable events:\n", l->count ? "\n" : "", l->cpu);
	l->headed = true;
	l->source = desc->source;
	l->count++;
	writer_row(l->w);
	writer_string(l->w, "name", "  %-46s", desc->name);
	writer_string(l->w, "unit", NULL, desc->unit);
	writer_string(l->w, "groups", " [%s]", desc->groups);
	writer_string(l->w, "source", NULL, source_text(desc->source));
	writer_string(l->w, "description", " %s\n", desc->text);
	writer_string(l->w, "parent", NULL, desc->parent);
	writer_string(l->w, "threshold", NULL, desc->threshold);
	if (l->kinds.count)
		writer_string(l->w, "kind", NULL, l->cpu);
	writer_end_row(l->w);
	return 0;
}

static int list_metrics(struct pmuctl *ctx, struct writer *w, char **args)
{
	const char *pattern = args[0];
	struct listing l = { .w = w, .cpu = cpu_of(ctx) };
	unsigned int k;
	int err = 0;

	kinds_find(ctx, &l.kinds);
	if (!l.kinds.count)
		err = pmuctl_list_metrics(ctx, pattern, print_metric, &l);
	for (k = 0; !err && k < l.kinds.count; k++) {
		ctx = l.kinds.list[k].ctx;
		l.cpu = l.kinds.list[k].name;
		l.headed = false;
		err = pmuctl_list_metrics(ctx, pattern, print_metric, &l);
	}
	if (err == -EINVAL)
		return complain("list", EXIT_USAGE, "%s", pmuctl_error(ctx));
	if (err) {
		complain("list", EXIT_FAILED, "%s", pmuctl_error(ctx));
		diagnose(ctx, err, stderr);
		return EXIT_FAILED;
	}
	if (!l.count)
		return complain("list", EXIT_USAGE,
				"no metric's name or group matches '%s'; `pmuctl list --metrics` shows all",
				pattern ? pattern : "");
	writer_text(w, "\nFor `pmuctl stat -M NAME` or `-M GROUP`; behind a name :u or :k for one "
		       "ring alone.\n");
	return EXIT_OK;
}

static const struct option_row options[] = {
	{ 0, "metrics", NULL, take_flag, offsetof(struct print_args, metrics),
	  .help = "metrics instead of events" },
	OPTION_PRINT_JSON,
	OPTION_EVENTS_DIR(struct print_args),
	OPTION_NO_PAGER(struct print_args),
	OPTION_FOR,
	OPTION_END
};

static int cmd_list(int argc, char **argv)
{
	static const struct print_command command = {
		.name = "list",
		.min_args = 0,
		.max_args = 1,
		.takes = "one pattern",
		.paged = true,
		.print = list,
		.print_metrics = list_metrics,
	};

	return print_command_main(&command, argc, argv);
}

const struct command command_list = {
	.name = "list",
	.run = cmd_list,
	.text = "the names of events that this CPU can count",
	.options = options,
	.operands = "[PATTERN]",
};
