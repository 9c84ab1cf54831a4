// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events by their code: rNNNN, and cpu/event=0xNN,umask=0xNN,.../ as Linux's
 * perf has it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"

/* Who copies a code out of a register dump has these set. */
static int check_raw(struct pmuctl *ctx, uint64_t code)
{
	uint64_t may = 0xffffffff;
	struct pmu_facts facts;

	/* Without facts nothing is known of more. */
	if (code >> 32 && !facts_get(ctx, &facts))
		may = evtsel_bits(&facts);
	if (code & ~may)
		return fail(ctx, -EINVAL, may >> 32 ? "a raw code has bits 0 to 31, 36 (EQ), and 40 "
			    "to 47 (UMASK2)" : "a raw code has at most 32 bits");
	if (code & EVTSEL_KERNEL)
		return fail(ctx, -EINVAL,
			    "the kernel sets bits 16, 17, 19, 20 and 22 (USR, OS, PC, INT, EN) "
			    "itself; write r%llx, and :u or :k for the ring",
			    (unsigned long long)(code & ~EVTSEL_KERNEL));
	return 0;
}

int raw_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	const char *name = t->name;
	char *end;
	int err;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return -ENOENT;
	errno = 0;
	enc->evtsel = strtoull(name + 1, &end, 16);
	if (*end && *end != ':')
		return -ENOENT;
	err = errno ? fail(ctx, -EINVAL, "a raw code has at most 32 bits") :
		      check_raw(ctx, enc->evtsel);
	if (!err && *end)
		err = no_modifier(ctx, end);
	if (err)
		return err;
	snprintf(enc->full_name, sizeof(enc->full_name), "r%llx", (unsigned long long)enc->evtsel);
	return 0;
}

/* ---- cpu/.../ ----------------------------------------------------------- */

enum { FIELD_EVENT, FIELD_CONFIG, FIELDS };

static const struct field {
	const char *name;
	uint64_t max;
} fields[] = {
	[FIELD_EVENT] = { "event", 0xff },
	[FIELD_CONFIG] = { "config", UINT64_MAX },
};

struct terms {
	struct event_text *t;
	struct encoding *enc;
	bool field_given[FIELDS];
	uint64_t fields[FIELDS];
	bool named;		/* by an event's name */
	const char *term;
};

static int bad_term(struct pmuctl *ctx, const struct terms *terms, const char *why)
{
	return fail(ctx, -EINVAL, "cpu/.../: '%s' %s", terms->term, why);
}

static int set_field(struct pmuctl *ctx, struct terms *terms, size_t i, const char *value)
{
	const uint64_t max = fields[i].max;
	uint64_t number;
	char why[64];

	snprintf(why, sizeof(why), "wants a number up to 0x%llx", (unsigned long long)max);
	if (!value || !parse_number(value, max, &number))
		return bad_term(ctx, terms, why);
	if (terms->field_given[i] && number != terms->fields[i])
		return bad_term(ctx, terms, "is given twice, with two values");
	terms->field_given[i] = true;
	terms->fields[i] = number;
	terms->enc->evtsel |= number;
	return i == FIELD_CONFIG ? check_raw(ctx, number) : 0;
}

static int set_name(struct pmuctl *ctx, struct terms *terms, const char *value)
{
	if (!value[0])
		return bad_term(ctx, terms, "wants a name");
	snprintf(terms->enc->full_name, sizeof(terms->enc->full_name), "%s", value);
	return 0;
}

/* A name alone is an event's. */
static int set_event(struct pmuctl *ctx, struct terms *terms)
{
	int err = terms->named ? -EEXIST : event_find(ctx, terms->term, terms->enc);

	if (err == -EEXIST)
		return bad_term(ctx, terms, "is one event too many");
	if (err == -ENOENT)
		return bad_term(ctx, terms, "is neither a term nor an event; there are "
					    "event=, umask=, cmask=, edge, inv, any, eq, ldlat=, "
					    "offcore_rsp=, frontend=, config=, name=");
	terms->named = true;
	return err;
}

/* "u", "kD", "u=1": they are behind the last slash. */
static bool is_ring(const char *term)
{
	size_t len = strspn(term, "ukD");

	return len && (!term[len] || term[len] == '=');
}

static int take_term(struct pmuctl *ctx, struct terms *terms)
{
	size_t len = strcspn(terms->term, "="), i;
	const char *value = terms->term[len] ? terms->term + len + 1 : NULL;
	int err;

	if (!terms->term[0])
		return fail(ctx, -EINVAL, "cpu/.../: there is nothing between two of its commas");
	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (strlen(fields[i].name) == len && !memcmp(terms->term, fields[i].name, len))
			return set_field(ctx, terms, i, value);
	if (value && len == 4 && !memcmp(terms->term, "name", 4))
		return set_name(ctx, terms, value);
	if (len == 2 && !memcmp(terms->term, "pc", 2))
		return bad_term(ctx, terms, "is the kernel's");
	err = is_ring(terms->term) ? 0 : event_text_word(ctx, terms->term, terms->t);
	if (err)
		return err < 0 ? err : 0;
	return set_event(ctx, terms);
}

int terms_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	struct terms terms = { .t = t, .enc = enc };
	char copy[sizeof(t->name)], *rest = copy, *end;
	int err = 0;

	if (strncmp(t->name, "cpu/", 4) != 0)
		return -ENOENT;
	snprintf(copy, sizeof(copy), "%s", t->name + 4);
	end = strchr(copy, '/');
	if (!end)
		return fail(ctx, -EINVAL, "the second '/' of cpu/.../ is missing");
	if (end[1])
		return no_modifier(ctx, end + 1);
	*end = '\0';
	snprintf(enc->full_name, sizeof(enc->full_name), "%s", t->name);
	while (!err && (terms.term = strsep(&rest, ",")))
		err = take_term(ctx, &terms);
	if (err)
		return err;
	if (terms.named == (terms.field_given[FIELD_EVENT] || terms.field_given[FIELD_CONFIG]))
		return fail(ctx, -EINVAL, "cpu/.../: say which event, once: by event=, config= or "
					  "a name");
	return 0;
}
