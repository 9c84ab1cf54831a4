// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting by a plan of Top-Down: all its sets in turns, or a run for each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/signals.h"
#include "tools/topdown/run.h"

/*
 * Between readings, ms: at first, and of how many an interval of output is made.  The library
 * puts them together until each set has had its turn.
 */
#define TICK_MS 50
#define TICKS 8

/*
 * ns that a set stays on; fewer where intervals are shown that are to have several rounds.
 * Each turn is an interrupt, of which the task's counts have the way in and out and what
 * those took from its caches: where they are slow (the box) turns of 1 ms make a program
 * look bound by the front end that is not.
 */
#define TURN_NS 16000000ull
#define TURN_LEAST_NS 1000000ull
#define ROUNDS 4

/* ---- what is counted ---------------------------------------------------------------- */

/* A set, and in which run and where it is counted. */
struct topdown_turn {
	const struct pmuctl_topdown_set *set;
	const struct topdown_part *part;	/* NULL: it is besides */
	size_t run;		/* without multiplexing; sets of different parts share one */
	size_t first;		/* where its counts begin in a reading */
};

static void list_turn(struct topdown_run *r, const struct topdown_part *part, size_t run,
		      const struct pmuctl_topdown_set *set)
{
	r->turns[r->nr_turns++] = (struct topdown_turn){ set, part, run, r->events };
	r->events += set->events_count;
}

int topdown_list_turns(struct topdown_run *r)
{
	size_t i, count = r->nr_more, runs = 0;
	unsigned int p;

	for (p = 0; p < r->nr_parts; p++)
		count += topdown_part_sets(&r->parts[p]);
	r->turns = calloc(count + 1, sizeof(*r->turns));
	if (!r->turns)
		return -ENOMEM;
	for (p = 0; p < r->nr_parts; p++) {
		r->parts[p].first = r->events;
		for (i = 0; i < topdown_part_sets(&r->parts[p]); i++)
			list_turn(r, &r->parts[p], i, topdown_part_set(&r->parts[p], i));
		if (i > runs)
			runs = i;
	}
	for (i = 0; i < r->nr_more; i++)
		list_turn(r, NULL, runs + i, &r->more[i]);
	r->places = calloc(r->events + 1, sizeof(*r->places));
	return r->places ? 0 : -ENOMEM;
}

static bool is_counted_now(const struct topdown_run *r, const struct topdown_turn *turn)
{
	return !r->c.no_multiplex || turn->run == r->set;
}

static int make_event(const struct topdown_run *r, const struct topdown_turn *turn,
		      const char *text, struct pmuctl_event **event)
{
	if (turn->part && turn->part->kind)
		return pmuctl_event_parse_kind(r->c.ctx, turn->part->number, text, event);
	return pmuctl_event_parse(r->c.ctx, text, event);
}

static int add_set(struct topdown_run *r, const struct topdown_turn *turn,
		   struct pmuctl_session *session)
{
	const struct pmuctl_topdown_set *set = turn->set;
	struct pmuctl_event **events = calloc(set->events_count + 1, sizeof(struct pmuctl_event *));
	int err = events ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !err && i < set->events_count; i++) {
		err = make_event(r, turn, set->events[i], &events[i]);
		r->places[r->nr_places++] = turn->first + i;
	}
	if (!err)
		err = pmuctl_session_add_group(session, events, set->events_count);
	for (i = 0; events && i < set->events_count; i++)
		pmuctl_event_free(events[i]);
	free(events);
	return err;
}

int topdown_add_alone(struct topdown_run *r, struct pmuctl_session *session)
{
	struct pmuctl_event *event;
	size_t i, k;
	int err = 0;

	for (i = 0; i < r->nr_turns; i++)
		for (k = 0; !err && k < r->turns[i].set->events_count; k++) {
			err = make_event(r, &r->turns[i], r->turns[i].set->events[k], &event);
			if (err)
				break;
			err = pmuctl_session_add_event(session, event);
			pmuctl_event_free(event);
		}
	return err;
}

