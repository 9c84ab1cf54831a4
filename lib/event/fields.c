// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Fields of the event select, and the register beside it: what modifiers set there.  What the
 * event's name sets itself stays: with another value it would be another event.  The umask is
 * the one that may be replaced, as Intel's metrics do ("EXE_ACTIVITY.3_PORTS_UTIL:u0x80").
 */
#include <errno.h>

#include "lib/base/private.h"

static const struct field {
	const char *name;
	uint64_t bits;
	unsigned int shift;
} fields[] = {
	[FLAG_EDGE] = { "edge", EVTSEL_EDGE, 18 },
	[FLAG_INV] = { "inv", EVTSEL_INV, 23 },
	[FLAG_ANY] = { "any", EVTSEL_ANY, 21 },
	[FLAG_EQ] = { "eq", EVTSEL_EQ, 36 },
	{ "cmask", EVTSEL_CMASK, 24 },
};

static const char *const extra_names[] = {
	[PMUCTL_REGISTER_OFFCORE_RSP] = "offcore_rsp",
	[PMUCTL_REGISTER_LD_LAT] = "ldlat",
	[PMUCTL_REGISTER_FRONTEND] = "frontend",
};

static int set_field(struct pmuctl *ctx, const struct field *f, int given, struct encoding *enc)
{
	uint64_t own = (enc->evtsel & f->bits) >> f->shift;
	uint64_t evtsel = (enc->evtsel & ~f->bits) | (uint64_t)given << f->shift;

	if (own && own != (uint64_t)given)
		return fail(ctx, -EINVAL, "%s has %s %llu itself, and with %d it would be another "
			    "event: leave %s away, or write that one as a code, r%llx",
			    enc->full_name, f->name, (unsigned long long)own, given, f->name,
			    (unsigned long long)evtsel);
	enc->evtsel = evtsel;
	return 0;
}

/* A word that was no umask sets what it sets everywhere. */
static int flag_given(struct pmuctl *ctx, const struct event_text *t, size_t i, int *given)
{
	const char *word = t->words[i];

	*given = t->flags[i];
	return word[0] ? event_text_set(ctx, word, given, 1) : 0;
}

int fields_apply(struct pmuctl *ctx, const struct event_text *t, struct encoding *enc)
{
	int given[ARRAY_SIZE(fields)] = { [EVENT_FLAGS] = t->cmask };
	int err = 0;
	size_t i;

	for (i = 0; err >= 0 && i < EVENT_FLAGS; i++)
		err = flag_given(ctx, t, i, &given[i]);
	for (i = 0; err >= 0 && i < ARRAY_SIZE(fields); i++)
		if (given[i] >= 0)
			err = set_field(ctx, &fields[i], given[i], enc);
	if (t->umask >= 0)
		enc->evtsel = (enc->evtsel & ~(EVTSEL_UMASK | EVTSEL_UMASK2)) |
			      (uint64_t)(t->umask & 0xff) << 8 | (uint64_t)(t->umask >> 8) << 40;
	return err < 0 ? err : 0;
}

/* ---- registers beside it -------------------------------------------------- */

static int no_extra(struct pmuctl *ctx, const struct event_text *t, const struct encoding *enc)
{
	if (!t->extra_given && !enc->extra_given)
		return 0;
	return fail(ctx, -EINVAL, "%s has no meaning for event 0x%04llx on this CPU",
		    t->extra_given ? extra_names[t->extra_kind] : "the register beside it",
		    enc->evtsel & EVTSEL_CODE);
}

/* What is there without being asked for, as libpfm4's latency of 3 cycles, is not the name's. */
static int check_own_extra(struct pmuctl *ctx, const struct extra_event *x,
			   const struct event_text *t, const struct encoding *enc)
{
	if (!t->extra_given || !enc->extra_given || enc->extra == t->extra ||
	    enc->extra == x->value)
		return 0;
	return fail(ctx, -EINVAL, "%s has %s=0x%llx itself, and with 0x%llx it would be another "
		    "event: leave %s away, or write that one as a code, r%llx:%s=0x%llx",
		    enc->full_name, extra_names[x->kind], (unsigned long long)enc->extra,
		    (unsigned long long)t->extra, extra_names[x->kind],
		    (unsigned long long)enc->evtsel, extra_names[x->kind],
		    (unsigned long long)t->extra);
}

int extra_take(struct pmuctl *ctx, const struct pmu_facts *facts, const struct event_text *t,
	       const struct encoding *enc, struct pmuctl_register *reg)
{
	const struct extra_event *x = extra_event(facts, enc->evtsel);
	int err;

	if (!x)
		return no_extra(ctx, t, enc);
	if (t->extra_given && t->extra_kind != x->kind)
		return fail(ctx, -EINVAL, "%s has no meaning for event 0x%04llx, %s has",
			    extra_names[t->extra_kind], enc->evtsel & EVTSEL_CODE,
			    extra_names[x->kind]);
	err = check_own_extra(ctx, x, t, enc);
	if (err)
		return err;
	reg->kind = x->kind;
	reg->index = x->index;
	reg->value = t->extra_given ? t->extra : enc->extra_given ? enc->extra : x->value;
	if (!reg->value)
		return fail(ctx, -EINVAL, "event 0x%04llx counts what a register says: add "
					  ":%s=VALUE", enc->evtsel & EVTSEL_CODE,
			    extra_names[x->kind]);
	return 1;
}
