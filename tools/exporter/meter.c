// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A session of the exporter's, on CPUs or on a control group, and the places that its counts are
 * added to.
 *
 * All of its events are on counters all of the time, so that what is added is exact.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exporter/exporter.h"

const char *const flag_names[FLAGS] = { "incomplete", "disturbed", "guests", "lost" };

static const uint32_t flag_bits[FLAGS] = {
	PMUCTL_VALUE_INCOMPLETE, PMUCTL_VALUE_DISTURBED, PMUCTL_VALUE_GUESTS, PMUCTL_VALUE_LOST,
};

struct meter *meter_new(const char *path)
{
	struct meter *m = calloc(1, sizeof(*m));

	if (m && path && !(m->path = strdup(path))) {
		free(m);
		return NULL;
	}
	return m;
}

void meter_free(struct meter *m)
{
	size_t i;

	for (i = 0; i < m->count; i++) {
		if (!--m->targets[i].place->targets)
			m->targets[i].place->left_ns = now_ns();
		free(m->targets[i].last);
		free(m->targets[i].divided);
	}
	pmuctl_session_free(m->session);
	topdown_watch_free(&m->watch);
	free(m->targets);
	free(m->path);
	free(m);
}

int meter_add(struct meter *m, struct counts *c, unsigned int cpu, struct place *place)
{
	size_t planned = c->nr_events - c->nr_names + 1;
	struct metered *grown = reallocarray(m->targets, m->count + 1, sizeof(*grown));
	struct metered t = { .cpu = cpu, .place = place };

	if (!grown)
		return -ENOMEM;
	m->targets = grown;
	t.last = calloc(c->nr_events + 1, sizeof(*t.last));
	t.divided = calloc(planned, sizeof(*t.divided));
	if (!t.last || !t.divided) {
		free(t.last);
		free(t.divided);
		return -ENOMEM;
	}
	grown[m->count++] = t;
	place->targets++;
	return 0;
}

int counts_keep(struct counts *c, struct meter *m)
{
	struct meter **grown = reallocarray(c->meters, c->nr_meters + 1, sizeof(struct meter *));

	if (!grown)
		return -ENOMEM;
	c->meters = grown;
	grown[c->nr_meters++] = m;
	return 0;
}

size_t counts_sessions(const struct counts *c)
{
	size_t i, count = 0;

	for (i = 0; i < c->nr_meters; i++)
		count += c->meters[i]->session != NULL;
	return count;
}

void counts_drop(struct counts *c, size_t i)
{
	meter_free(c->meters[i]);
	c->nr_meters--;
	memmove(&c->meters[i], &c->meters[i + 1], (c->nr_meters - i) * sizeof(struct meter *));
}

/* ---- the session --------------------------------------------------------------------------- */

static int begin(struct meter *m, struct counts *c, int fd)
{
	int err = pmuctl_session_new(c->ctx, &m->session);
	size_t i;

	if (!err)
		err = counts_into_session(c, m->session);
	if (!err && m->path)
		err = pmuctl_session_add_cgroup(m->session, fd);
	for (i = 0; !err && !m->path && i < m->count; i++)
		err = pmuctl_session_add_cpu(m->session, m->targets[i].cpu);
	if (!err)
		err = pmuctl_session_create(m->session, 0);
	if (!err)
		err = pmuctl_session_start(m->session);
	return err ? err : topdown_watch_tallies(&c->topdown, &m->watch);
}

/* The library's next call, be it an end, has another reason or none. */
static int keep_reason(struct counts *c, int err)
{
	if (err)
		snprintf(c->reason, sizeof(c->reason), "%s", pmuctl_error(c->ctx));
	return err;
}

int meter_begin(struct meter *m, struct counts *c, int fd)
{
	return keep_reason(c, begin(m, c, fd));
}

void meter_end(struct meter *m, struct counts *c)
{
	size_t i, planned = c->nr_events - c->nr_names;

	pmuctl_session_free(m->session);
	topdown_watch_free(&m->watch);
	m->session = NULL;
	for (i = 0; i < m->count; i++) {
		memset(m->targets[i].last, 0, c->nr_events * sizeof(*m->targets[i].last));
		memset(m->targets[i].divided, 0, planned * sizeof(*m->targets[i].divided));
	}
}

/* ---- reading ------------------------------------------------------------------------------- */

