/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of its own that puts something of the machine back when we end, however that comes.
 */
#ifndef PMUCTL_KEEPER_H
#define PMUCTL_KEEPER_H

#include <sys/types.h>

struct keeper {
	pid_t pid;
	int life;	/* our end of the pipe that it watches */
	int report;	/* from it; closed by its end */
};

/*
 * Starts it: run() gets the other ends, with nothing else open of ours, and what it returns is its
 * exit code.  `life` can be read when we have ended.  0 or -errno.
 */
int keeper_start(struct keeper *k, int (*run)(int life, int report, void *data), void *data);
/* Reads its report of that size; 0, or -ECHILD if it ended without one. */
int keeper_report(const struct keeper *k, void *report, size_t size);
/* Tells it that we end, and waits a little for it: its exit code, or -1 if it is still at work. */
int keeper_end(struct keeper *k);

/* For who dies of a signal: closes every descriptor but these two, which may be one. */
void close_all_but(int a, int b);
/* Waits a little until the keeper has ended; 0 if it has not. */
int keeper_wait(int report);

#endif
