// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a session has counted and sampled where cores are of several kinds: that of each kind's,
 * with the whole's numbers of events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/session/kinds.h"

/* ---- its counts --------------------------------------------------------------- */

struct part_reading {
	const struct parts *parts;
	unsigned int kind;
	pmuctl_part_fn *fn;
	void *data;
	int stop;
};

static int take_part(void *data, const struct pmuctl_value *value)
{
	struct part_reading *r = data;
	struct pmuctl_value own = *value;

	own.event = r->parts->event[r->kind][value->event];
	r->stop = r->fn(r->data, r->kind, &own);
	return r->stop;
}

int parts_read_parts(struct pmuctl_session *s, bool each, pmuctl_part_fn *fn, void *data)
{
	struct parts *p = s->parts;
	struct part_reading r = { .parts = p, .fn = fn, .data = data };
	int err;

	if (!fn)
		return is_null(s->ctx, "the function for values");
	err = parts_check(s->ctx, s);
	if (err)
		return err;
	for_each_made(r.kind, p) {
		if (!err)
			err = session_read(p->of[r.kind], each, take_part, &r);
		if (err && !r.stop)
			return kind_failed(s->ctx, r.kind, err);
	}
	return err;
}

static int add_part(void *data, unsigned int kind, const struct pmuctl_value *value)
{
	struct pmuctl_value *sum = &((struct parts *)data)->sum[value->event];

	(void)kind;
	sum->flags |= value->flags;
	sum->value += value->value;
	sum->estimate += value->estimate;
	sum->enabled += value->enabled;
	sum->running += value->running;
	return 0;
}

int parts_read(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	struct parts *p = s->parts;
	uint32_t i;
	int err;

	if (!fn)
		return is_null(s->ctx, "the function for values");
	for (i = 0; i < s->nr_events; i++)
		p->sum[i] = (struct pmuctl_value){ .event = i, .cpu = -1 };
	err = parts_read_parts(s, false, add_part, p);
	for (i = 0; !err && i < s->nr_events; i++)
		err = fn(data, &p->sum[i]);
	return err;
}

struct each_reading {
	pmuctl_value_fn *fn;
	void *data;
};

static int take_each(void *data, unsigned int kind, const struct pmuctl_value *value)
{
	const struct each_reading *r = data;

	(void)kind;
	return r->fn(r->data, value);
}

int parts_read_each(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	struct each_reading r = { fn, data };

	if (s->target_kind != PMUCTL_A_SESSION_CPU)
		return parts_read(s, fn, data);
	return fn ? parts_read_parts(s, true, take_each, &r) :
		    is_null(s->ctx, "the function for values");
}

/* ---- its samples ----------------------------------------------------------------- */

/* What comes of one kind's session has the whole's numbers of events before anybody sees it. */
struct mapping {
	struct pmuctl *ctx;
	const uint32_t *event;
	size_t count;
	bool same;
	pmuctl_records_fn *records;
	pmuctl_ledger_fn *ledger;
	void *data;
};

static void number_records(const struct mapping *m, unsigned char *at, size_t bytes)
{
	unsigned char *end = at + bytes;
	struct pmuctl_record head;

	/* What is malformed stays so, and is the reader's to find. */
	for (; (size_t)(end - at) >= sizeof(head); at += head.size) {
		memcpy(&head, at, sizeof(head));
		if (head.size < sizeof(head) || head.size > (size_t)(end - at))
			return;
		head.event = head.event < m->count ? (uint16_t)m->event[head.event] : UINT16_MAX;
		memcpy(at, &head, sizeof(head));
	}
}

static int map_records(void *data, unsigned int cpu, const void *records, size_t bytes)
{
	const struct mapping *m = data;
	unsigned char *own;
	int err;

	if (m->same)
		return m->records(m->data, cpu, records, bytes);
	own = malloc(bytes + 1);
	if (!own)
		return fail(m->ctx, -ENOMEM, "out of memory");
	memcpy(own, records, bytes);
	number_records(m, own, bytes);
	err = m->records(m->data, cpu, own, bytes);
	free(own);
	return err;
}

static struct mapping mapping_of(const struct parts *p, unsigned int k)
{
	struct mapping m = { .event = p->event[k], .count = p->of[k]->nr_events, .same = true };
	uint32_t i;

	for (i = 0; i < m.count; i++)
		m.same = m.same && m.event[i] == i;
	return m;
}

int parts_drain(struct pmuctl *ctx, const struct pmuctl_session *s, int cpu, bool flush,
		pmuctl_records_fn *fn, void *data)
{
	const struct parts *p = s->parts;
	struct mapping m;
	unsigned int k;
	int err = parts_check(ctx, s);

	for_each_made(k, p) {
		if (err || (cpu >= 0 && parts_kind(p, (uint32_t)cpu) != k))
			continue;
		m = mapping_of(p, k);
		m.ctx = ctx;
		m.records = fn;
		m.data = data;
		err = session_drain(ctx, p->of[k], cpu, flush, map_records, &m);
	}
	return err;
}

static int map_entry(void *data, const struct pmuctl_ledger_entry *entry)
{
	const struct mapping *m = data;
	struct pmuctl_ledger_entry own = *entry;

	own.event = m->event[entry->event];
	return m->ledger(m->data, &own);
}

int parts_ledger(struct pmuctl_session *s, pmuctl_ledger_fn *fn, void *data)
{
	struct parts *p = s->parts;
	struct mapping m;
	unsigned int k;
	int err = parts_check(s->ctx, s);

	for_each_made(k, p) {
		if (err)
			continue;
		m = mapping_of(p, k);
		m.ledger = fn;
		m.data = data;
		err = session_ledger(p->of[k], map_entry, &m);
		if (err)
			kind_failed(s->ctx, k, err);
	}
	return err;
}

uint64_t parts_content(const struct pmuctl_session *s, unsigned int event, unsigned int kind)
{
	const struct parts *p = s->parts;

	if (kind >= p->kinds->count || p->number[kind][event] == NO_EVENT)
		return 0;
	return session_content(p->of[kind], p->number[kind][event], 0);
}

const struct session_event *parts_event_on(const struct pmuctl_session *s, unsigned int event,
					   unsigned int cpu, struct pmuctl **of)
{
	const struct parts *p = s->parts;
	unsigned int k = parts_kind(p, cpu);

	*of = p->kinds->kind[k].ctx;
	return p->number[k][event] == NO_EVENT ? NULL :
						 &p->of[k]->events[p->number[k][event]];
}