/* Each kind of core has turns of its own. */
static size_t most_sets(const struct topdown_run *r)
{
	size_t most = r->nr_more;
	unsigned int p;

	for (p = 0; p < r->nr_parts; p++)
		if (topdown_part_sets(&r->parts[p]) + r->nr_more > most)
			most = topdown_part_sets(&r->parts[p]) + r->nr_more;
	return most ? most : 1;
}

static uint64_t turn_ns(const struct topdown_run *r, size_t sets)
{
	uint64_t ns = r->interval ? r->interval * 1000000ull / (ROUNDS * sets) : TURN_NS;

	if (ns > TURN_NS)
		return TURN_NS;
	return ns < TURN_LEAST_NS ? TURN_LEAST_NS : ns;
}

int topdown_add_events(void *run, struct pmuctl_session *session)
{
	struct topdown_run *r = run;
	int err = 0;
	size_t i;

	r->nr_places = 0;
	if (!r->c.no_multiplex)
		err = pmuctl_session_set_interval(session, turn_ns(r, most_sets(r)));
	for (i = 0; !err && i < r->nr_turns; i++)
		if (is_counted_now(r, &r->turns[i]))
			err = add_set(r, &r->turns[i], session);
	return err;
}

/* ---- one run ----------------------------------------------------------------------- */

/* Of all of it, or of each task. */
static struct topdown_watch *watched(struct topdown_run *r, size_t i)
{
	if (r->per_task)
		return topdown_task(r, i);
	return i ? NULL : &r->whole;
}

static int read_all(struct topdown_run *r, bool *thinned)
{
	struct topdown_watch *watch;
	bool one = false;
	int code = 0;
	size_t i;

	*thinned = false;
	for (i = 0; !code && (watch = watched(r, i)); i++) {
		if (watch->session)
			code = topdown_watch_read(r, watch, &one);
		*thinned |= one;
	}
	return code;
}

/* Runs are compared with each other, if there are several; else parts of the one. */
static int tally_all(struct topdown_run *r)
{
	struct topdown_watch *watch;
	int code = 0;
	size_t i;

	for (i = 0; !code && (watch = watched(r, i)); i++)
		code = topdown_watch_tally(r, watch, r->repeat > 1);
	return code;
}

/* Those that passed before somebody had time to end them, and this one if it cannot end. */
static void count_missed(struct topdown_run *r, bool held_up)
{
	uint64_t now = now_ns(), length = r->interval * 1000000ull;

	if (now > r->due_ns)
		r->missed += (now - r->due_ns) / length;
	r->missed += held_up;
	r->due_ns = now + length;
}

static int end_interval(struct topdown_run *r, bool last)
{
	struct topdown_watch *watch;
	bool held_up = !last && r->held_up && r->held_up(r->data);
	int code;
	size_t i;

	count_missed(r, held_up);
	if (held_up)
		return 0;
	code = tally_all(r);
	if (!code)
		code = r->interval_over(r->data);
	for (i = 0; (watch = watched(r, i)); i++)
		topdown_watch_reset(watch);
	return code;
}

static int tick(void *run)
{
	struct topdown_run *r = run;
	bool thinned;
	int code = read_all(r, &thinned);

	if (!code && r->interval && now_ns() + r->c.interval * 500000ull >= r->due_ns)
		return end_interval(r, false);
	/* A long run is read less and less often. */
	if (thinned && r->c.interval < 1000000)
		r->c.interval *= 2;
	return code;
}

static void begin_ticks(struct topdown_run *r)
{
	r->c.interval = TICK_MS;
	if (r->interval && r->interval / TICKS < TICK_MS)
		r->c.interval = r->interval / TICKS ? r->interval / TICKS : 1;
	r->due_ns = now_ns() + (r->c.delay + r->interval) * 1000000ull;
}

