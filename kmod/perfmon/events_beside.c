// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where an event needs others: before it, or beside it.
 *
 * Counters of Nehalem and Westmere count right only after three other events
 * have been on them (errata AAK100, AAP53, BD53).  Linux has four events on all four counters whenever it adds one.  Here those
 * counters have them whose event is new: none of the others moves.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/msr.h"

#define COUNTERS	4

/* In both rings, enabled: by counter, as Linux has them. */
static const u32 first_events[COUNTERS] = {
	0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1,
};

static void run_first_events(u64 counters)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		if (!(counters & BIT_ULL(i)))
			continue;
		hw_wrmsr(MSR_EVTSEL + i, first_events[i]);
		hw_wrmsr(MSR_PMC + i, 0);
	}
	hw_wrmsr(MSR_GLOBAL_CTRL, counters);
	hw_wrmsr(MSR_GLOBAL_CTRL, 0);
}

void pmuctl_events_before(unsigned int counter)
{
	if (pmuctl_caps.errata & PMUCTL_ERRATUM_FIRST_EVENT)
		run_first_events(BIT_ULL(counter));
}

/* Each goes on from the value that it was given with its new event. */
static void settle(const struct pmuctl_regs *regs, u64 fresh)
{
	u64 value[COUNTERS];
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		value[i] = fresh & BIT_ULL(i) ? hw_rdpmc(i) : 0;
	run_first_events(fresh);
	for (i = 0; i < COUNTERS; i++) {
		if (!(fresh & BIT_ULL(i)))
			continue;
		hw_wrmsr(MSR_EVTSEL + i, regs->evtsel[i]);
		hw_wrmsr(MSR_PMC + i, value[i]);
	}
}

void pmuctl_nehalem_program(struct pmuctl_regs *regs,
			    const struct pmuctl_event *event)
{
	u64 before = event->slot < COUNTERS ? regs->evtsel[event->slot] : 0;

	pmuctl_perfmon_program(regs, event);
	if (event->slot < COUNTERS && regs->evtsel[event->slot] != before)
		regs->fresh |= BIT(event->slot);
}

void pmuctl_nehalem_enable(struct pmuctl_regs *regs, u64 counters)
{
	if (unlikely(counters & regs->fresh)) {
		settle(regs, counters & regs->fresh);
		regs->fresh &= ~counters;
	}
	pmuctl_perfmon_enable(regs, counters);
}

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
