/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples whose functions have no names, since what has them is not here: how many, of which
 * objects, and why.
 */
#ifndef PMUCTL_MISSING_H
#define PMUCTL_MISSING_H

#include <stddef.h>
#include <stdint.h>

struct pmuctl_data;

/* All zero: none. */
struct missing {
	uint64_t *samples;	/* by DSO */
	size_t room;
	uint64_t all;		/* samples that were looked at */
};

/* So many samples at a place of this DSO; name: of the function, or NULL. */
void missing_add(struct missing *missing, uint32_t dso, const char *name, uint64_t samples);
/* One line on standard error, if there is anything to say; what was counted is gone then. */
void missing_complain(const char *cmd, struct missing *missing, struct pmuctl_data *data);
void missing_free(struct missing *missing);

#endif
