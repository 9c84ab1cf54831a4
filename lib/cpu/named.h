/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A processor that is not this machine's.
 */
#ifndef LIBPMUCTL_NAMED_H
#define LIBPMUCTL_NAMED_H

#include "lib/base/private.h"

/* Counter 1 is left out: see Documentation/errata.rst. */
#define P4_COUNTERS_USUAL 0x3fffdull
/* P6, and the first Pentium. */
#define TWO_COUNTERS 0x3ull

struct named_cpu {
	const char *name;
	uint32_t signature;
	const char *pfm;	/* what libpfm4 calls its PMU; NULL: it knows none like it */
	enum backend backend;
	uint32_t version;	/* of architectural perfmon, */
	unsigned int gp, fixed, arch_events;	/* ... its counters and events, */
	unsigned int metrics;	/* ... and fields of PERF_METRICS */
	bool threads;		/* two a core */
};

void named_facts(const struct named_cpu *cpu, struct pmu_facts *facts);

#endif
