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

#include "signals.h"

#define NS 1000000000ull
/* How often threads are looked at that no descriptor can stand for. */
#define THREADS_NS (NS / 20)

struct waiter {
	sigset_t before, unblocked;
	bool any;		/* there was a process to wait for */
	size_t count;		/* that have not ended: of fds and tids together */
	size_t nr_fds, nr_tids;
	struct pollfd *fds;	/* and one more, of waiter_watch() */
	pid_t *tids;
	bool watches;
};

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec;
}

/* A thread that does not lead its process has no pidfd (before Linux 6.9). */
static int add_process(struct waiter *w, pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0 && errno == ESRCH)
		return 0;
	if (fd < 0 && errno != EINVAL)
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
	sigprocmask(SIG_BLOCK, &blocked, &w->before);
	w->unblocked = w->before;
	sigdelset(&w->unblocked, SIGINT);
	sigdelset(&w->unblocked, SIGTERM);
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
	w->fds = calloc(count + 1, sizeof(*w->fds));
	w->tids = calloc(count + 1, sizeof(*w->tids));
	if (!w->fds || !w->tids)
		return -ENOMEM;
	for (i = 0; !err && i < count; i++)
		err = add_process(w, pids[i]);
	return err;
}

/* Behind those of the processes, of which there will be no more. */
void waiter_watch(struct waiter *w, int fd)
{
	w->watches = true;
	w->fds[w->nr_fds] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static bool is_ready(const struct waiter *w)
{
	return w->watches && w->fds[w->nr_fds].revents;
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

	if (ppoll(w->fds, w->nr_fds + w->watches, until ? &timeout : NULL, &w->unblocked) < 0)
		return errno == EINTR ? 0 : -errno;
	/* What is ready stays so until it is looked at again. */
	drop_ended_processes(w);
	return 0;
}

int waiter_wait(struct waiter *w, uint64_t deadline, int signals)
{
	uint64_t until;
	int err = 0;

	for (;;) {
		drop_ended_threads(w);
		if (w->any && !w->count)
			return WAIT_ENDED;
		if (signals_seen() >= signals)
			return WAIT_SIGNAL;
		if (deadline && now_ns() >= deadline)
			return WAIT_DEADLINE;
		until = w->nr_tids ? now_ns() + THREADS_NS : deadline;
		if (deadline && until > deadline)
			until = deadline;
		err = poll_until(w, until);
		if (err)
			return err;
		if (is_ready(w) && !(w->any && !w->count) && signals_seen() < signals)
			return WAIT_READY;
	}
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
