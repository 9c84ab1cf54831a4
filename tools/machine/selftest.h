/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pmuctl selftest finds out of each counter of each CPU.
 */
#ifndef PMUCTL_SELFTEST_H
#define PMUCTL_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/pmuctl.h"

enum verdict {
	VERDICT_GOOD,
	VERDICT_BROKEN,		/* this counter counts wrong */
	VERDICT_FAKE,		/* no counter counts at all */
	VERDICT_HELD,		/* somebody else has it */
	VERDICT_ABSENT,		/* there is no PMU */
	VERDICT_UNTESTED,	/* something else is in the way */
};

/* One event on one counter of one CPU. */
struct trial {
	unsigned int cpu, counter;
	const char *event;
	bool exact;		/* else between least and most */
	uint64_t least, most;	/* what the loop does */
	uint64_t counted;
	bool moved;		/* anything was counted at all */
	enum verdict verdict;
	int err;		/* if there is no count: of the library, ... */
	char why[256];		/* ... and its words */
};

struct trials {
	struct trial *list;
	size_t count;
	bool stop;		/* after an error that would come each time */
};

/* Instructions too many, and of how many of each that is the mean; 0: not known. */
struct overcount {
	double fault, interrupt;
	uint64_t faults, interrupts;
};

/*
 * selftest.c: one event of this thread, on one of these counters; and what is counted in
 * all while run() runs, with what is around it.
 */
int selftest_session(struct pmuctl *ctx, const char *name, uint64_t counters,
		     struct pmuctl_session **s);
int selftest_count(struct pmuctl_session *s, void (*run)(void *data), void *data,
		   uint64_t *counted);

/* overcount.c: on the CPU that the caller stays on. */
int selftest_overcount(struct pmuctl *ctx, unsigned int cpu, struct overcount *o);

/*
 * Every counter of `counters` on this CPU, which the caller must be free to
 * run on.  0 or -ENOMEM.
 */
int selftest_cpu(struct pmuctl *ctx, unsigned int cpu, uint64_t counters, struct trials *trials);

#endif
