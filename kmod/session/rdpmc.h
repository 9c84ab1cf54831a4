/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RDPMC for programs: CR4.PCE of one process.
 */
#ifndef PMUCTL_RDPMC_H
#define PMUCTL_RDPMC_H

#include <linux/mm_types.h>
#include <linux/sched.h>

#include "kmod/uapi/pmuctl-self.h"

/*
 * With the sessions' lock for writing, the PMU taken.  It holds, or does not
 * any more, when these return.  Allowed as often as it is forbidden.
 */
enum pmuctl_self_why pmuctl_rdpmc_allow(struct mm_struct *mm);
void pmuctl_rdpmc_forbid(struct mm_struct *mm);

/* A CPU comes online, on it, before its PMU is taken. */
void pmuctl_rdpmc_cpu_online(void);

/*
 * A child's memory begins as a copy of its parent's description, this count
 * included, and has neither the page nor a session.  It has not run yet.
 */
static inline void pmuctl_rdpmc_forked(const struct task_struct *child)
{
	struct mm_struct *mm = child->mm;

	if (mm && mm != current->mm &&
	    unlikely(atomic_read(&mm->context.perf_rdpmc_allowed)))
		atomic_set(&mm->context.perf_rdpmc_allowed, 0);
}

#endif
