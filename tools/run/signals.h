/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT and SIGTERM end the counting, not the command; and waiting, for
 * processes, for them, and for a moment.
 */
#ifndef PMUCTL_SIGNALS_H
#define PMUCTL_SIGNALS_H

#include <stdint.h>
#include <sys/types.h>

/* From now on; those sent to us alone are passed on to the child, if not 0. */
void signals_catch(pid_t child);
/* SIGHUP, too, unless it is ignored (nohup). */
void signals_catch_hangup(void);
/* The child is gone: its number may be somebody else's soon. */
void signals_forget_child(void);
/* How many came, and the last one. */
int signals_seen(void);
/* Dies of the last signal as if it had not been caught. */
void signals_die(void);

struct waiter;
struct outlet;

enum wait_end {
	WAIT_ENDED,	/* all the processes did */
	WAIT_DEADLINE,
	WAIT_SIGNAL,
	WAIT_READY,	/* the descriptor of waiter_watch() */
	WAIT_WRITTEN,	/* all that was left of waiter_output() */
};

/*
 * Processes or threads; without any it waits for the rest alone.  Between
 * waits SIGINT and SIGTERM are held back, so none is missed.  0 or -errno.
 */
int waiter_open(struct waiter **w, const pid_t *pids, size_t count);
/* From now on a wait ends as well when this descriptor can be read. */
void waiter_watch(struct waiter *w, int fd);
/* What it has is written while we wait; NULL: nothing. */
void waiter_output(struct waiter *w, struct outlet *outlet);
/*
 * deadline: of CLOCK_MONOTONIC, ns, 0 for none; signals: how many end the wait.  Of several
 * that are so the first of: ended, signal, ready, deadline, written.  Whoever waits in a loop
 * serves what is due behind `ready` as well, or it never comes to it.  enum wait_end or -errno.
 */
int waiter_wait(struct waiter *w, uint64_t deadline, int signals);
/* From now on it waits for the rest alone, as if there had been no processes. */
void waiter_forget(struct waiter *w);
void waiter_close(struct waiter *w);
/*
 * Until all of it is written.  Once SIGINT or SIGTERM has come, before or meanwhile, only half
 * a second, and not behind the next one.  0 or a negative errno.
 */
int wait_for_output(struct outlet *o);

/* CLOCK_MONOTONIC in ns. */
uint64_t now_ns(void);

#endif
