// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat -v: what the kernel was told, and its figures as they came.
 */
#include <inttypes.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/stat/run.h"

/* With -I as the rows are, which nobody's reader may hold up. */
static FILE *words(const struct run *r)
{
	if (!r->args.interval)
		return stderr;
	return r->words.out ? r->words.out : r->to.out;
}

static void print_registers(FILE *out, const struct pmuctl_register *regs, size_t count)
{
	char text[64];
	size_t i;

	for (i = 0; i < count; i++) {
		pmuctl_register_name(&regs[i], text, sizeof(text));
		fprintf(out, ", %s = %#" PRIx64, text, regs[i].value);
	}
}

/* Of threads each has one, and all are planned alike. */
static const struct pmuctl_session *any_session(const struct run *r)
{
	size_t i;

	for (i = 0; !r->c.session && r->c.sessions && i < r->c.nr_parts; i++)
		if (r->c.sessions[i])
			return r->c.sessions[i];
	return r->c.session;
}

/* Events of the library's own that tag what this one counts. */
static void print_upstreams(const struct run *r, FILE *out,
			    const struct pmuctl_event_info *info, unsigned int number)
{
	struct pmuctl_assignment a = { .size = sizeof(a) };
	char counter[64];
	unsigned int i;

	for (i = 0; i < info->upstreams_count; i++) {
		if (pmuctl_session_upstream(any_session(r), number, i, &a))
			continue;
		counter_text(a.counter, counter, sizeof(counter));
		put_clean(out, info->name);
		fprintf(out, ": upstream %s, counter %s, set %u", info->upstreams[i].name,
			counter, a.set);
		print_registers(out, a.registers, a.registers_count);
		fputc('\n', out);
	}
}

static void print_plan_of(const struct run *r, FILE *out, const struct event *e,
			  unsigned int number, unsigned int kind)
{
	const struct pmuctl_event *event = pmuctl_event_of_kind(e->event, kind);
	struct pmuctl_assignment a = { .size = sizeof(a) };
	char counter[16];

	put_clean(out, e->name);
	if (r->result.kinds.count)
		fprintf(out, ": %s", r->result.kinds.list[kind].name);
	fprintf(out, ": code %#" PRIx64, pmuctl_event_get_info(event)->registers[0].value);
	if (any_session(r) && !pmuctl_session_assignment_of(any_session(r), number, kind, &a)) {
		counter_text(a.counter, counter, sizeof(counter));
		fprintf(out, ", counter %s, set %u", counter, a.set);
		print_registers(out, a.registers, a.registers_count);
	}
	fputc('\n', out);
	print_upstreams(r, out, pmuctl_event_get_info(event), number);
}

static void print_event_plan(const struct run *r, FILE *out, const struct event *e,
			     unsigned int number)
{
	unsigned int kind;

	for (kind = 0; kind < PMUCTL_KINDS_MAX; kind++)
		if (pmuctl_event_of_kind(e->event, kind))
			print_plan_of(r, out, e, number, kind);
}

void stat_print_plan(const struct run *r)
{
	FILE *out = words(r);
	unsigned int number = 0;
	size_t i;

	for (i = 0; i < r->events.count; i++) {
		const struct event *e = &r->events.list[i];

		if (e->event) {
			print_event_plan(r, out, e, number++);
			continue;
		}
		put_clean(out, e->name);
		fputs(": ", out);
		put_clean(out, e->why_not ? e->why_not : "counted by Linux itself");
		fputc('\n', out);
	}
}

/* As perf has it: value, then ns enabled and running. */
void stat_print_values(const struct run *r)
{
	FILE *out = words(r);
	size_t i;

	for (i = 0; i < r->lines; i++) {
		const struct stat_count *c = &r->counts[i];
		const struct pmuctl_value *v = &r->values[i];

		if (!c->supported || (c->part && !(c->kinds & c->part)))
			continue;
		put_clean(out, c->event->name);
		fputs(": ", out);
		if (c->part)
			fprintf(out, "%s: ", r->result.kinds.list[kind_alone(c->part)].name);
		if (c->place) {
			put_clean(out, c->place->path ? c->place->path : c->place->name);
			fputs(": ", out);
		} else if (c->cpu >= 0) {
			fprintf(out, "CPU%d: ", c->cpu);
		}
		fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", v->value, v->enabled,
			v->running);
	}
}
