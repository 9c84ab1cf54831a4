// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * walk LINES ROUNDS: loads of so many lines of memory, a power of two, each behind the one before
 * it, in an order that no processor fetches ahead; with AHEAD the program does, by so many loads.
 */
#include <stdlib.h>

#define LINE 64

/* It visits every line, and no two near each other one after the other. */
#define STEP 4099ul

int main(int argc, char **argv)
{
	unsigned long lines = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, n, sum = 0;
	unsigned char *memory = calloc(lines, LINE);

	if (!memory)
		return 1;
	while (rounds--)
		for (n = 0; n < lines; n++) {
#ifdef AHEAD
			/* By a load that nothing waits for: to the box a prefetch does nothing. */
			(void)*(volatile unsigned char *)
				&memory[(((n + AHEAD) * STEP) & (lines - 1)) * LINE];
#endif
			/* All are 0, but which line comes next is known only behind the load. */
			sum += memory[((n * STEP + sum) & (lines - 1)) * LINE];
		}
	free(memory);
	return sum != 0;
}
