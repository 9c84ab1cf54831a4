/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Virtual machines on this host: PEBS must not be on while one runs, and none
 * may be given the PMU.
 */
#ifndef PMUCTL_GUESTS_H
#define PMUCTL_GUESTS_H

#include <linux/types.h>

struct pmuctl_regs;
struct pmuctl_why;

/*
 * Whether kvm gives the PMU to its guests, all of it, behind our back.  Reads a
 * file: process context.
 */
bool pmuctl_guests_have_pmu(void);

/* NULL, or why PEBS is refused now. */
const char *pmuctl_guests_refusal(void);

/*
 * From here on a guest that is entered stops PEBS on that CPU first.  Process
 * context, with the sessions' lock.
 */
int pmuctl_guests_hold(const struct pmuctl_why *why);
void pmuctl_guests_release(void);

#endif
