// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loops in which events cost what is known, with twins in which one kind of event is missing:
 *
 *   costs chase BYTES ROUNDS	loads that wait for each other, over so many bytes (a power of two)
 *   costs twice BYTES ROUNDS	as chase, each behind a load of a line so many bytes further on
 *   costs cold BYTES ROUNDS	as chase, of lines that no cache has when it begins
 *   costs loads BYTES ROUNDS	loads as far apart that wait for nothing
 *   costs stream BYTES ROUNDS	loads of one line after the other, which wait for each other
 *   costs pages BYTES ROUNDS	as chase, one line a page
 *   costs branches BITS ROUNDS	a branch by these bits of a random number: 0 is always the same way
 *   costs behind BITS ROUNDS	a branch by these bits of what a load from memory finds
 *   costs shadow BITS ROUNDS	as chase in memory, with such a branch that does not wait for it
 *   costs rare BITS ROUNDS	a division that the next one waits for, and a branch that is rarely
 *				mispredicted back to it: when these bits are 0 (0xf000: 1 in 16)
 *   costs divide N ROUNDS	N divisions one behind the other, and 16 less N additions
 *
 * A fourth argument is how many MiB there are, 16 without it: that many lines are prepared,
 * whatever the number.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE	64ul
#define PAGE	4096ul

static char *memory;
static uint64_t size = 16ul << 20;	/* of it */
static uint64_t sum;

/* A number that looks random for each line; the low bit of a line's second word is one of it. */
static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	return z ^ (z >> 27);
}

/*
 * Links lines, or one of each page, to cycles of `bytes` that look random: linear congruential
 * generators modulo a power of two.  It takes as long however large these are.  The lines of
 * pages are spread over the sets of caches.
 */
static void link_up(uint64_t bytes, uint64_t step)
{
	uint64_t last = bytes / step - 1, spread = step > LINE ? 63 : 0, i, next;

	for (i = 0; i < size / step; i++) {
		next = (i & ~last) | ((1664525u * i + 1013904223u) & last);
		*(void **)(memory + i * step + (i & spread) * LINE) =
			memory + next * step + (next & spread) * LINE;
	}
}

static void number_lines(void)
{
	uint64_t i;

	for (i = 0; i < size / LINE; i++)
		*(uint64_t *)(memory + i * LINE + 8) = mix(i);
}

static void get_memory(int advice)
{
	uint64_t i;

	memory = aligned_alloc(2ul << 20, size);
	if (!memory)
		exit(1);
	madvise(memory, size, advice);
	for (i = 0; i < size; i += PAGE)
		*(volatile char *)(memory + i) = 0;
}

static void flush(void)
{
	uint64_t i;

	for (i = 0; i < size; i += LINE)
		__asm__ volatile("clflush (%0)" : : "r" (memory + i) : "memory");
	__asm__ volatile("mfence" : : : "memory");
}

static void chase(uint64_t rounds)
{
	void *line = memory;

	__asm__ volatile("1:	mov	(%0), %0\n"
			 "	sub	$1, %1\n"
			 "	jnz	1b\n"
			 : "+r" (line), "+r" (rounds) : : "cc", "memory");
}

static void __attribute__((noinline)) twice(uint64_t bytes, uint64_t rounds)
{
	void *line = memory, *scrap;

	__asm__ volatile("1:	mov	(%0,%3), %1\n"
			 "	mov	(%0), %0\n"
			 "	sub	$1, %2\n"
			 "	jnz	1b\n"
			 : "+r" (line), "=&r" (scrap), "+r" (rounds) : "r" (bytes) : "cc", "memory");
}

static void loads(uint64_t bytes, uint64_t rounds)
{
	uint64_t at = 1;

	while (rounds--) {
		at = at * 1664525u + 1013904223u;
		sum += *(volatile char *)(memory + ((at * LINE) & (bytes - 1)));
	}
}

static void stream(uint64_t bytes, uint64_t rounds)
{
	uint64_t at = 0;

	/* All are 0, but where the next one is is known only behind the load. */
	while (rounds--)
		at += LINE + *(volatile unsigned char *)(memory + (at & (bytes - 1)));
	sum += at;
}

static void branches(uint32_t bits, uint64_t rounds)
{
	uint32_t state = 2463534242u, copy = 0, count = 0;

	__asm__ volatile("1:	mov	%0, %1\n"
			 "	shl	$13, %1\n"
			 "	xor	%1, %0\n"
			 "	mov	%0, %1\n"
			 "	shr	$17, %1\n"
			 "	xor	%1, %0\n"
			 "	mov	%0, %1\n"
			 "	shl	$5, %1\n"
			 "	xor	%1, %0\n"
			 "	test	%4, %0\n"
			 "	jz	2f\n"
			 "	add	$1, %2\n"
			 "2:	sub	$1, %3\n"
			 "	jnz	1b\n"
			 : "+r" (state), "+r" (copy), "+r" (count), "+r" (rounds) : "r" (bits) : "cc");
}

