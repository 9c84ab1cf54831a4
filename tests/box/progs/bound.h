/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children that go when their parent is killed: who is left behind would go on to the end.
 */
#ifndef BOUND_H
#define BOUND_H

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* As fork(). */
static inline pid_t fork_bound(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	return 0;
}

#endif
