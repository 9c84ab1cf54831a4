// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The parts of a metric whose events cannot all be counted at once: as few as can be
 * found, by first fit in the order of the formula.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/metric/metric.h"
#include "lib/session/session.h"

int session_of_names(struct pmuctl *ctx, const char *const *names, size_t count,
		     struct pmuctl_session **session)
{
	struct pmuctl_event *event;
	size_t i;
	int err = pmuctl_session_new(ctx, session);

	if (err)
		return err;
	for (i = 0; !err && i < count; i++) {
		err = pmuctl_event_parse(ctx, names[i], &event);
		if (err)
			break;
		err = pmuctl_session_add_event(*session, event);
		pmuctl_event_free(event);
	}
	for (i = 0; !err && i < (*session)->nr_events; i++)
		(*session)->events[i].only = (*session)->events[i].counters;
	if (err)
		pmuctl_session_free(*session);
	return err;
}

struct parting {
	struct packing packing;
	uint32_t *parts;
	bool *taken;
	size_t count;
};

static bool fits_beside(const struct packing *packing, struct unit *part, unsigned int event)
{
	if (part->count == UNIT_EVENTS)
		return false;
	part->event[part->count++] = event;
	if (units_fit(packing, part, NULL))
		return true;
	part->count--;
	return false;
}

/* false: nothing that is left fits, not even alone. */
static bool fill_part(struct parting *p, uint32_t number)
{
	struct unit part = { .count = 0 };
	unsigned int i;

	for (i = 0; i < p->count; i++)
		if (!p->taken[i] && fits_beside(&p->packing, &part, i)) {
			p->parts[i] = number;
			p->taken[i] = true;
		}
	return part.count;
}

static size_t left(const struct parting *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->count; i++)
		n += !p->taken[i];
	return n;
}

/* What fits nowhere is left to the session, which says why. */
static uint32_t part(struct parting *p)
{
	uint32_t number = 0;

	while (left(p) && fill_part(p, number))
		number++;
	return left(p) ? number + 1 : number;
}

static int find_parts(struct pmuctl_metric *m, struct parting *p)
{
	struct pmuctl_session *session;
	int err;

	/* On a Pentium 4 what fits depends on tags, which a session gives out. */
	if (m->ctx->facts.backend == BACKEND_P4)
		return 0;
	err = session_of_names(m->ctx, m->info.events, p->count, &session);
	if (err)
		return err;
	p->packing = (struct packing){ .s = session, .available = m->ctx->facts.counters };
	m->info.parts_count = part(p);
	pmuctl_session_free(session);
	return 0;
}

int metric_find_parts(struct pmuctl_metric *m)
{
	struct parting p = { .count = m->info.events_count };
	int err;

	p.parts = calloc(p.count + 1, sizeof(*p.parts));
	p.taken = calloc(p.count + 1, sizeof(*p.taken));
	m->parts = p.parts;
	m->info.parts = m->parts;
	m->info.parts_count = 1;
	if (p.parts && p.taken)
		err = find_parts(m, &p);
	else
		err = fail(m->ctx, -ENOMEM, "out of memory");
	free(p.taken);
	return err;
}
