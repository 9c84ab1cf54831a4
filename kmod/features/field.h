/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One field of an MSR on the CPU that runs: read, written and given back, with
 * no other bit of its register touched.
 */
#ifndef PMUCTL_FIELD_H
#define PMUCTL_FIELD_H

#include <linux/types.h>

struct pmuctl_feature_row;

/* What is known of a field where it is held. */
struct pmuctl_field {
	bool held;
	u64 found;
	u64 wrote;
	u64 read;		/* behind a write that failed, or by a look */
};

/* Why a field could not be set. */
enum pmuctl_field_trouble {
	PMUCTL_FIELD_SET,
	PMUCTL_FIELD_MISSING,	/* no such register */
	PMUCTL_FIELD_FAULTS,	/* it may not be written so */
	PMUCTL_FIELD_SWALLOWED,	/* it was, and is not so */
};

/* All with interrupts off.  False if there is no such register. */
bool pmuctl_field_read(const struct pmuctl_feature_row *row, u64 *value);
/* What is there is what was found. */
enum pmuctl_field_trouble
pmuctl_field_find(const struct pmuctl_feature_row *row,
		  struct pmuctl_field *field);
/* It was found, and is held from now on. */
enum pmuctl_field_trouble
pmuctl_field_hold(const struct pmuctl_feature_row *row, u64 value,
		  struct pmuctl_field *field);
/* False if somebody else wrote it meanwhile. */
bool pmuctl_field_is_ours(const struct pmuctl_feature_row *row,
			  struct pmuctl_field *field);
/* It was ours a moment ago, and is as it was found. */
void pmuctl_field_give_back(const struct pmuctl_feature_row *row,
			    struct pmuctl_field *field);

#endif
