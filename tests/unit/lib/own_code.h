/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tests know of their own program: where its code is mapped, and a function that others
 * are inlined into.
 */
#ifndef OWN_CODE_H
#define OWN_CODE_H

#include <stdint.h>
#include <stdio.h>

#include "tests/unit/cmocka_all.h"

typedef void own_map_fn(uint64_t start, uint64_t size, uint64_t offset, const char *name);

static void each_own_code(own_map_fn *fn)
{
	unsigned long long start, end, offset;
	char line[512], flags[8], name[256];
	FILE *f = fopen("/proc/self/maps", "re");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %255s", &start, &end, flags, &offset,
			   name) == 5 && flags[2] == 'x')
			fn(start, end - start, offset, name);
	fclose(f);
}

/* Lines that call what is inlined, once they were executed. */
static int inner_call, outer_call;

__attribute__((noinline)) static void *where(void)
{
	__asm__ volatile("");
	return __builtin_return_address(0);
}

static inline __attribute__((always_inline)) void *inner_part(void)
{
	void *at = where();

	__asm__ volatile("");
	return at;
}

static inline __attribute__((always_inline)) void *outer_part(void)
{
	inner_call = __LINE__; void *at = inner_part();

	__asm__ volatile("");
	return at;
}

/* Where the call within inner_part(), which is within outer_part(), returns to. */
__attribute__((noinline, unused)) static void *has_inlined(void)
{
	outer_call = __LINE__; void *at = outer_part();

	__asm__ volatile("");
	return at;
}

#endif
