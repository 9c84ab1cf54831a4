/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The buffer of each CPU, into which PEBS writes its records.
 */
#ifndef PMUCTL_BUFFERS_H
#define PMUCTL_BUFFERS_H

#include <linux/types.h>

struct pmuctl_why;

/* With the module. */
int pmuctl_buffers_init(void);
void pmuctl_buffers_exit(void);

/*
 * As long as somebody holds it there is one on every CPU whose PMU is
 * ours.  Process context, with the sessions' lock; the PMU is held.
 */
int pmuctl_buffers_hold(const struct pmuctl_why *why);
void pmuctl_buffers_release(void);

/* A CPU comes up, with the CPUs locked: before its PMU is taken. */
void pmuctl_buffers_cpu_online(unsigned int cpu);
/* On the CPU, IRQs off: its PMU has been taken, is about to be given back. */
void pmuctl_buffers_on_here(void);
void pmuctl_buffers_off_here(void);

/* NULL, or why this kernel's layout leaves no room for one. */
const char *pmuctl_buffers_refusal(void);

#endif
