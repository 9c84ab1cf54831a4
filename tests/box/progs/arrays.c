// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arrays ROUNDS: loads of every line of three arrays of malloc's, in an order that nothing
 * fetches ahead; says where they are.
 */
#include <stdio.h>
#include <stdlib.h>

#define LINE 64
#define LINES 16384	/* so large that each has a mapping of its own */

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	volatile char *array[3];

	for (int i = 0; i < 3; i++) {
		array[i] = malloc(LINES * LINE);
		if (!array[i])
			return 1;
		printf("%p\n", (void *)array[i]);
	}
	while (rounds--)
		for (int i = 0; i < 3; i++)
			for (unsigned long n = 0; n < LINES; n++)
				(void)array[i][n * 67 % LINES * LINE];
	return 0;
}
