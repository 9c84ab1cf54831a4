/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A mask of counters in words.
 */
#ifndef PMUCTL_COUNTERS_H
#define PMUCTL_COUNTERS_H

#include <linux/types.h>

/* Long enough for any that there can be. */
struct pmuctl_text {
	char line[80];
};

/* "gp0-1,3, fixed0", or "none"; what it returns may be in text. */
const char *pmuctl_counters_text(u64 counters, struct pmuctl_text *text);

#endif
