// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines HOW N: N times a load, then what becomes of its line: clflush, clflushopt, clwb or
 * none, and a fence; or (stream) a load of each of N lines one after the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE 64

static char line[LINE] __attribute__((aligned(LINE)));

/* An instruction for each round, which has the line at %1. */
#define ROUNDS(insn)								\
	asm volatile("1:	mov (%1), %%rax\n\t"				\
		     insn "\n\t"						\
		     "mfence\n\t"						\
		     "dec %0\n\t"						\
		     "jnz 1b" : "+r" (n) : "r" (line) : "rax", "memory", "cc")

static int stream(unsigned long n)
{
	/* Reading takes no memory: all of it is the page of zeros. */
	char *lines = mmap(NULL, n * LINE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			   -1, 0);

	if (lines == MAP_FAILED)
		return 1;
	asm volatile("1:	mov (%1), %%rax\n\t"
		     "add $64, %1\n\t"
		     "dec %0\n\t"
		     "jnz 1b" : "+r" (n), "+r" (lines) : : "rax", "memory", "cc");
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;

	if (!n)
		return 2;
	if (!strcmp(how, "clflush"))
		ROUNDS("clflush (%1)");
	else if (!strcmp(how, "clflushopt"))
		ROUNDS(".byte 0x66; clflush (%1)");
	else if (!strcmp(how, "clwb"))
		ROUNDS(".byte 0x66; xsaveopt (%1)");
	else if (!strcmp(how, "none"))
		ROUNDS("");
	else if (!strcmp(how, "stream"))
		return stream(n);
	else
		return 2;
	return 0;
}
