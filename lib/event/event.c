// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the text of an event to what the kernel is asked for.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"

struct event_source {
	encode_fn *encode;
	enum pmuctl_source source;
	bool by_name;		/* of what cpu/.../ may have, too */
};

/* In this order; libpfm4 comes last because loading it costs most. */
static const struct event_source sources[] = {
	{ portable_encode, PMUCTL_SOURCE_PORTABLE, true },
	{ metric_encode, PMUCTL_SOURCE_PORTABLE, false },
	{ raw_encode, PMUCTL_SOURCE_RAW, false },
	{ terms_encode, PMUCTL_SOURCE_RAW, false },
	{ intel_encode, PMUCTL_SOURCE_INTEL, true },
	{ mended_encode, PMUCTL_SOURCE_LIBPFM4, true },
	{ p6_encode, PMUCTL_SOURCE_LIBPFM4, true },
	{ pfm_encode, PMUCTL_SOURCE_LIBPFM4, true },
};

/*
 * "any" fits names without umask ANY, too, and those whose umasks do not go with it; the other
 * words are modifiers only where there is no such umask.
 */
int encode_with_umasks(struct pmuctl *ctx, struct event_text *t, name_fn *encode_name,
		       struct encoding *enc)
{
	char name[sizeof(t->name) + sizeof(t->words) + EVENT_FLAGS];
	size_t len, i;
	int err;

	snprintf(name, sizeof(name), "%s", t->name);
	for (i = 0; i < EVENT_FLAGS; i++) {
		if (!t->words[i][0])
			continue;
		len = strlen(name);
		snprintf(name + len, sizeof(name) - len, ":%s", t->words[i]);
		err = encode_name(ctx, name, enc);
		if (err && err != -ENOENT && i != FLAG_ANY)
			return err;
		if (err)
			name[len] = '\0';
		else
			t->words[i][0] = '\0';
	}
	return encode_name(ctx, name, enc);
}

/* ---- one that is unknown ----------------------------------------------------- */

struct near_event {
	struct nearest nearest;
	bool umasks;		/* the name has one, so compare with those */
};

static int consider(void *data, const struct pmuctl_event_desc *desc)
{
	struct near_event *n = data;

	if (!desc->event || n->umasks)
		nearest_consider(&n->nearest, desc->name);
	return 0;
}

static void nearest_events(struct pmuctl *ctx, const char *name, char *text, size_t size)
{
	struct near_event n;

	nearest_start(&n.nearest, name);
	n.umasks = strpbrk(name, ":.");
	text[0] = '\0';
	if (n.nearest.len > NEAR_NAME_LEN)
		return;
	list_all(ctx, NULL, consider, &n);
	portable_consider_aliases(&n.nearest);
	nearest_text(&n.nearest, text, size);
}

/* A source may have had more to say than that it does not know the name. */
int unknown_event(struct pmuctl *ctx, const char *name)
{
	char why[sizeof(ctx->error)], near[256];

	snprintf(why, sizeof(why), "%s", ctx->error[0] ? ctx->error : "no such event");
	nearest_events(ctx, name, near, sizeof(near));
	if (near[0])
		return fail(ctx, -ENOENT, "%s; nearest: %s", why, near);
	return fail(ctx, -ENOENT, "%s; `pmuctl list` shows all", why);
}

int event_find(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	struct event_text t;
	size_t i;
	int err = -ENOENT;

	event_text_init(&t);
	snprintf(t.name, sizeof(t.name), "%s", name);
	for (i = 0; err == -ENOENT && i < ARRAY_SIZE(sources); i++) {
		ctx->error[0] = '\0';
		if (sources[i].by_name)
			err = sources[i].encode(ctx, &t, enc);
	}
	return err;
}

