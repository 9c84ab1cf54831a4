// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether events can all have a counter of their own at the same time.
 */
#include <string.h>

#include "stat.h"

#define COUNTERS 64

struct matching {
	const uint64_t *masks;
	uint64_t available;
	int owner[COUNTERS];	/* event, -1: free */
	uint64_t tried;
};

/* Finds event i a counter, if need be by moving others to theirs (Kuhn). */
static bool place(struct matching *m, int i)
{
	uint64_t left;
	int c;

	while ((left = m->masks[i] & m->available & ~m->tried)) {
		c = __builtin_ctzll(left);
		m->tried |= 1ull << c;
		if (m->owner[c] < 0 || place(m, m->owner[c])) {
			m->owner[c] = i;
			return true;
		}
	}
	return false;
}

bool counters_fit(const uint64_t *masks, size_t count, uint64_t available)
{
	struct matching m = { .masks = masks, .available = available };
	size_t i;

	memset(m.owner, 0xff, sizeof(m.owner));
	for (i = 0; i < count; i++) {
		m.tried = 0;
		if (!place(&m, (int)i))
			return false;
	}
	return true;
}
