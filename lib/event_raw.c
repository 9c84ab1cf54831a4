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

#include "private.h"

/* Who copies a code out of a register dump has these set. */
static int check_raw(struct pmuctl *ctx, uint64_t code)
{
	if (code >> 32)
		return fail(ctx, -EINVAL, "a raw code has at most 32 bits");
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

struct field {
	const char *name;
	unsigned int shift, bits;
};

static const struct field fields[] = {
	{ "event", 0, 8 },
	{ "umask", 8, 8 },
	{ "config", 0, 32 },
};

struct terms {
	struct event_text *t;
	struct encoding *enc;
	bool field_given[ARRAY_SIZE(fields)];
	bool named;		/* by an event's name */
	const char *term;
};

static int bad_term(struct pmuctl *ctx, const struct terms *terms, const char *why)
{
	return fail(ctx, -EINVAL, "cpu/.../: '%s' %s", terms->term, why);
}

static int set_field(struct pmuctl *ctx, struct terms *terms, size_t i, const char *value)
{
	const struct field *f = &fields[i];
	uint64_t number;
	char why[64];

	if (terms->field_given[i])
		return bad_term(ctx, terms, "is given twice");
	snprintf(why, sizeof(why), "wants a number up to 0x%llx", (1ull << f->bits) - 1);
	if (!value || !parse_number(value, (1ull << f->bits) - 1, &number))
		return bad_term(ctx, terms, why);
	terms->field_given[i] = true;
	terms->enc->evtsel |= number << f->shift;
	return f->bits > 8 ? check_raw(ctx, number) : 0;
}

static int set_name(struct pmuctl *ctx, struct terms *terms, const char *value)
{
	if (!value[0])
		return bad_term(ctx, terms, "wants a name");
	snprintf(terms->enc->full_name, sizeof(terms->enc->full_name), "%s", value);
	return 0;
}

/* A name alone: an event that means the same everywhere. */
static int set_event(struct pmuctl *ctx, struct terms *terms)
{
	int err = terms->named ? -EEXIST : portable_find(ctx, terms->term, terms->enc);

	if (err == -EEXIST)
		return bad_term(ctx, terms, "is one event too many");
	if (err == -ENOENT)
		return bad_term(ctx, terms, "is neither a term nor a portable event; there are "
					    "event=, umask=, cmask=, edge, inv, any, ldlat=, "
					    "offcore_rsp=, frontend=, config=, name=");
	terms->named = true;
	return err;
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
	/* Rings are behind the last slash. */
	err = strcspn(terms->term, "ukD") ? event_text_word(ctx, terms->term, terms->t) : 0;
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
	if (terms.named == (terms.field_given[0] || terms.field_given[2]))
		return fail(ctx, -EINVAL, "cpu/.../: say which event, once: by event=, config= or "
					  "a name");
	return 0;
}