/* The first source that has more to say is the one that knows the event, but not its umask. */
static int encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc,
		  enum pmuctl_source *source)
{
	char why[sizeof(ctx->error)] = "";
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		ctx->error[0] = '\0';
		err = sources[i].encode(ctx, t, enc);
		*source = sources[i].source;
		if (err != -ENOENT)
			return err;
		if (!why[0] && ctx->error[0])
			snprintf(why, sizeof(why), "%s", ctx->error);
	}
	snprintf(ctx->error, sizeof(ctx->error), "%s", why);
	return unknown_event(ctx, t->name);
}

/* ---- fixed counters' own codes --------------------------------------------- */

#define CODE_FIXED0	0x0100
#define CODE_FIXED1	0x0200
/* Of small cores, and three classes of Top-Down. */
#define CODE_FIXED4	0x0500
#define CODE_FIXED5	0x0600
#define CODE_FIXED6	0x0700
#define CODE_PREC_DIST	0x01c0	/* up to Skylake; Linux takes Ice Lake's for it, too */

/*
 * INST_RETIRED.PREC_DIST is fixed counter 0 itself from Ice Lake on, under the same code as
 * INST_RETIRED.ANY, which other counters count as well.
 */
static bool is_prec_dist(enum generation generation, const struct encoding *enc)
{
	uint64_t code = enc->evtsel & EVTSEL_CODE;

	return (enc->evtsel == CODE_PREC_DIST &&
		(generation == GEN_ICL || generation == GEN_ICX)) ||
	       (code == CODE_FIXED0 && generation >= GEN_ICL &&
		strcasestr(enc->full_name, "PREC_DIST"));
}

/* Why the code is not the one that libpfm4 and Intel's files have. */
static void note_renamed(struct encoding *enc, uint64_t code)
{
	size_t at = strlen(enc->note);
	char *note = enc->note + at;
	size_t room = sizeof(enc->note) - at;

	if (enc->fixed0)
		snprintf(note, room, "%s0x%04llx, %s, is no event select's from Ice Lake on: it is "
			 "fixed counter 0 alone, which counts 0x%04x", at ? "; " : "",
			 (unsigned long long)code, code == CODE_FIXED0 ?
			 "libpfm4's code for it and Intel's" : "INST_RETIRED.PREC_DIST's old code",
			 EVTSEL_INSTRUCTIONS);
	else if (!at)
		snprintf(note, room, "0x%04llx is fixed counter %llu's alone: 0x%04llx counts the "
			 "same on others, too", (unsigned long long)code,
			 (unsigned long long)(code >> 8) - 1,
			 (unsigned long long)(enc->evtsel & EVTSEL_CODE));
}

/* From Skymont on; 0: none of them. */
static uint64_t class_of_slots(enum generation generation, uint64_t code)
{
	if (generation != GEN_SKT && generation != GEN_DKT)
		return 0;
	switch (code) {
	case CODE_FIXED4:
		return EVTSEL_BAD_SPECULATION;
	case CODE_FIXED5:
		return EVTSEL_FRONTEND_BOUND;
	case CODE_FIXED6:
		return EVTSEL_RETIRING;
	default:
		return 0;
	}
}

/*
 * INST_RETIRED.ANY, CPU_CLK_UNHALTED.THREAD and small cores' Top-Down: what general-purpose
 * counters have under other codes.
 */
static void rename_fixed(const struct pmu_facts *facts, struct encoding *enc)
{
	uint64_t others = enc->evtsel & ~EVTSEL_CODE, code = enc->evtsel & EVTSEL_CODE;
	enum generation generation = generation_of(facts);
	uint64_t class = class_of_slots(generation, code);

	enc->fixed0 = is_prec_dist(generation, enc);
	if (enc->fixed0 || code == CODE_FIXED0)
		enc->evtsel = others | EVTSEL_INSTRUCTIONS;
	else if (code == CODE_FIXED1)
		enc->evtsel = others | EVTSEL_CYCLES;
	else if (class)
		enc->evtsel = others | class;
	else
		return;
	note_renamed(enc, code);
}

/* ---- what this CPU can do --------------------------------------------------- */

