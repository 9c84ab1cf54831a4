// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loops of pmuctl workload that come in pairs: one in which one instruction takes most of
 * the time, and the same work with a remedy.  Where the remedy is where data lie, both are the
 * same code, and what the loop is given makes the difference.
 */
#include "tools/workload/loop.h"
#include "tools/workload/workload.h"

/* ---- pad: lines that compete for one set of the first cache ------------------------------ */

/* The first load goes from line to line, each of which says where the next one is. */
PART unsigned long among_others(const struct workload_run *run)
{
	unsigned long left = (unsigned long)run->rounds, scrap;
	char *line = run->memory, *near = line + LINE;

	__asm__ volatile("1:	mov	(%3), %2\n"
			 "	mov	8(%3), %2\n"
			 "	mov	(%0), %0\n"
			 "	mov	16(%3), %2\n"
			 "	mov	24(%3), %2\n"
			 "	sub	$1, %1\n"
			 "	jnz	1b\n"
			 : "+r" (line), "+r" (left), "=&r" (scrap) : "r" (near)
			 : "cc", "memory");
	return 0;
}

/* They share a set that has not room for all of them.  The other loads always hit. */
LOOP unsigned long workload_set_conflict(const struct workload_run *run)
{
	return among_others(run);
}

LOOP unsigned long workload_set_conflict_padded(const struct workload_run *run)
{
	return among_others(run);
}

/* ---- shift: a load that seems to need a store of another page ---------------------------- */

/*
 * The load waits for the one before, behind which the store cannot leave yet either: so it is
 * there to be compared.  Its address is known long before.
 */
PART unsigned long behind_store(const struct workload_run *run, size_t distance)
{
	unsigned long left = (unsigned long)run->rounds;
	char *load = run->memory, *store = load + distance;

	__asm__ volatile("1:	mov	%1, (%2)\n"
			 "	mov	(%0), %0\n"
			 "	sub	$1, %1\n"
			 "	jnz	1b\n"
			 : "+r" (load), "+r" (left) : "r" (store) : "cc", "memory");
	return 0;
}

LOOP unsigned long workload_page_alias(const struct workload_run *run)
{
	return behind_store(run, PAGE);
}

LOOP unsigned long workload_page_alias_shifted(const struct workload_run *run)
{
	return behind_store(run, PAGE + LINE);
}

/* ---- align, block: pointers, by where they are and in which order they lead -------------- */

LOOP unsigned long workload_line_split(const struct workload_run *run)
{
	return chase((char *)run->memory + SPLIT_AT, run->rounds);
}

LOOP unsigned long workload_line_split_aligned(const struct workload_run *run)
{
	return chase(run->memory, run->rounds);
}

LOOP unsigned long workload_cache_overflow(const struct workload_run *run)
{
	return chase(run->memory, run->rounds);
}

/* As many visits to each block, one block behind the other. */
LOOP unsigned long workload_cache_overflow_blocked(const struct workload_run *run)
{
	size_t block = workload_block(run->machine), blocks = run->size / block, i;
	uint64_t rounds;

	for (i = 0; i < blocks; i++) {
		rounds = run->rounds / blocks + (i < run->rounds % blocks);
		if (rounds)
			chase((char *)run->memory + i * block, rounds);
	}
	return 0;
}

/* ---- gather: records of which two fields are wanted -------------------------------------- */

/*
 * A record's first field says where the next one is, and that load waits for the line of the
 * one before.  The other field, at a distance from the first, is added up meanwhile.
 */
PART unsigned long sum_of_list(const struct workload_run *run, size_t distance)
{
	unsigned long left = (unsigned long)run->rounds, sum = 0;
	void *record = run->memory, *next;

	__asm__ volatile("1:	mov	(%0), %1\n"
			 "	add	(%0,%4), %2\n"
			 "	mov	%1, %0\n"
			 "	sub	$1, %3\n"
			 "	jnz	1b\n"
			 : "+r" (record), "=&r" (next), "+r" (sum), "+r" (left) : "r" (distance)
			 : "cc", "memory");
	return sum;
}

LOOP unsigned long workload_scattered_fields(const struct workload_run *run)
{
	return sum_of_list(run, RECORD / 2);
}

