// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the text of an event to the ten bits that the first Pentium's CESR has of a counter: a
 * name of the manual, a portable one or a code, with :u, :k, :D, :clocks and :pin.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu/p5.h"

struct parsing {
	struct pmuctl *ctx;
	struct pmu_facts facts;
	struct event_text text;
	const struct p5_event *event;	/* NULL: a code */
	uint32_t cesr;
	uint64_t counters;
	int clocks, pin;		/* -1: not given */
	enum pmuctl_source source;
	char full_name[300], note[200];
};

/* ---- portable names ----------------------------------------------------------- */

#define OWN_LEVEL "of its data cache, the last level that this processor has"

static const struct {
	const char *name, *event;
	const char *remark;		/* or NULL */
} portables[] = {
	{ "cycles", "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE", NULL },
	{ "ref-cycles", "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE", "its clock is the TSC's" },
	{ "instructions", "INSTRUCTIONS_EXECUTED", NULL },
	{ "cache-references", "DATA_READ_OR_WRITE", OWN_LEVEL },
	{ "cache-misses", "DATA_READ_MISS_OR_WRITE_MISS", OWN_LEVEL },
	{ "branches", "BRANCHES", NULL },
	{ "branch-misses", "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS", NULL },
	{ "taken-branches", "TAKEN_BRANCHES", NULL },
	{ "l1d-loads", "DATA_READ", NULL },
	{ "l1d-load-misses", "DATA_READ_MISS", NULL },
	{ "l1d-stores", "DATA_WRITE", NULL },
	{ "l1d-store-misses", "DATA_WRITE_MISS", NULL },
	{ "l1i-loads", "CODE_READ", NULL },
	{ "l1i-misses", "CODE_CACHE_MISS", NULL },
	{ "itlb-misses", "CODE_TLB_MISS", NULL },
};

static bool is_here(const struct pmu_facts *facts, const struct p5_event *e)
{
	return !e->mmx || p5_has_mmx(facts);
}

static int no_event(struct pmuctl *ctx, const char *name)
{
	if (!strcmp(name, "cycles") || !strcmp(name, "ref-cycles"))
		return fail(ctx, -EOPNOTSUPP, "a Pentium without MMX has no event for %s: its "
			    "time-stamp counter alone counts clocks", name);
	return fail(ctx, -EOPNOTSUPP, "this CPU model has no event for %s", name);
}

static int take_portable(struct parsing *p, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(portables) && strcmp(portables[i].name, name) != 0; i++)
		;
	p->event = i < ARRAY_SIZE(portables) ? p5_find_event(portables[i].event) : NULL;
	if (!p->event || !is_here(&p->facts, p->event))
		return no_event(p->ctx, name);
	p->source = PMUCTL_SOURCE_PORTABLE;
	snprintf(p->full_name, sizeof(p->full_name), "%s", name);
	snprintf(p->note, sizeof(p->note), "%s%s%s", p->event->name,
		 portables[i].remark ? "; " : "", portables[i].remark ? portables[i].remark : "");
	return 0;
}

/* ---- names and codes ------------------------------------------------------------ */

static int no_mmx(struct pmuctl *ctx, const char *name)
{
	return fail(ctx, -EOPNOTSUPP, "%s came with MMX (models 4 and 8 of family 5), and this "
		    "Pentium has none", name);
}

static int take_event(struct parsing *p, const struct p5_event *e)
{
	if (!is_here(&p->facts, e))
		return no_mmx(p->ctx, e->name);
	p->event = e;
	p->source = PMUCTL_SOURCE_INTEL;
	snprintf(p->full_name, sizeof(p->full_name), "%s", e->name);
	return 0;
}

/* Without its counter a code may be two events. */
static int take_code(struct parsing *p, int counter)
{
	uint32_t code = p->cesr & P5_CESR_EVENT;
	const struct p5_event *first = p5_find_code(code, 0), *second = p5_find_code(code, 1);

	p->source = PMUCTL_SOURCE_RAW;
	p->counters = counter < 0 ? P5_EITHER : 1u << counter;
	if ((first && !is_here(&p->facts, first)) || (second && !is_here(&p->facts, second)))
		return no_mmx(p->ctx, p->full_name);
	if (first && second && first != second && counter < 0)
		return fail(p->ctx, -EINVAL, "code 0x%02x is %s on counter 0 and %s on counter 1: "
			    "name one, or write cpu/event=0x%02x,counter=0/", code, first->name,
			    second->name, code);
	if (!first && !second)
		snprintf(p->note, sizeof(p->note), "the manual has this code reserved");
	else if (!(counter == 1 ? second : first))
		return fail(p->ctx, -EINVAL, "code 0x%02x is %s, on counter %d alone", code,
			    (first ? first : second)->name, first ? 0 : 1);
	else
		p->counters &= (counter == 1 ? second : first)->counters;
	return 0;
}

