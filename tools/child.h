/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command that waits, before its exec, until it is told to go on.
 */
#ifndef PMUCTL_CHILD_H
#define PMUCTL_CHILD_H

#include <sys/resource.h>
#include <sys/types.h>

struct child {
	pid_t pid;		/* 0: none */
	int go;			/* our end of the pipe that it waits on */
	int failed;		/* the errno of its exec comes out here, or nothing */
	int status;		/* of wait4(), once it has ended */
	struct rusage usage;
};

/* 0 or -errno. */
int child_fork(struct child *c, char **argv);
/* Lets it exec; 0, or the -errno of that. */
int child_exec(struct child *c);
/* Waits for its end; signals that we get are passed on.  -EINTR if there were two. */
int child_wait(struct child *c);
/* Ends it if it still waits for child_exec(), and frees what it took. */
void child_close(struct child *c);
/* What a shell would return for it. */
int child_exit_code(const struct child *c);

#endif
