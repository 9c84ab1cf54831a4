/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Phases that programs mark with libpmuctl, for who tunes them: a socket where they tell it.
 */
#ifndef PMUCTL_RUN_PHASES_H
#define PMUCTL_RUN_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct phases;

struct phases_user {
	/*
	 * A process is in this phase from now on, or no longer: it waits meanwhile.  What is
	 * returned is its answer, 0 or -errno.  Each begin has its end, at the latest with the
	 * process.
	 */
	int (*change)(void *data, pid_t pid, const char *name, bool begins);
	void *data;
};

/* path: as lib/talk/phase.h has it.  0 or -errno; -EADDRINUSE: somebody else listens there. */
int phases_open(const char *path, const struct phases_user *user, struct phases **phases);
/* It can be read when there is something for phases_serve(). */
int phases_fd(const struct phases *phases);
/* Answers what is there; 0 or -errno. */
int phases_serve(struct phases *phases);
/* NULL is none. */
void phases_close(struct phases *phases);

#endif