static void behind(uint64_t bits, uint64_t rounds)
{
	uint64_t at = 1, scrap, count = 0;

	__asm__ volatile("1:	imul	$1664525, %0, %0\n"
			 "	add	$1013904223, %0\n"
			 "	mov	%0, %1\n"
			 "	and	%5, %1\n"
			 "	shl	$6, %1\n"
			 "	test	%6, 8(%4,%1)\n"
			 "	jz	2f\n"
			 "	add	$1, %2\n"
			 "2:	sub	$1, %3\n"
			 "	jnz	1b\n"
			 : "+r" (at), "=&r" (scrap), "+r" (count), "+r" (rounds)
			 : "r" (memory), "r" (size / LINE - 1), "r" (bits) : "cc", "memory");
}

static void shadow(uint32_t bits, uint64_t rounds)
{
	uint32_t state = 2463534242u, copy = 0, count = 0;
	void *line = memory;

	__asm__ volatile("1:	mov	(%0), %0\n"
			 "	mov	%1, %2\n"
			 "	shl	$13, %2\n"
			 "	xor	%2, %1\n"
			 "	mov	%1, %2\n"
			 "	shr	$17, %2\n"
			 "	xor	%2, %1\n"
			 "	mov	%1, %2\n"
			 "	shl	$5, %2\n"
			 "	xor	%2, %1\n"
			 "	test	%5, %1\n"
			 "	jz	2f\n"
			 "	add	$1, %3\n"
			 "2:	sub	$1, %4\n"
			 "	jnz	1b\n"
			 : "+r" (line), "+r" (state), "+r" (copy), "+r" (count), "+r" (rounds)
			 : "r" (bits) : "cc", "memory");
}

static void rare(uint32_t bits, uint64_t rounds)
{
	uint64_t low = 1, high = 0, divisor = ~0ull / 5 * 4;
	uint32_t state = 2463534242u, copy = 0;

	__asm__ volatile("1:	div	%5\n"
			 "	shr	$1, %1\n"
			 "	mov	%2, %3\n"
			 "	shl	$13, %3\n"
			 "	xor	%3, %2\n"
			 "	mov	%2, %3\n"
			 "	shr	$17, %3\n"
			 "	xor	%3, %2\n"
			 "	mov	%2, %3\n"
			 "	shl	$5, %3\n"
			 "	xor	%3, %2\n"
			 "	sub	$1, %4\n"
			 "	jz	2f\n"
			 "	test	%6, %2\n"
			 "	jz	1b\n"
			 "	jmp	1b\n"
			 "2:\n"
			 : "+a" (low), "+d" (high), "+r" (state), "+r" (copy), "+r" (rounds)
			 : "r" (divisor), "r" (bits) : "cc");
}

static void divide(uint64_t many, uint64_t rounds)
{
	uint64_t value = ~0ull, divisor = 3, i;

	while (rounds--)
		for (i = 0; i < 16; i++) {
			if (i < many)
				value = value / divisor + 0x7000000000000000ull;
			else
				value += divisor;
			__asm__ volatile("" : "+r" (value), "+r" (divisor));
		}
	sum += value;
}

static void load_all(const char *kind, uint64_t number, uint64_t rounds)
{
	bool pages = !strcmp(kind, "pages");

	get_memory(pages ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
	if (!strcmp(kind, "loads")) {
		loads(number, rounds);
	} else if (!strcmp(kind, "stream")) {
		stream(number, rounds);
	} else if (!strcmp(kind, "behind")) {
		number_lines();
		behind(number, rounds);
	} else if (!strcmp(kind, "shadow")) {
		link_up(size, LINE);
		shadow((uint32_t)number, rounds);
	} else {
		/* What programs before it have left would be another number of stores that miss. */
		if (!strcmp(kind, "cold"))
			flush();
		link_up(number, pages ? PAGE : LINE);
		if (!strcmp(kind, "cold"))
			flush();
		if (!strcmp(kind, "twice"))
			twice(number, rounds);
		else
			chase(rounds);
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 3 ? argv[1] : "";
	uint64_t number = argc > 3 ? strtoull(argv[2], NULL, 0) : 0;
	uint64_t rounds = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;

	if (argc > 4)
		size = strtoull(argv[4], NULL, 0) << 20;
	if (!*kind || !strstr("chase twice cold loads stream pages behind shadow branches rare divide",
			      kind)) {
		fprintf(stderr, "costs: what is '%s'?\n", kind);
		return 2;
	}
	if (!strcmp(kind, "branches"))
		branches((uint32_t)number, rounds);
	else if (!strcmp(kind, "rare"))
		rare((uint32_t)number, rounds);
	else if (!strcmp(kind, "divide"))
		divide(number, rounds);
	else
		load_all(kind, number, rounds);
	return sum == 1;
}
