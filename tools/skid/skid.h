/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pmuctl skid share.
 */
#ifndef PMUCTL_SKID_H
#define PMUCTL_SKID_H

#include "tools/base/base.h"
#include "tools/run/context.h"

/* skid/kernel.c: a loop in which one load misses the first-level cache each time. */
void skid_run(void *lines, uint64_t rounds);
/* Bytes of memory that it wants, to begin at a page. */
size_t skid_memory(void);
/* Number of the instruction within the loop at an address, or -1: none, or elsewhere. */
int skid_index(uint64_t ip);
int skid_guilty(void);
int skid_length(void);

/* One way of sampling. */
struct skid_way {
	const char *name;	/* "by interrupt" */
	unsigned int precise;
	bool tried;
	uint64_t *distances;	/* a distance from -SKID_BEFORE on each */
	uint64_t samples, elsewhere, not_exact, lost, throttled;
	char *why_not;		/* it is not available; NULL: it is */
};

/* The load itself comes again one round later: what is less far before it is before it. */
#define SKID_BEFORE 16

struct skid {
	const char *event;
	uint64_t period;
	uint64_t samples;	/* wanted */
	struct pmuctl *ctx;
	char path[MEMORY_FILE_PATH];	/* of the samples */
};

/* skid/sample.c: runs the loop and samples it so.  0 or a negative errno. */
int skid_sample(const struct skid *s, struct skid_way *way);

#endif
