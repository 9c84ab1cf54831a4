// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs of processors whose threads must not use the same counters: as
 * everywhere, but that slots have the counters of kmod/pmu/twins.h.
 */
#include <linux/compiler.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/twins.h"

/* CPUID.0BH: the APIC ID, and how many bits of it name the thread. */
static bool is_second(void)
{
	u32 regs[4];

	hw_cpuid(0xb, regs);
	return regs[3] & (BIT(regs[0] & 0x1f) - 1);
}

void pmuctl_perfmon_twins_reset(struct pmuctl_regs *regs)
{
	pmuctl_twins_reset(is_second());
	pmuctl_perfmon_reset(regs);
}

void pmuctl_perfmon_twins_program(struct pmuctl_regs *regs,
				  const struct pmuctl_event *event)
{
	unsigned int counter = event->slot;
	bool moved;

	if (pmuctl_twins_here()->second && event->twice)
		counter = event->twin;
	moved = pmuctl_twins_put(event->slot, counter);
	pmuctl_perfmon_program_at(regs, event, counter);
	if (moved && regs->pebs)
		pmuctl_pebs_write(regs);
}

void pmuctl_perfmon_twins_enable(struct pmuctl_regs *regs, u64 counters)
{
	regs->enabled = counters;
	hw_wrmsr(MSR_GLOBAL_CTRL, pmuctl_twins_bits(counters));
}

u64 pmuctl_perfmon_twins_read(unsigned int slot)
{
	return pmuctl_perfmon_read(pmuctl_twins_place(slot));
}

u64 pmuctl_perfmon_twins_rearm(unsigned int slot)
{
	return pmuctl_perfmon_rearm(pmuctl_twins_place(slot));
}

u64 pmuctl_perfmon_twins_arm(unsigned int slot, u64 left)
{
	return pmuctl_perfmon_arm(pmuctl_twins_place(slot), left);
}

u64 pmuctl_perfmon_twins_overflows(u64 ran)
{
	u64 overflows = pmuctl_perfmon_overflows(pmuctl_twins_bits(ran));

	return pmuctl_twins_bits(overflows);
}

/* The first counters are moved; where they are not the first slots' it waits. */
void pmuctl_perfmon_twins_pebs_try(struct pmuctl_regs *regs,
				   const struct pmuctl_ds *ds)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_TRIED_COUNTERS; i++)
		if (pmuctl_twins_place(i) != i)
			return;
	pmuctl_perfmon_pebs_try(regs, ds);
}
