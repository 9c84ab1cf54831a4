// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Something for each event of the Pentium 4 to count: p4-mix ROUNDS [CPUS], each
 * round on the next of so many CPUs.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pin.h"

#define BIG (2u << 20)

static unsigned char big[BIG] __attribute__((aligned(4096)));
static uint32_t seed = 1;
static volatile double sum;

static uint32_t next(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static int add(int x)
{
	return x + 1;
}

static int twice(int x)
{
	return x * 2;
}

/* Conditions nobody can foresee, calls by pointer, jumps through a table. */
static int branch(int n)
{
	static int (*const call[])(int) = { add, twice };
	static void *const jump[] = { &&one, &&two, &&three };
	volatile int x = 0;

	while (n--) {
		if (next() & 4)
			x += n;
		x = call[next() & 1](x);
		goto *jump[next() % 3];
one:
		x++;
two:
		x ^= 5;
three:
		;
	}
	return x;
}

/* x87, packed single precision, scalar double precision, MMX. */
static void calculate(int n)
{
	static const float four[4] __attribute__((aligned(16))) = { 1, 2, 3, 4 };
	volatile long double x = 1.5L;
	volatile double d = 1.25;

	while (n--) {
		x = x * 0.5L + 1;
		d = d * 0.5 + 1;
		__asm__ volatile("movaps %0, %%xmm1\n\tmulps %%xmm1, %%xmm1\n\taddps %%xmm1, %%xmm1"
				 : : "m"(four) : "xmm1");
		__asm__ volatile("pxor %%mm0, %%mm0\n\tpaddd %%mm0, %%mm0\n\temms" : : : "mm0");
	}
	sum = d + (double)x;
}

/* Far apart, across lines, and bytes of what was just stored, at its start and not. */
static void access_memory(int n)
{
	while (n--) {
		unsigned char *p = big + next() % (BIG - 128);
		volatile uint64_t *line = (void *)(((uintptr_t)p | 63) - 3);
		volatile unsigned char *byte = p;

		(*line)++;
		*byte = 1;
		(void)*(volatile uint32_t *)p;
		(void)((volatile unsigned char *)line)[2];
	}
}

/* Stores to a line that the first level keeps and the second has given up. */
static void write_behind(int n)
{
	enum { APART = 128 << 10, LINES = 15 };
	volatile unsigned char *kept = big;

	while (n--) {
		for (int i = 1; i <= LINES; i++) {
			(void)*kept;
			(void)kept[i * APART];
		}
		*kept = 1;
	}
}

/* Code that writes itself: mov $N, %eax; ret. */
static int modify(int n)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int x = 0;

	if (code == MAP_FAILED)
		return 1;
	memcpy(code, "\xb8\x00\x00\x00\x00\xc3", 6);
	while (n--) {
		code[1] = (unsigned char)n;
		x += ((int (*)(void))(uintptr_t)code)();
	}
	return x < 0;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1, cpus = argc > 2 ? atoi(argv[2]) : 0;

	while (rounds--) {
		if (cpus && pin(rounds % cpus))
			return 1;
		branch(3000);
		calculate(1000);
		access_memory(2000);
		write_behind(20);
		if (modify(10))
			return 1;
	}
	return 0;
}
