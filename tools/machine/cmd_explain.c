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

#include "tools/base/base.h"
#include "tools/base/writer.h"
#include "tools/machine/explain.h"
#include "tools/run/events.h"
#include "tools/run/kinds.h"
#include "tools/run/print_command.h"
#include "tools/run/software.h"

static void print_fields(struct writer *w, uint64_t evtsel)
{
	writer_u64(w, "config", "  encoding   %#010" PRIx64, evtsel);
	writer_u64(w, "event_code", ": event 0x%02" PRIx64, evtsel & 0xff);
	writer_u64(w, "umask", ", umask 0x%02" PRIx64, evtsel >> 8 & 0xff);
	if (evtsel >> 40 & 0xff)
		writer_u64(w, "umask2", ", umask2 0x%02" PRIx64, evtsel >> 40 & 0xff);
	writer_u64(w, "edge", ", edge %" PRIu64, evtsel >> 18 & 1);
	writer_u64(w, "any", ", any %" PRIu64, evtsel >> 21 & 1);
	writer_u64(w, "inv", ", inv %" PRIu64, evtsel >> 23 & 1);
	if (evtsel >> 36 & 1)
		writer_u64(w, "eq", ", eq %" PRIu64, (uint64_t)1);
	writer_u64(w, "cmask", ", cmask %" PRIu64 "\n", evtsel >> 24 & 0xff);
}

/* CESR of the first Pentium, as counter 0 has it. */
static void print_cesr(struct writer *w, uint64_t cesr)
{
	writer_u64(w, "config", "  encoding   CESR 0x%03" PRIx64, cesr);
	writer_u64(w, "event_code", ": event 0x%02" PRIx64, cesr & 0x3f);
	writer_string(w, "counts", ", counting %s", cesr & 0x100 ? "clocks" : "events");
	writer_u64(w, "pin", ", pin control %" PRIu64 "\n", cesr >> 9 & 1);
}

static void print_register(struct writer *w, const struct pmuctl_register *reg)
{
	char text[64];

	pmuctl_register_name(reg, text, sizeof(text));
	writer_row(w);
	writer_string(w, "register", "  register   %s", text);
	writer_u64(w, "value", " = %#" PRIx64 "\n", reg->value);
	writer_end_row(w);
}

/* Besides the event select: what the event needs in other registers. */
static void print_extra(struct writer *w, const struct pmuctl_event_info *e, bool text)
{
	size_t i;

	writer_array(w, "extra");
	for (i = explain_is_p4(e) ? 2 : 1; i < e->registers_count; i++)
		if (text || writer_format(w) == FORMAT_JSON)
			print_register(w, &e->registers[i]);
	writer_end_array(w);
}

static void print_group(struct writer *w, const struct event *event)
{
	if (event->group)
		writer_u64(w, "group", "  group      %" PRIu64 ", counted as a whole\n", event->group);
	else
		writer_null(w, "group", NULL, "");
}

/* Of this processor, as the module knows it. */
static void print_errata(struct writer *w, const struct pmuctl_event *event,
			 const struct pmuctl_info *info)
{
	const struct pmuctl_erratum *e;
	size_t i;

	writer_array(w, "errata");
	for (i = 0; (e = pmuctl_erratum_get(i)); i++) {
		if (!(info->errata & e->bit) || !pmuctl_erratum_concerns(e, event))
			continue;
		writer_row(w);
		writer_string(w, "names", "  erratum    %s: ", e->names);
		writer_string(w, "effect", "%s", e->effect);
		writer_string(w, "measure", " - %s\n", e->measure);
		writer_end_row(w);
	}
	writer_end_array(w);
}

