/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command that waits, before its exec, until it is told to go on.
 */
#ifndef PMUCTL_COMMAND_H
#define PMUCTL_COMMAND_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct child {
	pid_t pid;		/* 0: none */
	int go;			/* our end of the pipe that it waits on */
	int failed;		/* the errno of its exec comes out here, or nothing */
	int status;		/* of wait4(), once it has ended */
	struct rusage usage;
};

/* An exec that has not failed may go on behind it: until /proc shows its program. */
void child_loaded(const struct child *c);
/* Ends it if it still waits for child_exec(), and frees what it took. */
void child_close(struct child *c);

/*
 * The same for the command of a subcommand, which says why it failed.
 * command may be NULL, for which nothing is done.  0, or the exit code.
 *
 * To be forked before there is a socket: a copy of that would keep the session
 * alive for a moment when we are killed.  One that is forked already stays.
 */
int command_fork(const char *cmd, char **command, struct child *c);
int command_exec(const char *cmd, char **command, struct child *c);
/*
 * Lets it exec, and waits neither for that nor for a group of ways: if it fails command_reap()
 * says so.
 */
int command_begin(const char *cmd, char **command, struct child *c);
/* Waits for it, but not once a second signal has come. */
int command_reap(const char *cmd, char **command, struct child *c);
/* There is none that has ended: none at all, or it goes on without us. */
bool command_not_ended(char **command, const struct child *c);
/* What a shell would return, after saying which signal killed it; 0 if it still runs. */
int command_exit_code(char **command, const struct child *c);

#endif
