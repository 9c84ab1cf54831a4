// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory that the loops of pmuctl workload go through, by the caches that there are.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/workload/workload.h"

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
