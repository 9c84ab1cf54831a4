// SPDX-License-Identifier: GPL-2.0-only
/*
 * From CPU 2, has perf count user mode of CPU 0 with and without the other thread
 * of its core, lets a thread on each of CPU 0 and 1 run between two marks, and
 * prints the counts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../guest/mark.h"
#include "pin.h"

#define ANY (1u << 21)

static const struct {
	const char *name;
	uint32_t config;
} events[] = {
	{ "any_instructions", ANY | 0xc0 },
	{ "any_branches", ANY | 0xc4 },
	{ "any_cycles", ANY | 0x3c },
	{ "own_instructions", 0xc0 },
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

static void fail(const char *what)
{
	fprintf(stderr, "siblings: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int count(uint32_t config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = config,
		.exclude_kernel = 1,
		.pinned = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd < 0)
		fail("perf_event_open");
	return fd;
}

static uint64_t value_of(int fd)
{
	uint64_t value;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		fail("read");
	return value;
}

static void *busy(void *cpu)
{
	unsigned long n = cpu ? 3000000 : 2000000;

	if (pin(cpu ? 1 : 0))
		fail("sched_setaffinity");
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
	return NULL;
}

int main(void)
{
	int fd[EVENTS];
	uint64_t before[EVENTS];
	pthread_t thread[2];

	if (pin(2))
		fail("sched_setaffinity");
	for (size_t i = 0; i < EVENTS; i++)
		fd[i] = count(events[i].config);
	for (size_t i = 0; i < EVENTS; i++)
		before[i] = value_of(fd[i]);
	pmubox_mark(1);
	if (pthread_create(&thread[0], NULL, busy, NULL) ||
	    pthread_create(&thread[1], NULL, busy, &thread))
		fail("pthread_create");
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	pmubox_mark(2);
	for (size_t i = 0; i < EVENTS; i++)
		printf("%s %" PRIu64 "\n", events[i].name, value_of(fd[i]) - before[i]);
	return 0;
}
