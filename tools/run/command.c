// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command that a subcommand runs, from its fork to its exit code.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/run/command.h"
#include "tools/run/signals.h"
#include "tools/run/ways.h"

/* ---- the process that becomes the command ----------------------------------------------- */

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

/* 0 or -errno. */
static int child_fork(struct child *c, char **argv)
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

/* Waits until it has become the command, or has ended; 0, or the -errno of its exec. */
static int child_failed(struct child *c)
{
	ssize_t got;
	int err = 0;

	do
		got = read(c->failed, &err, sizeof(err));
	while (got < 0 && errno == EINTR);
	close(c->failed);
	c->failed = -1;
	return got == sizeof(err) ? -err : 0;
}

/* Lets it exec; 0, or the -errno of that. */
static int child_exec(struct child *c)
{
	return release(c) ? child_failed(c) : -ECHILD;
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

/* Its status and usage, once it has ended; -EAGAIN if it has not and we do not wait. */
static int child_reap(struct child *c, bool wait)
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

/* What a shell would return for it. */
static int child_exit_code(const struct child *c)
{
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}

static int failed(const char *cmd, char **command, const char *what, int err)
{
	return complain(cmd, EXIT_FAILED, "command '%s': %s%s", command[0], what, strerror(-err));
}

int command_fork(const char *cmd, char **command, struct child *c)
{
	int err;

	if (!command || c->pid)
		return 0;
	err = child_fork(c, command);
	return err ? failed(cmd, command, "cannot fork: ", err) : 0;
}

int command_exec(const char *cmd, char **command, struct child *c)
{
	int err = command ? ways_enter(c->pid) : 0;

	if (err)
		return failed(cmd, command, "cannot be put into its group of ways: ", err);
	err = command ? child_exec(c) : 0;
	return err ? failed(cmd, command, "", err) : 0;
}

int command_begin(const char *cmd, char **command, struct child *c)
{
	return !command || release(c) ? 0 : failed(cmd, command, "", -ECHILD);
}

int command_reap(const char *cmd, char **command, struct child *c)
{
	int err = command && c->pid ? child_reap(c, signals_seen() < 2) : 0;

	if (!err && command && !c->pid && c->failed > 0)
		err = child_failed(c);
	return err && err != -EAGAIN ? failed(cmd, command, "", err) : 0;
}

bool command_not_ended(char **command, const struct child *c)
{
	return !command || c->pid;
}

int command_exit_code(char **command, const struct child *c)
{
	if (command_not_ended(command, c))
		return 0;
	if (WIFSIGNALED(c->status)) {
		put_clean(stderr, command[0]);
		fprintf(stderr, ": %s\n", strsignal(WTERMSIG(c->status)));
	}
	return child_exit_code(c);
}
