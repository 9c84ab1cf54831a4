// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the text of an event to an ESCR and a CCCR of the Pentium 4: the name, then
 * masks and modifiers between colons in any order.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu/p4.h"

struct parsing {
	struct pmuctl *ctx;
	struct pmu_facts facts;
	struct p4_code code;
	bool pinned;
	int user, kernel;	/* -1: not given, as the next four */
	int threshold, complement, edge, thread;
	uint32_t precise;
	bool most_precise;
	uint32_t rings;		/* of either thread, as in the ESCR */
	bool modifiers_only;	/* the name says all about the event */
};

/* ---- what goes wrong --------------------------------------------------------- */

static void list_masks(const struct p4_event *e, char *text, size_t size)
{
	const struct p4_mask *m;
	size_t at = 0;

	text[0] = '\0';
	for (m = e->masks; m->name && at < size; m++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", m->name);
}

static int bad_word(struct parsing *p, const char *word)
{
	char masks[400];

	if (p->modifiers_only || !p->code.event)
		return fail(p->ctx, -EINVAL,
			    "'%s' is no modifier; there are :u (user), :k (kernel), :D (pinned), "
			    ":p (by PEBS), :t0usr, :t0os, :t1usr, :t1os, :threshold=N, "
			    ":complement, :edge, :thread=single|both|any", word);
	list_masks(p->code.event, masks, sizeof(masks));
	return fail(p->ctx, -EINVAL, "'%s' is no modifier and no mask of %s, which has %s", word,
		    p->code.event->name, masks);
}

static int no_mask(struct parsing *p)
{
	char masks[400];

	list_masks(p->code.event, masks, sizeof(masks));
	return fail(p->ctx, -EINVAL, "%s counts what its masks say: name at least one of %s",
		    p->code.event->name, masks);
}

/* ---- modifiers ----------------------------------------------------------------- */

/* "word", "word=1" or "word=0". */
static int set_flag(struct parsing *p, const char *word, const char *value, int *flag)
{
	uint64_t number = 1;

	if (value && !parse_number(value, 1, &number))
		return fail(p->ctx, -EINVAL, "modifier '%s' is on or off: 1 or 0", word);
	return event_text_set(p->ctx, word, flag, (int)number);
}

static int set_complement(struct parsing *p, const char *word, const char *value)
{
	return set_flag(p, word, value, &p->complement);
}

static int set_edge(struct parsing *p, const char *word, const char *value)
{
	return set_flag(p, word, value, &p->edge);
}

static int set_threshold(struct parsing *p, const char *word, const char *value)
{
	uint64_t number;

	if (!value || !parse_number(value, 15, &number))
		return fail(p->ctx, -EINVAL, "modifier '%s' wants a number from 0 to 15, as "
			    "threshold=2: cycles with more events than that count", word);
	return event_text_set(p->ctx, word, &p->threshold, (int)number);
}

static int set_thread(struct parsing *p, const char *word, const char *value)
{
	static const char *const modes[] = { "none", "single", "both", "any" };
	uint32_t i;

	for (i = 0; value && i < ARRAY_SIZE(modes) && strcasecmp(value, modes[i]) != 0; i++)
		;
	if (!value || i == ARRAY_SIZE(modes))
		return fail(p->ctx, -EINVAL, "modifier '%s': events count while a single thread "
			    "of the core is active, both or any: thread=single, both, any", word);
	if (!i)
		return fail(p->ctx, -EINVAL, "'%s' would count while no thread of the core is "
			    "active, and what this counts for is active: it would be 0", word);
	return event_text_set(p->ctx, word, &p->thread, (int)i);
}

static int not_here(struct parsing *p, const char *word, const char *value)
{
	(void)value;
	return fail(p->ctx, -EINVAL, "'%s' is none of the Pentium 4's; it has :threshold=N (more "
		    "than N at once), :complement (N or less) and, for the rings of either thread, "
		    ":t0usr, :t0os, :t1usr, :t1os", word);
}

static const struct {
	const char *word;
	int (*take)(struct parsing *p, const char *word, const char *value);
} words[] = {
	{ "threshold", set_threshold },	{ "thr", set_threshold },
	{ "complement", set_complement }, { "cmpl", set_complement },
	{ "edge", set_edge },		{ "e", set_edge },
	{ "thread", set_thread },	{ "active", set_thread },
	{ "cmask", not_here },		{ "c", not_here },
	{ "inv", not_here },		{ "i", not_here },
	{ "any", not_here },		{ "eq", not_here },
	{ "ldlat", not_here },
};

static const struct {
	const char *word;
	uint32_t bit;
} thread_rings[] = {
	{ "t0os", P4_ESCR_T0_OS }, { "t0usr", P4_ESCR_T0_USR },
	{ "t1os", P4_ESCR_T1_OS }, { "t1usr", P4_ESCR_T1_USR },
};

/* "u", "uk", "kD", "upp": 1 if it is made of these letters, 0 if not. */
static int take_letters(struct parsing *p, const char *word)
{
	const char *c;
	int err = 1;

	if (!word[0] || word[strspn(word, "ukDpP")])
		return 0;
	for (c = word; *c && err >= 0; c++) {
		if (*c == 'D')
			p->pinned = true;
		else if (*c == 'P')
			p->most_precise = true;
		else if (*c != 'p')
			err = event_text_set(p->ctx, word, *c == 'u' ? &p->user : &p->kernel, 1);
		else if (++p->precise > 3)
			err = fail(p->ctx, -EINVAL, "':%s': there is p, pp and ppp, and no more",
				   word);
	}
	return err < 0 ? err : 1;
}

/* 1 if it is a modifier, 0 if not, or an error. */
static int take_modifier(struct parsing *p, const char *word)
{
	size_t len = strcspn(word, "="), i;
	const char *value = word[len] ? word + len + 1 : NULL;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].word) == len && !strncasecmp(words[i].word, word, len))
			return words[i].take(p, word, value);
	if (value && len == 1 && (*word == 'u' || *word == 'k'))
		return set_flag(p, word, value, *word == 'u' ? &p->user : &p->kernel);
	for (i = 0; !value && i < ARRAY_SIZE(thread_rings); i++) {
		if (strcasecmp(thread_rings[i].word, word) != 0)
			continue;
		p->rings |= thread_rings[i].bit;
		return 1;
	}
	return value ? 0 : take_letters(p, word);
}

