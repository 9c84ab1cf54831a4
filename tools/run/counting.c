// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session of a counting: made for its events and targets, started and stopped.
 */
#include <errno.h>
#include <inttypes.h>

#include "tools/base/base.h"
#include "tools/run/counting.h"

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
	return (targets_are_tasks(c->targets) && !c->no_inherit ? PMUCTL_INHERIT : 0) |
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

int counting_make(struct counting *c)
{
	int err = pmuctl_session_new(c->ctx, &c->session);

	if (!err)
		err = c->add(c->data, c->session);
	if (!err)
		err = targets_into_session(c->targets, c->child.pid, c->session);
	if (!err)
		err = pmuctl_session_create(c->session, session_options(c));
	if (err)
		return cannot_count(c, err);
	c->running = starts_at_exec(c);
	return c->running || c->delay ? 0 : counting_start(c);
}

int counting_start(struct counting *c)
{
	int err = pmuctl_session_start(c->session);

	c->running = !err;
	return err ? counting_failed(c, err, "cannot start counting") : 0;
}

int counting_stop(struct counting *c)
{
	int err = c->running ? pmuctl_session_stop(c->session) : 0;

	c->running = false;
	return err ? counting_failed(c, err, "cannot stop counting") : 0;
}
