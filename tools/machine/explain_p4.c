// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl explain on a Pentium 4: ESCR and CCCR field by field, and the manual's
 * eight steps to set a counter up, with the values that are written.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/machine/explain.h"

static const char *const groups[] = { "BPU", "MS", "FLAME", "IQ" };
static const char *const threads[] = { "any", "single", "both", "any" };

bool explain_is_p4(const struct pmuctl_event_info *e)
{
	return e->registers[0].kind == PMUCTL_REGISTER_ESCR;
}

static unsigned int field(uint64_t value, unsigned int shift, unsigned int bits)
{
	return (unsigned int)(value >> shift & ((1u << bits) - 1));
}

static unsigned int escr_select(const struct pmuctl_register *regs)
{
	return field(regs[1].value, 13, 3);
}

static void print_escr(struct writer *w, uint64_t escr)
{
	writer_u64(w, "escr", "  encoding   ESCR %#010" PRIx64, escr);
	writer_u64(w, "event_code", ": event 0x%02" PRIx64, field(escr, 25, 6));
	writer_u64(w, "event_mask", ", mask 0x%04" PRIx64, field(escr, 9, 16));
	writer_u64(w, "tag", ", tag 0x%" PRIx64, field(escr, 5, 4));
	writer_u64(w, "tag_enable", ", tag enable %" PRIu64 "\n", field(escr, 4, 1));
}

static void print_cccr(struct writer *w, uint64_t cccr)
{
	writer_u64(w, "cccr", "             CCCR %#010" PRIx64, cccr);
	writer_u64(w, "escr_select", ": ESCR select %" PRIu64, field(cccr, 13, 3));
	writer_u64(w, "compare", ", compare %" PRIu64, field(cccr, 18, 1));
	writer_u64(w, "complement", ", complement %" PRIu64, field(cccr, 19, 1));
	writer_u64(w, "threshold", ", threshold %" PRIu64, field(cccr, 20, 4));
	writer_u64(w, "edge", ", edge %" PRIu64, field(cccr, 24, 1));
	writer_string(w, "thread", ", thread %s\n", threads[field(cccr, 16, 2)]);
}

static void print_upstreams(struct writer *w, const struct pmuctl_event_info *e)
{
	const struct pmuctl_upstream *u;
	char text[128];

	writer_array(w, "upstreams");
	for (u = e->upstreams; u < e->upstreams + e->upstreams_count; u++) {
		counters_text(u->counters, text, sizeof(text));
		writer_row(w);
		writer_string(w, "event", "  upstream   %s", u->name);
		writer_u64(w, "escr", " tags what it counts: ESCR %#010" PRIx64,
			   u->registers[0].value);
		writer_u64(w, "cccr", ", CCCR %#010" PRIx64, u->registers[1].value);
		writer_string(w, "allowed", ", on %s\n", text);
		writer_end_row(w);
	}
	writer_end_array(w);
}

void explain_p4_fields(struct writer *w, const struct pmuctl_event_info *e)
{
	print_escr(w, e->registers[0].value);
	print_cccr(w, e->registers[1].value);
	print_upstreams(w, e);
}

/* ---- the eight steps ---------------------------------------------------------------- */

/* Where an event is counted, or could be. */
struct place {
	const char *event;
	unsigned int counter;
	const struct pmuctl_register *regs;	/* ESCR, CCCR and what else there is */
	size_t nr_regs;
	bool planned;		/* by the kernel */
};

__attribute__((format(printf, 3, 4)))
static void step(struct writer *w, unsigned int number, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	writer_text(w, "    %u. ", number);
	writer_string(w, NULL, "%s\n", text);
}

static void escr_text(const struct place *p, char *text, size_t size)
{
	int escr = pmuctl_p4_escr(p->counter, escr_select(p->regs));
	const struct pmuctl_register reg = { PMUCTL_REGISTER_ESCR, (uint32_t)escr, 0 };

	pmuctl_register_name(&reg, text, size);
}

static void cccr_text(const struct place *p, char *text, size_t size)
{
	const struct pmuctl_register reg = { PMUCTL_REGISTER_CCCR, p->counter, 0 };

	pmuctl_register_name(&reg, text, size);
}

static unsigned int group_of(unsigned int counter)
{
	return counter < 4 ? 0 : counter < 8 ? 1 : counter < 12 ? 2 : 3;
}

