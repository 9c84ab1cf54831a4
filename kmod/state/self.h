/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that its own thread reads without a system call: the page that it
 * reads, and what stands behind that.
 */
#ifndef PMUCTL_SELF_H
#define PMUCTL_SELF_H

#include <linux/types.h>

#include "kmod/uapi/pmuctl-self.h"

struct mm_struct;
struct page;

/* One of pmuctl_counts: over all CPUs, and what this one's was by then. */
struct pmuctl_self_cell {
	u64 total;
	u64 from;
};

/*
 * The thread is on one CPU at a time, and that one writes all of this.  Nothing
 * is ever read back from the page.
 */
struct pmuctl_self {
	struct page *page;
	struct pmuctl_self_page *shown;	/* the same */
	struct mm_struct *mm;	/* who may map it; perhaps without users */
	u32 seq;
	bool allowed;		/* RDPMC, in that mm: one of its count */
	struct pmuctl_self_cell cell[];
};

#endif
