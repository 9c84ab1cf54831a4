// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs two sides by turns, pair by pair, and counts each run.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/pairs/pairs.h"
#include "tools/run/signals.h"

static int no_memory(const struct pairs *p)
{
	return complain(p->cmd, EXIT_FAILED, "out of memory");
}

/* ---- what is run beside what ---------------------------------------------------------------- */

int pairs_make_contests(struct pairs *p)
{
	static const struct mode plain;		/* of who has none */
	struct pair_args *args = p->args;
	bool two = args->nr_programs == 2;
	const struct mode *modes = args->nr_modes ? args->modes : &plain;
	size_t first = two || args->nr_modes < 2 ? 0 : 1, i;
	size_t count = (args->nr_modes ? args->nr_modes : 1) - first;

	p->contests = calloc(count, sizeof(*p->contests));
	if (!p->contests)
		return no_memory(p);
	for (i = 0; i < count; i++) {
		const struct mode *mode = &modes[i + first];

		p->contests[i] = (struct contest){
			.name = mode->name,
			.sides = { { args->programs[0], two ? mode : &modes[0] },
				   { args->programs[two], mode } },
		};
	}
	p->nr_contests = count;
	return 0;
}

/* ---- energy --------------------------------------------------------------------------------- */

int pairs_open_energy(struct pairs *p)
{
	char why[512];

	if (!p->energy || !energy_open(&p->meter, why, sizeof(why)))
		return 0;
	return complain(p->cmd, EXIT_FAILED, "--energy: %s", why);
}

static void begin_energy(struct pairs *p)
{
	if (p->meter)
		energy_begin(p->meter);
}

static int end_energy(struct pairs *p)
{
	int err = p->meter ? energy_end(p->meter, &p->joules) : 0;

	if (!p->meter)
		p->joules = -1;
	return err ? complain(p->cmd, EXIT_FAILED, "--energy: cannot read the counters of energy: %s",
			      strerror(-err)) : 0;
}

/* ---- one run ------------------------------------------------------------------------------ */

static int add_to_session(void *data, struct pmuctl_session *session)
{
	return events_into_session(&((struct pairs *)data)->set->events, session);
}

static int take_value(void *data, const struct pmuctl_value *v)
{
	struct pairs *p = data;
	struct reading *to;

	if (v->event >= p->set->events.count)
		return 0;
	to = &p->counted[v->event];
	*to = (struct reading){
		.flags = v->flags, .why_not = v->running ? NULL : NOT_COUNTED,
		.running = (double)v->running,
	};
	if (v->running && v->running < v->enabled)
		to->flags |= PMUCTL_VALUE_ESTIMATE;
	to->value = v->flags & PMUCTL_VALUE_ESTIMATE ? (double)v->estimate :
		    (double)counting_estimate(v->value, v->enabled, v->running);
	return 0;
}

static int read_counts(struct pairs *p)
{
	size_t i;
	int err;

	for (i = 0; i < p->set->events.count; i++)
		p->counted[i] = (struct reading){ .why_not = NOT_COUNTED };
	err = pmuctl_session_read(p->c.session, take_value, p);
	return err ? counting_failed(&p->c, err, "cannot read the counts") : 0;
}

/* Which run it was, as in "pair 3, B './new'"; the first pair is for warming up. */
static void name_run(const struct side *side, size_t pair, unsigned int which, char *text,
		     size_t size)
{
	char *command = clean_copy(side->command[0]);

	if (pair)
		snprintf(text, size, "pair %zu, %c '%s'", pair, 'A' + (int)which,
			 command ? command : "");
	else
		snprintf(text, size, "warm-up, %c '%s'", 'A' + (int)which, command ? command : "");
	free(command);
}

/* Whoever fails does something else than was to be run. */
static int check_end(const struct pairs *p, const struct side *side, size_t pair,
		     unsigned int which)
{
	int status = p->c.child.status;
	char name[160];

	if (signals_seen() || !status)
		return 0;
	name_run(side, pair, which, name, sizeof(name));
	if (WIFSIGNALED(status))
		return complain(p->cmd, EXIT_FAILED, "%s: it was killed by signal %d (%s), and "
				"what fails is not %s", name, WTERMSIG(status),
				strsignal(WTERMSIG(status)), p->what_fails);
	return complain(p->cmd, EXIT_FAILED, "%s: it ended with exit code %d, and what fails is "
			"not %s; run it by sh -c '...; true' if that is no failure", name,
			WEXITSTATUS(status), p->what_fails);
}

