// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down's level 1 of the tasks that have most samples: a session that counts for each of them,
 * while that view is shown.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/topdown/run.h"
#include "tools/top/top.h"

/* So many at a time: each is a session, which costs at every switch of its task. */
#define TASKS_MAX 32

struct share_task {
	uint32_t tid;
	bool wanted;
	struct pmuctl_session *session;		/* NULL: it cannot be counted */
	struct pmuctl_topdown_tally *tally;
	struct pmuctl_topdown_count *counts;	/* now, before, and in between */
	bool known;
	double shares[SHARES];
};

struct top_shares {
	struct topdown_run run;		/* its plan; NULL: there is none here */
	size_t events, nodes;
	size_t node[SHARES];
	struct pmuctl_topdown_result *results;
	struct share_task tasks[TASKS_MAX];
	size_t count;
	char why[256];
};

static void keep_why(struct top_shares *s)
{
	if (!s->why[0])
		snprintf(s->why, sizeof(s->why), "%s", pmuctl_error(s->run.c.ctx));
}

/* By their names; 0 as well if the plan has not all of them. */
static bool find_nodes(struct top_shares *s)
{
	static const char *const names[SHARES] = {
		"Retiring", "Bad_Speculation", "Frontend_Bound", "Backend_Bound",
	};
	size_t i;

	for (i = 0; i < SHARES; i++) {
		s->node[i] = topdown_node_named(s->run.plan, names[i]);
		if (s->node[i] == s->nodes)
			return false;
	}
	return true;
}

struct top_shares *top_shares_open(struct pmuctl *ctx, bool user_only)
{
	const struct pmuctl_topdown_options options = {
		.size = sizeof(options), .levels = 1, .tasks = true, .ring = user_only ? "u" : NULL,
		.unprivileged = user_only,
	};
	struct top_shares *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->run.c.ctx = ctx;
	if (pmuctl_topdown_new(ctx, &options, &s->run.plan)) {
		s->run.plan = NULL;
		keep_why(s);
		return s;
	}
	s->events = pmuctl_topdown_events(s->run.plan);
	s->nodes = pmuctl_topdown_nodes(s->run.plan);
	s->results = calloc(s->nodes + 1, sizeof(*s->results));
	if (s->results && find_nodes(s))
		return s;
	top_shares_close(s);
	return NULL;
}

static void free_task(struct share_task *task)
{
	pmuctl_session_free(task->session);
	pmuctl_topdown_tally_free(task->tally);
	free(task->counts);
}

void top_shares_close(struct top_shares *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->count; i++)
		free_task(&s->tasks[i]);
	pmuctl_topdown_free(s->run.plan);
	free(s->results);
	free(s);
}

static struct share_task *find(const struct top_shares *s, uint32_t tid)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->tasks[i].tid == tid)
			return (struct share_task *)(uintptr_t)&s->tasks[i];
	return NULL;
}

const double *top_shares_of(const struct top_shares *s, uint32_t tid)
{
	const struct share_task *task = find(s, tid);

	return task && task->known ? task->shares : NULL;
}

/* Kernel threads cannot be counted: where others are, that is no news. */
const char *top_shares_why_not(const struct top_shares *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->tasks[i].session)
			return NULL;
	return s->why[0] ? s->why : NULL;
}

/* ---- a task's session ----------------------------------------------------------------------- */

static int open_session(struct top_shares *s, struct share_task *task)
{
	int err = pmuctl_session_new(s->run.c.ctx, &task->session);

	if (!err)
		err = topdown_add_events(&s->run, task->session);
	if (!err)
		err = pmuctl_session_add_thread(task->session, (int)task->tid);
	if (!err)
		err = pmuctl_session_create(task->session, PMUCTL_MULTIPLEX);
	return err ? err : pmuctl_session_start(task->session);
}

/* One that has ended is nothing to speak of; one that is refused is not asked for again. */
static void add_task(struct top_shares *s, uint32_t tid)
{
	struct share_task *task = &s->tasks[s->count++];
	int err;

	*task = (struct share_task){ .tid = tid, .wanted = true };
	task->counts = calloc(3 * (s->events + 1), sizeof(*task->counts));
	err = task->counts ? pmuctl_topdown_tally_new(s->run.plan, &task->tally) : -ENOMEM;
	if (!err)
		err = open_session(s, task);
	if (!err)
		return;
	if (err != -ESRCH)
		keep_why(s);
	pmuctl_session_free(task->session);
	task->session = NULL;
}

