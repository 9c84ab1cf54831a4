// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the command has at all of what instructions may be waiting for: counted in one run, so that
 * nothing is sampled that does not matter.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/pmuctl-cost.h"
#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/run/signals.h"

/*
 * Names of rows of costs or portable ones, and how many cycles one of it takes at the most: what
 * would be too little even so is not worth a run.
 */
static const struct {
	const char *name;
	double most;
} rows[CLUES] = {
	[CLUE_MISSES] = { "l1d-load-misses", 400 },
	[CLUE_SPLITS] = { "split-loads", 40 },
	[CLUE_ALIASES] = { "aliased-loads", 40 },
	[CLUE_BLOCKS] = { "blocked-loads", 40 },
	[CLUE_MISPREDICTIONS] = { "branch-misses", 100 },
};

/* Of all cycles. */
#define MATTERS 0.02

/* ---- names ---------------------------------------------------------------------------------- */

static int take_cost(void *data, const struct pmuctl_cost *cost)
{
	struct advise *a = data;
	size_t i;

	for (i = 0; i < CLUES; i++) {
		if (strcmp(cost->name, rows[i].name) != 0)
			continue;
		a->clues[i].cycles = cost->cycles;
		a->clues[i].covers = cost->covers;
		a->clues[i].event = strdup(cost->event);
		if (!a->clues[i].event)
			return -ENOMEM;
	}
	return 0;
}

/*
 * What a blocked load costs is by a published figure alone: without one no remedy would be worth
 * anything.  Misses and mispredictions are measured.
 */
static bool lacks_figure(const struct advise *a, size_t clue)
{
	return (clue == CLUE_ALIASES || clue == CLUE_BLOCKS) && a->clues[clue].event &&
	       a->clues[clue].cycles <= 0;
}

static int name_events(struct advise *a)
{
	size_t i;
	int err = pmuctl_list_costs(a->ctx, take_cost, a);

	if (err && err != -EOPNOTSUPP)
		return complain(a->cmd, EXIT_FAILED, "%s", pmuctl_error(a->ctx));
	/* A second access, of which nobody has published more. */
	a->clues[CLUE_SPLITS].cycles = a->load_cycles;
	for (i = 0; i < CLUES; i++) {
		a->clues[i].most = rows[i].most;
		if (lacks_figure(a, i))
			a->clues[i].why_not = strdup("nobody has published what one costs on this "
						     "processor");
		if (!a->clues[i].event)
			a->clues[i].event = strdup(rows[i].name);
		if (!a->clues[i].event)
			return complain(a->cmd, EXIT_FAILED, "out of memory");
	}
	return 0;
}

/* ---- the run -------------------------------------------------------------------------------- */

struct count_run {
	struct advise *a;
	struct events events;
	struct targets targets;
	struct counting c;
	double *to[2 + CLUES];		/* where an event's count goes */
};

static int add_to_session(void *data, struct pmuctl_session *session)
{
	return events_into_session(&((struct count_run *)data)->events, session);
}

/* An event that this processor has not is left out, and the reason kept. */
static int add_event(struct count_run *r, const char *event, double *count, char **why_not)
{
	char *text = event_in_ring(event, r->a->ring, "");
	size_t before = r->events.count;
	int code;

	if (!text)
		return complain(r->a->cmd, EXIT_FAILED, "out of memory");
	code = events_try(r->a->ctx, r->a->cmd, text, &r->events);
	free(text);
	if (!code && r->events.count > before)
		r->to[before] = count;
	else if (!code && why_not)
		*why_not = strdup("this processor has no event of it");
	return code;
}

static int add_events(struct count_run *r)
{
	struct advise *a = r->a;
	int code = add_event(r, "cycles", &a->cycles, NULL);
	size_t i;

	if (!code)
		code = add_event(r, "instructions", &a->instructions, NULL);
	for (i = 0; !code && i < CLUES; i++)
		if (!a->clues[i].why_not)
			code = add_event(r, a->clues[i].event, &a->clues[i].count,
					 &a->clues[i].why_not);
	return code;
}

static int take_value(void *data, const struct pmuctl_value *v)
{
	struct count_run *r = data;

	if (v->event < ARRAY_SIZE(r->to) && r->to[v->event])
		*r->to[v->event] = (double)counting_estimate(v->value, v->enabled, v->running);
	if (!v->event)
		r->a->seconds = (double)v->running / 1e9;
	return 0;
}

static int run(struct count_run *r)
{
	struct advise *a = r->a;
	int err, code = side_fork(a->cmd, &a->side, &a->runs_with.cpu, -1, &r->c.child);

	if (!code)
		code = counting_make(&r->c);
	if (code)
		return code;
	signals_catch(r->c.child.pid);
	code = counting_wait(&r->c);
	if (code)
		return code;
	if (signals_seen())
		return complain(a->cmd, EXIT_FAILED, "interrupted, before there was any advice");
	err = pmuctl_session_read(r->c.session, take_value, r);
	return err ? counting_failed(&r->c, err, "cannot read the counts") : 0;
}

int advise_count(struct advise *a)
{
	struct count_run r = { .a = a, .targets.kind = TARGET_COMMAND };
	int code = name_events(a);
	size_t i;

	r.c = (struct counting){
		.cmd = a->cmd, .ctx = a->ctx, .targets = &r.targets, .command = a->command,
		.add = add_to_session, .data = &r,
	};
	if (!code)
		code = add_events(&r);
	if (!code)
		code = run(&r);
	child_close(&r.c.child);
	counting_free(&r.c);
	events_free(&r.events);
	for (i = 0; i < CLUES; i++)
		a->clues[i].seen = a->clues[i].count * rows[i].most >= MATTERS * a->cycles;
	return code;
}
