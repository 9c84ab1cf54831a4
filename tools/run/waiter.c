// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waiting for processes to end, for a moment to come, and for signals.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/outlet.h"
#include "tools/run/signals.h"

#define NS 1000000000ull
/* How often threads are looked at that no descriptor can stand for. */
#define THREADS_NS (NS / 20)
/* What a signal leaves to who reads our output slowly. */
#define PATIENCE_NS (NS / 2)

struct waiter {
	sigset_t before, unblocked;
	bool any;		/* there was a process to wait for */
	size_t count;		/* that have not ended: of fds and tids together */
	size_t nr_fds, nr_tids;
	struct pollfd *fds;	/* of processes, then of waiter_watch(), then the outlet's */
	pid_t *tids;
	struct outlet *outlet;
};

/* poll() passes over those that are -1. */
static struct pollfd *watched(const struct waiter *w)
{
	return &w->fds[w->nr_fds];
}

static struct pollfd *to_write(const struct waiter *w)
{
	return &w->fds[w->nr_fds + 1];
}

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec;
}

/* A thread that does not lead its process has none of these pidfds: EINVAL, or later ENOENT. */
static int add_process(struct waiter *w, pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0 && errno == ESRCH)
		return 0;
	if (fd < 0 && errno != EINVAL && errno != ENOENT)
		return -errno;
	w->count++;
	if (fd < 0) {
		w->tids[w->nr_tids++] = pid;
	} else {
		w->fds[w->nr_fds].fd = fd;
		w->fds[w->nr_fds++].events = POLLIN;
	}
	return 0;
}

static void block_signals(struct waiter *w)
{
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGHUP);
	sigprocmask(SIG_BLOCK, &blocked, &w->before);
	w->unblocked = w->before;
	sigdelset(&w->unblocked, SIGINT);
	sigdelset(&w->unblocked, SIGTERM);
	sigdelset(&w->unblocked, SIGHUP);
}

int waiter_open(struct waiter **waiter, const pid_t *pids, size_t count)
{
	struct waiter *w = calloc(1, sizeof(*w));
	int err = 0;
	size_t i;

	*waiter = w;
	if (!w)
		return -ENOMEM;
	block_signals(w);
	w->any = count;
	w->fds = calloc(count + 2, sizeof(*w->fds));
	w->tids = calloc(count + 1, sizeof(*w->tids));
	if (!w->fds || !w->tids)
		return -ENOMEM;
	for (i = 0; !err && i < count; i++)
		err = add_process(w, pids[i]);
	watched(w)->fd = to_write(w)->fd = -1;
	return err;
}

void waiter_watch(struct waiter *w, int fd)
{
	*watched(w) = (struct pollfd){ .fd = fd, .events = POLLIN };
}

void waiter_output(struct waiter *w, struct outlet *outlet)
{
	w->outlet = outlet;
	if (outlet)
		outlet_never_wait(outlet);
}

static void drop_ended_processes(struct waiter *w)
{
	size_t i;

	for (i = 0; i < w->nr_fds; i++) {
		if (w->fds[i].fd < 0 || !w->fds[i].revents)
			continue;
		close(w->fds[i].fd);
		w->fds[i].fd = -1;
		w->count--;
	}
}

static void drop_ended_threads(struct waiter *w)
{
	size_t i, kept = 0;

	for (i = 0; i < w->nr_tids; i++) {
		if (syscall(SYS_tkill, w->tids[i], 0) && errno == ESRCH)
			w->count--;
		else
			w->tids[kept++] = w->tids[i];
	}
	w->nr_tids = kept;
}

/* The unblocking within ppoll() leaves no gap between the look and the wait. */
static int poll_until(struct waiter *w, uint64_t until)
{
	uint64_t now = until ? now_ns() : 0, left = until > now ? until - now : 0;
	struct timespec timeout = { (time_t)(left / NS), (long)(left % NS) };

	*to_write(w) = (struct pollfd){
		.fd = w->outlet ? outlet_waits_for(w->outlet) : -1, .events = POLLOUT,
	};
	if (ppoll(w->fds, w->nr_fds + 2, until ? &timeout : NULL, &w->unblocked) < 0)
		return errno == EINTR ? 0 : -errno;
	/* What is ready stays so until it is looked at again. */
	drop_ended_processes(w);
	return 0;
}

/* As far as it goes now; whether that was all of it. */
static bool has_written(struct waiter *w)
{
	return to_write(w)->fd >= 0 && to_write(w)->revents && !outlet_push(w->outlet);
}

/*
 * However late the deadline is, there is one look at everything: a caller who is always
 * late would never hear of an end or a signal.
 */
int waiter_wait(struct waiter *w, uint64_t deadline, int signals)
{
	uint64_t until;
	bool looked = false, ready = false, written = false;
	int err;

	for (;; looked = true) {
		drop_ended_threads(w);
		if (w->any && !w->count)
			return WAIT_ENDED;
		if (signals_seen() >= signals)
			return WAIT_SIGNAL;
		if (ready)
			return WAIT_READY;
		if (looked && deadline && now_ns() >= deadline)
			return WAIT_DEADLINE;
		if (written)
			return WAIT_WRITTEN;
		until = w->nr_tids ? now_ns() + THREADS_NS : deadline;
		if (deadline && until > deadline)
			until = deadline;
		err = poll_until(w, until);
		if (err)
			return err;
		ready = watched(w)->revents;
		written = has_written(w);
	}
}

void waiter_forget(struct waiter *w)
{
	w->any = false;
}

void waiter_close(struct waiter *w)
{
	size_t i;

	if (!w)
		return;
	for (i = 0; i < w->nr_fds; i++)
		if (w->fds[i].fd >= 0)
			close(w->fds[i].fd);
	free(w->fds);
	free(w->tids);
	sigprocmask(SIG_SETMASK, &w->before, NULL);
	free(w);
}

static int wait_until_taken(struct waiter *w, struct outlet *o)
{
	uint64_t until = 0;
	int seen, what;

	waiter_output(w, o);
	do {
		seen = signals_seen();
		if (seen && !until)
			until = now_ns() + PATIENCE_NS;
		what = waiter_wait(w, until, seen + 1);
		if (what < 0)
			return what;
		if (what == WAIT_DEADLINE || (what == WAIT_SIGNAL && seen))
			outlet_give_up(o);
	} while (outlet_waits_for(o) >= 0);
	return outlet_error(o);
}

int wait_for_output(struct outlet *o)
{
	struct waiter *w;
	int err;

	if (!outlet_push(o))
		return outlet_error(o);
	err = waiter_open(&w, NULL, 0);
	if (!err)
		err = wait_until_taken(w, o);
	waiter_close(w);
	return err;
}
