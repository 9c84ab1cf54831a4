/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where PEBS writes its records, and the words of a debug store area that are
 * for it: of 64 bits, or, on a Pentium 4 that knows nothing else, of 32.
 */
#ifndef PMUCTL_DS_AREA_H
#define PMUCTL_DS_AREA_H

#include <linux/types.h>
#include <asm/intel_ds.h>

#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/pmu.h"

/* Of one CPU. */
struct pmuctl_ds {
	/* NULL: of another kind, see struct pmuctl_buffer. */
	struct debug_store *area;
	void *records;		/* its buffer; NULL: not set up here */
	u32 size;
	u64 index;		/* IA32_PEBS_INDEX, while it is empty */
};

/* On the CPU meant; filled in by who sets the area up. */
struct pmuctl_ds *pmuctl_ds_here(void);

/* In the place of struct debug_store. */
struct narrow_store {
	u32 bts_base, bts_index, bts_maximum, bts_threshold;
	u32 base, index, maximum, threshold;
	u64 reset;
};

#ifdef CONFIG_X86_32
static inline struct narrow_store *ds_narrow(const struct debug_store *area)
{
	return pmuctl_caps.pebs_format == PEBS_FORMAT_P4_NARROW ?
	       (struct narrow_store *)area : NULL;
}
#else
static inline struct narrow_store *ds_narrow(const struct debug_store *area)
{
	return NULL;
}
#endif

static inline u64 ds_base(const struct debug_store *area)
{
	const struct narrow_store *narrow = ds_narrow(area);

	return narrow ? narrow->base : area->pebs_buffer_base;
}

static inline u64 ds_index(const struct debug_store *area)
{
	const struct narrow_store *narrow = ds_narrow(area);

	return narrow ? narrow->index : area->pebs_index;
}

static inline u64 ds_threshold(const struct debug_store *area)
{
	const struct narrow_store *narrow = ds_narrow(area);

	return narrow ? narrow->threshold : area->pebs_interrupt_threshold;
}

static inline void ds_set_base(struct debug_store *area, u64 base)
{
	struct narrow_store *narrow = ds_narrow(area);

	if (narrow)
		narrow->base = base;
	else
		area->pebs_buffer_base = base;
}

static inline void ds_set_index(struct debug_store *area, u64 index)
{
	struct narrow_store *narrow = ds_narrow(area);

	if (narrow)
		narrow->index = index;
	else
		area->pebs_index = index;
}

static inline void ds_set_limits(struct debug_store *area, u64 maximum,
				 u64 threshold)
{
	struct narrow_store *narrow = ds_narrow(area);

	if (narrow) {
		narrow->maximum = maximum;
		narrow->threshold = threshold;
		return;
	}
	area->pebs_absolute_maximum = maximum;
	area->pebs_interrupt_threshold = threshold;
}

static inline void ds_set_reset(struct debug_store *area, unsigned int at,
				u64 value)
{
	struct narrow_store *narrow = ds_narrow(area);

	if (narrow)
		narrow->reset = value;
	else
		area->pebs_event_reset[at] = value;
}

#endif
