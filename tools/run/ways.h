/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * l3-ways=N: how many ways of the last-level cache a command, or CPUs, may fill.  The kernel gives
 * them to a group of resctrl; no register is written behind it.
 */
#ifndef PMUCTL_WAYS_H
#define PMUCTL_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WAYS_NAME "l3-ways"

/* Is it what a setting "NAME=VALUE" names? */
bool ways_is_named(const char *text);
/*
 * Takes all "l3-ways=N" out of settings with commas between: the last one counts, 0 is none.
 * Returns NULL, or why one is no number.
 */
const char *ways_take(char *text, unsigned int *ways);

/*
 * From now on commands of ours begin in a group of that many ways, and, if there are any, these
 * CPUs are the group's; one at a time.  0, or the exit code after saying why not.
 */
int ways_hold(const char *cmd, unsigned int ways, const unsigned int *cpus, size_t count);
/* Puts a process of ours into it, if it is held; 0 or -errno. */
int ways_enter(pid_t pid);
/* The group goes, and what is still in it is the default group's; nothing if none is held. */
void ways_release(const char *cmd);

/* What there is of it, whoever asks. */
struct ways_facts {
	unsigned int ways;		/* of the last level */
	uint64_t usual;			/* those of the default group; 0: resctrl is not mounted */
	char why_not[160];		/* "": it can be had */
};

void ways_look(struct ways_facts *facts);

#endif
