/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From what the kernel says of switches between threads to waits: where a thread left its CPU,
 * and when it ran again.
 */
#ifndef LIBPMUCTL_WAITS_H
#define LIBPMUCTL_WAITS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wait {
	bool preempted;		/* it was ready to run on; else it slept */
	uint64_t start, end;	/* CLOCK_MONOTONIC, ns */
	/* PERF_RECORD_SAMPLE of its leaving, as the kernel has it. */
	const unsigned char *sample;
	size_t size;
};

/* 0, or -errno, which ends what called it. */
typedef int wait_fn(void *data, const struct wait *wait);

/* Of waits that were given, but for the last two. */
struct wait_sums {
	uint64_t open;		/* still on at the end */
	uint64_t cut;		/* ended where switches were lost */
	uint64_t unknown;	/* not given: leavings with a sample, but switches were lost then */
	uint64_t brief;		/* not given: shorter than was asked for */
};

struct waits;

/* Waits of `least` ns and more are given to fn.  NULL: no memory. */
struct waits *waits_new(uint64_t least, wait_fn *fn, void *data);
void waits_free(struct waits *waits);
/* Nothing before it counts: UINT64_MAX, as at first, is not known yet. */
void waits_set_beginning(struct waits *waits, uint64_t time);
/* Waits that begin on another of these CPUs are not given; NULL, as at first: all are. */
void waits_set_cpus(struct waits *waits, const uint32_t *cpus, size_t count);
/*
 * Before records of that time are taken: any record of a time behind `from` and not behind
 * `until` may be missing.  Waits that are on then end there, and none begins in it: nobody
 * knows who ran meanwhile.
 */
void waits_lose(struct waits *waits, uint64_t from, uint64_t until);
/*
 * One record, in the order of `time`, which is its own: a sample of a context switch with
 * IDENTIFIER, IP, TID, TIME, CPU and more; SWITCH, SWITCH_CPU_WIDE, FORK, EXIT or COMM, with
 * struct dump_trailer behind; others are passed over.  A CPU's may come late: a return to
 * another CPU before the leaving that it belongs to.
 */
int waits_take(struct waits *waits, const unsigned char *record, uint64_t time);
/* There is no record more that is not behind it. */
int waits_until(struct waits *waits, uint64_t time);
/* The end: what is still on counts until then. */
int waits_end(struct waits *waits, uint64_t time);
const struct wait_sums *waits_sums(const struct waits *waits);

#endif
