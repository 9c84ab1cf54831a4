/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where loads of a pipeline have their data from, for their latencies.
 */
#ifndef PMUBOX_LOADS_H
#define PMUBOX_LOADS_H

/* A name, and what the truth calls it. */
#define LOAD_ORIGINS(X)								\
	X(L1, "l1")								\
	X(L2, "l2")								\
	X(L3, "l3")								\
	X(MEMORY, "memory")							\
	X(UNDER_WAY, "under_way")	/* the first level, to which the line was on its way */ \
	X(STORE, "store")		/* a store in front of it, in the same eight bytes */

enum load_origin {
#define ORIGIN(name, text) LOAD_##name,
	LOAD_ORIGINS(ORIGIN)
#undef ORIGIN
	LOAD_ORIGIN_COUNT
};

#endif
