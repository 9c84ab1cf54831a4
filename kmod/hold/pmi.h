/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The overflow interrupt, which comes as an NMI.
 */
#ifndef PMUCTL_PMI_H
#define PMUCTL_PMI_H

struct pmuctl_cpu;

/* So many may come for nothing within a moment.  On the CPU meant, IRQs off. */
void pmuctl_pmi_expect(struct pmuctl_cpu *cpu, unsigned int n);

int pmuctl_pmi_register(void);
/* Returns when no handler runs any more. */
void pmuctl_pmi_unregister(void);

#endif
