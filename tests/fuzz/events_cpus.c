// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The CPUs that names of events are tried on.
 */
#include <stdlib.h>

#include "../../lib/private.h"
#include "events.h"

static const struct pmu_facts cpus[] = {
	{ .signature = 0x506e3, .version = 4, .counters = 0x70000000f, .arch_events = 0x7f,
	  .any = true, .threads = true },
	{ .signature = 0x706e5, .version = 5, .counters = 0xf000000ff, .arch_events = 0xff },
	{ .signature = 0x6fb, .version = 2, .counters = 0x700000003, .arch_events = 0x7f },
	{ .signature = 0xb0671, .version = 5, .counters = 0x7000000ff, .arch_events = 0x7f,
	  .arch_only = true },
	{ .signature = 0xf41, .counters = 0x3fffd, .threads = true, .backend = BACKEND_P4 },
	{ .signature = 0xf29, .counters = 0x3ffff, .backend = BACKEND_P4 },
	{ .signature = 0x673, .counters = 0x3, .backend = BACKEND_P6 },
};

struct pmuctl *context_on(unsigned char cpu)
{
	static struct pmuctl ctx = { .facts_known = true };

	/* libpfm4 has one CPU for all of a process. */
	setenv("LIBPFM_FORCE_PMU", "skl", 0);
	ctx.facts = cpus[cpu % ARRAY_SIZE(cpus)];
	return &ctx;
}
