// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command that a subcommand runs, from its fork to its exit code.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/run/child.h"
#include "tools/run/signals.h"

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
	int err = command ? child_exec(c) : 0;

	return err ? failed(cmd, command, "", err) : 0;
}

int command_reap(const char *cmd, char **command, struct child *c)
{
	int err = command && c->pid ? child_reap(c, signals_seen() < 2) : 0;

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
