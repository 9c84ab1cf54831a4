// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Registers beside the event select, of which there is one for all counters:
 * two events that want another value in the same one cannot be on together.
 *
 * Offcore events have two registers from Westmere on, each with an event of its
 * own that counts the same thing, so that a second condition goes to the other
 * one.  Before Ice Lake the threads of a core share these registers, and sets
 * take turns on each thread by itself: there a session has no more conditions
 * than registers, in all its sets together.
 */
#include <errno.h>
#include <string.h>

#include "lib/session/session.h"

#define OFFCORE_MAX 2
#define OUTSTANDING (1ull << 63)

struct offcore {
	unsigned int count;	/* of registers */
	bool swapped;		/* rather the other one than was asked for */
	bool used[OFFCORE_MAX];
	uint64_t value[OFFCORE_MAX];
};

static struct offcore offcore_of(const struct pmuctl_session *s)
{
	bool first = generation_of(&s->ctx->facts) == GEN_NHM;

	/* The first generation has one register. */
	return (struct offcore){ .count = first ? 1 : OFFCORE_MAX, .swapped = s->offcore_swapped };
}

static bool is_shared(const struct pmu_facts *facts)
{
	return facts->version < 5 && facts->threads;
}

static const struct pmuctl_register *extra_of(const struct session_event *e)
{
	return e->nr_regs > 1 && e->reg[0].kind == PMUCTL_REGISTER_EVTSEL ? &e->reg[1] : NULL;
}

static bool is_offcore(const struct session_event *e)
{
	return extra_of(e) && extra_of(e)->kind == PMUCTL_REGISTER_OFFCORE_RSP;
}

/* The register that has this value, or may have it; -1: none. */
static int offcore_place(struct offcore *o, const struct pmuctl_register *reg)
{
	/* Requests outstanding are the first register's alone. */
	unsigned int i, count = reg->value & OUTSTANDING ? 1 : o->count;

	for (i = 0; i < o->count; i++)
		if (o->used[i] && o->value[i] == reg->value)
			return (int)i;
	i = o->swapped ? !reg->index : reg->index;
	if (i >= count || o->used[i])
		i = 0;
	for (; i < count && o->used[i]; i++)
		;
	if (i == count)
		return -1;
	o->used[i] = true;
	o->value[i] = reg->value;
	return (int)i;
}

/* To the register, and the event that goes with it on this processor. */
static void offcore_move(const struct pmuctl_session *s, struct session_event *e, int index)
{
	uint64_t code = offcore_code(&s->ctx->facts, (uint32_t)index);

	e->reg[0].value = (e->reg[0].value & ~EVTSEL_CODE) | code;
	e->reg[1].index = (uint32_t)index;
}

bool extras_clash(const struct pmuctl_session *s, const unsigned int *events, size_t count)
{
	const struct pmuctl_register *a, *b;
	struct offcore o = { .count = 0 };
	size_t i, j;

	for (i = 0; i < count; i++) {
		a = extra_of(&s->events[events[i]]);
		if (!a)
			continue;
		if (a->kind == PMUCTL_REGISTER_OFFCORE_RSP) {
			/* Most units have none, and whether they fit is asked often. */
			if (!o.count)
				o = offcore_of(s);
			if (offcore_place(&o, a) < 0)
				return true;
			continue;
		}
		for (j = 0; j < i; j++) {
			b = extra_of(&s->events[events[j]]);
			if (b && a->kind == b->kind && a->index == b->index && a->value != b->value)
				return true;
		}
	}
	return false;
}

static int too_many(struct pmuctl_session *s, const struct session_event *e,
		    const struct offcore *o)
{
	bool shared = is_shared(&s->ctx->facts);

	return fail(s->ctx, -ENOSPC,
		    "event '%s' wants a condition of offcore events that is one too many: there "
		    "%s for %u at a time%s; count it in a run of its own", e->name,
		    o->count == 1 ? "is a register (OFFCORE_RSP_0)" :
				    "are registers (OFFCORE_RSP_0 and _1)", o->count,
		    shared ? ", shared by the threads of a core, so that events cannot take turns "
			     "with them" : "");
}

static int place_all(struct pmuctl_session *s, struct offcore *o, uint32_t first, uint32_t end)
{
	struct session_event *e;
	size_t i;
	int index;

	for (i = 0; i < s->nr_events; i++) {
		e = &s->events[i];
		if (!is_offcore(e) || e->set < first || e->set >= end)
			continue;
		index = offcore_place(o, &e->reg[1]);
		if (index < 0)
			return too_many(s, e, o);
		offcore_move(s, e, index);
	}
	return 0;
}

bool extras_offcore(const struct pmuctl_session *s)
{
	size_t i;

	for (i = 0; i < s->nr_events; i++)
		if (is_offcore(&s->events[i]))
			return true;
	return false;
}

int extras_assign(struct pmuctl_session *s)
{
	struct offcore o = offcore_of(s), beside_pinned;
	uint32_t set;
	int err;

	if (is_shared(&s->ctx->facts))
		return place_all(s, &o, 0, UINT32_MAX);
	err = place_all(s, &o, 0, s->first_rotating);
	for (set = s->first_rotating; !err && set < s->nr_sets; set++) {
		beside_pinned = o;
		err = place_all(s, &beside_pinned, set, set + 1);
	}
	return err;
}