struct reading {
	struct meter *m;
	struct counts *c;
	size_t at;		/* the target of the last value */
};

/* Values of an event come in the order of the CPUs. */
static struct metered *find_target(struct reading *r, int cpu)
{
	struct meter *m = r->m;
	size_t i;

	if (cpu < 0)
		return m->count ? m->targets : NULL;
	for (i = 0; i < m->count; i++) {
		r->at = (r->at + 1) % m->count;
		if (m->targets[r->at].cpu == (unsigned int)cpu)
			return &m->targets[r->at];
	}
	return NULL;
}

static void note_flags(struct reading *r, uint32_t flags)
{
	size_t i;

	for (i = 0; i < FLAGS; i++)
		r->c->flagged[i] += !!(flags & flag_bits[i]);
	r->m->lost |= !!(flags & PMUCTL_VALUE_LOST);
}

static int take(void *data, const struct pmuctl_value *v)
{
	struct reading *r = data;
	struct metered *t = find_target(r, v->cpu);
	struct pmuctl_topdown_count *last;

	if (!t || v->event >= r->c->nr_events)
		return 0;
	last = &t->last[v->event];
	if (v->event < r->c->nr_names) {
		note_flags(r, v->flags);
		t->place->totals[v->event] += v->value - last->value;
		t->place->known[v->event] = true;
	}
	if (r->c->timed[v->event])
		t->running += v->running - last->running;
	t->seen = true;
	*last = (struct pmuctl_topdown_count){ v->value, v->enabled, v->running };
	return 0;
}

/* ---- how slots divide ---------------------------------------------------------------------- */

/* ns: the time on cores of that kind. */
static bool divide(struct meter *m, struct counts *c, struct metered *t, unsigned int part,
		   uint64_t ns)
{
	const struct pmuctl_topdown_result *results = topdown_results(&c->topdown, &m->watch, part);
	const size_t *nodes = c->nodes[part];
	size_t i;

	for (i = 0; i < CATEGORIES; i++)
		if (!results || results[nodes[i]].why_not)
			return false;
	for (i = 0; i < CATEGORIES; i++)
		t->place->divided_ns[i] += (uint64_t)((double)ns * results[nodes[i]].value / 100);
	t->place->divided = true;
	return true;
}

/* Where too little was counted for shares it waits for the next reading. */
static void divide_part(struct meter *m, struct counts *c, struct metered *t, unsigned int part)
{
	const struct topdown_part *p = &c->topdown.parts[part];
	const struct pmuctl_topdown_count *now = t->last + c->nr_names + p->first;
	struct pmuctl_topdown_count *before = t->divided + p->first;
	size_t count = pmuctl_topdown_events(p->plan), i;
	struct pmuctl_topdown_count *between = calloc(count + 1, sizeof(*between));

	for (i = 0; between && i < count; i++)
		between[i] = (struct pmuctl_topdown_count){
			now[i].value - before[i].value, now[i].enabled - before[i].enabled,
			now[i].running - before[i].running,
		};
	if (between && between[0].running) {
		pmuctl_topdown_tally_reset(m->watch.tally[part]);
		if (!pmuctl_topdown_tally_add(m->watch.tally[part], between) &&
		    divide(m, c, t, part, between[0].running))
			memcpy(before, now, count * sizeof(*now));
	}
	free(between);
}

static void divide_slots(struct meter *m, struct counts *c, struct metered *t)
{
	unsigned int p;

	for (p = 0; p < c->topdown.nr_parts; p++)
		divide_part(m, c, t, p);
}

int meter_read(struct meter *m, struct counts *c)
{
	struct reading r = { .m = m, .c = c };
	size_t i;
	int err;

	for (i = 0; i < m->count; i++) {
		m->targets[i].seen = false;
		m->targets[i].running = 0;
	}
	err = keep_reason(c, (m->path ? pmuctl_session_read : pmuctl_session_read_each)
			  (m->session, take, &r));
	for (i = 0; i < m->count; i++) {
		if (!m->targets[i].seen)
			continue;
		m->targets[i].place->counted_ns += m->targets[i].running;
		if (!err)
			divide_slots(m, c, &m->targets[i]);
	}
	if (err || !m->lost)
		return err;
	snprintf(c->reason, sizeof(c->reason), "somebody with more privilege took the counters");
	return -EBUSY;
}
