/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions on a control group (version 2): they are on its tasks, and on those
 * of the groups below it, as these come and go.
 */
#ifndef PMUCTL_CGROUP_H
#define PMUCTL_CGROUP_H

#include <linux/cgroup.h>
#include <linux/types.h>

#include "kmod/state/session.h"

struct nlattr;
struct pmuctl_why;

/* Makes it a session of the group whose folder this descriptor is. */
int pmuctl_cgroup_name(struct pmuctl_session *session,
		       const struct nlattr *attr, const struct pmuctl_why *why);
void pmuctl_cgroup_put(struct pmuctl_session *session);
/*
 * Its path from the root of the hierarchy on; 0 or -errno.  Not that of a
 * namespace: for that one the kernel takes cgroup_mutex, and whoever has that
 * one may wait for CPUs to come or go.
 */
int pmuctl_cgroup_path(const struct pmuctl_session *session, char *path,
		       size_t size);

/* Whether the task is in the session's group or below; RCU. */
static inline bool pmuctl_cgroup_has(const struct pmuctl_session *session,
				     struct task_struct *task)
{
	return task_under_cgroup_hierarchy(task, session->cgroup);
}

/* Whether a task can be in the groups of both. */
static inline bool pmuctl_cgroups_meet(const struct pmuctl_session *a,
				       const struct pmuctl_session *b)
{
	return a->cgroup && b->cgroup &&
	       (cgroup_is_descendant(a->cgroup, b->cgroup) ||
		cgroup_is_descendant(b->cgroup, a->cgroup));
}

/* Puts the session on all tasks of its group, and on those that come. */
int pmuctl_cgroup_attach(struct pmuctl_session *session,
			 const struct pmuctl_why *why);
/* No task that comes gets it any more. */
void pmuctl_cgroup_close(struct pmuctl_session *session);

/* Counted; with no lock that CPUs come and go by. */
int pmuctl_cgroup_hold_trace(const struct pmuctl_why *why);
void pmuctl_cgroup_release_trace(void);
void pmuctl_cgroup_init(void);
void pmuctl_cgroup_exit(void);

/*
 * The task may be in another group now, or in one at all.  Puts it on the
 * sessions that it belongs to and takes it off others; whether there was any
 * such.  Preemption is off.
 */
bool pmuctl_cgroups_moved(struct task_struct *task);

#endif
