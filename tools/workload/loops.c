// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loops of pmuctl workload.  They are written for the assembler where a compiler would
 * see that nothing comes of them, or put something of its own in between.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/workload/workload.h"

#define TEXT(x)	#x
#define NUMBER(x) TEXT(x)

/* One copy of each, by its own name: what samples blame is looked up by it. */
#define LOOP __attribute__((noinline, noclone, aligned(64)))

/* Each line says where the next one is, and no two loads can be in flight at once. */
LOOP void workload_pointer_chase(const struct workload_run *run)
{
	unsigned long left = (unsigned long)run->rounds;
	void *line = run->memory;

	__asm__ volatile("1:	mov	(%0), %0\n"
			 "	sub	$1, %1\n"
			 "	jnz	1b\n"
			 : "+r" (line), "+r" (left) : : "cc", "memory");
}

/*
 * Two branches by two bits of a generator (xorshift, of 32 bits, so that it is the same on
 * both widths), which no history tells: half of them go wrong.  Its chain of operations is
 * as long as to keep the branches unresolved while what follows the guess is issued.
 */
LOOP void workload_random_branches(const struct workload_run *run)
{
	unsigned int state = 2463534242u, copy = 0, sum = 0;
	unsigned long left = (unsigned long)run->rounds;

	__asm__ volatile("1:	mov	%0, %1\n"
			 "	shl	$13, %1\n"
			 "	xor	%1, %0\n"
			 "	mov	%0, %1\n"
			 "	shr	$17, %1\n"
			 "	xor	%1, %0\n"
			 "	mov	%0, %1\n"
			 "	shl	$5, %1\n"
			 "	xor	%1, %0\n"
			 "	test	$0x1000, %0\n"
			 "	jz	2f\n"
			 "	add	$1, %2\n"
			 "2:	test	$0x200000, %0\n"
			 "	jz	3f\n"
			 "	add	$2, %2\n"
			 "3:	sub	$1, %3\n"
			 "	jnz	1b\n"
			 : "+r" (state), "+r" (copy), "+r" (sum), "+r" (left) : : "cc");
}

/*
 * 128 KiB of code: more than any first-level instruction cache or cache of decoded
 * instructions holds.  A line of 64 bytes has three additions and a jump to a line further
 * on, so that the next line in memory is never the next one that is wanted.  The stride has
 * no factor in common with their number: all lines come up before the first one does again.
 */
#define CODE_LINES	2048
#define CODE_STRIDE	97

LOOP void workload_code_footprint(const struct workload_run *run)
{
	unsigned long left = (unsigned long)run->rounds, a = 0, b = 0;

	__asm__ volatile("	.balign	64\n"
			 "1:\n"
			 "	.set	workload_line, 0\n"
			 "	.rept	" NUMBER(CODE_LINES) "\n"
			 "	.balign	64\n"
			 "	.if	workload_line == 0\n"
			 "	sub	$1, %0\n"
			 "	jz	2f\n"
			 "	.endif\n"
			 "	add	$1, %1\n"
			 "	add	$1, %2\n"
			 "	add	$1, %1\n"
			 "	jmp	1b + 64 * ((workload_line + " NUMBER(CODE_STRIDE) ") %% "
				NUMBER(CODE_LINES) ")\n"
			 "	.set	workload_line, workload_line + 1\n"
			 "	.endr\n"
			 "2:\n"
			 : "+r" (left), "+r" (a), "+r" (b) : : "cc");
}

/* Each quotient is the low half of the next dividend; the high half is below the divisor. */
LOOP void workload_divide_chain(const struct workload_run *run)
{
	unsigned long low = 1, high, divisor = ~0ul / 5 * 4, left = (unsigned long)run->rounds;

	__asm__ volatile("1:	mov	%3, %1\n"
			 "	shr	$1, %1\n"
			 "	div	%3\n"
			 "	sub	$1, %2\n"
			 "	jnz	1b\n"
			 : "+a" (low), "=&d" (high), "+r" (left) : "r" (divisor) : "cc");
}

