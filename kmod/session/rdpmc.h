/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RDPMC for programs: CR4.PCE of one process.
 */
#ifndef PMUCTL_RDPMC_H
#define PMUCTL_RDPMC_H

#include <linux/mm_types.h>
#include <linux/sched.h>

#include "kmod/uapi/pmuctl-self.h"

struct pmuctl_session;

/*
 * With the sessions' lock for writing, the PMU taken: the process that reads a
 * session of its own may from here on, and until there.  It holds, or does not
 * any more, when these return.  Nothing for other sessions.
 */
void pmuctl_rdpmc_open(struct pmuctl_session *session);
void pmuctl_rdpmc_close(struct pmuctl_session *session);

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
