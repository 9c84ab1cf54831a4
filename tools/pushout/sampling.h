/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a command whose samples are kept in memory: what pushout and cost read gaps from.
 *
 *	struct sampled events[] = { { .text = "instructions:upp", .period = 1009 },
 *				    { .text = "cycles:u" } };
 *	struct sampling s = { .cmd = "pushout", .ctx = ctx, .events = events, .count = 2, ... };
 *	code = sampling_run(&s, &side, &args);
 *	pmuctl_data_samples(s.data, ...), events[1].total
 *	sampling_close(&s);
 */
#ifndef PMUCTL_SAMPLING_H
#define PMUCTL_SAMPLING_H

#include "tools/pairs/pairs.h"

struct pmuctl_data;

/* The sampled ones come first. */
struct sampled {
	const char *text;
	uint64_t period;	/* 0: it is counted alone */
	uint64_t total;		/* of it, of the whole run */
	uint64_t samples, lost;
};

struct sampling {
	const char *cmd;
	struct pmuctl *ctx;
	struct sampled *events;
	size_t count;
	unsigned int random_bits;	/* periods differ by less than half of 2^n; 0: not */
	uint64_t content;		/* of samples: enum pmuctl_sample_content */
	struct pmuctl_data *data;
	uint32_t flags;			/* of all counts */
	int file;
};

/* A period for so many samples, that loops of usual lengths do not divide. */
uint64_t sampling_period(double events, double samples);
/*
 * Samples that a run of so many seconds can have if each has an interrupt of its own, and none is
 * to be throttled; infinity: not known.
 */
double sampling_most(struct pmuctl *ctx, double seconds);

/*
 * args: on which CPUs, and with which features.  Returns 0, or the exit code; a run that failed is
 * one that cannot be read.
 */
int sampling_run(struct sampling *s, const struct side *side, const struct pair_args *args);
void sampling_close(struct sampling *s);

#endif