/* ---- words of one event ---------------------------------------------------------- */

static void append(struct p4_code *code, const char *word)
{
	size_t at = strlen(code->full_name);

	snprintf(code->full_name + at, sizeof(code->full_name) - at, "%s%s", at ? ":" : "", word);
}

static void remark(struct p4_code *code, const char *text)
{
	size_t at = strlen(code->note);

	snprintf(code->note + at, sizeof(code->note) - at, "%s%s", at ? "; " : "", text);
}

static int take_mask(struct parsing *p, const char *word)
{
	const char *note = NULL;
	uint16_t bits = p4_find_mask(p->code.event, word, &note);

	if (!bits)
		return 0;
	p->code.escr |= (uint32_t)bits << P4_ESCR_MASK_SHIFT;
	append(&p->code, word);
	if (note)
		remark(&p->code, note);
	return 1;
}

/* libpfm4's TAG0 to TAG3. */
static int take_tag(struct parsing *p, const char *word)
{
	if (!p->code.event->tags || strncasecmp(word, "TAG", 3) != 0 || word[3] < '0' ||
	    word[3] > '3' || word[4])
		return 0;
	p->code.escr |= P4_ESCR_TAG_ENABLE | 1u << (P4_ESCR_TAG_SHIFT + word[3] - '0');
	append(&p->code, word);
	return 1;
}

static int take_bogus(struct parsing *p, const char *word)
{
	bool *which = !strcasecmp(word, "nbogus") ? &p->code.nbogus :
		      !strcasecmp(word, "bogus") ? &p->code.bogus : NULL;

	if (p->code.event->tagged == P4_NO_TAG || !which)
		return 0;
	*which = true;
	append(&p->code, word);
	return 1;
}

