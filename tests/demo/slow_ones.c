// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A step of many a service's statistics: of all requests those are kept that took longer than
 * usual.
 */
#include <stdint.h>
#include <stdio.h>

#define REQUESTS 20000
#define ROUNDS 30
#define USUAL 500

static uint32_t took[REQUESTS];
uint32_t slow[REQUESTS + 1];

static void measure(void)
{
	uint32_t state = 1;
	int i;

	for (i = 0; i < REQUESTS; i++) {
		state = state * 1664525 + 1013904223;
		took[i] = state >> 22;
	}
}

static int __attribute__((noinline)) keep_slow(void)
{
	int i, kept = 0;

	for (i = 0; i < REQUESTS; i++) {
#ifndef SELECT
		if (took[i] > USUAL)
			slow[kept++] = took[i];
#else
		slow[kept] = took[i];
		kept += took[i] > USUAL;
#endif
	}
	return kept;
}

int main(void)
{
	int round, kept = 0;

	measure();
	for (round = 0; round < ROUNDS; round++)
		kept = keep_slow();
	printf("%d of %d\n", kept, REQUESTS);
	return 0;
}
