/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file of paper: what the library's reader would say of one, so that
 * names and stacks can be what no real program has.
 */
#ifndef FAKE_DATA_H
#define FAKE_DATA_H

#include <stdbool.h>

#include "lib/pmuctl.h"

/* The function of every address from start on; the next one ends it. */
struct fake_function {
	uint64_t start;
	const char *name;	/* NULL: no symbol */
	uint32_t dso;		/* a number in dsos */
};

struct pmuctl_data {
	struct pmuctl_data_info info;
	const struct pmuctl_data_sample *samples;
	size_t samples_count;
	const struct fake_function *functions;	/* by start, from 0 */
	size_t functions_count;
	const char *const *dsos;
	const char *const *comms;		/* by tid */
	const char *const *build_ids;		/* of each of dsos, or NULL; NULL: of none */
	bool starts;				/* symbols say where they begin */
	const char *source;			/* of every address, or NULL */
	const struct pmuctl_inlined *inlined;	/* at that one address, innermost first */
	int inlined_count;
	uint64_t inlined_at;
	uint64_t symbols_asked;
};

#endif