/* Steps 1 to 4: the event, its ESCR, a counter that reaches it, the ESCR's value. */
static void print_select(struct writer *w, const struct place *p)
{
	uint64_t escr = p->regs[0].value;
	char name[64], cccr[64];

	escr_text(p, name, sizeof(name));
	cccr_text(p, cccr, sizeof(cccr));
	step(w, 1, "event: %s, select 0x%02x", p->event, field(escr, 25, 6));
	step(w, 2, "ESCR: %s", name);
	step(w, 3, "counter: MSR_%s of the %s group, whose %s reaches %s by ESCR select %u",
	     pmuctl_p4_counter_name(p->counter), groups[group_of(p->counter)], cccr, name,
	     escr_select(p->regs));
	step(w, 4, "write %s = %#010" PRIx64 ": select 0x%02x, mask 0x%04x, tag 0x%x%s, "
	     "T0_OS %u T0_USR %u T1_OS %u T1_USR %u%s", name, escr, field(escr, 25, 6),
	     field(escr, 9, 16), field(escr, 5, 4), field(escr, 4, 1) ? " enabled" : "",
	     field(escr, 3, 1), field(escr, 2, 1), field(escr, 1, 1), field(escr, 0, 1),
	     p->planned ? "" : " (the kernel sets the rings)");
}

/* Steps 5 to 8: filters, cascade, interrupt, and what starts it. */
static void print_count(struct writer *w, const struct place *p)
{
	uint64_t cccr = p->regs[1].value;
	char name[64];

	cccr_text(p, name, sizeof(name));
	step(w, 5, "%s: ESCR select %u, %s, threshold %u, complement %u, edge %u, active thread %s",
	     name, escr_select(p->regs), field(cccr, 18, 1) ? "compare" : "no compare",
	     field(cccr, 20, 4), field(cccr, 19, 1), field(cccr, 24, 1),
	     threads[field(cccr, 16, 2)]);
	step(w, 6, "%s: cascade %u, extended cascade %u", name, field(cccr, 30, 1),
	     field(cccr, 11, 1));
	step(w, 7, "%s: interrupt at overflow for thread 0 %u, thread 1 %u, FORCE_OVF %u", name,
	     field(cccr, 26, 1), field(cccr, 27, 1), field(cccr, 25, 1));
	step(w, 8, "write MSR_%s, then %s = %#010" PRIx64 " with enable (bit 12), which starts it",
	     pmuctl_p4_counter_name(p->counter), name, cccr | 1u << 12);
}

static void print_replay(struct writer *w, const struct place *p)
{
	char name[64];
	size_t i;

	for (i = 2; i < p->nr_regs; i++) {
		pmuctl_register_name(&p->regs[i], name, sizeof(name));
		writer_text(w, "       before it: ");
		snprintf(name + strlen(name), sizeof(name) - strlen(name), " = %#" PRIx64,
			 p->regs[i].value);
		writer_string(w, NULL, "write %s, which tags replays\n", name);
	}
}

static void print_steps(struct writer *w, const struct place *p)
{
	print_select(w, p);
	print_replay(w, p);
	print_count(w, p);
}

/* Without a plan the last of the counters that it may use stands for all. */
static unsigned int any_counter(uint64_t counters)
{
	return 63 - (unsigned int)__builtin_clzll(counters);
}

static struct place place_of(const char *event, uint64_t counters,
			     const struct pmuctl_register *regs, size_t count)
{
	return (struct place){ event, any_counter(counters), regs, count, false };
}

static void take_plan(struct place *p, const struct pmuctl_assignment *a)
{
	if (a->registers_count < 2 || a->counter >= 18)
		return;
	p->counter = a->counter;
	p->regs = a->registers;
	p->nr_regs = a->registers_count;
	p->planned = true;
}

void explain_p4_setup(struct writer *w, const struct pmuctl_event_info *e,
		      const struct pmuctl_session *plan, unsigned int number)
{
	struct pmuctl_assignment a = { .size = sizeof(a) };
	struct place p;
	unsigned int i;

	writer_array(w, "setup");
	for (i = 0; i < e->upstreams_count; i++) {
		p = place_of(e->upstreams[i].name, e->upstreams[i].counters,
			     e->upstreams[i].registers, e->upstreams[i].registers_count);
		if (plan && !pmuctl_session_upstream(plan, number, i, &a))
			take_plan(&p, &a);
		writer_text(w, "  set-up     of upstream %s, in the manual's order:\n", p.event);
		print_steps(w, &p);
	}
	p = place_of(e->full_name, e->counters, e->registers, e->registers_count);
	if (plan && !pmuctl_session_assignment(plan, number, &a))
		take_plan(&p, &a);
	writer_text(w, "  set-up     in the manual's order:\n");
	print_steps(w, &p);
	writer_end_array(w);
}