static int take_event_word(struct parsing *p, const char *word)
{
	const struct p4_event *e = p->code.event;
	const struct p4_metric *cause;
	int done = take_bogus(p, word);

	if (!done && !p->modifiers_only)
		done = take_mask(p, word);
	if (!done && !p->modifiers_only)
		done = take_tag(p, word);
	cause = done || e->tagged != P4_REPLAY || p->modifiers_only ? NULL : p4_find_cause(word);
	if (cause) {
		append(&p->code, word);
		done = p4_take_metric(p->ctx, &p->facts, &p->code, cause);
		done = done ? done : 1;
	}
	if (!done && !p->modifiers_only && !strncasecmp(word, "tag", 3))
		done = p4_take_upstream(p->ctx, &p->facts, &p->code, word);
	return done;
}

static int take_words(struct parsing *p, char *rest)
{
	char *word;
	int done;

	while ((word = strsep(&rest, ":"))) {
		done = p->code.event ? take_event_word(p, word) : 0;
		if (!done)
			done = take_modifier(p, word);
		if (!done)
			done = bad_word(p, word);
		if (done < 0)
			return done;
	}
	return 0;
}

/* ---- names ------------------------------------------------------------------------- */

static int start_event(struct parsing *p, const struct p4_event *e)
{
	uint32_t model = signature_model(p->facts.signature);

	if (model < e->first_model)
		return fail(p->ctx, -EOPNOTSUPP, "%s is there from model %u of family 15 on, and "
			    "this is model %u", e->name, e->first_model, model);
	p->code.event = e;
	p->code.escr = p4_escr(e, 0);
	p->code.cccr = p4_cccr(e);
	p->code.source = PMUCTL_SOURCE_LIBPFM4;
	append(&p->code, e->name);
	return 0;
}

static int start_metric(struct parsing *p, const struct p4_metric *m)
{
	static const char *const counted[] = {
		[P4_FRONT] = "front_end_event", [P4_EXECUTION] = "execution_event",
		[P4_REPLAY] = "replay_event",
	};
	int err = start_event(p, p4_find_event(counted[m->tagged]));

	if (err)
		return err;
	p->code.source = PMUCTL_SOURCE_INTEL;
	snprintf(p->code.full_name, sizeof(p->code.full_name), "%s", m->name);
	p->modifiers_only = true;
	return p4_take_metric(p->ctx, &p->facts, &p->code, m);
}

/* "netburst::" and "netburst_p::" are what libpfm4 calls the two of them. */
static const char *skip_pmu(const char *name)
{
	if (!strncasecmp(name, "netburst::", 10))
		return name + 10;
	return strncasecmp(name, "netburst_p::", 12) ? name : name + 12;
}

static int start(struct parsing *p, const char *name);

static int start_portable(struct parsing *p, const char *event, const char *full_name,
			  const char *note)
{
	char copy[160], *rest = copy;
	int err;

	snprintf(copy, sizeof(copy), "%s", event);
	err = start(p, strsep(&rest, ":"));
	if (!err && rest)
		err = take_words(p, rest);
	if (err)
		return err;
	p->code.source = PMUCTL_SOURCE_PORTABLE;
	p->modifiers_only = true;
	snprintf(p->code.full_name, sizeof(p->code.full_name), "%s", full_name);
	remark(&p->code, event);
	if (note)
		remark(&p->code, note);
	return 0;
}

/* "r" and a number, as other processors' codes are given. */
static bool is_code(const char *name)
{
	return name[0] == 'r' && isxdigit((unsigned char)name[1]) &&
	       !name[1 + strspn(name + 1, "0123456789abcdefABCDEF")];
}

static int start(struct parsing *p, const char *name)
{
	const char *full_name, *note, *event = p4_find_portable(name, &full_name, &note);
	const struct p4_metric *metric = p4_find_metric(name);
	const struct p4_event *e = p4_find_event(name);

	if (event)
		return start_portable(p, event, full_name, note);
	if (metric)
		return start_metric(p, metric);
	if (e)
		return start_event(p, e);
	if (portable_known(name))
		return fail(p->ctx, -EOPNOTSUPP, "this CPU model has no event for %s", name);
	if (is_code(name))
		return fail(p->ctx, -EINVAL, "a code of a Pentium 4 is that of two registers: "
			    "cpu/escr=0x..,cccr=0x../");
	p->ctx->error[0] = '\0';
	return unknown_event(p->ctx, name);
}

