/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What drains the records of PEBS has to know of how they were armed.
 */
#ifndef PMUCTL_PEBS_ARM_H
#define PMUCTL_PEBS_ARM_H

#include <linux/percpu.h>

#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/pmu.h"

struct pmuctl_cpu;

struct pmuctl_pebs_armed {
	/* What the DS area sets each counter back to: periods. */
	u64 reload[PMUCTL_SLOTS];
	/* One moment on both clocks. */
	u64 then_ns, then_tsc;
};

DECLARE_PER_CPU(struct pmuctl_pebs_armed, pmuctl_pebs_armed);

static inline const struct pmuctl_pebs_format *pmuctl_pebs_format_here(void)
{
	return pmuctl_pebs_format(pmuctl_caps.pebs_format);
}

/* All of these on the CPU meant, as in pebs_drain.h. */

u32 pmuctl_pebs_record_size(const struct pmuctl_cpu *cpu);
/*
 * So many events came since the slot's period was chosen last: chooses the next
 * one.  Its records have been taken.
 */
void pmuctl_pebs_vary(struct pmuctl_cpu *cpu, unsigned int slot, u64 events);

#endif
