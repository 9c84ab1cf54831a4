// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conditional branches that go one way: p4-branches KIND ROUNDS
 *   taken      one a round, taken
 *   not        one that is not, and the round's own, taken
 *   seldom     one that nobody foresees is taken in one round of eight, else as "not"
 * What is jumped over is there so that the box sees the jump: to it, a branch to the next
 * instruction is not taken.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	unsigned long rounds = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	uint32_t seed = 1;

	if (!rounds)
		return 2;
	if (!strcmp(argv[1], "taken"))
		__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
	else if (!strcmp(argv[1], "not"))
		__asm__ volatile("1: test %0, %0\n\tjz 2f\n\tnop\n2: dec %0\n\tjnz 1b"
				 : "+r"(rounds) : : "cc");
	else if (!strcmp(argv[1], "seldom"))
		__asm__ volatile("1: imul $1664525, %1, %1\n\tadd $1013904223, %1\n\t"
				 "test $0x700000, %1\n\tjz 2f\n\tnop\n2: dec %0\n\tjnz 1b"
				 : "+r"(rounds), "+r"(seed) : : "cc");
	else
		return 2;
	return 0;
}
