/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of PEBS, whatever their format, as one struct.
 */
#ifndef PMUCTL_PEBS_RECORDS_H
#define PMUCTL_PEBS_RECORDS_H

#include <linux/types.h>

#include "kmod/uapi/pmuctl.h"

/* The counters in a record, as it has them. */
struct pmuctl_pebs_counts {
	u32 gp;			/* which, by bit */
	u32 fixed;
	u32 metrics;
	u32 reserved;
	u64 value[];		/* general-purpose ones first */
};

struct pmuctl_pebs_record {
	u32 size;		/* bytes, to the next one */
	bool exact;		/* ip is that of the instruction itself */
	u64 counters;		/* that it is of, by bit; 0: it does not say */
	u64 ip;
	u64 addr, latency, data_src;
	u32 retire;		/* cycles since the instruction before */
	u64 tsc;		/* 0: it does not say */
	/* In the buffer, or below; NULL: it has none. */
	const struct pmuctl_sample_regs *regs;
	/* The latest first, or NULL; still in the buffer. */
	const struct pmuctl_branch *branches;
	unsigned int nr_branches;
	const struct pmuctl_pebs_counts *counts;	/* or NULL */
	/* Last: not set before it is needed. */
	struct pmuctl_sample_regs gpr;
};

/* What the records of a format can tell. */
struct pmuctl_pebs_format {
	u16 size;		/* of each record; 0: its own matter */
	u16 least;		/* bytes that a record has at least */
	bool exact;		/* has the instruction's own address */
	bool has_memory;	/* has data addresses */
	bool says_counters;	/* which counter, rather than overflow bits */
	u16 nr_gp_resets;	/* in the DS area, in front of the fixed ones */
	bool one_reset;		/* there is one for all counters */
	bool before;		/* shows what is in front of the instruction */
};

/* From this format on a record consists of groups. */
#define PEBS_ADAPTIVE		4

/* ... and one of these may be counters. */
#define PEBS_WITH_COUNTERS	6

/* No number of a format: architectural. */
#define PEBS_ARCHITECTURAL	0xf

/* PMUCTL_PEBS_FORMAT_P4 of a processor without 64 bits. */
#define PEBS_FORMAT_P4_NARROW	(PMUCTL_PEBS_FORMAT_P4 | 1)

/* NULL: not known. */
const struct pmuctl_pebs_format *pmuctl_pebs_format(u32 format);

/*
 * Decodes the record at data, of which room bytes are there; false: it cannot
 * be one.
 */
bool pmuctl_pebs_decode(u32 format, const void *data, size_t room,
			struct pmuctl_pebs_record *record);

/* What the counter of a slot stood at; false: the record does not have it. */
bool pmuctl_pebs_counted(const struct pmuctl_pebs_counts *counts,
			 unsigned int slot, u64 *value);

/* MSR_PEBS_DATA_CFG: groups of an adaptive record. */
#define PEBS_CFG_MEMORY		(1ULL << 0)
#define PEBS_CFG_GPR		(1ULL << 1)
#define PEBS_CFG_XMM		(1ULL << 2)
#define PEBS_CFG_LBR		(1ULL << 3)
#define PEBS_CFG_COUNTERS	(1ULL << 4)
#define PEBS_CFG_METRICS	(1ULL << 5)
#define PEBS_CFG_LBR_SHIFT	24
#define PEBS_CFG_LBR_ENTRIES	(0xffULL << PEBS_CFG_LBR_SHIFT)
/* Which counters: general-purpose, fixed. */
#define PEBS_CFG_GP_SHIFT	32
#define PEBS_CFG_GP		(0xffffULL << PEBS_CFG_GP_SHIFT)
#define PEBS_CFG_FIXED_SHIFT	48
#define PEBS_CFG_FIXED		(0xffULL << PEBS_CFG_FIXED_SHIFT)

/* Bytes of a record with these groups. */
u32 pmuctl_pebs_adaptive_size(u64 cfg);
/* The most bytes of an architectural one. */
u32 pmuctl_pebs_architectural_size(u64 cfg);

#endif
