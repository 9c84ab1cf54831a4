/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One counting, from its session to its end: of a command, of tasks or of CPUs.
 */
#ifndef PMUCTL_COUNTING_H
#define PMUCTL_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/run/command.h"
#include "tools/run/software_count.h"
#include "tools/run/targets.h"

struct events;
struct outlet;
struct pmuctl;
struct pmuctl_session;

struct counting {
	const char *cmd;		/* the subcommand, for what is complained of */
	struct pmuctl *ctx;
	const struct targets *targets;
	char **command;			/* NULL: none */
	bool no_inherit, no_multiplex;
	unsigned int interval;		/* ms between calls of tick(); 0: none */
	unsigned int delay, timeout;	/* ms, 0: none */

	/* Adds the events; 0 or -errno. */
	int (*add)(void *data, struct pmuctl_session *session);
	/* What Linux counts of them is counted beside the session; NULL: nothing is. */
	struct events *events;
	/* A session for each of so many threads or control groups; 0: one for all targets. */
	size_t nr_parts;
	const pid_t *threads;		/* NULL: the parts are the targets' control groups */
	/* An interval is over; 0, or the exit code. */
	int (*tick)(void *data);
	/* So, when this descriptor can be read; 0: none is watched. */
	int fd;
	int (*ready)(void *data);
	void *data;
	/* What tick() and ready() wrote leaves while we wait; NULL: they write elsewhere. */
	struct outlet *outlet;
	uint64_t missed;		/* intervals that were over before tick() could be called */

	/* Of this run: */
	struct pmuctl_session *session;	/* NULL, too, where no event needs a counter */
	struct pmuctl_session **sessions;	/* of the parts; NULL: a thread has ended */
	struct software_options software_options;
	struct software *software;	/* NULL: none is counted */
	struct child child;
	bool watchdog;			/* was on when the session was made */
	bool running;			/* the session was started */
	bool late;			/* --timeout ended it */
	uint64_t start_ns, stop_ns;	/* the command's exec, or the counting's begin */
	uint64_t began_ns;		/* the counting, behind the delay; 0: it did not */
	uint64_t printed_ns;		/* with an interval: when the last one ended */
};

/* Each returns 0 or the exit code, after saying why. */

int counting_make(struct counting *c);
int counting_start(struct counting *c);
int counting_stop(struct counting *c);
/* Ends the session, and what is beside it. */
void counting_free(struct counting *c);
/* At the end: how many intervals were left out, and why; nothing if none was. */
void counting_warn_missed(const char *cmd, uint64_t missed);
/*
 * Returns what a count comes to that was on a counter for a part of its time only.  (A difference
 * of two estimates may be negative; one of counts is not.)
 */
uint64_t counting_estimate(uint64_t value, uint64_t enabled, uint64_t running);
/* The reason of the library's last error, who is in the way and what to do. */
int counting_failed(struct counting *c, int err, const char *what);

/* Until the command or the processes end, a signal comes or the time is over. */
int counting_wait(struct counting *c);

#endif
