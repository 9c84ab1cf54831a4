// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl explain: what events become, without counting anything: the
 * library's half, and the kernel's plan from a dry run.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "report.h"
#include "tool.h"
#include "writer.h"

static void print_fields(struct writer *w, uint64_t evtsel)
{
	writer_u64(w, "config", "  encoding   %#010" PRIx64, evtsel);
	writer_u64(w, "event_code", ": event 0x%02" PRIx64, evtsel & 0xff);
	writer_u64(w, "umask", ", umask 0x%02" PRIx64, evtsel >> 8 & 0xff);
	writer_u64(w, "edge", ", edge %" PRIu64, evtsel >> 18 & 1);
	writer_u64(w, "any", ", any %" PRIu64, evtsel >> 21 & 1);
	writer_u64(w, "inv", ", inv %" PRIu64, evtsel >> 23 & 1);
	writer_u64(w, "cmask", ", cmask %" PRIu64 "\n", evtsel >> 24 & 0xff);
}

static void print_library(struct writer *w, const struct pmuctl_event_info *e)
{
	char text[128];

	writer_string(w, "event", "%s\n", e->name);
	writer_string(w, "source", "  source     %s: ", source_text(e->source));
	writer_string(w, "full_name", "%s\n", e->full_name);
	print_fields(w, e->registers[0].value);
	writer_string(w, "rings", "  rings      %s\n", e->user && e->kernel ? "user and kernel" :
		      e->user ? "user" : "kernel");
	counters_text(e->counters, text, sizeof(text));
	writer_string(w, "allowed", "  allowed    %s\n", text);
}

static void register_text(const struct pmuctl_register *reg, char *text, size_t size)
{
	if (reg->kind == PMUCTL_REGISTER_EVTSEL)
		snprintf(text, size, "IA32_PERFEVTSEL%u", reg->index);
	else if (reg->kind == PMUCTL_REGISTER_FIXED_CTRL)
		snprintf(text, size, "IA32_FIXED_CTR_CTRL field %u", reg->index);
	else
		snprintf(text, size, "register %u.%u", reg->kind, reg->index);
}

static void print_kernel(struct writer *w, const struct pmuctl_assignment *a)
{
	char text[64] = "";
	size_t i;

	if (a)
		counter_text(a->counter, text, sizeof(text));
	if (a)
		writer_string(w, "counter", "  assigned   %s\n", text);
	else
		writer_null(w, "counter", "  assigned   %s\n", "unknown");
	writer_array(w, "registers");
	for (i = 0; a && i < a->registers_count; i++) {
		register_text(&a->registers[i], text, sizeof(text));
		writer_row(w);
		writer_string(w, "register", "  register   %s", text);
		writer_u64(w, "value", " = %#" PRIx64 "\n", a->registers[i].value);
		writer_end_row(w);
	}
	writer_end_array(w);
}

static void print_events(struct writer *w, const struct events *events,
			 const struct pmuctl_session *plan)
{
	struct pmuctl_assignment a = { .size = sizeof(a) };
	unsigned int i;
	bool assigned;

	for (i = 0; i < events->count; i++) {
		assigned = plan && !pmuctl_session_assignment(plan, i, &a);
		if (i)
			writer_text(w, "\n");
		writer_row(w);
		print_library(w, pmuctl_event_info(events->list[i].event));
		print_kernel(w, assigned ? &a : NULL);
		writer_end_row(w);
	}
}

/* A dry run needs a target as any session does: ourselves. */
static int make_plan(struct pmuctl *ctx, const struct events *events, struct pmuctl_session **plan)
{
	int err = pmuctl_session_new(ctx, plan);
	size_t i;

	if (err)
		return err;
	for (i = 0; !err && i < events->count; i++)
		err = pmuctl_session_add_event(*plan, events->list[i].event);
	if (!err)
		err = pmuctl_session_add_process(*plan, getpid());
	if (!err)
		err = pmuctl_session_create(*plan, PMUCTL_DRY_RUN);
	if (err) {
		pmuctl_session_free(*plan);
		*plan = NULL;
	}
	return err;
}

/* The kernel missing is half an answer; the kernel refusing is an error. */
static int explain(struct pmuctl *ctx, const struct events *events, struct writer *w)
{
	struct pmuctl_session *plan = NULL;
	int err = make_plan(ctx, events, &plan);

	print_events(w, events, plan);
	pmuctl_session_free(plan);
	if (!err)
		return EXIT_OK;
	fflush(stdout);
	if (err == -ENOENT || err == -ENONET || err == -EPERM || err == -EPROTO)
		complain("explain", 0, "the kernel's half (counter, registers) is missing: %s",
		     pmuctl_error(ctx));
	else
		complain("explain", 0, "the kernel refuses these events: %s", pmuctl_error(ctx));
	diagnose(ctx, err, stderr);
	return EXIT_CANNOT;
}

static int explain_all(struct pmuctl *ctx, struct writer *w, char **names)
{
	struct events events = { .count = 0 };
	int code = 0;

	for (; !code && *names; names++)
		code = events_add(ctx, "explain", *names, &events);
	if (!code)
		code = events_unsupported(&events, "explain");
	if (!code)
		code = explain(ctx, &events, w);
	events_free(&events);
	return code;
}

int cmd_explain(int argc, char **argv)
{
	static const struct report report = {
		.name = "explain",
		.min_args = 1,
		.max_args = INT_MAX,
		.print = explain_all,
	};

	return report_main(&report, argc, argv);
}