/* A store a line, over and over the whole memory. */
LOOP void workload_streaming_stores(const struct workload_run *run)
{
	unsigned long at = 0, mask = (unsigned long)run->size - 1;
	unsigned long left = (unsigned long)run->rounds;

	__asm__ volatile("1:	mov	%2, (%3,%0)\n"
			 "	add	$64, %0\n"
			 "	and	%1, %0\n"
			 "	sub	$1, %2\n"
			 "	jnz	1b\n"
			 : "+r" (at), "+r" (mask), "+r" (left) : "r" (run->memory) : "cc", "memory");
}

/*
 * Additions that wait for nothing but the one of the same register a round of eight before.
 * One instruction in four needs no port, for no generation has as many ports for additions
 * as it issues.
 */
LOOP void workload_dense_alu(const struct workload_run *run)
{
	unsigned long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, left = (unsigned long)run->rounds;

	__asm__ volatile("	.balign	64\n"
			 "1:\n"
			 "	.rept	8\n"
			 "	add	$1, %0\n"
			 "	add	$1, %1\n"
			 "	add	$1, %2\n"
			 "	nop\n"
			 "	add	$1, %3\n"
			 "	add	$1, %4\n"
			 "	add	$1, %5\n"
			 "	nop\n"
			 "	.endr\n"
			 "	sub	$1, %6\n"
			 "	jnz	1b\n"
			 : "+r" (a), "+r" (b), "+r" (c), "+r" (d), "+r" (e), "+r" (f), "+r" (left)
			 : : "cc");
}

/*
 * The lines that the first load goes through, each of which says where the next one is, share
 * a set of the first-level cache that has not room for all of them.  The others always hit.
 */
LOOP void workload_set_conflict(const struct workload_run *run)
{
	unsigned long left = (unsigned long)run->rounds, scrap;
	char *line = run->memory, *near = line + 64;

	__asm__ volatile("1:	mov	(%3), %2\n"
			 "	mov	8(%3), %2\n"
			 "	mov	(%0), %0\n"
			 "	mov	16(%3), %2\n"
			 "	mov	24(%3), %2\n"
			 "	sub	$1, %1\n"
			 "	jnz	1b\n"
			 : "+r" (line), "+r" (left), "=&r" (scrap) : "r" (near)
			 : "cc", "memory");
}

/* ---- the memory that they go through ---------------------------------------------------- */

#define PAGE		4096u
#define HUGE_PAGE	(2ul << 20)
#define LAST_LEVEL	(16ul << 20)	/* where CPUID does not tell */

static size_t from_sysconf(int name)
{
	long value = sysconf(name);

	return value > 0 ? (size_t)value : 0;
}

void workload_machine(struct pmuctl *ctx, struct workload_machine *machine)
{
	machine->l1d = (struct pmuctl_cache){ .size = sizeof(machine->l1d) };
	if (pmuctl_get_l1d(ctx, &machine->l1d))
		machine->l1d = (struct pmuctl_cache){ .sets = 64, .ways = 8, .line = 64 };
	machine->last_level = from_sysconf(_SC_LEVEL3_CACHE_SIZE);
	if (!machine->last_level)
		machine->last_level = from_sysconf(_SC_LEVEL2_CACHE_SIZE);
	if (!machine->last_level)
		machine->last_level = LAST_LEVEL;
	machine->memory = from_sysconf(_SC_PHYS_PAGES) * PAGE;
}

/* In huge pages, if they are to be had: it is caches that are to miss, and not the TLB. */
void *workload_allocate(size_t size)
{
	volatile char *memory = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) & -HUGE_PAGE);
	size_t at;

	if (!memory)
		return NULL;
	madvise((void *)(uintptr_t)memory, size, MADV_HUGEPAGE);
	for (at = 0; at < size; at += PAGE)
		memory[at] = 0;
	return (void *)(uintptr_t)memory;
}
