// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cycles of the time-stamp counter that TIMES of something take, the least of 20 rounds, for
 * the kit to take the difference of: costs switch|loop|read-pmuctl|read-perf TIMES
 *
 *   switch		of one of two tasks that wake each other through pipes
 *   loop		all 20 of TIMES rounds of two instructions, the second a branch
 *   read-pmuctl	of four events of this process
 *   read-perf		the same by perf's descriptors, as a group
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include <pmuctl.h>

#define ROUNDS	20
#define EVENTS	4

static const char *const names[EVENTS] = { "instructions:u", "branches:u", "r00c0:u", "r00c5:u" };
/* The same, perf's. */
static const struct {
	uint32_t type;
	uint64_t config;
} perf_events[EVENTS] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ PERF_TYPE_RAW, 0xc0 },
	{ PERF_TYPE_RAW, 0xc5 },
};

/* Not before what is in front of it; RDTSCP is younger than some of these processors. */
static uint64_t now(void)
{
	_mm_lfence();
	return __rdtsc();
}

/* 77: not here, as tests say it. */
static void not_here(const char *what, const char *why)
{
	fprintf(stderr, "costs: %s: %s\n", what, why);
	exit(77);
}

static void exchange(int to, int from, unsigned long times)
{
	char byte = 0;

	while (times--)
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			exit(1);
}

static void answer(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
	_exit(0);
}

static uint64_t run_switches(unsigned long times)
{
	uint64_t least = UINT64_MAX;
	int there[2], back[2];

	if (pipe(there) || pipe(back))
		not_here("pipe", "none left");
	if (!fork()) {
		close(there[1]);
		answer(there[0], back[1]);
	}
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t start = now(), took;

		exchange(there[1], back[0], times);
		took = now() - start;
		least = took < least ? took : least;
	}
	close(there[1]);
	wait(NULL);
	return least / 2;
}

/* All rounds: a buffer of records is emptied in some of them only. */
static uint64_t run_loop(unsigned long times)
{
	unsigned long left = times * ROUNDS;
	uint64_t start = now();

	__asm__ volatile("1:	dec	%0\n"
			 "	jnz	1b\n"
			 : "+r"(left) : : "cc");
	return now() - start;
}

static int take_value(void *data, const struct pmuctl_value *value)
{
	*(uint64_t *)data += value->value;
	return 0;
}

static uint64_t run_reads_pmuctl(unsigned long times)
{
	uint64_t least = UINT64_MAX, sum = 0;
	struct pmuctl_session *session;
	struct pmuctl *ctx;

	if (pmuctl_open(NULL, &ctx) || pmuctl_session_new(ctx, &session))
		not_here("pmuctl", "no memory");
	for (int i = 0; i < EVENTS; i++) {
		struct pmuctl_event *event;

		if (pmuctl_event_parse(ctx, names[i], &event) ||
		    pmuctl_session_add_event(session, event))
			not_here(names[i], pmuctl_error(ctx));
		pmuctl_event_free(event);
	}
	if (pmuctl_session_add_process(session, getpid()) || pmuctl_session_create(session, 0) ||
	    pmuctl_session_start(session))
		not_here("session", pmuctl_error(ctx));
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t start = now(), took;

		for (unsigned long n = 0; n < times; n++)
			if (pmuctl_session_read(session, take_value, &sum))
				not_here("read", pmuctl_error(ctx));
		took = now() - start;
		least = took < least ? took : least;
	}
	pmuctl_session_free(session);
	pmuctl_close(ctx);
	return sum ? least : 0;
}

static uint64_t run_reads_perf(unsigned long times)
{
	uint64_t least = UINT64_MAX, data[1 + EVENTS];
	int leader = -1;

	for (int i = 0; i < EVENTS; i++) {
		struct perf_event_attr attr = {
			.type = perf_events[i].type, .size = sizeof(attr),
			.config = perf_events[i].config, .exclude_kernel = 1,
			.read_format = PERF_FORMAT_GROUP,
		};
		int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);

		if (fd < 0)
			not_here("perf_event_open", "this kernel refuses the event");
		leader = leader < 0 ? fd : leader;
	}
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t start = now(), took;

		for (unsigned long n = 0; n < times; n++)
			if (read(leader, data, sizeof(data)) != sizeof(data))
				not_here("read", "the group is not counted");
		took = now() - start;
		least = took < least ? took : least;
	}
	return least;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint64_t (*run)(unsigned long times);
	} ways[] = {
		{ "switch", run_switches },
		{ "loop", run_loop },
		{ "read-pmuctl", run_reads_pmuctl },
		{ "read-perf", run_reads_perf },
	};
	unsigned long times = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		not_here("CPU 0", "is not ours to run on");
	for (size_t i = 0; times && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		printf("%" PRIu64 "\n", ways[i].run(times));
		return 0;
	}
	return 2;
}
