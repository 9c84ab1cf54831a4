/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joules of the processor's packages, as Linux's powercap has them of the counters of energy
 * (RAPL): all that runs on a package counts, whoever it belongs to.
 *
 *	err = energy_open(&e, why, sizeof(why));
 *	energy_begin(e);
 *	...
 *	err = energy_end(e, &joules);
 *	energy_close(e);
 */
#ifndef PMUCTL_ENERGY_H
#define PMUCTL_ENERGY_H

#include <stddef.h>

#define ENERGY_POWERCAP "/sys/class/powercap"
/* The counters tick about once a millisecond: of a shorter run that is more than some 1 %. */
#define ENERGY_SHORT_SECONDS 0.1

struct energy;

/* Finds the packages; returns 0, or -errno, the reason in words, and what to do about it. */
int energy_open(struct energy **e, char *why, size_t size);
/* The same below another directory than powercap's, for tests. */
int energy_open_at(const char *powercap, struct energy **e, char *why, size_t size);
void energy_begin(struct energy *e);
/*
 * Joules of all packages since energy_begin(): up to one wrap of a counter in between is known, to
 * a unit of it.  Returns 0, or -errno if one could not be read, then or now.
 */
int energy_end(struct energy *e, double *joules);
void energy_close(struct energy *e);

#endif
