/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The debug store area of each CPU, into which PEBS writes its records.
 */
#ifndef PMUCTL_DS_H
#define PMUCTL_DS_H

#include <linux/types.h>

struct pmuctl_why;

/* With the module. */
int pmuctl_ds_init(void);
void pmuctl_ds_exit(void);

/*
 * As long as somebody holds it there is an area on every CPU whose PMU is
 * ours.  Process context, with the sessions' lock; the PMU is held.
 */
int pmuctl_ds_hold(const struct pmuctl_why *why);
void pmuctl_ds_release(void);

/* A CPU comes up, with the CPUs locked: before its PMU is taken. */
void pmuctl_ds_cpu_online(unsigned int cpu);
/* On the CPU, IRQs off: its PMU has been taken, is about to be given back. */
void pmuctl_ds_on_here(void);
void pmuctl_ds_off_here(void);

/* NULL, or why this kernel's layout leaves no room for an area. */
const char *pmuctl_ds_refusal(void);

#endif
