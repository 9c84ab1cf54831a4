// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loops of pmuctl workload.  They are written for the assembler where a compiler would
 * see that nothing comes of them, or put something of its own in between.
 */
#include <cpuid.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/workload/loop.h"
#include "tools/workload/workload.h"

#define TEXT(x)	#x
#define NUMBER(x) TEXT(x)

/* Each line says where the next one is, and no two loads can be in flight at once. */
LOOP unsigned long workload_pointer_chase(const struct workload_run *run)
{
	return chase(run->memory, run->rounds);
}

/*
 * 128 KiB of code: more than any first-level instruction cache or cache of decoded
 * instructions holds.  A line of 64 bytes has three additions and a jump to a line further
 * on, so that the next line in memory is never the next one that is wanted.  The stride has
 * no factor in common with their number: all lines come up before the first one does again.
 */
#define CODE_LINES	2048
#define CODE_STRIDE	97

LOOP unsigned long workload_code_footprint(const struct workload_run *run)
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
	return 0;
}

/* Each quotient is the low half of the next dividend; the high half is below the divisor. */
LOOP unsigned long workload_divide_chain(const struct workload_run *run)
{
	unsigned long low = 1, high, divisor = ~0ul / 5 * 4, left = (unsigned long)run->rounds;

	__asm__ volatile("1:	mov	%3, %1\n"
			 "	shr	$1, %1\n"
			 "	div	%3\n"
			 "	sub	$1, %2\n"
			 "	jnz	1b\n"
			 : "+a" (low), "=&d" (high), "+r" (left) : "r" (divisor) : "cc");
	return 0;
}

/* A store a line, over and over the whole memory. */
LOOP unsigned long workload_streaming_stores(const struct workload_run *run)
{
	unsigned long at = 0, mask = (unsigned long)run->size - 1;
	unsigned long left = (unsigned long)run->rounds;

	__asm__ volatile("1:	mov	%2, (%3,%0)\n"
			 "	add	$64, %0\n"
			 "	and	%1, %0\n"
			 "	sub	$1, %2\n"
			 "	jnz	1b\n"
			 : "+r" (at), "+r" (mask), "+r" (left) : "r" (run->memory) : "cc", "memory");
	return 0;
}

/*
 * Additions that wait for nothing but the one of the same register a round of eight before.
 * One instruction in four needs no port, for no generation has as many ports for additions
 * as it issues.
 */
LOOP unsigned long workload_dense_alu(const struct workload_run *run)
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
	return 0;
}

/* ---- the memory that they go through ---------------------------------------------------- */

#define HUGE_PAGE	(2ul << 20)
#define SECOND_LEVEL	(1ul << 20)	/* where CPUID does not tell */
#define LAST_LEVEL	(16ul << 20)

static size_t from_sysconf(int name)
{
	long value = sysconf(name);

	return value > 0 ? (size_t)value : 0;
}

/*
 * Bytes of the second level, by leaf 4 of CPUID, which lists the caches, or by the C library,
 * which knows more leaves and reads them its own way; 0: nothing tells.
 */
static size_t second_level(void)
{
	uint32_t kind, shape, sets, flags, i;

	for (i = 0; __get_cpuid_count(4, i, &kind, &shape, &sets, &flags) && (kind & 0x1f); i++)
		if ((kind >> 5 & 7) == 2)
			return ((size_t)(shape >> 22) + 1) * ((shape >> 12 & 0x3ff) + 1) *
				((shape & 0xfff) + 1) * ((size_t)sets + 1);
	return from_sysconf(_SC_LEVEL2_CACHE_SIZE);
}

void workload_machine(struct pmuctl *ctx, struct workload_machine *machine)
{
	machine->l1d = (struct pmuctl_cache){ .size = sizeof(machine->l1d) };
	if (pmuctl_get_l1d(ctx, &machine->l1d))
		machine->l1d = (struct pmuctl_cache){ .sets = 64, .ways = 8, .line = 64 };
	machine->second_level = second_level();
	machine->last_level = from_sysconf(_SC_LEVEL3_CACHE_SIZE);
	if (!machine->last_level)
		machine->last_level = machine->second_level;
	if (!machine->second_level)
		machine->second_level = SECOND_LEVEL;
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

size_t workload_block(const struct workload_machine *machine)
{
	size_t size = LINE;

	while (2 * size <= (size_t)machine->l1d.ways * machine->l1d.sets * machine->l1d.line / 2)
		size *= 2;
	return size;
}
