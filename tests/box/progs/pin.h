/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU for the thread that asks; who includes it defines _GNU_SOURCE first.
 */
#ifndef PIN_H
#define PIN_H

#include <sched.h>

/* 0, or -1 with errno. */
static inline int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

#endif
