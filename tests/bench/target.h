/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the programs that read counts count: themselves, a child that sleeps, a child
 * that spins on CPU 1, or CPUs 0 to 3.
 */
#ifndef BENCH_TARGET_H
#define BENCH_TARGET_H

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define TARGET_CPUS	4

struct target {
	pid_t pid;	/* 0: the caller, -1: the CPUs */
	int cpus;	/* 0: a task */
};

static int target_awake[2];	/* a pipe: a byte each time that the child ran */

static inline void target_move(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static inline void target_woken(int sig __attribute__((unused)))
{
	if (write(target_awake[1], "", 1) != 1)
		_exit(1);
}

static inline pid_t target_child(int spin)
{
	pid_t pid;

	signal(SIGUSR1, target_woken);
	if (pipe(target_awake))
		return -1;
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (spin)
		target_move(1);
	while (spin)
		;
	for (;;)
		pause();
}

/* The reader stays on CPU 0. */
static inline int target_make(const char *name, struct target *target)
{
	*target = (struct target){ 0 };
	if (!strcmp(name, "cpus"))
		*target = (struct target){ .pid = -1, .cpus = TARGET_CPUS };
	else if (!strcmp(name, "asleep") || !strcmp(name, "running"))
		target->pid = target_child(!strcmp(name, "running"));
	else if (strcmp(name, "self"))
		return -1;
	if (target->pid < 0 && !target->cpus)
		return -1;
	target_move(0);
	usleep(100000);
	return 0;
}

/* Once events are on it, a sleeper has to run a little, or it counts nothing. */
static inline void target_counted(const struct target *target)
{
	char byte;

	if (target->pid <= 0)
		return;
	kill(target->pid, SIGUSR1);
	if (read(target_awake[0], &byte, 1) != 1)
		exit(1);
}

static inline void target_end(const struct target *target)
{
	if (target->pid > 0)
		kill(target->pid, SIGKILL);
}

#endif
