// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verbs of processors on which they take more.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/twins.h"

/* --- threads must not use the same counters: kmod/pmu/twins.h --- */

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

/* The first counters are moved; where other slots have them it waits. */
void pmuctl_perfmon_twins_pebs_try(struct pmuctl_regs *regs,
				   const struct pmuctl_ds *ds)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_TRIED_COUNTERS; i++)
		if (pmuctl_twins_place(i) != i)
			return;
	pmuctl_perfmon_pebs_try(regs, ds);
}

/* --- a counter's new event needs others before it --- */

#define FRESH_MAX	4

void pmuctl_fresh_program(struct pmuctl_regs *regs,
			  const struct pmuctl_event *event)
{
	u64 before = event->slot < FRESH_MAX ? regs->evtsel[event->slot] : 0;

	pmuctl_perfmon_program(regs, event);
	if (event->slot < FRESH_MAX && regs->evtsel[event->slot] != before)
		regs->fresh |= BIT(event->slot);
}

/* Each goes on from the value that it was given with its new event. */
static void settle(const struct pmuctl_regs *regs, u64 fresh)
{
	u64 value[FRESH_MAX];
	unsigned int i;

	for (i = 0; i < FRESH_MAX; i++)
		value[i] = fresh & BIT_ULL(i) ? hw_rdpmc(i) : 0;
	pmuctl_events_before(fresh);
	for (i = 0; i < FRESH_MAX; i++) {
		if (!(fresh & BIT_ULL(i)))
			continue;
		hw_wrmsr(MSR_EVTSEL + i, regs->evtsel[i]);
		hw_wrmsr(MSR_PMC + i, value[i]);
	}
}

void pmuctl_fresh_enable(struct pmuctl_regs *regs, u64 counters)
{
	if (unlikely(counters & regs->fresh)) {
		settle(regs, counters & regs->fresh);
		regs->fresh &= ~counters;
	}
	pmuctl_perfmon_enable(regs, counters);
}

/* --- an event needs another beside it --- */

/* MEM_LOADS_AUX of Sapphire Rapids, in the rings of the loads it belongs to. */
#define AUXILIARY	0x8203

void pmuctl_auxiliary_program(struct pmuctl_regs *regs,
			      const struct pmuctl_event *event)
{
	u64 config = AUXILIARY | EVTSEL_EN |
		     (event->config & (EVTSEL_USR | EVTSEL_OS));

	pmuctl_perfmon_program(regs, event);
	if (!event->auxiliary || regs->evtsel[event->twin] == config)
		return;
	regs->evtsel[event->twin] = config;
	hw_wrmsr(MSR_EVTSEL + event->twin, config);
}