/* ---- what was counted ----------------------------------------------------------------------- */

struct reading {
	const struct top_shares *s;
	struct pmuctl_topdown_count *to;
};

static int take(void *data, const struct pmuctl_value *v)
{
	const struct reading *r = data;

	if (v->event < r->s->events)
		r->to[v->event] = (struct pmuctl_topdown_count){ v->value, v->enabled, v->running };
	return 0;
}

static void tell(struct top_shares *s, struct share_task *task)
{
	const struct pmuctl_topdown_result *result;
	size_t i;

	if (pmuctl_topdown_results(task->tally, s->results))
		return;
	for (i = 0; i < SHARES; i++) {
		result = &s->results[s->node[i]];
		if (result->why_not)
			return;
		task->shares[i] = result->value;
	}
	task->known = true;
}

/* If it has not run since, or the look before was just now, there are no shares of that. */
static bool has_counted(const struct top_shares *s, const struct pmuctl_topdown_count *now,
			const struct pmuctl_topdown_count *before)
{
	size_t i;

	for (i = 0; i < s->events; i++)
		if (now[i].value != before[i].value)
			return true;
	return false;
}

static void read_task(struct top_shares *s, struct share_task *task)
{
	struct pmuctl_topdown_count *now = task->counts, *before = now + s->events;
	struct pmuctl_topdown_count *between = before + s->events;
	struct reading r = { s, now };
	size_t i;

	if (!task->session || pmuctl_session_read(task->session, take, &r))
		return;
	if (!has_counted(s, now, before))
		return;
	task->known = false;
	for (i = 0; i < s->events; i++)
		between[i] = (struct pmuctl_topdown_count){
			now[i].value - before[i].value, now[i].enabled - before[i].enabled,
			now[i].running - before[i].running,
		};
	memcpy(before, now, s->events * sizeof(*now));
	pmuctl_topdown_tally_reset(task->tally);
	if (!pmuctl_topdown_tally_add(task->tally, between))
		tell(s, task);
}

/* ---- whom ----------------------------------------------------------------------------------- */

struct candidate {
	double samples;
	uint32_t tid;
};

static int by_samples(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* Who runs when nobody does is no task, and cannot be counted as one. */
static struct candidate *find_candidates(const struct top_profile *p, unsigned int event,
					 size_t *count)
{
	struct candidate *all = calloc(p->tasks.count + 1, sizeof(*all));
	size_t i;

	*count = 0;
	for (i = 0; all && i < p->tasks.slots_count; i++) {
		const struct top_sum *sum = p->tasks.slots[i];

		if (sum && sum->key.b && sum->key.b < UINT32_MAX &&
		    sum->weights[event].samples > 0)
			all[(*count)++] = (struct candidate){
				sum->weights[event].samples, (uint32_t)sum->key.b,
			};
	}
	if (all)
		qsort(all, *count, sizeof(*all), by_samples);
	return all;
}

static void drop_unwanted(struct top_shares *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->count; i++)
		if (s->tasks[i].wanted)
			s->tasks[kept++] = s->tasks[i];
		else
			free_task(&s->tasks[i]);
	s->count = kept;
}

void top_shares_turn(struct top_shares *s, const struct top_profile *p, unsigned int event)
{
	struct candidate *all;
	size_t i, count;

	if (!s->run.plan)
		return;
	all = find_candidates(p, event, &count);
	if (!all)
		return;
	if (count > TASKS_MAX)
		count = TASKS_MAX;
	for (i = 0; i < s->count; i++) {
		read_task(s, &s->tasks[i]);
		s->tasks[i].wanted = false;
	}
	for (i = 0; i < count; i++)
		if (find(s, all[i].tid))
			find(s, all[i].tid)->wanted = true;
	drop_unwanted(s);
	for (i = 0; i < count; i++)
		if (!find(s, all[i].tid))
			add_task(s, all[i].tid);
	free(all);
}
