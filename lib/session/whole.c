// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The functions of pmuctl.h about a session that differ where cores are of several kinds: it is
 * then one session of each.
 */
#include <errno.h>

#include "lib/session/kinds.h"

void pmuctl_session_free(struct pmuctl_session *s)
{
	if (!s)
		return;
	parts_free(s);
	session_free(s);
}

/* ---- what it counts --------------------------------------------------------- */

int pmuctl_session_add_event(struct pmuctl_session *s, const struct pmuctl_event *event)
{
	int err = session_check_new(s);

	if (!err && !event)
		err = is_null(s->ctx, "an event");
	if (!err)
		err = parts_open(s);
	if (err)
		return err;
	return s->parts ? parts_add_event(s, event) : session_add(s, event, 0);
}

int pmuctl_session_add_group(struct pmuctl_session *s, struct pmuctl_event *const *events,
			     size_t count)
{
	int err = session_check_new(s);

	if (!err)
		err = session_check_group(s, events, count);
	if (!err)
		err = parts_open(s);
	if (err)
		return err;
	return s->parts ? parts_add_group(s, events, count) : session_add_group(s, events, count);
}

int pmuctl_session_fits(struct pmuctl_session *s)
{
	return s->parts ? parts_fit(s) : session_fits(s);
}

/* ---- its life ---------------------------------------------------------------- */

int pmuctl_session_create(struct pmuctl_session *s, uint64_t options)
{
	int err = session_check_new(s);

	if (err)
		return err;
	err = s->parts ? parts_create(s, options) : session_create(s, options);
	s->on_exec = options & PMUCTL_ON_EXEC;
	return err;
}

int pmuctl_session_start(struct pmuctl_session *s)
{
	int err = s->parts ? parts_tell(s, session_start) : session_start(s);

	if (!err) {
		s->started = monotonic_ns();
		s->stopped = 0;
	}
	return err;
}

int pmuctl_session_stop(struct pmuctl_session *s)
{
	uint64_t time = monotonic_ns();
	int err = s->parts ? parts_tell(s, session_stop) : session_stop(s);

	if (!err)
		s->stopped = time;
	return err;
}

int pmuctl_session_reset(struct pmuctl_session *s)
{
	return s->parts ? parts_tell(s, session_reset) : session_reset(s);
}

int pmuctl_session_assignment_of(const struct pmuctl_session *s, unsigned int event,
				 unsigned int kind, struct pmuctl_assignment *assignment)
{
	if (s->parts)
		return parts_assignment(s, event, kind, assignment);
	if (kind != s->ctx->kind)
		return fail(s->ctx, -ENOENT, "this is no session of kind %u of cores", kind);
	return session_assignment(s, event, assignment);
}

int pmuctl_session_assignment(const struct pmuctl_session *s, unsigned int event,
			      struct pmuctl_assignment *assignment)
{
	unsigned int kind;

	if (!s->parts)
		return session_assignment(s, event, assignment);
	for (kind = 0; kind < PMUCTL_KINDS_MAX; kind++)
		if (!parts_assignment(s, event, kind, assignment))
			return 0;
	return fail(s->ctx, -ENOENT, "event %u has no counter", event);
}

/* ---- its counts --------------------------------------------------------------- */

int pmuctl_session_read(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	return s->parts ? parts_read(s, fn, data) : session_read(s, false, fn, data);
}

int pmuctl_session_read_each(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	return s->parts ? parts_read_each(s, fn, data) : session_read(s, true, fn, data);
}

static int take_one(void *data, const struct pmuctl_value *value)
{
	struct pmuctl_value *wanted = data;

	if (value->event == wanted->event)
		*wanted = *value;
	return 0;
}

int pmuctl_session_value(struct pmuctl_session *s, unsigned int event, struct pmuctl_value *value)
{
	struct pmuctl_value own = { .event = event };
	int err;

	if (!value)
		return is_null(s->ctx, "a value");
	if (event >= s->nr_events)
		return fail(s->ctx, -ENOENT, "the session has no event %u; they are numbered from 0",
			    event);
	err = pmuctl_session_read(s, take_one, &own);
	if (!err)
		*value = own;
	return err;
}

struct reading_parts {
	unsigned int kind;
	pmuctl_part_fn *fn;
	void *data;
};

static int take_of_kind(void *data, const struct pmuctl_value *value)
{
	const struct reading_parts *r = data;

	return r->fn(r->data, r->kind, value);
}

int pmuctl_session_read_parts(struct pmuctl_session *s, pmuctl_part_fn *fn, void *data)
{
	struct reading_parts r = { s->ctx->kind, fn, data };

	return s->parts ? parts_read_parts(s, false, fn, data) :
			  session_read(s, false, fn ? take_of_kind : NULL, &r);
}

/* ---- its samples --------------------------------------------------------------- */

int pmuctl_session_drain(struct pmuctl *ctx, const struct pmuctl_session *s, int cpu, bool flush,
			 pmuctl_records_fn *fn, void *data)
{
	return s->parts && fn ? parts_drain(ctx, s, cpu, flush, fn, data) :
				session_drain(ctx, s, cpu, flush, fn, data);
}

int pmuctl_session_ledger(struct pmuctl_session *s, pmuctl_ledger_fn *fn, void *data)
{
	return s->parts && fn ? parts_ledger(s, fn, data) : session_ledger(s, fn, data);
}

const struct session_event *session_event_on(const struct pmuctl_session *s, unsigned int event,
					     unsigned int cpu, struct pmuctl **of)
{
	if (s->parts)
		return parts_event_on(s, event, cpu, of);
	*of = s->ctx;
	return &s->events[event];
}

uint64_t session_content(const struct pmuctl_session *s, unsigned int event, unsigned int kind)
{
	const struct session_event *e = &s->events[event];

	if (s->parts)
		return parts_content(s, event, kind);
	return !kind && is_sampled(&e->sampling) ? sample_content(&s->ctx->info, &e->sampling) : 0;
}

unsigned int session_kind_of(const struct pmuctl_session *s, unsigned int cpu)
{
	return s->parts ? parts_kind(s->parts, cpu) : 0;
}

const char *pmuctl_disturbed_register(const struct pmuctl *ctx)
{
	if (ctx && ctx->kinds && ctx->kinds->count)
		return parts_disturbed(ctx->kinds);
	return ctx && ctx->disturbed[0] ? ctx->disturbed : NULL;
}