/* kind: that it is explained for; NULL: all CPUs are alike. */
static void print_library(struct writer *w, const struct event *event,
			  const struct pmuctl_event_info *e, const struct pmuctl_kind *kind)
{
	char text[128];

	writer_string(w, "event", "%s", event->name);
	if (kind)
		writer_string(w, "kind", " on %s", kind->name);
	writer_text(w, "\n");
	writer_string(w, "source", "  source     %s: ", source_text(e->source));
	writer_string(w, "full_name", "%s\n", e->full_name);
	writer_string(w, "note", *e->note ? "  note       %s\n" : NULL, e->note);
	if (explain_is_p4(e))
		explain_p4_fields(w, e);
	else if (e->registers[0].kind == PMUCTL_REGISTER_CESR)
		print_cesr(w, e->registers[0].value);
	else
		print_fields(w, e->registers[0].value);
	writer_string(w, "rings", "  rings      %s\n", e->user && e->kernel ? "user and kernel" :
		      e->user ? "user" : "kernel");
	counters_text(e->counters, text, sizeof(text));
	writer_string(w, "allowed", "  allowed    %s\n", text);
	writer_u64(w, "precise", e->precise ? "  precise    %" PRIu64 ", by PEBS\n" : NULL,
		   e->precise);
	writer_bool(w, "pinned", e->pinned);
	writer_text(w, "%s", e->pinned ? "  pinned     always on, beside every set\n" : "");
	print_group(w, event);
}

static void print_assigned(struct writer *w, const struct pmuctl_event_info *e,
			   const struct pmuctl_assignment *a, uint32_t sets)
{
	char text[64];

	if (!a) {
		writer_null(w, "counter", "  assigned   %s\n", "unknown");
		writer_null(w, "set", NULL, "");
		return;
	}
	counter_name(a->counter, explain_is_p4(e), text, sizeof(text));
	writer_string(w, "counter", "  assigned   %s", text);
	writer_u64(w, "set", sets > 1 ? ", in set %" PRIu64 : NULL, a->set);
	writer_text(w, sets > 1 ? " of %u that take turns\n" : "\n", sets);
}

/* As programmed; without a plan as far as it is known. */
static void print_kernel(struct writer *w, const struct pmuctl_event_info *e,
			 const struct pmuctl_assignment *a, uint32_t sets)
{
	size_t i;

	print_extra(w, e, !a);
	print_assigned(w, e, a, sets);
	writer_array(w, "registers");
	for (i = 0; a && i < a->registers_count; i++)
		print_register(w, &a->registers[i]);
	writer_end_array(w);
}

static uint32_t count_sets(const struct pmuctl_session *plan, size_t events, unsigned int kind)
{
	struct pmuctl_assignment a = { .size = sizeof(a) };
	uint32_t sets = 0;
	unsigned int i;

	for (i = 0; plan && i < events; i++)
		if (!pmuctl_session_assignment_of(plan, i, kind, &a) && a.set >= sets)
			sets = a.set + 1;
	return sets;
}

/* What no counter counts. */
static void print_software(struct writer *w, const struct event *e)
{
	const struct software_event *s = e->software;

	writer_string(w, "event", "%s\n", e->name);
	writer_string(w, "source", "  source     %s, not a counter of the processor: pmuctl stat alone "
		      "has it\n", "Linux");
	writer_string(w, "description", "  counts     %s\n", s->text);
	writer_string(w, "note", e->remark ? "  note       %s\n" : NULL, e->remark);
	writer_u64(w, "type", "  asked for  perf_event_open(), type %" PRIu64, s->type);
	writer_u64(w, "config", ", config %" PRIu64 "\n", s->config);
	writer_string(w, "rings", "  rings      %s\n", s->no_user ? "kernel" :
		      s->no_kernel && !s->clock ? "user" : "user and kernel");
	print_group(w, e);
}

struct explaining {
	struct writer *w;
	struct pmuctl *ctx;
	const struct events *events;
	const struct pmuctl_session *plan;	/* NULL: there is none */
	struct kinds kinds;
};

static void print_event(const struct explaining *x, const struct event *event,
			unsigned int number, unsigned int kind)
{
	const struct pmuctl_event *own = pmuctl_event_of_kind(event->event, kind);
	const struct pmuctl_event_info *e = pmuctl_event_get_info(own);
	const struct pmuctl_kind *k = x->kinds.count ? &x->kinds.list[kind] : NULL;
	struct pmuctl_assignment a = { .size = sizeof(a) };
	struct pmuctl_info info = { .size = sizeof(info) };
	bool assigned;

	/* Without a module there are none. */
	if (pmuctl_get_info(k ? k->ctx : x->ctx, &info))
		info.errata = 0;
	assigned = x->plan && !pmuctl_session_assignment_of(x->plan, number, kind, &a);
	writer_row(x->w);
	print_library(x->w, event, e, k);
	print_errata(x->w, own, &info);
	print_kernel(x->w, e, assigned ? &a : NULL,
		     count_sets(x->plan, x->events->count, kind));
	if (explain_is_p4(e))
		explain_p4_setup(x->w, e, x->plan, number);
	writer_end_row(x->w);
}

