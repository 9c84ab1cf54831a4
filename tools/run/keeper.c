// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A process of its own that puts something of the machine back when we end, however that comes.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/keeper.h"

/* Longer only if what it puts back is in use by others. */
#define PATIENCE_MS 2000

int keeper_wait(int report)
{
	struct pollfd fd = { .fd = report, .events = POLLIN };
	int got;

	do
		got = poll(&fd, 1, PATIENCE_MS);
	while (got < 0 && errno == EINTR);
	return got;
}

void close_all_but(int a, int b)
{
	unsigned int low = (unsigned int)(a < b ? a : b), high = (unsigned int)(a < b ? b : a);

	if (low > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0u, 0);
}

/* A session of its own, no terminal, no signal but SIGKILL, nothing open of ours. */
static void become_keeper(int life, int report)
{
	sigset_t all;
	int null;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	null = open("/dev/null", O_RDWR);
	if (chdir("/") || null < 0)
		_exit(EXIT_FAILED);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close_all_but(life, report);
}

int keeper_start(struct keeper *k, int (*run)(int life, int report, void *data), void *data)
{
	int life[2], report[2];

	if (pipe2(life, O_CLOEXEC))
		return -errno;
	if (pipe2(report, O_CLOEXEC)) {
		close(life[0]);
		close(life[1]);
		return -errno;
	}
	k->pid = fork();
	if (!k->pid) {
		become_keeper(life[0], report[1]);
		_exit(run(life[0], report[1], data));
	}
	close(life[0]);
	close(report[1]);
	k->life = life[1];
	k->report = report[0];
	return k->pid < 0 ? -errno : 0;
}

int keeper_report(const struct keeper *k, void *report, size_t size)
{
	ssize_t got;

	do
		got = read(k->report, report, size);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)size ? 0 : -ECHILD;
}

int keeper_end(struct keeper *k)
{
	int status = 0;

	close(k->life);
	if (keeper_wait(k->report) <= 0)
		status = -1;
	else if (waitpid(k->pid, &status, 0) == k->pid)
		status = status ? 1 : 0;
	close(k->report);
	return status;
}
