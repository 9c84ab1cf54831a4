/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the loops have in common, and what they and their memory agree on.
 */
#ifndef PMUCTL_WORKLOAD_LOOP_H
#define PMUCTL_WORKLOAD_LOOP_H

#include <stdint.h>

#define LINE 64u			/* of every processor's caches */
#define PAIR (2 * LINE)			/* of which processors fetch one with the other */
#define PAGE 4096u
#define SPLIT_AT (LINE - sizeof(void *) / 2)	/* of a line: a pointer in this and the next */
#define RECORD (4 * LINE)		/* of which two fields are wanted ... */
#define FIELDS (2 * sizeof(void *))	/* ... and they alone */

/*
 * One copy of each, by its own name: what samples blame is looked up by it.  Of two that are
 * alike the compiler would make one, too.
 */
#define LOOP __attribute__((noinline, noclone, no_icf, aligned(64)))
/* The loop of several of them. */
#define PART static inline __attribute__((always_inline))

/* Each load says where the next one is, and no two can be in flight at once. */
PART unsigned long chase(void *first, uint64_t rounds)
{
	unsigned long left = (unsigned long)rounds;

	__asm__ volatile("1:	mov	(%0), %0\n"
			 "	sub	$1, %1\n"
			 "	jnz	1b\n"
			 : "+r" (first), "+r" (left) : : "cc", "memory");
	return 0;
}

#endif
