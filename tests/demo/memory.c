// SPDX-License-Identifier: GPL-2.0-or-later
/* A program that waits for memory: each load's address comes from the one before. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES (256 * 1024)	/* 16 MB, more than a cache holds */
#define STEPS 1000000

struct line {
	struct line *next;
	char rest[64 - sizeof(struct line *)];
};

/* One cycle through all lines in an order that no prefetcher follows (Sattolo's). */
static struct line *chain(struct line *lines)
{
	uint32_t *order = malloc(LINES * sizeof(*order));
	uint64_t x = 1;

	if (!order)
		abort();
	for (uint32_t i = 0; i < LINES; i++)
		order[i] = i;
	for (uint32_t i = LINES - 1; i > 0; i--) {
		uint32_t j, other;

		x = x * 6364136223846793005u + 1442695040888963407u;
		j = (x >> 33) % i;
		other = order[i];
		order[i] = order[j];
		order[j] = other;
	}
	for (uint32_t i = 0; i < LINES; i++)
		lines[order[i]].next = &lines[order[(i + 1) % LINES]];
	free(order);
	return lines;
}

int main(void)
{
	struct line *lines = aligned_alloc(64, LINES * sizeof(*lines));
	struct line *at;

	if (!lines)
		abort();
	at = chain(lines);
	for (int i = 0; i < STEPS; i++)
		at = at->next;
	printf("memory: %d loads later at line %td\n", STEPS, at - lines);
	return 0;
}