/* Behind the last slash of cpu/.../ there are modifiers, with or without a colon. */
static int parse_raw(struct parsing *p, char *text)
{
	char *end = strrchr(text + 4, '/');
	int err;

	if (!end)
		return fail(p->ctx, -EINVAL, "the second '/' of cpu/.../ is missing");
	*end = '\0';
	snprintf(p->code.full_name, sizeof(p->code.full_name), "%s/", text);
	p->code.source = PMUCTL_SOURCE_RAW;
	p->modifiers_only = true;
	err = p4_raw_parse(p->ctx, text + 4, &p->code);
	p->rings = p->code.escr & P4_ESCR_RINGS;
	end += end[1] == ':';
	return err || !end[1] ? err : take_words(p, end + 1);
}

static size_t strspn_graph(const char *text)
{
	size_t len = 0;

	while (isgraph((unsigned char)text[len]))
		len++;
	return len;
}

static int parse_words(struct parsing *p, const char *text)
{
	char copy[250], *rest = copy, *dot;
	const char *name = skip_pmu(text);
	int err;

	if (name[strspn_graph(name)])
		return fail(p->ctx, -EINVAL, "there is a space, a control character or one beyond "
			    "ASCII in it");
	if (strlen(name) >= sizeof(copy))
		return fail(p->ctx, -EINVAL, "the name is too long for one of an event");
	snprintf(copy, sizeof(copy), "%s", name);
	if (!strncmp(copy, "cpu/", 4))
		return parse_raw(p, copy);
	/* Intel's manuals write EVENT.MASK. */
	for (dot = copy; (dot = strchr(dot, '.')); )
		*dot = ':';
	err = start(p, strsep(&rest, ":"));
	return err || !rest ? err : take_words(p, rest);
}

/* ---- the event ------------------------------------------------------------------------ */

static int finish_mask(struct parsing *p)
{
	struct p4_code *code = &p->code;

	if (code->escr >> P4_ESCR_MASK_SHIFT & 0xffff)
		return 0;
	/* Who names a tag alone counts nothing, and wants to: libpfm4 has it so. */
	if (!code->event->usual && !(code->escr & P4_ESCR_TAG_ENABLE))
		return no_mask(p);
	code->escr |= (uint32_t)code->event->usual << P4_ESCR_MASK_SHIFT;
	return 0;
}

static int finish_rings(struct parsing *p)
{
	if (!p->user && !p->kernel)
		return fail(p->ctx, -EINVAL, "with u=0 and k=0 it counts nothing: leave one away");
	if (!p->rings)
		return 0;
	if (p->user > 0 || p->kernel > 0)
		return fail(p->ctx, -EINVAL, ":u and :k are the rings of the thread that counts; "
			    "with :t0usr, :t0os, :t1usr, :t1os leave them out");
	p->user = !!(p->rings & (P4_ESCR_T0_USR | P4_ESCR_T1_USR));
	p->kernel = !!(p->rings & (P4_ESCR_T0_OS | P4_ESCR_T1_OS));
	p->code.escr |= p->rings;
	return 0;
}

/* What a modifier sets in the CCCR, unless that was given by its bits and has another value. */
static int finish_field(struct parsing *p, const char *name, uint32_t bits, int given)
{
	uint32_t shift = (uint32_t)__builtin_ctz(bits), own = (p->code.cccr & bits) >> shift;

	if (given < 0)
		return 0;
	if (own && own != (uint32_t)given)
		return fail(p->ctx, -EINVAL, "%s has %s %u itself, and with %d it would be another "
			    "event: leave %s away, or write cccr=0x%x", p->code.full_name, name, own,
			    given, name, (p->code.cccr & ~bits) | (uint32_t)given << shift);
	p->code.cccr |= (uint32_t)given << shift;
	return 0;
}

static int finish_fields(struct parsing *p)
{
	int err = finish_field(p, "threshold", P4_CCCR_THRESHOLD, p->threshold);

	if (!err)
		err = finish_field(p, "complement", P4_CCCR_COMPLEMENT, p->complement);
	if (!err)
		err = finish_field(p, "edge", P4_CCCR_EDGE, p->edge);
	if (!err)
		err = finish_field(p, "thread", P4_CCCR_THREAD, p->thread);
	if (p->threshold >= 0 || p->complement > 0 || p->edge > 0)
		p->code.cccr |= P4_CCCR_COMPARE;
	return err;
}

