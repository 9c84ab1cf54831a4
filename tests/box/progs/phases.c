// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program whose collection of garbage wants other prefetchers than its work.
 *
 *   phases NAME TIMES WORK GARBAGE [CHILDREN]
 *
 * So many times: WORK lines one behind the other, which streamers fetch ahead, while it is known
 * only behind each line where the next one is; and then, in the phase NAME ("-": in none), GARBAGE
 * times three lines and a jump, behind which prefetchers fetch what nobody wants; with a GARBAGE of
 * 0 it is killed there.  With CHILDREN as
 * many processes do it at the same time, and wait for a signal then; the first one ends before.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmuctl.h"

#define MEMORY	"/dev/hugepages/phases"	/* of hugetlbfs, 9 pages */
#define HUGE	(2ul << 20)
#define LINE	64ul
#define WORK	(2ul << 20)		/* bytes */
#define GARBAGE	(16ul << 20)
#define BLOCK	2048ul			/* of garbage, with room for what nobody wants */

static unsigned char *memory;		/* work, and then garbage */
static uint64_t sum, place = 1;

/* What it finds is 0, which only the load tells. */
static uint64_t load(uint64_t at)
{
	return at + *(const volatile unsigned char *)(memory + at);
}

static void work(uint64_t lines)
{
	uint64_t at = 0;

	while (lines--)
		at = (load(at) + LINE) % (WORK / 2);
	sum += at;
}

/*
 * All blocks once, in an order that looks random, before any a second time.  No load waits for
 * another one, so that what counts is how many lines memory has to deliver.
 */
static void collect(uint64_t times)
{
	const volatile unsigned char *block;

	while (times--) {
		place = place * 1664525 + 1013904223;
		block = memory + WORK + place * BLOCK % GARBAGE;
		sum += block[LINE] + block[2 * LINE] + block[3 * LINE];
	}
}

static void flush(uint64_t from, uint64_t end, uint64_t step)
{
	for (; from < end; from += step)
		__asm__ volatile("clflush %0" : : "m" (memory[from]));
}

static void must(int err, const char *what, const char *name)
{
	if (!err)
		return;
	fprintf(stderr, "phases: %s of '%s': %s\n", what, name, strerror(-err));
	exit(1);
}

static void run(const char *name, uint64_t times, uint64_t lines, uint64_t garbage)
{
	int marks = strcmp(name, "-");

	while (times--) {
		work(lines);
		if (marks)
			must(pmuctl_phase_begin(name), "begin", name);
		collect(garbage);
		if (!garbage)
			raise(SIGKILL);
		if (marks)
			must(pmuctl_phase_end(name), "end", name);
	}
}

/*
 * The same pages in each run.  Fresh ones the kernel has to zero first: that takes more cycles than
 * the rest, and fewer with prefetchers.
 */
static unsigned char *map_memory(void)
{
	int file = open(MEMORY, O_RDWR | O_CREAT, 0600);

	if (file < 0)
		return MAP_FAILED;
	return mmap(NULL, WORK + GARBAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

int main(int argc, char **argv)
{
	uint64_t children, i;

	if (argc < 5)
		return 2;
	children = argc > 5 ? strtoull(argv[5], NULL, 0) : 0;
	memory = map_memory();
	if (memory == MAP_FAILED) {
		perror("phases: " MEMORY);
		return 1;
	}
	/* What is not mapped has no line to be flushed. */
	for (i = 0; i < WORK + GARBAGE; i += HUGE)
		sum += memory[i];
	/* The run before had the same lines. */
	flush(0, WORK / 2, LINE);
	for (i = 0; i < 8; i++)
		flush(WORK + i * LINE, WORK + GARBAGE, BLOCK);
	for (i = 0; i < children; i++)
		if (!fork())
			break;
	if (children && i == children)
		return 0;
	run(argv[1], strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0),
	    strtoull(argv[4], NULL, 0));
	if (children)
		pause();
	return sum == 1;
}
