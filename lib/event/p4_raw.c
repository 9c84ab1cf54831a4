// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of the Pentium 4 by the values of their registers:
 * cpu/escr=0x..,cccr=0x..[,group=iq][,replay=0x..,matrix=0x..][,name=..]/
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/cpu/p4.h"

/* PEBS_ENABLE [12:0], 15 and 16; MATRIX_VERT [2:0] and 4. */
#define REPLAY_BITS 0x19fffull
#define MATRIX_BITS 0x17ull

struct raw {
	struct pmuctl *ctx;
	struct p4_code *code;
	bool escr, cccr, replay, matrix, group_given;
	enum p4_group group;
	const char *term;
};

static int bad(const struct raw *r, const char *why)
{
	return fail(r->ctx, -EINVAL, "cpu/.../: '%s' %s", r->term, why);
}

static int take_value(struct raw *r, const char *text, uint64_t bits, const char *what,
		      bool *given, uint32_t *to)
{
	uint64_t value;

	if (*given)
		return bad(r, "is given twice");
	if (!text || !parse_number(text, UINT32_MAX, &value) || value & ~bits)
		return bad(r, what);
	*given = true;
	*to = (uint32_t)value;
	return 0;
}

static int take_group(struct raw *r, const char *text)
{
	static const char *const names[P4_GROUPS] = {
		[P4_BPU] = "bpu", [P4_MS] = "ms", [P4_FLAME] = "flame", [P4_IQ] = "iq",
	};
	unsigned int g;

	for (g = 0; text && g < P4_GROUPS; g++)
		if (!strcasecmp(names[g], text)) {
			r->group = (enum p4_group)g;
			r->group_given = true;
			return 0;
		}
	return bad(r, "wants a group of counters: bpu, ms, flame or iq");
}

static int take_name(struct raw *r, const char *text)
{
	if (!text || !*text)
		return bad(r, "wants a name");
	snprintf(r->code->full_name, sizeof(r->code->full_name), "%s", text);
	return 0;
}

static int take_term(struct raw *r)
{
	const char *equals = strchr(r->term, '='), *value = equals ? equals + 1 : NULL;
	size_t len = strcspn(r->term, "=");

	if (len == 4 && !strncasecmp(r->term, "escr", len))
		return take_value(r, value, 0x7fffffffull, "wants a value of an ESCR: bits 30 to 0",
				  &r->escr, &r->code->escr);
	if (len == 4 && !strncasecmp(r->term, "cccr", len))
		return take_value(r, value, P4_CCCR_EVENT, "wants what of a CCCR is not the "
				  "kernel's: bits 25 to 13, as 0x8000 for ESCR select 4",
				  &r->cccr, &r->code->cccr);
	if (len == 6 && !strncasecmp(r->term, "replay", len))
		return take_value(r, value, REPLAY_BITS, "wants bits 12 to 0, 15 and 16 of "
				  "IA32_PEBS_ENABLE", &r->replay, &r->code->replay);
	if (len == 6 && !strncasecmp(r->term, "matrix", len))
		return take_value(r, value, MATRIX_BITS, "wants bits 2 to 0 and 4 of "
				  "MSR_PEBS_MATRIX_VERT", &r->matrix, &r->code->matrix);
	if (len == 5 && !strncasecmp(r->term, "group", len))
		return take_group(r, value);
	if (len == 4 && !strncasecmp(r->term, "name", len))
		return take_name(r, value);
	return bad(r, "is no term; on a Pentium 4 there are escr=, cccr=, group=, replay=, matrix= "
		      "and name=");
}

/* Which event it is: the select values tell, but for some that two groups share. */
static int find_event(struct raw *r)
{
	uint32_t select = r->code->escr >> P4_ESCR_SELECT_SHIFT & 0x3f;
	uint32_t cccr_select = r->code->cccr >> P4_CCCR_SELECT_SHIFT & 7;
	const struct p4_event *e, *found = NULL;

	for (e = p4_events; e < p4_events + p4_events_count; e++) {
		if (e->select != select || e->cccr_select != cccr_select ||
		    (r->group_given && e->group != r->group))
			continue;
		if (found && found->group != e->group)
			return fail(r->ctx, -EINVAL, "cpu/.../: that is %s or %s; add group=bpu, "
				    "ms, flame or iq", found->name, e->name);
		found = e;
	}
	if (!found)
		return fail(r->ctx, -EINVAL, "cpu/.../: there is no event 0x%02x at ESCR select %u",
			    select, cccr_select);
	r->code->event = found;
	return 0;
}

int p4_raw_parse(struct pmuctl *ctx, const char *terms, struct p4_code *code)
{
	struct raw r = { .ctx = ctx, .code = code };
	char copy[256], *rest = copy;
	int err = 0;

	snprintf(copy, sizeof(copy), "%s", terms);
	while (!err && (r.term = strsep(&rest, ",")))
		err = take_term(&r);
	if (!err && (!r.escr || !r.cccr))
		err = fail(ctx, -EINVAL, "cpu/.../ on a Pentium 4 wants both registers: escr= "
			   "and cccr=");
	if (!err && r.replay != r.matrix)
		err = fail(ctx, -EINVAL, "cpu/.../: replay= and matrix= go together");
	code->replayed = r.replay;
	return err ? err : find_event(&r);
}
