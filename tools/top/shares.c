// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down's level 1 of the tasks that have most samples: a session that counts for each of them,
 * while that view is shown.  On several kinds of cores it is by the time on each.
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
	struct topdown_watch watch;		/* for its tallies */
	struct pmuctl_topdown_count *counts;	/* now, before, and in between */
	bool known;
	double shares[SHARES];
};

struct top_shares {
	struct topdown_run run;		/* what is counted of each task; no parts: nothing is */
	size_t node[PMUCTL_KINDS_MAX][SHARES];
	struct share_task tasks[TASKS_MAX];
	size_t count;
	char why[256];
};

static void keep_why(struct top_shares *s, const struct pmuctl *ctx)
{
	if (!s->why[0])
		snprintf(s->why, sizeof(s->why), "%s", pmuctl_error(ctx));
}

/* By their names; false if a plan has not all of them. */
static bool find_nodes(struct top_shares *s)
{
	static const char *const names[SHARES] = {
		"Retiring", "Bad_Speculation", "Frontend_Bound", "Backend_Bound",
	};
	const struct pmuctl_topdown *plan;
	unsigned int p;
	size_t i;

	for (p = 0; p < s->run.nr_parts; p++)
		for (i = 0; i < SHARES; i++) {
			plan = s->run.parts[p].plan;
			s->node[p][i] = topdown_node_named(plan, names[i]);
			if (s->node[p][i] == pmuctl_topdown_nodes(plan))
				return false;
		}
	return true;
}

static bool plan_part(struct top_shares *s, struct pmuctl *ctx,
		      const struct pmuctl_topdown_options *options)
{
	if (pmuctl_topdown_new(ctx, options, &s->run.parts[s->run.nr_parts].plan)) {
		keep_why(s, ctx);
		topdown_parts_free(&s->run);
		return false;
	}
	s->run.nr_parts++;
	return true;
}

/* One for each kind of core, or for none: a task may go to any of them. */
static bool make_plans(struct top_shares *s, const struct pmuctl_topdown_options *options)
{
	unsigned int k;

	kinds_find(s->run.c.ctx, &s->run.kinds);
	for (k = 0; k < s->run.kinds.count; k++) {
		s->run.parts[k].kind = &s->run.kinds.list[k];
		s->run.parts[k].number = k;
		if (!plan_part(s, s->run.kinds.list[k].ctx, options))
			return false;
	}
	return s->run.kinds.count || plan_part(s, s->run.c.ctx, options);
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
	s->run.c = (struct counting){ .cmd = "top", .ctx = ctx };
	if (!make_plans(s, &options))
		return s;
	if (find_nodes(s) && !topdown_list_turns(&s->run))
		return s;
	top_shares_close(s);
	return NULL;
}

static void free_task(struct share_task *task)
{
	pmuctl_session_free(task->session);
	topdown_watch_free(&task->watch);
	free(task->counts);
}

void top_shares_close(struct top_shares *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->count; i++)
		free_task(&s->tasks[i]);
	topdown_run_free(&s->run);
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
	task->counts = calloc(3 * (s->run.events + 1), sizeof(*task->counts));
	err = task->counts ? topdown_watch_tallies(&s->run, &task->watch) : -ENOMEM;
	if (!err)
		err = open_session(s, task);
	if (!err)
		return;
	if (err != -ESRCH)
		keep_why(s, s->run.c.ctx);
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

	if (v->event < r->s->run.nr_places)
		r->to[r->s->run.places[v->event]] =
			(struct pmuctl_topdown_count){ v->value, v->enabled, v->running };
	return 0;
}

/* Of one part, with the time there as the weight; false: too little was counted. */
static bool add_part(struct top_shares *s, struct share_task *task, unsigned int part, double ns,
		     double *shares)
{
	const struct pmuctl_topdown_result *results = topdown_results(&s->run, &task->watch, part);
	size_t i;

	for (i = 0; i < SHARES; i++) {
		if (!results || results[s->node[part][i]].why_not)
			return false;
		shares[i] += ns * results[s->node[part][i]].value;
	}
	return true;
}

static void tell(struct top_shares *s, struct share_task *task,
		 const struct pmuctl_topdown_count *between)
{
	double shares[SHARES] = { 0 }, all = 0, ns;
	unsigned int p;
	size_t i;

	for (p = 0; p < s->run.nr_parts; p++) {
		ns = (double)between[s->run.parts[p].first].enabled;
		if (ns > 0 && !add_part(s, task, p, ns, shares))
			return;
		all += ns;
	}
	for (i = 0; i < SHARES && all > 0; i++)
		task->shares[i] = shares[i] / all;
	task->known = all > 0;
}

/* If it has not run since, or the look before was just now, there are no shares of that. */
static bool has_counted(const struct top_shares *s, const struct pmuctl_topdown_count *now,
			const struct pmuctl_topdown_count *before)
{
	size_t i;

	for (i = 0; i < s->run.events; i++)
		if (now[i].value != before[i].value)
			return true;
	return false;
}

static void tally(struct top_shares *s, struct share_task *task,
		  const struct pmuctl_topdown_count *between)
{
	unsigned int p;

	for (p = 0; p < s->run.nr_parts; p++) {
		pmuctl_topdown_tally_reset(task->watch.tally[p]);
		if (pmuctl_topdown_tally_add(task->watch.tally[p],
					     between + s->run.parts[p].first))
			return;
	}
	tell(s, task, between);
}

static void read_task(struct top_shares *s, struct share_task *task)
{
	size_t events = s->run.events, i;
	struct pmuctl_topdown_count *now = task->counts, *before = now + events;
	struct pmuctl_topdown_count *between = before + events;
	struct reading r = { s, now };

	if (!task->session || pmuctl_session_read(task->session, take, &r))
		return;
	if (!has_counted(s, now, before))
		return;
	task->known = false;
	for (i = 0; i < events; i++)
		between[i] = (struct pmuctl_topdown_count){
			now[i].value - before[i].value, now[i].enabled - before[i].enabled,
			now[i].running - before[i].running,
		};
	memcpy(before, now, events * sizeof(*now));
	tally(s, task, between);
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

	if (!s->run.nr_turns)
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
