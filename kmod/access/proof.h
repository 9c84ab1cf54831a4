/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether who asks may look into a task, as ptrace and the security modules
 * have it.
 */
#ifndef PMUCTL_PROOF_H
#define PMUCTL_PROOF_H

#include <linux/types.h>

struct file;
struct mm_struct;
struct nlattr;
struct pmuctl_why;
struct task_struct;

/* Of the memory that current may look into; zeroes: of none. */
struct pmuctl_proof {
	const struct mm_struct *mm;
	struct file *file;		/* keeps that mm; or NULL */
};

int pmuctl_proof_init(void);
void pmuctl_proof_exit(void);

/*
 * May sleep for as long as the task's program likes, so no lock may be held.
 * 0 or -errno; the same with words for the sender.
 */
int pmuctl_prove(struct task_struct *task, struct pmuctl_proof *proof);
int pmuctl_prove_or_say(struct task_struct *task, struct pmuctl_proof *proof,
			const struct nlattr *attr,
			const struct pmuctl_why *why);
void pmuctl_proof_drop(struct pmuctl_proof *proof);

#endif
