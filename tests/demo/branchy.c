// SPDX-License-Identifier: GPL-2.0-or-later
/* A program whose branches nobody can predict: they follow random bits. */
#include <stdint.h>
#include <stdio.h>

static uint32_t next(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

int main(void)
{
	uint32_t x = 1, ones = 0, sixes = 0;

	for (int i = 0; i < 2000000; i++) {
		x = next(x);
		/* The asm keeps the compiler from counting without a branch. */
		if (x & 1) {
			ones++;
			__asm__ volatile("" : "+r"(ones));
		}
		if (x & 64) {
			sixes++;
			__asm__ volatile("" : "+r"(sixes));
		}
	}
	printf("branchy: bit 0 set in %u and bit 6 in %u of 2000000 random words\n", ones,
	       sixes);
	return 0;
}
