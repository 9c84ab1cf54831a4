/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between processors of family 6: which there are, and the
 * registers beside the event select that their events need.
 */
#ifndef PMUCTL_MODELS_H
#define PMUCTL_MODELS_H

#include <linux/types.h>

/* An event that means something only together with a register. */
struct pmuctl_extra {
	u32 reg;		/* enum pmuctl_reg_id, and its index */
	u32 index;
	u16 event;		/* umask and event code */
	u8 slot;		/* of the register in struct pmuctl_regs */
	bool shared;		/* by the threads of a core */
	u32 msr;
	u64 writable;		/* 0: not known, so not set by this module */
	u64 least;
};

/* An event (or all of its unit masks) that PEBS can record. */
struct pmuctl_pebs_event {
	u16 event;		/* umask and event code */
	u16 mask;		/* of which these bits matter */
};

struct pmuctl_model {
	const char *name;
	const struct pmuctl_extra *extra;
	unsigned int nr_extra;
	u8 lbr_depth;
	/* Events that PEBS can record; NULL: any on a counter that has PEBS. */
	const struct pmuctl_pebs_event *pebs;
	unsigned int nr_pebs;
	bool pebs_first_only;	/* on counter 0 alone */
	u16 precise_store;	/* event that has to be enabled as such, or 0 */
	u8 metrics;		/* fields of PERF_METRICS */
	u64 errata;		/* that some have: enum pmuctl_erratum_bit */
};

/* Of CPUID.1:EAX, of families 6 and 15. */
static inline u32 pmuctl_model_number(u32 signature)
{
	return (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
}

/* NULL: nobody has told us about it. */
const struct pmuctl_model *pmuctl_model_find(u32 signature);

#endif