static int check_bits(struct parsing *p, const char *what, uint64_t value)
{
	if (value & ~(uint64_t)(P5_CESR_EVENT | P5_CESR_RINGS | P5_CESR_CLOCKS | P5_CESR_PIN))
		return fail(p->ctx, -EINVAL, "'%s': a Pentium's event has six bits; with 8 (clocks) "
			    "and 9 (pin control) 0x33f is the most", what);
	if (value & P5_CESR_RINGS)
		return fail(p->ctx, -EINVAL, "'%s': an event has six bits, and bits 7:6 of CESR are "
			    "its rings, which the kernel sets: write 0x%llx, and :u or :k", what,
			    (unsigned long long)value & ~(unsigned long long)P5_CESR_RINGS);
	p->cesr |= (uint32_t)value;
	return 0;
}

/* "r" and a number. */
static int take_raw(struct parsing *p, const char *name)
{
	char *end;
	uint64_t value;
	int err;

	errno = 0;
	value = strtoull(name + 1, &end, 16);
	if (errno || *end)
		return fail(p->ctx, -EINVAL, "'%s' is no code", name);
	snprintf(p->full_name, sizeof(p->full_name), "%s", name);
	err = check_bits(p, name, value);
	return err ? err : take_code(p, -1);
}

/* ---- cpu/.../ --------------------------------------------------------------------- */

struct terms {
	bool code_given;
	int counter;
	char name[256];
};

static int bad_term(struct parsing *p, const char *term, const char *why)
{
	return fail(p->ctx, -EINVAL, "cpu/.../: '%s' %s", term, why);
}

static int set_flag(struct parsing *p, const char *word, const char *value, int *flag)
{
	uint64_t number = 1;

	if (value && !parse_number(value, 1, &number))
		return fail(p->ctx, -EINVAL, "modifier '%s' is on or off: 1 or 0", word);
	return event_text_set(p->ctx, word, flag, (int)number);
}

/* 1: it was one of these. */
static int take_flag(struct parsing *p, const char *word)
{
	size_t len = strcspn(word, "=");
	const char *value = word[len] ? word + len + 1 : NULL;

	if (len == 6 && !strncasecmp(word, "clocks", len))
		return set_flag(p, word, value, &p->clocks);
	if (len == 3 && !strncasecmp(word, "pin", len))
		return set_flag(p, word, value, &p->pin);
	return 0;
}

static int take_term(struct parsing *p, struct terms *terms, const char *term)
{
	size_t len = strcspn(term, "=");
	const char *value = term[len] ? term + len + 1 : NULL;
	int done = take_flag(p, term);
	uint64_t number;

	if (done)
		return done < 0 ? done : 0;
	if (value && len == 4 && !memcmp(term, "name", len)) {
		snprintf(terms->name, sizeof(terms->name), "%s", value);
		return *value ? 0 : bad_term(p, term, "wants a name");
	}
	if (len == 7 && !memcmp(term, "counter", len)) {
		if (!value || !parse_number(value, 1, &number))
			return bad_term(p, term, "wants 0 or 1");
		terms->counter = (int)number;
		return 0;
	}
	if (len == 5 && !memcmp(term, "event", len)) {
		if (!value || !parse_number(value, P5_CESR_EVENT, &number))
			return bad_term(p, term, "wants a code of six bits, up to 0x3f");
	} else if (len == 4 && !memcmp(term, "cesr", len)) {
		if (!value || !parse_number(value, UINT32_MAX, &number))
			return bad_term(p, term, "wants the bits of CESR that counter 0 has");
	} else {
		return bad_term(p, term, "is no term; on a Pentium there are event=, cesr=, "
				"counter=, clocks, pin and name=");
	}
	terms->code_given = true;
	return check_bits(p, term, number);
}

static int take_terms(struct parsing *p, char *text)
{
	struct terms terms = { .counter = -1 };
	char *end = strrchr(text, '/'), *rest = text, *term;
	int err = 0;

	if (!end)
		return fail(p->ctx, -EINVAL, "the second '/' of cpu/.../ is missing");
	snprintf(p->full_name, sizeof(p->full_name), "cpu/%s", text);
	*end = '\0';
	while (!err && (term = strsep(&rest, ",")))
		err = take_term(p, &terms, term);
	if (!err && !terms.code_given)
		err = fail(p->ctx, -EINVAL, "cpu/.../: say which event, by event= or cesr=");
	if (!err && terms.name[0])
		snprintf(p->full_name, sizeof(p->full_name), "%s", terms.name);
	return err ? err : take_code(p, terms.counter);
}

/* ---- modifiers ---------------------------------------------------------------------- */

static int no_field(struct parsing *p, const char *word)
{
	return fail(p->ctx, -EINVAL, "'%s': a Pentium's CESR has no such field; it has the event, "
		    ":u and :k for the rings, :clocks and :pin", word);
}

/* What other processors have. */
static int check_text(struct parsing *p)
{
	const struct event_text *t = &p->text;
	static const char *const flags[] = { "edge", "inv", "any", "eq" };
	size_t i;

	if (t->precise)
		return fail(p->ctx, -EOPNOTSUPP, "':p': a Pentium has no PEBS, and samples nothing");
	for (i = 0; i < EVENT_FLAGS; i++)
		if (t->words[i][0] || t->flags[i] >= 0)
			return no_field(p, flags[i]);
	if (t->cmask >= 0 || t->umask >= 0)
		return no_field(p, t->cmask >= 0 ? "cmask" : "umask");
	if (t->extra_given || t->tx)
		return no_field(p, t->tx ? t->tx : "ldlat, offcore_rsp, frontend");
	if (!t->user && !t->kernel)
		return fail(p->ctx, -EINVAL, "with u=0 and k=0 it counts nothing: leave one away");
	return 0;
}

