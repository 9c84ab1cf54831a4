/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workers of vhost, which do in the kernel what a process asked for: threads
 * of it since 6.4, and kernel threads before.
 */
#ifndef PMUCTL_VHOST_H
#define PMUCTL_VHOST_H

#include <linux/sched.h>
#include <linux/version.h>

/* Which are found by their names. */
#define PMUCTL_VHOST_BY_NAME	(LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0))

/* Whether a task that gets this name is current's new worker. */
bool pmuctl_vhost_is_worker(const struct task_struct *task, const char *comm);
/* Those that a process has, for each of which fn is called; RCU. */
void pmuctl_vhost_workers(const struct task_struct *leader,
			  void (*fn)(struct task_struct *worker, void *data),
			  void *data);

#endif
