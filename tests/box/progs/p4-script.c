// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what its standard input says, a line each, on CPU 0 unless that says else:
 *
 *   w ADDRESS VALUE	writes a register of CPU 0
 *   mark N		a mark for the truth
 *   work N CPU...	on each of these CPUs a process of its own works N rounds
 *   miss N		N passes over loads of which the first misses the first level
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../guest/mark.h"
#include "pin.h"

#define PAGES 96
#define PAGE 4096
#define WAYS_APART 8192			/* lines of one set, whatever the first level */
#define LINES 12

static unsigned char pages[PAGES * PAGE] __attribute__((aligned(PAGE)));
static unsigned char lines[LINES * WAYS_APART] __attribute__((aligned(PAGE)));
static volatile double sum;
static volatile long double longer;

static void fail(const char *what)
{
	fprintf(stderr, "p4-script: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void write_register(uint32_t msr, uint64_t value)
{
	int fd = open("/dev/cpu/0/msr", O_WRONLY);
	char what[64];

	snprintf(what, sizeof(what), "writing 0x%" PRIx64 " to 0x%x", value, msr);
	if (fd < 0 || pwrite(fd, &value, sizeof(value), msr) != sizeof(value))
		fail(what);
	close(fd);
}

static int twice(int n)
{
	return 2 * n;
}

static int thrice(int n)
{
	return 3 * n;
}

/* Stores that loads behind them overlap: all of it, a part, more than it. */
static void overlap(unsigned char *at)
{
	*(volatile uint64_t *)at = 1;
	(void)*(volatile uint64_t *)at;
	*(volatile uint32_t *)(at + 8) = 2;
	(void)*(volatile uint64_t *)(at + 8);
	*(volatile uint64_t *)(at + 16) = 3;
	(void)*(volatile uint8_t *)(at + 19);
	*(volatile uint64_t *)(at + 61) = 4;
	(void)*(volatile uint64_t *)(at + 60);
}

/* A bit of everything that the events tell apart. */
static void work(unsigned int rounds)
{
	int (*const fn[2])(int) = { twice, thrice };
	unsigned int random = 1;
	double vector[2] __attribute__((aligned(16))) = { 1, 2 };

	for (unsigned int i = 0; i < rounds; i++) {
		random = random * 1103515245 + 12345;
		overlap(pages + i % PAGES * PAGE);
		(void)*(volatile uint32_t *)(lines + i % LINES * WAYS_APART);
		if (random >> 16 & 1)
			sum += 1.5;
		longer += 0.5L;
		sum += fn[random >> 20 & 1](3);
		__asm__ volatile("movapd (%0), %%xmm1\n\taddpd %%xmm1, %%xmm1\n\t"
				 "addps %%xmm1, %%xmm1\n\taddss %%xmm1, %%xmm1\n\t"
				 "paddd %%xmm1, %%xmm1\n\tpaddd %%mm0, %%mm0\n\temms"
				 : : "r" (vector) : "memory", "xmm1");
		memset(pages + i % 7 * PAGE, 1, 33);
		if (i % 64 == 0)
			getppid();
	}
}

/* Several processes, which end before this returns; no thread of ours works meanwhile. */
static void work_on(unsigned int rounds, char *cpus)
{
	for (char *cpu = strtok(cpus, " \n"); cpu; cpu = strtok(NULL, " \n")) {
		pid_t pid = fork();

		if (pid < 0)
			fail("fork");
		if (pid)
			continue;
		if (pin(atoi(cpu)))
			fail("sched_setaffinity");
		work(rounds);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
}

/* Each pass loads the next of lines that evict each other, and then what it has. */
static void miss(unsigned int passes)
{
	for (unsigned int i = 0; i < passes; i++) {
		volatile uint32_t *line = (volatile uint32_t *)(lines + i % LINES * WAYS_APART);

		for (int k = 0; k < 8; k++)
			(void)line[k];
	}
}

static void run_line(char *line)
{
	uint64_t value;
	uint32_t msr;
	unsigned int n;
	int end = 0;

	if (sscanf(line, "w %" SCNx32 " %" SCNx64, &msr, &value) == 2)
		write_register(msr, value);
	else if (sscanf(line, "mark %u", &n) == 1)
		pmubox_mark(n);
	else if (sscanf(line, "miss %u", &n) == 1)
		miss(n);
	else if (sscanf(line, "work %u%n", &n, &end) == 1)
		work_on(n, line + end);
	else
		fail(line);
}

int main(void)
{
	char line[256];

	if (pin(0))
		fail("sched_setaffinity");
	while (fgets(line, sizeof(line), stdin))
		run_line(line);
	return 0;
}
