/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A distribution of gaps: cycles that retirement stood still, weighted by the events that each
 * sample stands for.
 */
#ifndef PMUCTL_GAPS_H
#define PMUCTL_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As wide as the hardware's field; what is longer is as long. */
#define GAP_MOST	0xffff
/* Stretches of the samples, whose scatter tells the error. */
#define GAP_BATCHES	20
#define GAP_LEVEL	0.95

struct gap_sum {
	double events, cycles;
};

struct gaps {
	uint64_t samples, expected;	/* so far; that there will be */
	double *events;			/* by cycles; NULL: not made */
	struct gap_sum all, batches[GAP_BATCHES];
};

/* Which batch the sample of this number belongs to, from 0 on. */
size_t gap_batch(uint64_t number, uint64_t expected);
/* Half of the interval of the quotient of all cycles and all events; below 0: there is none. */
double gap_error(const struct gap_sum batches[GAP_BATCHES]);

/* Returns 0 or -ENOMEM; expected: how many samples there will be. */
int gaps_make(struct gaps *g, uint64_t expected);
void gaps_free(struct gaps *g);
/* A sample of so many events. */
void gaps_add(struct gaps *g, uint64_t cycles, double events);
/* Takes part away, whose events are some of g's. */
void gaps_subtract(struct gaps *g, const struct gaps *part);
/* 0 without events. */
double gaps_mean(const struct gaps *g);
/* Half of the interval of the mean; below 0: there is none, of so few samples. */
double gaps_error(const struct gaps *g);
/* Shares of events and of their cycles in gaps above so many cycles. */
struct gap_sum gaps_above(const struct gaps *g, uint64_t cycles);

#endif
