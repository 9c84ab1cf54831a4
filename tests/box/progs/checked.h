/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For programs that count themselves: what has to be so, and code of known events.
 */
#ifndef CHECKED_H
#define CHECKED_H

#include <stdint.h>
#include <stdio.h>

static int failed;

#define CHECK(what, ...)                                  \
	do {                                              \
		if (!(what)) {                            \
			printf("not so: %s; ", #what);    \
			printf(__VA_ARGS__);              \
			printf("\n");                     \
			failed = 1;                       \
		}                                         \
	} while (0)

/* Two instructions a turn, one of them a branch. */
static inline void loop(uint64_t turns)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
}

#endif