static int begin(struct topdown_run *r)
{
	int code = 0;

	/* Of a command the first task's session begins with its exec. */
	if (!r->per_task || r->c.targets->kind == TARGET_COMMAND)
		code = counting_make(&r->c);
	r->whole.session = r->c.session;
	topdown_watch_begin(&r->whole);
	if (!code && r->per_task)
		code = topdown_tasks_begin(r);
	begin_ticks(r);
	return code;
}

/* A run for each set: of a command, without intervals or tasks. */
size_t topdown_runs_of_round(const struct topdown_run *r)
{
	size_t runs = 1, i;

	for (i = 0; r->c.no_multiplex && i < r->nr_turns; i++)
		if (r->turns[i].run >= runs)
			runs = r->turns[i].run + 1;
	return runs;
}

static int finish(struct topdown_run *r)
{
	bool thinned;
	int code = counting_stop(&r->c);

	if (!code)
		code = read_all(r, &thinned);
	if (code || r->warming)
		return code;
	if (topdown_runs_of_round(r) > 1)
		return topdown_watch_keep(r, &r->whole);
	return r->interval ? end_interval(r, true) : tally_all(r);
}

static int run_once(struct topdown_run *r)
{
	int code = command_fork(r->c.cmd, r->c.command, &r->c.child);

	if (!code)
		code = begin(r);
	if (!code) {
		signals_catch(r->c.child.pid);
		code = counting_wait(&r->c);
	}
	if (!code)
		code = finish(r);
	topdown_tasks_end(r);
	counting_free(&r->c);
	r->whole.session = NULL;
	return code;
}

/* ---- all runs ------------------------------------------------------------------------ */

/* Every set once, each in a run of its own if they may not take turns. */
static int run_sets(struct topdown_run *r)
{
	size_t runs = topdown_runs_of_round(r);
	int code = 0;

	for (r->set = 0; !code && r->set < runs && !signals_seen(); r->set++)
		code = run_once(r);
	r->runs += !code && r->set == runs;
	return code ? code : topdown_watch_end_round(r, &r->whole);
}

/*
 * The first run of a program is not like the others: files, caches and predictors are cold.  It
 * would be the one of a set, and that set's nodes those of another program.
 */
static int warm_up(struct topdown_run *r)
{
	int code = 0;

	r->warming = topdown_runs_of_round(r) > 1;
	if (r->warming)
		code = run_once(r);
	r->warming = false;
	return code;
}

static int prepare(struct topdown_run *r)
{
	if (!r->turns && topdown_list_turns(r))
		return complain(r->c.cmd, EXIT_FAILED, "out of memory");
	r->c.add = topdown_add_events;
	r->c.tick = tick;
	r->c.data = r;
	return topdown_watch_init(r, &r->whole);
}

int topdown_count(struct topdown_run *r)
{
	unsigned int i;
	int code = prepare(r);

	if (!code)
		code = warm_up(r);
	for (i = 0; !code && i < (r->repeat ? r->repeat : 1) && !signals_seen(); i++)
		code = run_sets(r);
	return code;
}

static size_t most_nodes(const struct topdown_run *r)
{
	size_t most = 0;
	unsigned int p;

	for (p = 0; p < r->nr_parts; p++)
		if (r->parts[p].plan && pmuctl_topdown_nodes(r->parts[p].plan) > most)
			most = pmuctl_topdown_nodes(r->parts[p].plan);
	return most;
}

const struct pmuctl_topdown_result *topdown_results(struct topdown_run *r,
						    struct topdown_watch *watch, unsigned int part)
{
	if (!r->results)
		r->results = calloc(most_nodes(r) + 1, sizeof(*r->results));
	if (r->results && !pmuctl_topdown_results(watch->tally[part], r->results))
		return r->results;
	complain(r->c.cmd, 0, "out of memory");
	return NULL;
}

void topdown_run_free(struct topdown_run *r)
{
	child_close(&r->c.child);
	topdown_tasks_free(r);
	topdown_watch_free(&r->whole);
	counting_free(&r->c);
	topdown_parts_free(r);
	free(r->turns);
	free(r->places);
	free(r->results);
}
