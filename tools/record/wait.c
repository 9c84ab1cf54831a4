// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time that pmuctl record samples: samples go to the file as they come.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/outlet.h"
#include "tools/record/record.h"
#include "tools/run/signals.h"

#define MS 1000000ull
/*
 * What no watermark asks for is taken as often; it bounds what is lost by being
 * killed, and how long records of the hardware wait for their place in time.
 */
#define TICK (1000 * MS)

/* Moments at which something is due, CLOCK_MONOTONIC in ns; 0: never. */
struct due {
	uint64_t start;		/* of the sampling */
	uint64_t tick;
	uint64_t timeout;
	uint64_t rotate;	/* the interval's end */
};

static uint64_t earliest(const struct due *due)
{
	uint64_t first = due->tick;

	if (due->start && due->start < first)
		first = due->start;
	if (due->timeout && due->timeout < first)
		first = due->timeout;
	if (due->rotate && due->rotate < first)
		first = due->rotate;
	return first;
}

static int take_tick(struct record *r, struct due *due, uint64_t now)
{
	int code = record_take(r, true);

	if (!code)
		code = rotate_poll(r);
	due->tick = now + TICK;
	record_progress(r);
	return code;
}

/* What was sampled is fixed first; then the command goes, as under perf. */
static int end_by_timeout(struct record *r, struct due *due)
{
	int code = record_stop(r);

	/* What switches behind the end is not to fill the rings. */
	if (!code && r->args.off_cpu)
		code = record_take(r, false);
	due->timeout = due->rotate = 0;
	if (r->child.pid)
		kill(r->child.pid, SIGTERM);
	return code;
}

/* One that is over by now as well is not to be empty: it is part of the next. */
static int end_interval(struct record *r, struct due *due, uint64_t now)
{
	const uint64_t length = r->args.rotate * MS;

	due->rotate += ((now - due->rotate) / length + 1) * length;
	return rotate_next(r);
}

static int do_due(struct record *r, struct due *due, bool *late)
{
	uint64_t now = now_ns();
	int code = 0;

	if (due->start && due->start <= now) {
		due->start = 0;
		code = record_start(r);
		due->rotate = r->args.rotate ? now + r->args.rotate * MS : 0;
	}
	if (!code && due->tick <= now)
		code = take_tick(r, due, now);
	if (!code && due->rotate && due->rotate <= now)
		code = end_interval(r, due, now);
	if (!code && due->timeout && due->timeout <= now) {
		code = end_by_timeout(r, due);
		*late = true;
	}
	return code;
}

/* A command ends by the signals that it gets; with the second we go without it. */
static int wait_all(struct record *r, struct waiter *w, struct due *due)
{
	int code = 0, what, signals = r->args.command ? 2 : 1;
	bool late = false;

	while (!code && (r->args.command || !late)) {
		what = waiter_wait(w, earliest(due), signals);
		if (what < 0)
			return complain(r->cmd, EXIT_FAILED, "cannot wait: %s", strerror(-what));
		if (what == WAIT_ENDED || what == WAIT_SIGNAL)
			return 0;
		if (what == WAIT_READY)
			code = record_take(r, false);
		if (!code)
			code = do_due(r, due, &late);
	}
	return code;
}

/* A command that is known from /proc alone may be gone soon. */
static int look_at_once(struct record *r)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };

	pmuctl_dump_get_info(r->dump, &info);
	if (!r->args.command || !info.from_proc)
		return 0;
	child_loaded(&r->child);
	return record_take(r, false);
}

static int wait_from_start(struct record *r, struct waiter *w)
{
	uint64_t now = now_ns();
	struct due due = { .tick = now + TICK };
	int code = r->args.delay ? 0 : record_start(r);

	waiter_watch(w, pmuctl_dump_fd(r->dump));
	waiter_output(w, r->progress);
	if (!code)
		code = command_exec(r->cmd, r->args.command, &r->child);
	if (!code)
		code = record_publish(r);
	if (r->args.delay)
		due.start = now + r->args.delay * MS;
	else if (r->args.rotate)
		due.rotate = now + r->args.rotate * MS;
	if (r->args.timeout)
		due.timeout = now + r->args.timeout * MS;
	if (!code)
		code = look_at_once(r);
	return code ? code : wait_all(r, w, &due);
}

int record_wait(struct record *r)
{
	const pid_t *pids = r->args.command ? &r->child.pid : r->args.targets.pids;
	size_t count = r->args.command ? 1 : r->args.targets.nr_pids;
	struct waiter *w;
	int code, err = waiter_open(&w, pids, count);

	r->progress = r->terminal ? outlet_open(STDERR_FILENO) : NULL;
	code = err ? complain(r->cmd, EXIT_FAILED, "cannot wait: %s", strerror(-err)) :
		     wait_from_start(r, w);
	waiter_close(w);
	outlet_close(r->progress);
	r->progress = NULL;
	return code;
}
