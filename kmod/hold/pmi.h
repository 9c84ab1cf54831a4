/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The overflow interrupt, which comes as an NMI.
 */
#ifndef PMUCTL_PMI_H
#define PMUCTL_PMI_H

/* How PMIs are delivered here; the PMU has just been taken. */
void pmuctl_pmi_try(void);

/* With the sessions' lock. */
int pmuctl_pmi_register(void);
/* Returns when no handler runs any more. */
void pmuctl_pmi_exit(void);

#endif