LOOP unsigned long workload_scattered_fields_gathered(const struct workload_run *run)
{
	return sum_of_list(run, FIELDS / 2);
}

/* ---- select: branches that no history tells ---------------------------------------------- */

/* A generator (xorshift), of 32 bits, so that it is the same on both widths. */
#define SEED 2463534242u
#define NEXT_BITS				\
	"	mov	%0, %1\n"		\
	"	shl	$13, %1\n"		\
	"	xor	%1, %0\n"		\
	"	mov	%0, %1\n"		\
	"	shr	$17, %1\n"		\
	"	xor	%1, %0\n"		\
	"	mov	%0, %1\n"		\
	"	shl	$5, %1\n"		\
	"	xor	%1, %0\n"

/*
 * Two branches by two bits: half of them go wrong.  The generator's chain of operations is as
 * long as to keep the branches unresolved while what follows the guess is issued.
 */
LOOP unsigned long workload_random_branches(const struct workload_run *run)
{
	unsigned int state = SEED, copy = 0, sum = 0;
	unsigned long left = (unsigned long)run->rounds;

	__asm__ volatile("1:\n" NEXT_BITS
			 "	test	$0x1000, %0\n"
			 "	jz	2f\n"
			 "	add	$1, %2\n"
			 "2:	test	$0x200000, %0\n"
			 "	jz	3f\n"
			 "	add	$2, %2\n"
			 "3:	sub	$1, %3\n"
			 "	jnz	1b\n"
			 : "+r" (state), "+r" (copy), "+r" (sum), "+r" (left) : : "cc");
	return sum;
}

/* Both sums are computed, and the one that is wanted is taken. */
LOOP unsigned long workload_random_branches_selected(const struct workload_run *run)
{
	unsigned int state = SEED, copy = 0, sum = 0;
	unsigned long left = (unsigned long)run->rounds;

	__asm__ volatile("1:\n" NEXT_BITS
			 "	mov	%2, %1\n"
			 "	add	$1, %1\n"
			 "	test	$0x1000, %0\n"
			 "	cmovnz	%1, %2\n"
			 "	mov	%2, %1\n"
			 "	add	$2, %1\n"
			 "	test	$0x200000, %0\n"
			 "	cmovnz	%1, %2\n"
			 "	sub	$1, %3\n"
			 "	jnz	1b\n"
			 : "+r" (state), "+r" (copy), "+r" (sum), "+r" (left) : : "cc");
	return sum;
}

/* ---- widen: a load of what two stores have written --------------------------------------- */

/* Half of a register, as an operand of the assembler. */
#ifdef __x86_64__
#define HALF(operand)	"%k" operand
#define HALF_BITS	"32"
#define HALF_BYTES	"4"
#else
#define HALF(operand)	"%w" operand
#define HALF_BITS	"16"
#define HALF_BYTES	"2"
#endif

#define STEP (~0ul / 7)		/* changes both halves */

/* No single store has all of it: it waits until both are in the cache. */
LOOP unsigned long workload_narrow_stores(const struct workload_run *run)
{
	unsigned long left = (unsigned long)run->rounds, value = 0, high, word;

	__asm__ volatile("1:	mov	" HALF("0") ", (%3)\n"
			 "	mov	%0, %1\n"
			 "	shr	$" HALF_BITS ", %1\n"
			 "	mov	" HALF("1") ", " HALF_BYTES "(%3)\n"
			 "	mov	(%3), %0\n"
			 "	add	%4, %0\n"
			 "	sub	$1, %2\n"
			 "	jnz	1b\n"
			 : "+r" (value), "=&r" (high), "+r" (left) : "r" (&word), "r" (STEP)
			 : "cc", "memory");
	return value;
}

/* The load has its value from the store, before that is in the cache. */
LOOP unsigned long workload_narrow_stores_widened(const struct workload_run *run)
{
	unsigned long left = (unsigned long)run->rounds, value = 0, word;

	__asm__ volatile("1:	mov	%0, (%2)\n"
			 "	mov	(%2), %0\n"
			 "	add	%3, %0\n"
			 "	sub	$1, %1\n"
			 "	jnz	1b\n"
			 : "+r" (value), "+r" (left) : "r" (&word), "r" (STEP)
			 : "cc", "memory");
	return value;
}