static void release_features(struct pairs *p)
{
	features_release(p->cmd, p->ctx, p->hold);
	p->hold = NULL;
}

/* One counting of one side, into the values. */
static int run_side(struct pairs *p, size_t contest, size_t pair, unsigned int which)
{
	const struct side *side = &p->contests[contest].sides[which];
	size_t padding = order_padding(p->args->seed, contest, pair, which);
	int code = p->begin ? p->begin(p->data, contest, which) : 0;

	p->c.command = side->command;
	if (!code)
		code = side_fork(p->cmd, side, &p->args->cpu,
				 p->args->no_shuffle ? -1 : (long)padding, &p->c.child);
	if (!code)
		code = side_hold(p->cmd, p->ctx, side, p->args, &p->hold);
	if (!code)
		code = counting_make(&p->c);
	if (code)
		return code;
	signals_catch(p->c.child.pid);
	watch_begin(p);
	begin_energy(p);
	code = counting_wait(&p->c);
	if (!code)
		code = end_energy(p);
	if (!code)
		code = check_end(p, side, pair, which);
	if (!code && !signals_seen())
		code = read_counts(p);
	if (!code && !signals_seen() && pair)
		watch_end(p);
	counting_free(&p->c);
	release_features(p);
	p->runs++;
	return code;
}

/* ---- all runs ----------------------------------------------------------------------------- */

/* Before each run, for who watches. */
static void show_progress(const struct pairs *p, size_t pair)
{
	size_t all = (p->room + 1) * 2 * p->nr_contests;
	double passed = (double)(now_ns() - p->began_ns) / 1e9;

	if (!p->terminal)
		return;
	if (pair)
		fprintf(stderr, "\r[ pmuctl %s: pair %zu of %zu", p->cmd, pair, p->room);
	else
		fprintf(stderr, "\r[ pmuctl %s: warming up", p->cmd);
	if (p->runs)
		fprintf(stderr, ", about %.0f s left", passed / p->runs * (double)(all - p->runs));
	fprintf(stderr, " ]   ");
	fflush(stderr);
}

static int run_pair(struct pairs *p, size_t contest, size_t pair)
{
	struct pair_run run = { .contest = contest, .pair = pair - 1, .counted = p->counted };
	unsigned int turn;
	int code = 0;

	run.set = pair ? run.pair % p->nr_sets : 0;
	p->set = &p->sets[run.set];
	for (turn = 0; !code && !signals_seen() && turn < 2; turn++) {
		run.side = order_first(p->args->seed, contest, pair) ^ turn;
		show_progress(p, pair);
		code = run_side(p, contest, pair, run.side);
		run.seconds = (double)(p->c.stop_ns - p->c.began_ns) / 1e9;
		run.joules = p->joules;
		if (pair && (!p->shortest || run.seconds < p->shortest))
			p->shortest = run.seconds;
		if (!code && pair && !signals_seen())
			code = p->take(p->data, &run);
	}
	return code;
}

static int make_room(struct pairs *p)
{
	size_t most = 0, i;

	for (i = 0; i < p->nr_sets; i++)
		if (p->sets[i].events.count > most)
			most = p->sets[i].events.count;
	p->counted = calloc(most + 1, sizeof(*p->counted));
	return p->counted ? watch_open(p) : no_memory(p);
}

/* Pair 0 is for warming up: files are in the page cache and predictors know the code then. */
int pairs_run(struct pairs *p)
{
	size_t pair, contest;
	int code = make_room(p);

	p->c.ctx = p->ctx;
	p->began_ns = now_ns();
	for (pair = 0; !code && pair <= p->room; pair++) {
		for (contest = 0; !code && contest < p->nr_contests; contest++)
			code = run_pair(p, contest, pair);
		if (code || signals_seen())
			break;
		p->done = pair;
	}
	if (p->terminal) {
		fprintf(stderr, "\r%60s\r", "");
		/* The table goes there past the stream. */
		fflush(stderr);
	}
	return code;
}

void pairs_init(struct pairs *p)
{
	p->c.cmd = p->cmd;
	p->targets.kind = TARGET_COMMAND;
	p->c.targets = &p->targets;
	p->c.add = add_to_session;
	p->c.data = p;
	p->terminal = isatty(STDERR_FILENO);
}

void pairs_free(struct pairs *p)
{
	size_t i;

	child_close(&p->c.child);
	counting_free(&p->c);
	release_features(p);
	watch_close(p->watch);
	energy_close(p->meter);
	for (i = 0; i < p->nr_sets; i++)
		events_free(&p->sets[i].events);
	free(p->contests);
	free(p->counted);
}
