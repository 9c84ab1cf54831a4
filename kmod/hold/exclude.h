/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeping perf out where the kernel's reservation of counters is void.
 */
#ifndef PMUCTL_EXCLUDE_H
#define PMUCTL_EXCLUDE_H

struct pmuctl_why;

/*
 * From here on perf gets no counter; refused if it has any.  With the sessions'
 * lock; CPUs may come and go meanwhile, though hotplug is held off before and
 * after.  Nothing where the reservation is enough.
 */
int pmuctl_exclude(const struct pmuctl_why *why);
/* perf may have them again. */
void pmuctl_admit(void);
/* Returns when nothing of it is left in the kernel. */
void pmuctl_exclude_exit(void);

#endif
