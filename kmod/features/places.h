/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places: what has a feature by itself, a core or a package.  One CPU's number
 * stands for a place for good, whichever of its CPUs are online.
 *
 * With the sessions' lock for writing, or where a CPU comes or goes.
 */
#ifndef PMUCTL_PLACES_H
#define PMUCTL_PLACES_H

#include <linux/cpumask.h>
#include <linux/types.h>

int pmuctl_places_init(void);
void pmuctl_places_exit(void);

/* Of a CPU that is online; of all that are. */
void pmuctl_place_learn(unsigned int cpu);
void pmuctl_places_learn(void);

/* scope: enum pmuctl_feature_scope. */
unsigned int pmuctl_place_of(u32 scope, unsigned int cpu);
/* The places that any of these CPUs is in. */
void pmuctl_places_of(u32 scope, const struct cpumask *cpus,
		      struct cpumask *to);
/* One CPU that is online of each of these places, as far as there is one. */
void pmuctl_places_online(u32 scope, const struct cpumask *of,
			  struct cpumask *to);
/* The first CPU that is online where this one is. */
unsigned int pmuctl_place_first(u32 scope, unsigned int cpu);
/* No other one there is online. */
bool pmuctl_place_is_last(u32 scope, unsigned int cpu);

#endif
