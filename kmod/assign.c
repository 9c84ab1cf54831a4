// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which event goes on which counter: a bipartite matching.
 *
 * Events that were placed move aside for a later one if they can, so a plan
 * is found whenever there is one.  Fixed counters are tried first, since one
 * event alone can use them, then general-purpose ones from the top, since the
 * low ones are those that odd events insist on.
 */
#include <linux/bitops.h>
#include <linux/string.h>

#include "assign.h"

struct matching {
	struct pmuctl_event *event;
	u64 free;
	u64 tried;			/* in this attempt */
	int holder[64];			/* event on a counter, or -1 */
};

static bool place(struct matching *m, int event);

static bool take(struct matching *m, int event, unsigned int counter)
{
	m->tried |= BIT_ULL(counter);
	if (m->holder[counter] >= 0 && !place(m, m->holder[counter]))
		return false;
	m->holder[counter] = event;
	m->event[event].counter = counter;
	return true;
}

/* Depth is bounded by the number of counters: each is tried once. */
static bool place(struct matching *m, int event)
{
	u64 may;

	while ((may = m->event[event].allowed & m->free & ~m->tried))
		if (take(m, event, fls64(may) - 1))
			return true;
	return false;
}

int pmuctl_assign(struct pmuctl_event *event, unsigned int n, u64 free)
{
	struct matching m = { .event = event, .free = free };
	unsigned int i;

	memset(m.holder, -1, sizeof(m.holder));
	for (i = 0; i < n; i++) {
		m.tried = 0;
		if (!place(&m, i))
			return i;
	}
	return -1;
}
