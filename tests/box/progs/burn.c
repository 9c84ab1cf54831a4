// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * burn N: waits for a byte or the end of its standard input, then executes
 * 2 * N instructions, N of them branches, and very little else.
 */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	char byte;

	if (read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
	return 0;
}
