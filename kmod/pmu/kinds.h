/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of cores that a machine has, and which CPU is of which.
 *
 * Where there is one, its facts are pmuctl_caps.  Where there are several, each
 * has its own, and pmuctl_caps is the machine's: of the first kind, with the
 * counters and errata of all.
 */
#ifndef PMUCTL_KINDS_H
#define PMUCTL_KINDS_H

#include <linux/cpumask.h>
#include <linux/percpu.h>

#include "kmod/pmu/pmu.h"

#define PMUCTL_KINDS_MAX	4

/* Of a CPU that is like none of them. */
#define PMUCTL_KIND_NONE	(~(u32)0)

struct pmuctl_kind {
	struct pmuctl_caps caps;
	struct cpumask cpus;		/* as far as they have been online */
};

extern struct pmuctl_kind pmuctl_kinds[PMUCTL_KINDS_MAX];
extern u32 pmuctl_nr_kinds;
/* The CPU's, by number. */
DECLARE_PER_CPU(u32, pmuctl_kind_of_cpu);

static inline u32 pmuctl_kind_here(void)
{
	return this_cpu_read(pmuctl_kind_of_cpu);
}

/* The facts of one kind. */
static inline const struct pmuctl_caps *pmuctl_kind_caps(u32 kind)
{
	return pmuctl_nr_kinds > 1 ? &pmuctl_kinds[kind].caps : &pmuctl_caps;
}

/* A CPU that has never been online may be of any. */
bool pmuctl_kind_may_have(u32 kind, unsigned int cpu);

/* "big", say, of CPUID.1AH:EAX. */
const char *pmuctl_core_name(u32 core);

/* Forgets all kinds: they are to be found. */
void pmuctl_kinds_begin(void);
/* The CPU is of the kind that has these facts, or of a new one; -ENOSPC. */
int pmuctl_kinds_add(const struct pmuctl_caps *caps, unsigned int cpu);
/*
 * NULL, or in what these two differ that keeps them from being driven together:
 * what counts and reads on a CPU does not ask what it is.
 */
const char *pmuctl_kinds_apart(const struct pmuctl_caps *a,
			       const struct pmuctl_caps *b);
/*
 * All are found: they get their numbers, big cores first, and pmuctl_caps what
 * is to be known of the machine.
 */
void pmuctl_kinds_settle(void);
/* What all CPUs have in common is what is driven, as one kind. */
void pmuctl_kinds_merge(void);

/*
 * On the CPU meant, which has come online: it is of one of the kinds from now
 * on.  NULL, or how it differs from all that were there when the module was
 * loaded, so that nothing can be counted on it.
 */
const char *pmuctl_kinds_join(void);

#endif
