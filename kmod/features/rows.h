/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which features a processor has, as tables of fields of MSRs.
 */
#ifndef PMUCTL_ROWS_H
#define PMUCTL_ROWS_H

#include <linux/types.h>

#include "kmod/uapi/pmuctl.h"

/* The most that any processor has. */
#define PMUCTL_FEATURES_MAX	10

struct pmuctl_feature_rows {
	const struct pmuctl_feature_row *row;
	unsigned int nr;
	/* A machine like it was tried; of others fields are shown alone. */
	bool tried;
};

/* nr is 0 where nothing is known. */
struct pmuctl_feature_rows pmuctl_feature_rows(u32 signature);

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
