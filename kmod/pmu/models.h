/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between processors with architectural perfmon: which there are,
 * and the registers beside the event select that their events need.
 */
#ifndef PMUCTL_MODELS_H
#define PMUCTL_MODELS_H

#include <linux/types.h>

/* An event that means something only together with a register. */
struct pmuctl_extra {
	/* enum pmuctl_reg_id, and its index; 0: none may be given. */
	u32 reg;
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
	u8 metrics;		/* fields of PERF_METRICS ... */
	bool metrics_silent;	/* ... which it has without announcing it */
	/* Counters beyond those that leaf 0AH says all cores have. */
	u8 gp_silent;		/* how many in all */
	u8 fixed_silent;	/* by bit */
	/* Fixed counters behind slots' of which is known what they count. */
	u8 fixed_classes;	/* by bit */
	u64 errata;		/* that some have: enum pmuctl_erratum_bit */
};

/*
 * Of CPUID.1:EAX: the number of a model means nothing without its family, which
 * is above it.  All families of Intel's from 6 on extend it.
 */
static inline u32 pmuctl_family(u32 signature)
{
	u32 family = signature >> 8 & 0xf;

	return family == 0xf ? family + (signature >> 20 & 0xff) : family;
}

static inline u32 pmuctl_model_id(u32 signature)
{
	return pmuctl_family(signature) << 8 | (signature >> 12 & 0xf0) |
	       (signature >> 4 & 0xf);
}

#define PMUCTL_MODEL_NUMBER	0xff

/* Kinds of cores, as CPUID.1AH:EAX[31:24] has them; 0: it does not say. */
#define PMUCTL_CORE_BIG		0x40
#define PMUCTL_CORE_SMALL	0x20

/* The number of its make: CPUID.1AH:EAX[23:0]. */
#define PMUCTL_CORE_MAKE	0xffffff

/* NULL: nobody has told us about it. */
const struct pmuctl_model *pmuctl_model_find(u32 signature, u32 kind, u32 make);

#endif
