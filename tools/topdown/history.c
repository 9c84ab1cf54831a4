// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Readings of a session while it counts: their scatter is what the error bars are made of.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/topdown/run.h"

/* With fewer than half of it the error itself would be uncertain. */
#define READINGS 64

static struct pmuctl_topdown_count *reading(const struct topdown_history *h, size_t i)
{
	return h->readings + i * h->events;
}

static int out_of_memory(const struct topdown_run *r)
{
	return complain(r->c.cmd, EXIT_FAILED, "out of memory");
}

int topdown_watch_tallies(const struct topdown_run *r, struct topdown_watch *watch)
{
	unsigned int p;
	int err = 0;

	for (p = 0; !err && p < r->nr_parts; p++)
		if (r->parts[p].plan)
			err = pmuctl_topdown_tally_new(r->parts[p].plan, &watch->tally[p]);
	return err;
}

int topdown_watch_init(struct topdown_run *r, struct topdown_watch *watch)
{
	struct topdown_history *h = &watch->history;

	h->events = r->events;
	/* Behind the readings room for a difference of two, and the sums. */
	h->readings = calloc((READINGS + 2) * (h->events + 1), sizeof(*h->readings));
	if (!h->readings || topdown_watch_tallies(r, watch))
		return out_of_memory(r);
	h->sums = h->readings + (READINGS + 1) * h->events;
	topdown_watch_begin(watch);
	return 0;
}

void topdown_watch_free(struct topdown_watch *watch)
{
	unsigned int p;

	for (p = 0; p < PMUCTL_KINDS_MAX; p++) {
		pmuctl_topdown_tally_free(watch->tally[p]);
		watch->tally[p] = NULL;
	}
	free(watch->history.readings);
	free(watch->history.round);
	watch->history.readings = watch->history.round = NULL;
}

void topdown_watch_reset(struct topdown_watch *watch)
{
	struct topdown_history *h = &watch->history;
	unsigned int p;

	for (p = 0; p < PMUCTL_KINDS_MAX; p++)
		if (watch->tally[p])
			pmuctl_topdown_tally_reset(watch->tally[p]);
	memset(h->sums, 0, h->events * sizeof(*h->sums));
}

void topdown_watch_begin(struct topdown_watch *watch)
{
	struct topdown_history *h = &watch->history;

	memset(h->readings, 0, h->events * sizeof(*h->readings));
	h->count = 1;
}

/* The last one stays the last, so that nothing counted is lost. */
static void thin(struct topdown_history *h)
{
	size_t i, kept = 1;

	for (i = 1 + h->count % 2; i < h->count; i += 2)
		memcpy(reading(h, kept++), reading(h, i), h->events * sizeof(*h->readings));
	h->count = kept;
}

struct taking {
	struct topdown_watch *watch;
	const struct topdown_run *run;
	struct pmuctl_topdown_count *to;
};

static int take(void *data, const struct pmuctl_value *v)
{
	struct taking *t = data;

	t->watch->flags |= v->flags;
	if (v->event < t->run->nr_places)
		t->to[t->run->places[v->event]] =
			(struct pmuctl_topdown_count){ v->value, v->enabled, v->running };
	return 0;
}

/* Without multiplexing the other sets' events have not been counted. */
int topdown_watch_read(struct topdown_run *r, struct topdown_watch *watch, bool *thinned)
{
	struct topdown_history *h = &watch->history;
	struct taking t = { .watch = watch, .run = r };
	int err;

	*thinned = h->count == READINGS;
	if (*thinned)
		thin(h);
	t.to = reading(h, h->count);
	memset(t.to, 0, h->events * sizeof(*h->readings));
	err = pmuctl_session_read(watch->session, take, &t);
	if (err)
		return counting_failed(&r->c, err, "cannot read the counts");
	h->count++;
	return 0;
}

/* ---- rounds: a run for each set ---------------------------------------------------- */

/* Of so many readings behind the first, the one that is as far along as this one of fewer. */
static size_t same_place(size_t i, size_t fewer, size_t many)
{
	return (2 * i * many + fewer) / (2 * fewer);
}

static void add_reading(struct pmuctl_topdown_count *to, const struct pmuctl_topdown_count *from,
			size_t events)
{
	size_t i;

	for (i = 0; i < events; i++) {
		to[i].value += from[i].value;
		to[i].enabled += from[i].enabled;
		to[i].running += from[i].running;
	}
}

/*
 * The runs of a round are of the same program, so that what was counted in the same part
 * of each belongs together: a node whose events are spread over runs has its parts, too.
 */
int topdown_watch_keep(struct topdown_run *r, struct topdown_watch *watch)
{
	struct topdown_history *h = &watch->history;
	size_t size = h->events * sizeof(*h->readings), last = h->count - 1, fewer = last, i;

	if (!h->round)
		h->round = calloc(READINGS, size);
	if (!h->round)
		return out_of_memory(r);
	if (h->round_count && h->round_count - 1 < fewer)
		fewer = h->round_count - 1;
	for (i = 1; i <= fewer; i++) {
		if (h->round_count)
			memmove(h->round + i * h->events, h->round + h->events *
				same_place(i, fewer, h->round_count - 1), size);
		else
			memset(h->round + i * h->events, 0, size);
		add_reading(h->round + i * h->events, reading(h, same_place(i, fewer, last)),
			    h->events);
	}
	h->round_count = fewer + 1;
	return 0;
}

int topdown_watch_end_round(struct topdown_run *r, struct topdown_watch *watch)
{
	struct topdown_history *h = &watch->history;

	if (!h->round_count)
		return 0;
	memcpy(h->readings, h->round, h->round_count * h->events * sizeof(*h->readings));
	h->count = h->round_count;
	h->round_count = 0;
	return topdown_watch_tally(r, watch, r->repeat > 1);
}

/* ---- to the tally ------------------------------------------------------------------ */

/* What came from one reading to the other, to the tally; spare is room for it. */
static int tally(struct topdown_run *r, struct topdown_watch *watch, size_t from, size_t to)
{
	struct topdown_history *h = &watch->history;
	struct pmuctl_topdown_count *spare = reading(h, READINGS);
	const struct pmuctl_topdown_count *a = reading(h, from), *b = reading(h, to);
	unsigned int p;
	int err = 0;
	size_t i;

	for (i = 0; i < h->events; i++) {
		spare[i].value = b[i].value - a[i].value;
		spare[i].enabled = b[i].enabled - a[i].enabled;
		spare[i].running = b[i].running - a[i].running;
	}
	add_reading(h->sums, spare, h->events);
	if (r->tallied)
		r->tallied(r->data, watch, spare);
	for (p = 0; !err && p < r->nr_parts; p++)
		if (watch->tally[p])
			err = pmuctl_topdown_tally_add(watch->tally[p], spare + r->parts[p].first);
	return err ? out_of_memory(r) : 0;
}

int topdown_watch_tally(struct topdown_run *r, struct topdown_watch *watch, bool as_one)
{
	struct topdown_history *h = &watch->history;
	size_t last = h->count - 1, i;
	int code = 0;

	for (i = as_one ? last : 1; !code && i <= last && last; i++)
		code = tally(r, watch, as_one ? 0 : i - 1, i);
	memmove(h->readings, reading(h, last), h->events * sizeof(*h->readings));
	h->count = 1;
	return code;
}
