// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Says how long the guest took to boot and how many million instructions a
 * second it executes, in 100 million rounds or as many as it is told.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 100000000u
/* As many as the loop below has. */
#define INSTRUCTIONS 6u

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char *argv[])
{
	double booted = now(CLOCK_BOOTTIME), start = now(CLOCK_MONOTONIC), end;
	uint64_t all = argc > 1 ? strtoull(argv[1], NULL, 10) : ROUNDS;
	uint64_t rounds = all, sum = 0, cell = 1;

	__asm__ volatile("1:	add %1, %0\n"
			 "	xor %2, %0\n"
			 "	mov %0, %1\n"
			 "	test $64, %0\n"
			 "	dec %2\n"
			 "	jnz 1b\n"
			 : "+r"(sum), "+m"(cell), "+r"(rounds)
			 :
			 : "cc", "memory");
	end = now(CLOCK_MONOTONIC);
	printf("%.2f %.0f\n", booted, all * (double)INSTRUCTIONS / (end - start) / 1e6);
	return 0;
}