/* The first processors that have it are Haswell's; of later ones many have it switched off. */
static int refuse_transactions(struct pmuctl *ctx, const struct pmu_facts *facts, const char *word)
{
	enum generation generation = generation_of(facts);

	if ((generation != GEN_UNKNOWN && generation < GEN_HSW) || !cpu_has_transactions())
		return fail(ctx, -EOPNOTSUPP, "':%s': this CPU has no transactional memory (CPUID "
			    "says neither HLE nor RTM); leave it away", word);
	return fail(ctx, -EOPNOTSUPP, "':%s' counts what is in transactional memory, by bits 32 "
		    "and 33 of the event select, which pmuctl does not program yet; perf has it as "
		    "cpu/event=..,in_tx=1/", word);
}

static int check_countable(struct pmuctl *ctx, const struct pmu_facts *facts,
			   const struct event_text *t, const struct encoding *enc)
{
	if (t->tx)
		return refuse_transactions(ctx, facts, t->tx);
	if (enc->evtsel & ~evtsel_bits(facts) & EVTSEL_UMASK2)
		return fail(ctx, -EOPNOTSUPP, "it needs a second mask (bits 40 to 47 of the event "
					      "selector), which this CPU model does not have");
	if (enc->evtsel & ~evtsel_bits(facts) & EVTSEL_EQ)
		return fail(ctx, -EOPNOTSUPP, "it compares for equality (EQ, bit 36 of the event "
					      "selector), which this CPU model does not");
	if (enc->evtsel & EVTSEL_EQ && !(enc->evtsel & EVTSEL_CMASK))
		return fail(ctx, -EINVAL, "eq counts cycles in which it happens exactly cmask times: "
					  "say how often, as :eq:cmask=2");
	if (enc->evtsel & ~evtsel_bits(facts))
		return fail(ctx, -EOPNOTSUPP, "it needs bits above 31 of the event selector, "
					      "which the module does not program");
	if (enc->evtsel & EVTSEL_ANY && !facts->any)
		return fail(ctx, -EOPNOTSUPP, "it counts for both threads of a core (AnyThread), "
					      "which this CPU %s", facts->version < 3 ?
			    "does not have yet" : "does not have");
	if (facts->arch_only && (enc->metric || !is_architectural(enc->evtsel)))
		return fail(ctx, -EOPNOTSUPP,
			    "the module does not know this CPU model (signature 0x%x) and counts "
			    "architectural events only there: cycles, instructions, ref-cycles, "
			    "branches...", facts->signature);
	return 0;
}

static int find_counters(struct pmuctl *ctx, const struct pmu_facts *facts,
			 const struct encoding *enc, uint64_t *counters)
{
	/* A field of PERF_METRICS is counted nowhere else. */
	*counters = enc->metric ? enc->counters : allowed_counters(facts, enc->evtsel);
	if (enc->counters)
		*counters &= enc->counters | ~0ull << PMUCTL_COUNTER_FIXED;
	if (enc->fixed0)
		*counters &= 1ull << PMUCTL_COUNTER_FIXED;
	if (!*counters && enc->fixed0)
		return fail(ctx, -EOPNOTSUPP, "%s is fixed counter 0 alone, which has no edge, inv "
			    "and cmask; leave them away, or take INST_RETIRED.ANY_P",
			    enc->full_name);
	if (!*counters)
		return fail(ctx, -EOPNOTSUPP, "no counter of this CPU can count it");
	return 0;
}

/* ---- the event --------------------------------------------------------------- */

static int make_event(struct pmuctl *ctx, const char *name, const struct event_text *t,
		      const struct encoding *enc, struct pmuctl_event **event)
{
	struct pmuctl_event *e;
	int err = new_event(ctx, name, enc->full_name, enc->note, event);

	if (err)
		return err;
	e = *event;
	e->reg[0].kind = enc->metric ? PMUCTL_REGISTER_METRIC : PMUCTL_REGISTER_EVTSEL;
	e->reg[0].index = enc->field;
	e->reg[0].value = enc->evtsel;
	e->info.registers_count = 1;
	e->info.user = event_text_ring(t->user, t->kernel);
	e->info.kernel = event_text_ring(t->kernel, t->user);
	e->info.pinned = t->pinned;
	return 0;
}

