// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs that lose their issue slots in a way each: slots KIND ROUNDS.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Lines so far from each other share a set in every cache, which holds less of them; in the last
 * level, which goes by physical addresses, where pages are larger than that.
 */
#define STRIDE (UINT64_C(1) << 20)
#define LINES 64
#define MEMORY (LINES * STRIDE)
#define HUGE (UINT64_C(2) << 20)

static char *memory(void)
{
	char *at = aligned_alloc(HUGE, MEMORY);

	if (!at || madvise(at, MEMORY, MADV_HUGEPAGE)) {
		perror("slots: memory in huge pages");
		exit(1);
	}
	return at;
}

/* A ring through all lines in an order that no prefetcher knows. */
static void chase(uint64_t rounds)
{
	char *at = memory();
	uint64_t i, next;

	for (i = 0; i < LINES; i++) {
		next = (i * 1664525 + 1013904223) % LINES;
		*(char **)(at + i * STRIDE) = at + next * STRIDE;
	}
	__asm__ volatile("1:	mov (%0), %0\n"
			 "	dec %1\n"
			 "	jnz 1b\n"
			 : "+r"(at), "+r"(rounds) : : "cc", "memory");
}

/* Every second round is mispredicted half of the time. */
static void branches(uint64_t rounds)
{
	uint64_t state = 88172645463325252, sum = 0;

	__asm__ volatile("1:	mov %0, %%rax\n"
			 "	shl $13, %%rax\n"
			 "	xor %%rax, %0\n"
			 "	mov %0, %%rax\n"
			 "	shr $7, %%rax\n"
			 "	xor %%rax, %0\n"
			 "	mov %0, %%rax\n"
			 "	shl $17, %%rax\n"
			 "	xor %%rax, %0\n"
			 "	test $0x100, %0\n"
			 "	jz 2f\n"
			 "	inc %1\n"
			 "2:	test $0x4000, %0\n"
			 "	jz 3f\n"
			 "	inc %1\n"
			 "3:	dec %2\n"
			 "	jnz 1b\n"
			 : "+r"(state), "+r"(sum), "+r"(rounds) : : "rax", "cc");
}

/* A line of code for each few instructions, more of them than the first level holds. */
static void code(uint64_t rounds)
{
	__asm__ volatile("1:	.rept 4096\n"
			 "	jmp 2f\n"
			 "	.balign 64\n"
			 "2:	add $1, %%rax\n"
			 "	.endr\n"
			 "	dec %0\n"
			 "	jnz 1b\n"
			 : "+r"(rounds) : : "rax", "cc");
}

static void divide(uint64_t rounds)
{
	double value = 1.5, by = 1.0000001;

	__asm__ volatile("1:	divsd %2, %1\n"
			 "	dec %0\n"
			 "	jnz 1b\n"
			 : "+r"(rounds), "+x"(value) : "x"(by) : "cc");
}

/* A store to each line, again and again through memory. */
static void stores(uint64_t rounds)
{
	char *start = memory(), *end = start + MEMORY, *at = start;

	__asm__ volatile("1:	mov %0, (%1)\n"
			 "	mov %0, 8(%1)\n"
			 "	mov %0, 16(%1)\n"
			 "	mov %0, 24(%1)\n"
			 "	add %4, %1\n"
			 "	cmp %3, %1\n"
			 "	cmovae %2, %1\n"
			 "	dec %0\n"
			 "	jnz 1b\n"
			 : "+&r"(rounds), "+&r"(at) : "r"(start), "r"(end), "r"(STRIDE)
			 : "cc", "memory");
}

/* As many as a core can issue, two of three to compute and one to load. */
static void alu(uint64_t rounds)
{
	static uint64_t cell;

	__asm__ volatile("1:	.rept 8\n"
			 "	add $1, %%rax\n"
			 "	add $1, %%rcx\n"
			 "	mov %1, %%rsi\n"
			 "	add $1, %%rdx\n"
			 "	add $1, %%rdi\n"
			 "	mov %1, %%r8\n"
			 "	.endr\n"
			 "	dec %0\n"
			 "	jnz 1b\n"
			 : "+r"(rounds) : "m"(cell)
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "cc");
}

static const struct {
	const char *name;
	void (*run)(uint64_t rounds);
} kinds[] = {
	{ "chase", chase }, { "branches", branches }, { "code", code },
	{ "divide", divide }, { "stores", stores }, { "alu", alu },
};

int main(int argc, char *argv[])
{
	uint64_t rounds = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	for (size_t i = 0; rounds && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(argv[1], kinds[i].name)) {
			kinds[i].run(rounds);
			return 0;
		}
	}
	fprintf(stderr, "usage: slots chase|branches|code|divide|stores|alu ROUNDS\n");
	return 2;
}
