/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which instruction was it, of a record that names only the next one?
 */
#ifndef PMUCTL_PEBS_FIXUP_H
#define PMUCTL_PEBS_FIXUP_H

#include <linux/types.h>

#include "kmod/uapi/pmuctl.h"

struct pmuctl_fixup {
	bool exact;
	u64 ip;			/* exact: of the instruction */
	u64 block;		/* else: decode from here, or 0: not known */
};

/*
 * branches: the latest first, read behind the record.  now: where the
 * processor was by then, 0 if that is not known.  rings: the event's.
 */
struct pmuctl_fixup
pmuctl_pebs_fixup(const struct pmuctl_branch *branches, unsigned int n,
		  u64 ip, u64 now, u32 rings);

/*
 * Code at a record's address: a repeated string instruction, between the rounds
 * of which the next instruction is itself, so that it may be the one.
 */
bool pmuctl_pebs_repeats(const u8 *code, unsigned int size);

#endif
