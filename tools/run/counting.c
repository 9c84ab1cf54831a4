// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session of a counting: made for its events and targets, started and stopped.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/run/counting.h"
#include "tools/run/events.h"
#include "tools/run/signals.h"

int counting_failed(struct counting *c, int err, const char *what)
{
	complain(c->cmd, 0, "%s: %s", what, pmuctl_error(c->ctx));
	diagnose(c->ctx, err, stderr);
	return EXIT_FAILED;
}

/* What counts from an exec on starts there, by itself. */
static bool starts_at_exec(const struct counting *c)
{
	return c->targets->kind == TARGET_COMMAND && !c->delay;
}

static uint64_t session_options(const struct counting *c)
{
	return (targets_can_inherit(c->targets) && !c->no_inherit ? PMUCTL_INHERIT : 0) |
	       (starts_at_exec(c) ? PMUCTL_ON_EXEC : 0) |
	       (c->no_multiplex ? 0 : PMUCTL_MULTIPLEX);
}

void counting_warn_missed(const char *cmd, uint64_t missed)
{
	if (missed)
		complain(cmd, 0, "warning: %" PRIu64 " intervals were left out, since "
			 "the rows before them had not been written by then; what came in them is in "
			 "the next rows. A longer -I, fewer events or -o with a file helps", missed);
}

uint64_t counting_estimate(uint64_t value, uint64_t enabled, uint64_t running)
{
	if (running >= enabled || !running)
		return value;
	return (uint64_t)((unsigned __int128)value * enabled / running);
}

static int cannot_count(struct counting *c, int err)
{
	int code = counting_failed(c, err, "cannot count");

	if (c->no_multiplex && (err == -ENOSPC || err == -EBUSY || err == -E2BIG))
		fprintf(stderr, "without --no-multiplex what does not fit at once takes turns\n");
	return code;
}

static int make_session(struct counting *c, size_t part, struct pmuctl_session **session)
{
	int err = pmuctl_session_new(c->ctx, session);

	if (!err)
		err = c->add(c->data, *session);
	if (!err)
		err = c->threads ? pmuctl_session_add_thread(*session, c->threads[part]) :
				   targets_into_session(c->targets, c->child.pid, part, *session);
	return err ? err : pmuctl_session_create(*session, session_options(c));
}

/* A thread of a process may have ended since it was listed. */
static int make_part_sessions(struct counting *c)
{
	bool listed = c->targets->kind == TARGET_PROCESSES;
	size_t i;
	int err = 0;

	allow_many_files();
	c->sessions = calloc(c->nr_parts, sizeof(struct pmuctl_session *));
	if (!c->sessions)
		return complain(c->cmd, EXIT_FAILED, "out of memory");
	for (i = 0; !err && i < c->nr_parts; i++) {
		err = make_session(c, i, &c->sessions[i]);
		if (err == -ESRCH && listed) {
			pmuctl_session_free(c->sessions[i]);
			c->sessions[i] = NULL;
			err = 0;
		}
	}
	return err ? cannot_count(c, err) : 0;
}

static int make_sessions(struct counting *c)
{
	int err;

	c->watchdog = watchdog_enabled();
	if (c->nr_parts)
		return make_part_sessions(c);
	err = make_session(c, 0, &c->session);
	return err ? cannot_count(c, err) : 0;
}

/* Whatever sessions there are; the first error ends it. */
static int tell_sessions(const struct counting *c, int (*tell)(struct pmuctl_session *session))
{
	int err = c->session ? tell(c->session) : 0;
	size_t i;

	for (i = 0; c->sessions && !err && i < c->nr_parts; i++)
		if (c->sessions[i])
			err = tell(c->sessions[i]);
	return err;
}

static int make_software(struct counting *c)
{
	c->software_options = (struct software_options){
		.cmd = c->cmd, .targets = c->targets, .child = c->child.pid,
		.inherit = !c->no_inherit, .on_exec = starts_at_exec(c),
		.threads = c->threads, .nr_threads = c->threads ? c->nr_parts : 0,
	};
	return software_open(&c->software_options, c->events, &c->software);
}

int counting_make(struct counting *c)
{
	int code = 0;

	if (!c->events || events_need_session(c->events))
		code = make_sessions(c);
	if (!code && c->events)
		code = make_software(c);
	if (code)
		return code;
	c->running = starts_at_exec(c);
	return c->running || c->delay ? 0 : counting_start(c);
}

void counting_free(struct counting *c)
{
	size_t i;

	for (i = 0; c->sessions && i < c->nr_parts; i++)
		pmuctl_session_free(c->sessions[i]);
	free(c->sessions);
	pmuctl_session_free(c->session);
	software_close(c->software);
	c->session = NULL;
	c->sessions = NULL;
	c->software = NULL;
}

