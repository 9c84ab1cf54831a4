// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whether events can all have a counter of their own at the same time, and
 * which: a bipartite matching (Kuhn's algorithm).
 */
#include <string.h>

#include "lib/session/session.h"

#define COUNTERS 64

struct matching {
	const uint64_t *masks;
	uint64_t available;
	int owner[COUNTERS];	/* event, -1: free */
	uint64_t tried;
};

static unsigned int best_counter(uint64_t mask)
{
	uint64_t fixed = mask >> PMUCTL_COUNTER_FIXED << PMUCTL_COUNTER_FIXED;

	return fixed ? (unsigned int)__builtin_ctzll(fixed) :
		       63 - (unsigned int)__builtin_clzll(mask);
}

/* Finds event i a counter, if need be by moving others to theirs. */
static bool place(struct matching *m, int i)
{
	uint64_t left;
	unsigned int c;

	while ((left = m->masks[i] & m->available & ~m->tried)) {
		c = best_counter(left);
		m->tried |= 1ull << c;
		if (m->owner[c] < 0 || place(m, m->owner[c])) {
			m->owner[c] = i;
			return true;
		}
	}
	return false;
}

bool match_counters(const uint64_t *masks, size_t count, uint64_t available, uint8_t *got)
{
	struct matching m = { .masks = masks, .available = available };
	size_t i;

	memset(m.owner, 0xff, sizeof(m.owner));
	for (i = 0; i < count; i++) {
		m.tried = 0;
		if (!place(&m, (int)i))
			return false;
	}
	for (i = 0; got && i < COUNTERS; i++)
		if (m.owner[i] >= 0)
			got[m.owner[i]] = (uint8_t)i;
	return true;
}