static void take_pebs(struct pmuctl_event *e, const struct pmu_facts *facts)
{
	struct pebs_facts pebs = { .counters = 0 };

	e->info.pebs = pebs_find(facts, e->reg[0].value, &pebs);
	e->info.gives_address = pebs.address;
	e->pebs_counters = pebs.counters;
}

void event_remark(struct pmuctl_event *e, const char *text)
{
	char *note;

	if (strstr(e->note, text) ||
	    asprintf(&note, "%s%s%s", e->note, e->note[0] ? "; " : "", text) < 0)
		return;
	free(e->note);
	e->note = note;
	e->info.note = note;
}

static void note_stand_in(struct pmuctl_event *e, uint64_t before)
{
	char text[80];

	snprintf(text, sizeof(text), "for PEBS 0x%llx stands in for 0x%04llx",
		 (unsigned long long)e->reg[0].value, (unsigned long long)before);
	event_remark(e, text);
}

/* As kmod/access/privilege.c has it; of a Pentium 4's registers the module knows more. */
static const char *refusal(const struct pmuctl_event *event)
{
	if (event->reg[0].kind != PMUCTL_REGISTER_EVTSEL)
		return NULL;
	if (event->reg[0].value & EVTSEL_ANY)
		return "counts the other thread of the core as well";
	if (event->info.registers_count > 1)
		return "sets a register beside its event select, which may be shared with others";
	return NULL;
}

int event_check_privilege(const struct pmuctl_event *event)
{
	const char *why = refusal(event);

	if (!why)
		return 0;
	return fail(event->ctx, -EOPNOTSUPP, "it needs CAP_PERFMON: its event '%s' %s",
		    event->name, why);
}

void event_make_precise(struct pmuctl_event *e, const struct pmu_facts *facts, uint32_t precise)
{
	uint64_t before = e->reg[0].value;

	e->info.precise = precise;
	if (facts->backend == BACKEND_P4 ||
	    !pebs_stand_in(facts, e->info.source == PMUCTL_SOURCE_PORTABLE, &e->reg[0].value))
		return;
	e->info.counters = allowed_counters(facts, e->reg[0].value);
	take_pebs(e, facts);
	note_stand_in(e, before);
}

/* Encoded and checked; what is left to do cannot go wrong but for memory. */
static int parse(struct pmuctl *ctx, const char *name, struct event_text *t,
		 struct pmuctl_event **event)
{
	struct pmuctl_register extra = { .kind = 0 };
	struct encoding enc = { .evtsel = 0 };
	enum pmuctl_source source;
	struct pmu_facts facts;
	uint64_t counters;
	int err, extras;

	err = facts_get(ctx, &facts);
	if (!err)
		err = encode(ctx, t, &enc, &source);
	if (err)
		return err;
	if (!t->user && !t->kernel)
		return fail(ctx, -EINVAL, "with u=0 and k=0 it counts nothing: leave one away");
	err = fields_apply(ctx, t, &enc);
	if (err)
		return err;
	rename_fixed(&facts, &enc);
	err = check_countable(ctx, &facts, t, &enc);
	extras = err ? err : extra_take(ctx, &facts, t, &enc, &extra);
	err = extras < 0 ? extras : find_counters(ctx, &facts, &enc, &counters);
	if (!err)
		err = make_event(ctx, name, t, &enc, event);
	if (err)
		return err;
	(*event)->reg[1] = extra;
	(*event)->info.registers_count += (size_t)extras;
	(*event)->info.source = source;
	(*event)->info.counters = counters;
	if (!enc.metric)
		take_pebs(*event, &facts);
	(*event)->most_precise = t->most_precise;
	if (t->precise)
		event_make_precise(*event, &facts, t->precise);
	return 0;
}