int counting_start(struct counting *c)
{
	int err = tell_sessions(c, pmuctl_session_start);

	c->running = !err;
	if (err)
		return counting_failed(c, err, "cannot start counting");
	software_start(c->software);
	return 0;
}

int counting_stop(struct counting *c)
{
	int err = c->running ? tell_sessions(c, pmuctl_session_stop) : 0;

	if (c->running)
		software_stop(c->software);
	c->running = false;
	return err ? counting_failed(c, err, "cannot stop counting") : 0;
}

/* ---- until it ends ---------------------------------------------------------------------- */

#define MS 1000000ull

/* Moments at which something is due, CLOCK_MONOTONIC in ns; 0: never. */
struct due {
	uint64_t start;		/* of the counting */
	uint64_t interval;	/* the next one ends */
	uint64_t timeout;
};

static uint64_t earliest(const struct due *due)
{
	uint64_t moments[] = { due->start, due->interval, due->timeout }, first = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(moments); i++)
		if (moments[i] && (!first || moments[i] < first))
			first = moments[i];
	return first;
}

static int start_counting(struct counting *c, struct due *due)
{
	due->start = 0;
	/* What an exec takes is in the first interval, as its counts are. */
	c->began_ns = c->printed_ns = c->delay ? now_ns() : c->start_ns;
	if (c->interval)
		due->interval = now_ns() + c->interval * MS;
	return c->delay ? counting_start(c) : 0;
}

/* When we are late there is one longer interval, not several at once. */
static int end_interval(struct counting *c, struct due *due)
{
	uint64_t length = c->interval * MS, missed = (now_ns() - due->interval) / length;

	due->interval += (missed + 1) * length;
	c->missed += missed;
	return c->tick(c->data);
}

/* What was counted is fixed first; then the command goes, as under perf. */
static int end_by_timeout(struct counting *c, struct due *due)
{
	int code = counting_stop(c);

	memset(due, 0, sizeof(*due));
	c->stop_ns = now_ns();
	c->late = true;
	if (c->child.pid)
		kill(c->child.pid, SIGTERM);
	return code;
}

static int do_due(struct counting *c, struct due *due)
{
	uint64_t now = now_ns();
	int code = 0;

	if (due->start && due->start <= now)
		code = start_counting(c, due);
	if (!code && due->interval && due->interval <= now)
		code = end_interval(c, due);
	if (!code && due->timeout && due->timeout <= now)
		code = end_by_timeout(c, due);
	return code;
}

/* A command ends by the signals that it gets; with the second we go without it. */
static int wait_all(struct counting *c, struct waiter *w, struct due *due)
{
	int code = 0, what, signals = c->command ? 2 : 1;

	while (!code && (c->command || !c->late)) {
		what = waiter_wait(w, earliest(due), signals);
		if (what < 0)
			return complain(c->cmd, EXIT_FAILED, "cannot wait: %s", strerror(-what));
		if (what == WAIT_ENDED || what == WAIT_SIGNAL)
			return 0;
		if (what == WAIT_READY)
			code = c->ready(c->data);
		if (!code)
			code = do_due(c, due);
	}
	return code;
}

static int wait_from_start(struct counting *c, struct waiter *w)
{
	struct due due = { .start = 0 };
	int code;

	c->late = false;
	c->began_ns = c->printed_ns = c->stop_ns = 0;
	if (c->fd)
		waiter_watch(w, c->fd);
	waiter_output(w, c->outlet);
	c->start_ns = now_ns();
	code = command_exec(c->cmd, c->command, &c->child);
	if (!code && c->delay)
		due.start = c->start_ns + c->delay * MS;
	else if (!code)
		code = start_counting(c, &due);
	if (c->timeout)
		due.timeout = c->start_ns + c->timeout * MS;
	if (!code)
		code = wait_all(c, w, &due);
	if (!c->stop_ns)
		c->stop_ns = now_ns();
	return code;
}

int counting_wait(struct counting *c)
{
	const pid_t *pids = c->command ? &c->child.pid : c->targets->pids;
	size_t count = c->command ? 1 : c->targets->nr_pids;
	struct waiter *w;
	int code, err = waiter_open(&w, pids, count);

	code = err ? complain(c->cmd, EXIT_FAILED, "cannot wait: %s", strerror(-err)) :
		     wait_from_start(c, w);
	waiter_close(w);
	if (c->session || c->sessions)
		watchdog_warn(c->cmd, c->watchdog);
	return code ? code : command_reap(c->cmd, c->command, &c->child);
}
