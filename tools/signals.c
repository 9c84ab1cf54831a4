// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SIGINT and SIGTERM while counting, and waiting for processes and for them.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "signals.h"

/* A handler can reach nothing else. */
static volatile sig_atomic_t seen, last;
static volatile pid_t child_pid;
static sigset_t unblocked;

static void on_signal(int signo, siginfo_t *info, void *context)
{
	(void)context;
	seen++;
	last = signo;
	/* The terminal's ^C went to the whole group already. */
	if (child_pid && info->si_code <= 0)
		kill(child_pid, signo);
}

void signals_catch(pid_t child)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_sigaction = on_signal;
	child_pid = child;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigprocmask(SIG_BLOCK, NULL, &unblocked);
	sigdelset(&unblocked, SIGINT);
	sigdelset(&unblocked, SIGTERM);
}

void signals_forget_child(void)
{
	child_pid = 0;
}

int signals_seen(void)
{
	return seen;
}

int signals_last(void)
{
	return last;
}

/* The unblocking within ppoll() leaves no gap between the look and the wait. */
static int poll_all(struct pollfd *fds, size_t count)
{
	size_t i, left = count;

	while ((left || !count) && !seen) {
		if (ppoll(fds, count, NULL, &unblocked) < 0 && errno != EINTR)
			return -errno;
		for (i = 0; i < count; i++) {
			if (fds[i].fd < 0 || !fds[i].revents)
				continue;
			close(fds[i].fd);
			fds[i].fd = -1;
			left--;
		}
	}
	return 0;
}

static int open_all(struct pollfd *fds, const pid_t *pids, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		fds[i].fd = -1;
		fds[i].events = POLLIN;
	}
	for (i = 0; i < count; i++) {
		fds[i].fd = (int)syscall(SYS_pidfd_open, pids[i], 0);
		if (fds[i].fd < 0 && errno != ESRCH)
			return -errno;
	}
	return 0;
}

static size_t drop_ended(struct pollfd *fds, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++)
		if (fds[i].fd >= 0)
			fds[kept++] = fds[i];
	return kept;
}

int wait_for_processes(const pid_t *pids, size_t count)
{
	struct pollfd *fds = calloc(count + 1, sizeof(*fds));
	sigset_t blocked, before;
	size_t i, alive;
	int err;

	if (!fds)
		return -ENOMEM;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	err = open_all(fds, pids, count);
	alive = drop_ended(fds, count);
	if (!err && (alive || !count))
		err = poll_all(fds, alive);
	for (i = 0; i < alive; i++)
		if (fds[i].fd >= 0)
			close(fds[i].fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(fds);
	return err;
}

void signals_die(void)
{
	signal(last, SIG_DFL);
	raise(last);
}
