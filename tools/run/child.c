// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starting the command that is to be counted, and its end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/run/child.h"
#include "tools/run/signals.h"

#define LOADING_MS 1000		/* more than any program takes; its file may be far away */

/* In the child; all ends of both pipes close at its exec. */
static void run(int go, int failed, char **argv)
{
	char byte;
	int err;

	/* Nothing comes if the parent gave up or died. */
	if (read(go, &byte, 1) != 1)
		_exit(0);
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(1);
	_exit(127);
}

int child_fork(struct child *c, char **argv)
{
	int go[2], failed[2], err;

	memset(c, 0, sizeof(*c));
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		goto err_failed;
	}
	c->pid = fork();
	if (c->pid < 0) {
		err = -errno;
		c->pid = 0;
		goto err_fork;
	}
	if (!c->pid) {
		close(go[1]);
		run(go[0], failed[1], argv);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	return 0;

err_fork:
	close(failed[0]);
	close(failed[1]);
err_failed:
	close(go[0]);
	close(go[1]);
	return err;
}

/* The command that waits for us may have been killed: no SIGPIPE, please. */
static bool release(struct child *c)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	bool done = write(c->go, "", 1) == 1;

	signal(SIGPIPE, before);
	close(c->go);
	c->go = -1;
	return done;
}

int child_exec(struct child *c)
{
	ssize_t got;
	int err = 0;

	if (!release(c))
		return -ECHILD;
	do
		got = read(c->failed, &err, sizeof(err));
	while (got < 0 && errno == EINTR);
	close(c->failed);
	c->failed = -1;
	return got == sizeof(err) ? -err : 0;
}

/* The auxiliary vector of a program comes last, when all of it is mapped. */
static bool is_loading(pid_t pid)
{
	unsigned long first = 0;
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, &first, sizeof(first));
	close(fd);
	return got == sizeof(first) && !first;
}

void child_loaded(const struct child *c)
{
	unsigned int tries = LOADING_MS;

	while (is_loading(c->pid) && tries--)
		usleep(1000);
}

int child_reap(struct child *c, bool wait)
{
	pid_t pid;

	do
		pid = wait4(c->pid, &c->status, wait ? 0 : WNOHANG, &c->usage);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return -errno;
	if (!pid)
		return -EAGAIN;
	signals_forget_child();
	c->pid = 0;
	return 0;
}

void child_close(struct child *c)
{
	if (!c->pid)
		return;
	if (c->go > 0)
		close(c->go);
	if (c->failed > 0)
		close(c->failed);
	waitpid(c->pid, NULL, WNOHANG);
	c->pid = 0;
}

int child_exit_code(const struct child *c)
{
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}