static int take_words(struct parsing *p, char *rest)
{
	char *word;
	int done;

	while ((word = strsep(&rest, ":"))) {
		done = take_flag(p, word);
		if (!done)
			return fail(p->ctx, -EINVAL, "'%s' is no modifier; on a Pentium there are "
				    ":u (user), :k (kernel), :D (pinned), :clocks and :pin", word);
		if (done < 0)
			return done;
	}
	return 0;
}

static int take_name(struct parsing *p, const char *name)
{
	const struct p5_event *e = p5_find_event(name);
	const char *portable = portable_name(name);

	/* BRANCHES is the manual's, branches the portable one. */
	if (e && (!portable || !strcmp(e->name, name)))
		return take_event(p, e);
	if (portable)
		return take_portable(p, portable);
	if (name[0] == 'r' && isxdigit((unsigned char)name[1]))
		return take_raw(p, name);
	p->ctx->error[0] = '\0';
	return unknown_event(p->ctx, name);
}

/* The name, and behind it what is no modifier of all processors. */
static int take_all(struct parsing *p)
{
	char copy[sizeof(p->text.name)], *rest = copy, *end;
	int err;

	snprintf(copy, sizeof(copy), "%s", p->text.name);
	if (strncmp(copy, "cpu/", 4) != 0) {
		err = take_name(p, strsep(&rest, ":"));
		return err || !rest ? err : take_words(p, rest);
	}
	end = strrchr(copy + 4, '/');
	rest = end && end[1] == ':' ? end + 1 : NULL;
	if (rest)
		*rest++ = '\0';
	err = take_terms(p, copy + 4);
	return err || !rest ? err : take_words(p, rest);
}

/* ---- the event -------------------------------------------------------------------------- */

static void remark(struct parsing *p, const char *text)
{
	size_t at = strlen(p->note);

	snprintf(p->note + at, sizeof(p->note) - at, "%s%s", at ? "; " : "", text);
}

static int finish_clocks(struct parsing *p)
{
	const struct p5_event *e = p->event;

	if (p->clocks < 0)
		return 0;
	if (e && e->kind == P5_HAPPENS && p->clocks)
		return fail(p->ctx, -EINVAL, "%s happens, and does not last: it is counted in "
			    "events; leave :clocks away", e->name);
	if (e && e->kind == P5_LASTS && !p->clocks)
		remark(p, "not in clocks: no manual says what is counted of what lasts");
	p->cesr = (p->cesr & ~P5_CESR_CLOCKS) | (p->clocks ? P5_CESR_CLOCKS : 0);
	return 0;
}

static int finish(struct parsing *p)
{
	int err;

	if (p->event) {
		p->cesr = p5_cesr(p->event);
		p->counters = p->event->counters;
	}
	err = finish_clocks(p);
	if (p->pin > 0)
		p->cesr |= P5_CESR_PIN;
	p->counters &= p->facts.counters;
	return err;
}

static int make(struct parsing *p, const char *text, struct pmuctl_event **event)
{
	const struct event_text *t = &p->text;
	struct pmuctl_event *e;
	int err = new_event(p->ctx, text, p->full_name, p->note, &e);

	if (err)
		return err;
	e->reg[0] = (struct pmuctl_register){ PMUCTL_REGISTER_CESR, 0, p->cesr };
	e->info.registers_count = 1;
	e->info.source = p->source;
	e->info.user = event_text_ring(t->user, t->kernel);
	e->info.kernel = event_text_ring(t->kernel, t->user);
	e->info.pinned = t->pinned;
	e->info.counters = p->counters;
	*event = e;
	return 0;
}

int p5_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	struct parsing p = { .ctx = ctx, .clocks = -1, .pin = -1 };
	int err = facts_get(ctx, &p.facts);

	if (!err)
		err = event_text_split(ctx, text, &p.text);
	if (!err)
		err = check_text(&p);
	if (!err)
		err = take_all(&p);
	if (!err)
		err = finish(&p);
	return err ? err : make(&p, text, event);
}

/* ---- lists ---------------------------------------------------------------------------------- */

static int list_portable(const struct pmu_facts *facts, const char *pattern, pmuctl_event_fn *fn,
			 void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_PORTABLE };
	const struct p5_event *e;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(portables); i++) {
		e = p5_find_event(portables[i].event);
		desc.name = portables[i].name;
		desc.text = e->text;
		if (is_here(facts, e) && pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err;
}

int p5_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_INTEL };
	const struct p5_event *e;
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (!err)
		err = list_portable(&facts, pattern, fn, data);
	for (e = p5_events; !err && e < p5_events + p5_events_count; e++) {
		desc.name = e->name;
		desc.text = e->text;
		if (is_here(&facts, e) && pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err;
}
