/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stretch of time whose cost the truth has: marks N and N + 1 around it, and
 * on the standard output how much was done in it.
 */
#ifndef BENCH_WINDOW_H
#define BENCH_WINDOW_H

#include <stdio.h>
#include <unistd.h>

#include "../box/guest/mark.h"

#define WINDOW_SETTLE_US	150000

/* The kernel puts some work off (RCU, work queues): it is done before a mark. */
static inline void window_open(unsigned int label)
{
	usleep(WINDOW_SETTLE_US);
	pmubox_mark(label);
}

static inline void window_close(unsigned int label, unsigned long units)
{
	usleep(WINDOW_SETTLE_US);
	pmubox_mark(label + 1);
	printf("window %u %lu\n", label, units);
	fflush(stdout);
}

#endif