static void print_events(const struct explaining *x)
{
	unsigned int i, kind, number = 0, printed = 0;

	for (i = 0; i < x->events->count; i++) {
		const struct event *event = &x->events->list[i];

		if (event->software) {
			writer_text(x->w, "%s", printed++ ? "\n" : "");
			writer_row(x->w);
			print_software(x->w, event);
			writer_end_row(x->w);
			continue;
		}
		for (kind = 0; kind < PMUCTL_KINDS_MAX; kind++) {
			if (!pmuctl_event_of_kind(event->event, kind))
				continue;
			writer_text(x->w, "%s", printed++ ? "\n" : "");
			print_event(x, event, number, kind);
		}
		number++;
	}
}

/* With :p what counts is which counters record it, and whether any does. */
static int sample_precise(const struct events *events)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = 1000003 };
	size_t i;
	int err = 0;

	for (i = 0; !err && i < events->count; i++)
		if (events->list[i].event &&
		    pmuctl_event_get_info(events->list[i].event)->precise)
			err = pmuctl_event_sample(events->list[i].event, &sampling);
	return err;
}

/* A dry run needs a target as any session does: ourselves. */
static int make_plan(struct pmuctl *ctx, const struct events *events, struct pmuctl_session **plan)
{
	int err = pmuctl_session_new(ctx, plan);

	if (err)
		return err;
	err = events_into_session(events, *plan);
	if (!err)
		err = pmuctl_session_add_process(*plan, getpid());
	if (!err)
		err = pmuctl_session_create(*plan, PMUCTL_DRY_RUN | PMUCTL_MULTIPLEX);
	if (err) {
		pmuctl_session_free(*plan);
		*plan = NULL;
	}
	return err;
}

/* The kernel missing is half an answer; the kernel refusing is an error. */
static int explain(struct pmuctl *ctx, const struct events *events, struct writer *w)
{
	struct explaining x = { .w = w, .ctx = ctx, .events = events };
	struct pmuctl_session *plan = NULL;
	char why[1024];
	int err;

	kinds_find(ctx, &x.kinds);
	/* No kernel here knows how another processor would do it. */
	err = pmuctl_planned_for(ctx) ? 0 : sample_precise(events);
	if (!err && events_need_session(events) && !pmuctl_planned_for(ctx))
		err = make_plan(ctx, events, &plan);
	snprintf(why, sizeof(why), "%s", pmuctl_error(ctx));
	x.plan = plan;
	print_events(&x);
	pmuctl_session_free(plan);
	if (!err)
		return EXIT_OK;
	fflush(stdout);
	if (err == -ENOENT || err == -ENONET || err == -EPERM || err == -EPROTO)
		complain("explain", 0, "the kernel's half (counter, registers) is missing: %s",
			 why);
	else
		complain("explain", 0, "these events are refused: %s", why);
	diagnose(ctx, err, stderr);
	return EXIT_CANNOT;
}

static int explain_all(struct pmuctl *ctx, struct writer *w, char **names)
{
	struct events events = { .software = true };
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

static const struct option_row options[] = {
	OPTION_PRINT_JSON,
	OPTION_EVENTS_DIR(struct print_args),
	OPTION_NO_PAGER(struct print_args),
	OPTION_FOR,
	OPTION_END
};

static int cmd_explain(int argc, char **argv)
{
	static const struct print_command command = {
		.name = "explain",
		.min_args = 1,
		.max_args = INT_MAX,
		.takes = "an event",
		.paged = true,
		.print = explain_all,
	};

	return print_command_main(&command, argc, argv);
}

const struct command command_explain = {
	.name = "explain",
	.run = cmd_explain,
	.text = "what an event becomes: its bits, counters and registers",
	.options = options,
	.operands = "EVENT ...",
};