static bool is_space(char c)
{
	return isspace((unsigned char)c);
}

/*
 * Modifiers mean something else on a Pentium 4, and its masks look like some of ours; the first
 * Pentium has hardly any.
 */
static int parse_text(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	struct pmu_facts facts;
	struct event_text t;
	int err;

	if (known_event(ctx, text, event))
		return 0;
	err = refuse_foreign(ctx, text);
	if (err)
		return err;
	/* Without a PMU the text may still be wrong, and that comes first. */
	if (!facts_get(ctx, &facts) && facts.backend == BACKEND_P4)
		return p4_event_parse(ctx, text, event);
	if (ctx->facts_known && facts.backend == BACKEND_P5)
		return p5_event_parse(ctx, text, event);
	err = event_text_split(ctx, text, &t);
	if (!err)
		err = parse(ctx, text, &t, event);
	if (!err)
		known_add(ctx, *event);
	return err;
}

int event_parse_by(struct pmuctl *ctx, const char *text, event_parse_fn *fn,
		   struct pmuctl_event **event)
{
	size_t len;
	char *name;
	int err;

	if (!text || !event)
		return is_null(ctx, text ? "the event to be made" : "the event's name");
	while (is_space(*text))
		text++;
	for (len = strlen(text); len && is_space(text[len - 1]); len--)
		;
	if (!len)
		return fail(ctx, -EINVAL, "the name is empty");
	name = strndup(text, len);
	if (!name)
		return fail(ctx, -ENOMEM, "out of memory");
	err = fn(ctx, name, event);
	free(name);
	return err;
}

int event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	return event_parse_by(ctx, text, parse_text, event);
}

int pmuctl_event_limit(struct pmuctl_event *event, uint64_t counters)
{
	if (!event || event->of_kinds || !(event->info.counters & counters))
		return -EINVAL;
	event->info.counters &= counters;
	return 0;
}

const struct pmuctl_event_info *pmuctl_event_get_info(const struct pmuctl_event *event)
{
	return event ? &event->info : NULL;
}

const struct pmuctl_event *pmuctl_event_of_kind(const struct pmuctl_event *event, unsigned int kind)
{
	if (!event)
		return NULL;
	if (event->of_kinds)
		return kind < PMUCTL_KINDS_MAX ? event->of_kind[kind] : NULL;
	/* Of a context of one kind it is that one's. */
	return kind == event->ctx->kind ? event : NULL;
}

static list_fn *const own_lists[] = { portable_list, metric_list, intel_list, mended_list };

int list_all(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);
	size_t i;

	if (!err && facts.backend == BACKEND_P5)
		return p5_list(ctx, pattern, fn, data);
	if (!err && facts.backend == BACKEND_P4)
		err = p4_list(ctx, pattern, fn, data);
	else
		for (i = 0; !err && i < ARRAY_SIZE(own_lists); i++)
			err = own_lists[i](ctx, pattern, fn, data);
	/* Of P6 we have all ourselves, and libpfm4 mostly nothing. */
	if (err || facts.backend == BACKEND_P6)
		return err ? err : p6_list(ctx, pattern, fn, data);
	return pfm_list(ctx, pattern, fn, data);
}

struct list_walk {
	pmuctl_event_fn *fn;
	void *data;
	int stop;		/* the caller's */
};

static int take_listed(void *data, const struct pmuctl_event_desc *desc)
{
	struct list_walk *walk = data;

	walk->stop = walk->fn(walk->data, desc);
	return walk->stop;
}

/* Without libpfm4, or on a CPU that it does not know, the rest is still there. */
int event_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct list_walk walk = { .fn = fn, .data = data };
	int err;

	ctx->error[0] = '\0';
	err = list_all(ctx, pattern, take_listed, &walk);
	if (walk.stop || err != -ENOENT)
		return err;
	say(ctx, PMUCTL_LOG_WARNING, "%s", ctx->error);
	return 0;
}
