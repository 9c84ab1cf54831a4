// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop of B. Sprunt, "Pentium 4 performance-monitoring features" (IEEE Micro, 2002),
 * made again from its description: l1_miss PASSES.  Each pass visits 8 lines that are
 * 8 KB apart, and thus in one set of a cache of 4 ways: one load misses, and of those
 * behind it, which stay in its line, none.  A pass begins with the line of the one before
 * or with the next, as it happens, or every 1000th miss were one line's.
 */
#include <stdlib.h>

#define LINES 8
#define APART 8192

static char memory[LINES * APART] __attribute__((aligned(APART)));

#define LOAD4 "mov 8(%%rcx), %%edx\n\tmov 16(%%rcx), %%edx\n\tmov 24(%%rcx), %%edx\n\t" \
	      "mov 32(%%rcx), %%edx\n\t"
#define LOAD16 LOAD4 LOAD4 LOAD4 LOAD4

static void __attribute__((noinline)) l1_miss(const char *line)
{
	unsigned long lines = LINES;

	__asm__ volatile("1:\n\tmov %0, %%rcx\n\t"
			 "mov (%0), %0\n\t"		/* the one that misses */
			 LOAD16 LOAD16 LOAD16 LOAD16 LOAD16
			 "dec %1\n\tjnz 1b"
			 : "+a"(line), "+r"(lines) : : "rcx", "rdx", "cc", "memory");
}

int main(int argc, char **argv)
{
	unsigned long passes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	unsigned int i, seed = 1, first = 0;

	for (i = 0; i < LINES; i++)
		*(void **)(memory + i * APART) = memory + (i + 1) % LINES * APART;
	while (passes--) {
		l1_miss(memory + first * APART);
		seed = seed * 1664525 + 1013904223;
		first = (first + (seed >> 31)) % LINES;
	}
	return 0;
}
