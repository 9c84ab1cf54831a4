/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is counted or sampled: a command, CPUs, processes, threads or control groups.
 */
#ifndef PMUCTL_TARGETS_H
#define PMUCTL_TARGETS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tools/run/cgroups.h"

struct pmuctl_session;

enum target {
	TARGET_COMMAND,
	TARGET_ALL_CPUS,
	TARGET_CPUS,
	TARGET_PROCESSES,
	TARGET_THREADS,
	TARGET_CGROUPS,
};

struct targets {
	enum target kind;
	const char *text;	/* as it was given: "0,2-3" */
	unsigned int *cpus;
	size_t nr_cpus;
	pid_t *pids;		/* processes or threads */
	size_t nr_pids;
	struct cgroups cgroups;	/* of a session each */
	bool all_cpus;		/* -a, which -C overrides */
};

struct option_use;

/* Options whose value goes into a struct targets. */
int take_cpus(const struct option_use *use);
int take_processes(const struct option_use *use);
int take_threads(const struct option_use *use);
int take_cgroup(const struct option_use *use);
int take_cgroups(const struct option_use *use);

/* Their rows; type is the command's structure, with `targets` and `no_inherit`. */
#define OPTIONS_TARGETS(type)							\
	{ 'a', "all-cpus", NULL, take_flag, offsetof(type, targets.all_cpus),	\
	  .help = "all CPUs that are online" },					\
	{ 'C', "cpu", "CPUS", take_cpus, offsetof(type, targets),		\
	  .help = "these CPUs, like 0,2-3", .place = PLACE_OR },			\
	{ 'p', "pid", "PIDS", take_processes, offsetof(type, targets),		\
	  .help = "these processes with all their threads, like 17,23", .place = PLACE_OR }, \
	{ 't', "tid", "TIDS", take_threads, offsetof(type, targets),		\
	  .help = "these threads", .place = PLACE_OR },			\
	{ 'G', "cgroup", "CGROUP", take_cgroup, offsetof(type, targets),	\
	  .help = "the tasks of a control group and of those below it, as they come and go; " \
		  "like /system.slice", .place = PLACE_OR }
#define OPTION_NO_INHERIT(type)							\
	{ 'i', "no-inherit", NULL, take_flag, offsetof(type, no_inherit),	\
	  .help = "not the threads and processes that are started meanwhile" }

/* Once all options are there; command may be NULL.  0, or the exit code. */
int targets_check(const char *cmd, struct targets *targets, char **command, bool no_inherit);
/* Where they may run: what is started, where we may. */
void targets_cpus(const struct targets *targets, cpu_set_t *set);
bool targets_are_tasks(const struct targets *targets);
/* Tasks whose children are followed if so asked; of control groups all that are in them are. */
bool targets_can_inherit(const struct targets *targets);
/* which: of several control groups; child: of a command.  0 or -errno. */
int targets_into_session(const struct targets *targets, pid_t child, size_t which,
			 struct pmuctl_session *session);
void targets_free(struct targets *targets);

#endif
