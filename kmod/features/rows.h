/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which features a processor has, as tables of fields of MSRs.
 */
#ifndef PMUCTL_ROWS_H
#define PMUCTL_ROWS_H

#include <linux/types.h>

#include "kmod/uapi/pmuctl.h"

/* The most that any processor has, of all its kinds of cores. */
#define PMUCTL_FEATURES_MAX	32

/* Those of a machine: where cores are of several kinds, each has its own. */
struct pmuctl_feature_rows {
	struct pmuctl_feature_row row[PMUCTL_FEATURES_MAX];
	u32 cores[PMUCTL_FEATURES_MAX];	/* which kind's, by number */
	/* A machine like it was tried; of others fields are shown alone. */
	bool tried[PMUCTL_FEATURES_MAX];
	unsigned int nr;
};

/*
 * Adds those that a kind of cores has, by CPUID.1:EAX and 1AH:EAX; none where
 * nothing is known of such a core.
 */
void pmuctl_feature_rows_add(struct pmuctl_feature_rows *rows, u32 kind,
			     u32 signature, u32 core);

/*
 * NULL, or why a field is no task's.  A switch writes the register as it was
 * read before: where others write it at any time that would undo theirs.
 */
const char *pmuctl_feature_no_task(const struct pmuctl_feature_row *row);

static inline u64 pmuctl_feature_mask(const struct pmuctl_feature_row *row)
{
	return ((1ULL << row->width) - 1) << row->shift;
}

#endif
