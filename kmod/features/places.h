/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places: what has a feature by itself, a core or a package.  One CPU's number
 * stands for a place for good, whichever of its CPUs are online.
 *
 * Of what a module of small cores is said to have for all of its cores, each
 * core is a place, and those of a module reach each other: whether they are one
 * register is then nobody's concern.
 *
 * With the sessions' lock for writing, or where a CPU comes or goes.
 */
#ifndef PMUCTL_PLACES_H
#define PMUCTL_PLACES_H

#include <linux/cpumask.h>
#include <linux/types.h>

struct pmuctl_feature_rows;

int pmuctl_places_init(const struct pmuctl_feature_rows *rows);
void pmuctl_places_exit(void);

/* Of a CPU that is online; of all that are. */
void pmuctl_place_learn(unsigned int cpu);
void pmuctl_places_learn(void);

/* Of the kind of cores that has this row. */
bool pmuctl_place_has(unsigned int row, unsigned int cpu);
unsigned int pmuctl_place_of(unsigned int row, unsigned int cpu);
/* Both have it, and what is written on one may be there on the other. */
bool pmuctl_place_reaches(unsigned int row, unsigned int cpu,
			  unsigned int other);
/* The places that any of these CPUs is in or reaches. */
void pmuctl_places_of(unsigned int row, const struct cpumask *cpus,
		      struct cpumask *to);
/* One CPU that is online of each of these places, as far as there is one. */
void pmuctl_places_online(unsigned int row, const struct cpumask *of,
			  struct cpumask *to);
/* Of those that it reaches it is the first one that is online. */
bool pmuctl_place_is_first(unsigned int row, unsigned int cpu);
/* No other one of its place is online. */
bool pmuctl_place_is_last(unsigned int row, unsigned int cpu);

#endif
