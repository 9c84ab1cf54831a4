/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether CPUs have the same PMU, so that the same facts are theirs.
 */
#ifndef PMUCTL_ALIKE_H
#define PMUCTL_ALIKE_H

#include "kmod/pmu/pmu.h"

struct pmuctl_look {
	const struct pmuctl_backend *backend;
	struct pmuctl_caps caps;
	int err;
};

/* Fills look (struct pmuctl_look) with what this CPU has, all of it. */
void pmuctl_look_here(void *look);

/* The same version, counters with their registers, and kind of core. */
bool pmuctl_alike(const struct pmuctl_caps *a, const struct pmuctl_caps *b);

/* Leaves of caps what other has as well. */
void pmuctl_caps_narrow(struct pmuctl_caps *caps,
			const struct pmuctl_caps *other);

/* NULL, or how a CPU that has other cannot be driven by caps. */
const char *pmuctl_unlike(const struct pmuctl_caps *caps,
			  const struct pmuctl_caps *other);

#endif
