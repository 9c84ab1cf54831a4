/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The debug store area, for the module's code in user space.
 */
#ifndef SHIM_INTEL_DS_H
#define SHIM_INTEL_DS_H

#include <linux/types.h>

struct debug_store {
	u64 bts[4];
	u64 pebs_buffer_base, pebs_index, pebs_absolute_maximum, pebs_interrupt_threshold;
	u64 pebs_event_reset[40];
};

#endif
