/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling by PEBS: the hardware writes records, we make samples of them.
 */
#ifndef PMUCTL_PEBS_H
#define PMUCTL_PEBS_H

#include "kmod/pmu/pmu.h"
#include "kmod/state/cpu.h"

/* On the CPU meant, IRQs off, from the NMI handler or with it kept away. */

/* It was stopped between its overflow and its record, and will have none. */
void pmuctl_pebs_unready_slot(struct pmuctl_cpu *cpu, unsigned int slot);
/*
 * The event of the slot goes on, slot->phase says where it stands: sets the
 * counter and what the hardware sets it back to.  Returns the counter's value.
 */
u64 pmuctl_pebs_arm(struct pmuctl_cpu *cpu, unsigned int slot);

/* What the buffer here has in it, if there is one. */
struct pmuctl_filled pmuctl_pebs_look(void);

/*
 * Makes samples of the records that there are, which are of the task whose
 * the counters are.  They do not run, and are added up next: slot->reloaded
 * says by how much they were set back.  filled: looked at since they stopped.
 */
void pmuctl_pebs_drain(struct pmuctl_cpu *cpu, struct pmuctl_filled filled);

/*
 * The counters here, by bit, that PEBS records: PEBS_ENABLE has bits that are
 * none.  Asked for each record.
 */
static inline u64 pmuctl_pebs_counters(const struct pmuctl_cpu *cpu)
{
	return cpu->regs.pebs & pmuctl_caps.pebs_counters;
}

#endif
