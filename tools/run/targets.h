/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is counted or sampled: a command, CPUs, processes or threads.
 */
#ifndef PMUCTL_TARGETS_H
#define PMUCTL_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pmuctl_session;

enum target {
	TARGET_COMMAND,
	TARGET_ALL_CPUS,
	TARGET_CPUS,
	TARGET_PROCESSES,
	TARGET_THREADS,
};

struct targets {
	enum target kind;
	const char *text;	/* as it was given: "0,2-3" */
	unsigned int *cpus;
	size_t nr_cpus;
	pid_t *pids;		/* processes or threads */
	size_t nr_pids;
	bool all_cpus;		/* -a, which -C overrides */
};

/* The texts of -C, -p and -t; 0, or the exit code. */
int targets_set_cpus(const char *cmd, struct targets *targets, const char *text);
int targets_set_pids(const char *cmd, struct targets *targets, enum target kind,
		     const char *text);
/* Once all options are there; command may be NULL.  0, or the exit code. */
int targets_check(const char *cmd, struct targets *targets, char **command);
bool targets_are_tasks(const struct targets *targets);
/* child: of a command.  0 or -errno. */
int targets_into_session(const struct targets *targets, pid_t child,
			 struct pmuctl_session *session);
void targets_free(struct targets *targets);

#endif
