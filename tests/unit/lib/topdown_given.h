/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts as they are given to tallies, and what becomes of them.
 */
#ifndef LIB_TOPDOWN_GIVEN_H
#define LIB_TOPDOWN_GIVEN_H

#include <math.h>
#include <stdlib.h>

#include "tests/unit/lib/topdown.h"

struct given {
	const char *event;
	uint64_t value;
};

#define ROOM 128

/* Every event that is not given is 0; set: -1 for all, or what was on alone. */
static inline void give(const struct pmuctl_topdown *td, struct pmuctl_topdown_tally *tally,
			const struct given *given, size_t count, int set)
{
	struct pmuctl_topdown_count counts[ROOM] = { { 0 } };
	size_t i, k, g, at = 0;

	assert_true(pmuctl_topdown_events(td) <= ROOM);
	for (i = 0; i < pmuctl_topdown_sets(td); i++) {
		const struct pmuctl_topdown_set *s = pmuctl_topdown_get_set(td, i);

		for (k = 0; k < s->events_count; k++, at++) {
			counts[at].enabled = 1000;
			if (set >= 0 && i != (size_t)set)
				continue;
			counts[at].running = set < 0 ? 1000 : 250;
			for (g = 0; g < count; g++)
				if (!strcmp(given[g].event, s->events[k]))
					counts[at].value = given[g].value;
		}
	}
	assert_int_equal(pmuctl_topdown_tally_add(tally, counts), 0);
}

static struct pmuctl_topdown_result results[64];

static inline const struct pmuctl_topdown_result *result(const struct pmuctl_topdown *td,
							 const char *name)
{
	size_t i;

	for (i = 0; i < pmuctl_topdown_nodes(td); i++)
		if (!strcmp(pmuctl_topdown_get_node(td, i)->name, name))
			return &results[i];
	fail_msg("no node %s", name);
	return NULL;
}

struct fixture {
	struct pmuctl *ctx;
	struct pmuctl_topdown *td;
	struct pmuctl_topdown_tally *tally;
};

static inline struct fixture make_by(const struct pmuctl_topdown_options *o)
{
	struct fixture f = { .ctx = open_ctx() };

	if (pmuctl_topdown_new(f.ctx, o, &f.td))
		fail_msg("%s", pmuctl_error(f.ctx));
	assert_int_equal(pmuctl_topdown_tally_new(f.td, &f.tally), 0);
	return f;
}

static inline struct fixture make(uint32_t levels)
{
	const struct pmuctl_topdown_options o = { .size = sizeof(o), .levels = levels };

	return make_by(&o);
}

static inline void drop(struct fixture *f)
{
	pmuctl_topdown_tally_free(f->tally);
	pmuctl_topdown_free(f->td);
	pmuctl_close(f->ctx);
}

static inline bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

#define COUNT(given) (sizeof(given) / sizeof((given)[0]))

/* 1000 cycles: 4000 slots, of which 2400 lack a uop, 1000 retire, 200 are wasted. */
static const struct given starved[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 2400 },
	{ "UOPS_ISSUED.ANY", 1200 }, { "UOPS_RETIRED.RETIRE_SLOTS", 1000 },
};

static const struct given other[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1000 }, { "IDQ_UOPS_NOT_DELIVERED.CORE", 2000 },
	{ "UOPS_ISSUED.ANY", 1200 }, { "UOPS_RETIRED.RETIRE_SLOTS", 1000 },
};

#endif
