/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking the PMU from the kernel, and giving it back exactly as found.
 */
#ifndef PMUCTL_RESERVE_H
#define PMUCTL_RESERVE_H

#include <linux/types.h>

struct pmuctl_why;

/* Both with CPU hotplug held off, sessions locked for writing. */
int pmuctl_take(const struct pmuctl_why *why);
void pmuctl_give_back(void);

/* enum pmuctl_state; looks at every CPU's registers and writes none. */
u32 pmuctl_pmu_state(void);

/* From the hotplug callbacks, on the CPU meant. */
void pmuctl_take_here(void);
void pmuctl_give_back_here(void);
bool pmuctl_held(void);

#endif
