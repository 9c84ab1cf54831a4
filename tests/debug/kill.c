// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kills owners of sessions with SIGKILL, each at another moment: kill ROUNDS.
 * Owners take turns: a process with children, all CPUs, one CPU, more events than
 * there are counters; some are killed while they ask, some while they count.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pmuctl.h>

#include "../box/progs/bound.h"

#define OWNERS	4
#define MAX_DELAY_US	30000

static const char *const events[] = {
	"instructions", "cycles", "branches:u", "branch-misses", "r10c4:k", "r013c",
	"r4f2e:u", "r412e", "r00c0:u", "r00c4", "r00c5:u", "r003c:k",
};

static void add_events(struct pmuctl *ctx, struct pmuctl_session *session, int count)
{
	for (int i = 0; i < count; i++) {
		struct pmuctl_event *event;

		if (pmuctl_event_parse(ctx, events[i], &event))
			continue;
		pmuctl_session_add_event(session, event);
		pmuctl_event_free(event);
	}
}

/* What there is to count: processes that come and go. */
static pid_t busy_family(void)
{
	pid_t pid = fork_bound();

	if (pid)
		return pid;
	for (;;) {
		if (!fork())
			_exit(0);
		wait(NULL);
		usleep(500);
	}
}

static int on_value(void *data, const struct pmuctl_value *value)
{
	*(uint64_t *)data += value->value;
	return 0;
}

static void fail(struct pmuctl *ctx, const char *what)
{
	fprintf(stderr, "kill: %s: %s\n", what, pmuctl_error(ctx));
	_exit(1);
}

static void __attribute__((noreturn)) own(int kind)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct pmuctl_session *session;
	uint64_t sum = 0;
	struct pmuctl *ctx;

	if (pmuctl_open(NULL, &ctx) || pmuctl_session_new(ctx, &session))
		_exit(1);
	add_events(ctx, session, kind == 3 ? 12 : 4);
	if (kind == 0 || kind == 3)
		pmuctl_session_add_process(session, busy_family());
	for (long cpu = 0; kind == 1 && cpu < cpus; cpu++)
		pmuctl_session_add_cpu(session, cpu);
	if (kind == 2)
		pmuctl_session_add_cpu(session, cpus - 1);
	if (pmuctl_session_create(session, (kind == 0 || kind == 3 ? PMUCTL_INHERIT : 0) |
				  (kind == 3 ? PMUCTL_MULTIPLEX : 0)))
		fail(ctx, "create");
	if (pmuctl_session_start(session))
		fail(ctx, "start");
	for (;; usleep(500))
		if (pmuctl_session_read(session, on_value, &sum))
			fail(ctx, "read");
}

/* Returns whether the owner had to be killed: any other end is its failure. */
static int one_round(int round)
{
	pid_t pid = fork_bound();
	int status;

	if (!pid)
		own(round % OWNERS);
	usleep(rand() % MAX_DELAY_US);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0, round;
	unsigned int seed = time(NULL);

	printf("seed %u\n", seed);
	srand(seed);
	for (round = 0; round < rounds; round++) {
		if (one_round(round))
			continue;
		fprintf(stderr, "kill: round %d ended by itself\n", round);
		return 1;
	}
	return 0;
}
