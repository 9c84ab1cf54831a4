/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes of tracepoints, there while somebody needs them.
 */
#ifndef PMUCTL_PROBES_H
#define PMUCTL_PROBES_H

#include <linux/types.h>
#include <linux/workqueue.h>

struct pmuctl_why;
struct tracepoint;

struct pmuctl_probe {
	const char *name;
	void *fn;
	struct tracepoint *tracepoint;
};

/* Some that come and go together, in this order. */
struct pmuctl_probes {
	struct pmuctl_probe *probe;
	unsigned int nr;
	const char *needed;		/* what needs them, and does without */
	unsigned int takers;
	bool registered;
	struct delayed_work drop;
};

#define PMUCTL_PROBES(of, needed_)					\
	{ .probe = (of), .nr = ARRAY_SIZE(of), .needed = (needed_),	\
	  .drop = __DELAYED_WORK_INITIALIZER((of##_set).drop,		\
					     pmuctl_probes_drop, 0) }
void pmuctl_probes_drop(struct work_struct *work);

/* Counted; with no lock that CPUs come and go by. */
int pmuctl_probes_take(struct pmuctl_probes *probes,
		       const struct pmuctl_why *why);
/* After the last they go within a moment. */
void pmuctl_probes_release(struct pmuctl_probes *probes);
/* Nobody has them; after it none of them runs any more. */
void pmuctl_probes_exit(struct pmuctl_probes *probes);

#endif
