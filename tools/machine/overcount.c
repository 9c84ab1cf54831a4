// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * By how much this processor's count of instructions is too high for each page fault and
 * each interrupt: all Intel processors but the Pentium 4 count such a thing as one (Weaver,
 * Terpstra and Moore, "Non-determinism and overcount on modern hardware performance counter
 * implementations", 2013), and nobody can correct it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tools/base/base.h"
#include "tools/machine/selftest.h"

#define PAGES 512
#define PAGE 4096
/* The kernel's tick comes 100 to 1000 times a second, and a round takes milliseconds. */
#define TURNS 2000000ull
#define ROUNDS_MAX 500
#define INTERRUPTS_WANTED 16

struct work {
	char *pages;
	uint64_t turns;
};

/* Two instructions a turn. */
static void touch(void *data)
{
	const struct work *work = data;
	char *page = work->pages, *end = page + (size_t)PAGES * PAGE;
	uint64_t turns = work->turns;

	for (; page < end; page += PAGE)
		*(volatile char *)page = 1;
	__asm__ volatile("1:	dec	%0\n"
			 "	jnz	1b\n"
			 : "+r"(turns) : : "cc");
}

static int count_touch(struct pmuctl_session *s, char *pages, uint64_t turns, uint64_t *counted)
{
	struct work work = { pages, turns };

	return selftest_count(s, touch, &work, counted);
}

static uint64_t faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : (uint64_t)usage.ru_minflt;
}

/* Of the CPU on which the caller stays: all of /proc/interrupts' rows. */
static uint64_t interrupts(unsigned int cpu)
{
	FILE *f = fopen("/proc/interrupts", "re");
	uint64_t sum = 0;
	char *line = NULL, *at;
	size_t size = 0;
	unsigned int i;

	while (f && getline(&line, &size, f) > 0) {
		at = strchr(line, ':');
		for (i = 0; at && i <= cpu; i++) {
			uint64_t n = strtoull(at + !i, &at, 10);

			sum += i == cpu ? n : 0;
		}
	}
	free(line);
	if (f)
		fclose(f);
	return sum;
}

/* The first times that something is counted cost what later ones do not. */
#define WARM_UP 3

/* Pages are touched for the first time, and again. */
static int measure_faults(struct pmuctl_session *s, char *pages, struct overcount *o)
{
	uint64_t before, first = 0, again = 0, n;
	int err = 0, i;

	for (i = 0; !err && i < WARM_UP; i++)
		err = count_touch(s, pages, 1, &first);
	/* Zeroed pages again, by new faults. */
	if (err || madvise(pages, (size_t)PAGES * PAGE, MADV_DONTNEED))
		return err;
	before = faults();
	err = count_touch(s, pages, 1, &first);
	n = faults() - before;
	if (!err)
		err = count_touch(s, pages, 1, &again);
	if (err || n < PAGES / 2)
		return err;
	o->fault = ((double)first - (double)again) / (double)n;
	o->faults = n;
	return 0;
}

static int measure_interrupts(struct pmuctl_session *s, char *pages, unsigned int cpu,
			      struct overcount *o)
{
	uint64_t few = 0, many = 0, before, n = 0;
	int64_t excess = 0;
	int err = 0, i;

	for (i = -WARM_UP; !err && n < INTERRUPTS_WANTED && i < ROUNDS_MAX; i++) {
		/* What stands around one of them stands around the other. */
		(void)interrupts(cpu);
		err = count_touch(s, pages, 1, &few);
		before = interrupts(cpu);
		if (!err)
			err = count_touch(s, pages, 1 + TURNS, &many);
		if (i < 0)
			continue;
		n += interrupts(cpu) - before;
		excess += (int64_t)(many - few - 2 * TURNS);
	}
	if (err || n < INTERRUPTS_WANTED)
		return err;
	o->interrupt = (double)excess / (double)n;
	o->interrupts = n;
	return 0;
}

int selftest_overcount(struct pmuctl *ctx, unsigned int cpu, struct overcount *o)
{
	size_t size = (size_t)PAGES * PAGE;
	struct pmuctl_session *s = NULL;
	char *pages;
	int err;

	memset(o, 0, sizeof(*o));
	pages = aligned_alloc(PAGE, size);
	if (!pages)
		return -ENOMEM;
	/* A huge page would be one fault. */
	madvise(pages, size, MADV_NOHUGEPAGE);
	err = selftest_session(ctx, "instructions:u", ~0ull, &s);
	if (!err)
		err = measure_faults(s, pages, o);
	if (!err)
		err = measure_interrupts(s, pages, cpu, o);
	pmuctl_session_free(s);
	free(pages);
	return err;
}