static int finish(struct parsing *p)
{
	struct p4_code *code = &p->code;
	bool raw = code->source == PMUCTL_SOURCE_RAW;
	int err = raw ? 0 : p4_finish_tags(p->ctx, code);

	if (!err)
		err = finish_fields(p);
	if (!err && !raw)
		err = finish_mask(p);
	if (!err)
		err = finish_rings(p);
	if (!err)
		code->counters = p4_counters(&p->facts, code->event, 3);
	if (!err && !code->counters)
		err = fail(p->ctx, -EOPNOTSUPP, "no counter of this CPU can count it (counter 1 is "
			   "left out unless the module has p4_counter1=1)");
	return err;
}

static void put_registers(struct pmuctl_event *e, const struct p4_code *code)
{
	struct pmuctl_register *reg = e->reg;

	*reg++ = (struct pmuctl_register){ PMUCTL_REGISTER_ESCR, 0, code->escr };
	*reg++ = (struct pmuctl_register){ PMUCTL_REGISTER_CCCR, 0, code->cccr };
	if (code->replayed) {
		*reg++ = (struct pmuctl_register){ PMUCTL_REGISTER_REPLAY, 0, code->replay };
		*reg++ = (struct pmuctl_register){ PMUCTL_REGISTER_MATRIX_VERT, 0, code->matrix };
	}
	e->info.registers_count = (size_t)(reg - e->reg);
}

/* Each has its event's rings, or it would tag too much or too little. */
static void put_upstreams(struct pmuctl_event *e, const struct parsing *p)
{
	size_t i;

	for (i = 0; i < p->code.nr_upstreams; i++) {
		e->upstream[i] = p->code.upstream[i];
		e->upstream[i].reg[0].value |= p->rings;
		e->upstream_info[i] = (struct pmuctl_upstream){
			.name = e->upstream[i].name,
			.counters = e->upstream[i].counters,
			.registers = e->upstream[i].reg,
			.registers_count = 2,
		};
	}
	e->info.upstreams = e->upstream_info;
	e->info.upstreams_count = p->code.nr_upstreams;
	e->tag_free = p->code.tag_free;
}

static int make(struct parsing *p, const char *text, struct pmuctl_event **event)
{
	struct pmuctl_event *e;
	int err = new_event(p->ctx, text, p->code.full_name, p->code.note, &e);

	if (err)
		return err;
	put_registers(e, &p->code);
	put_upstreams(e, p);
	e->info.source = p->code.source;
	e->info.user = event_text_ring(p->user, p->kernel);
	e->info.kernel = event_text_ring(p->kernel, p->user);
	e->info.pinned = p->pinned;
	e->info.counters = p->code.counters;
	e->info.precise = p->precise;
	e->most_precise = p->most_precise;
	e->info.pebs = p->code.event->tagged != P4_NO_TAG;
	e->pebs_counters = P4_PEBS_COUNTERS;
	*event = e;
	return 0;
}

int p4_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	struct parsing p = {
		.ctx = ctx, .user = -1, .kernel = -1, .threshold = -1, .complement = -1, .edge = -1,
		.thread = -1,
	};
	int err = facts_get(ctx, &p.facts);

	if (!err)
		err = parse_words(&p, text);
	if (!err)
		err = finish(&p);
	return err ? err : make(&p, text, event);
}

/* ---- lists -------------------------------------------------------------------------------- */

/* What libpfm4 lacks; the rest is listed by it. */
static const char *const lacking[] = { "x87_SIMD_moves_uop" };

static int list_own(const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_LIBPFM4 };
	size_t i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(lacking); i++) {
		desc.name = lacking[i];
		desc.text = p4_find_event(lacking[i])->text;
		if (pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err;
}

int p4_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_INTEL };
	int err = p4_list_portable(pattern, fn, data);
	size_t i;

	(void)ctx;
	for (i = 0; !err && i < p4_metrics_count; i++) {
		desc.name = p4_metrics[i].name;
		desc.text = p4_metrics[i].text;
		if (pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err ? err : list_own(pattern, fn, data);
}
