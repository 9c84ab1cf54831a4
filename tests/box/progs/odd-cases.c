// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts each case of odd-cases.S with perf events, between two marks of the
 * box, and prints: name, instructions and branches as they should be, and as
 * perf counted them.  The label of the mark in front is twice the case's number,
 * that of the mark behind it one more.  With an argument it only runs the cases,
 * for somebody else to count.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../guest/mark.h"
#include "pin.h"

struct odd_case {
	const char *name;
	void (*run)(void *zeros, void *untouched, void *edge, void *code);
	uint64_t instructions, branches;
};

extern const struct odd_case cases[];
void skip_two(int sig, siginfo_t *info, void *context);
void stay(int sig, siginfo_t *info, void *context);

struct counts {
	uint64_t nr, instructions, branches;
};

static int group;

static int event(uint64_t config, int leader)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.exclude_kernel = 1,
		.pinned = leader < 0,
		.read_format = PERF_FORMAT_GROUP,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);

	if (fd < 0) {
		perror("perf_event_open");
		exit(2);
	}
	return fd;
}

static struct counts counts_now(void)
{
	struct counts c;

	if (read(group, &c, sizeof(c)) != sizeof(c)) {
		perror("the counters are not on the PMU");
		exit(2);
	}
	return c;
}

static void *pages(int prot)
{
	void *p = mmap(NULL, 3 * 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	return p;
}

static void on(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction act = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(sig, &act, NULL);
}

static void measure(unsigned int number, bool alone, struct counts *out)
{
	char *zeros = pages(PROT_READ | PROT_WRITE), *edge = pages(PROT_READ | PROT_WRITE);
	char *untouched = pages(PROT_READ | PROT_WRITE);
	char *code = pages(PROT_READ | PROT_WRITE | PROT_EXEC);
	struct counts before, after;

	memset(zeros, 0, 4096);
	memset(edge, 0, 4096);
	memset(code, 0, 4096);
	if (alone) {
		cases[number].run(zeros, untouched, edge, code);
		return;
	}
	pmubox_mark(2 * number);
	before = counts_now();
	cases[number].run(zeros, untouched, edge, code);
	after = counts_now();
	pmubox_mark(2 * number + 1);
	out->instructions = after.instructions - before.instructions;
	out->branches = after.branches - before.branches;
}

static void open_events(void)
{
	group = event(PERF_COUNT_HW_INSTRUCTIONS, -1);
	event(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, group);
}

int main(int argc, char **argv)
{
	bool alone = argc > 1 && argv[1];
	struct counts nothing = { 0 }, c = { 0 };

	pin((int)sysconf(_SC_NPROCESSORS_ONLN) - 1);
	if (!alone)
		open_events();
	on(SIGILL, skip_two);
	on(SIGFPE, skip_two);
	on(SIGSEGV, skip_two);
	on(SIGTRAP, stay);
	measure(0, alone, &nothing);
	for (unsigned int i = 0; cases[i].name; i++) {
		measure(i, alone, &c);
		if (alone)
			continue;
		printf("%s %lu %lu %lu %lu\n", cases[i].name, cases[i].instructions,
		       cases[i].branches, c.instructions - nothing.instructions,
		       c.branches - nothing.branches);
	}
	return 0;
}
