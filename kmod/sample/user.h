/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program that runs, or that the kernel runs for: its registers, and what
 * is on its stack.
 */
#ifndef PMUCTL_USER_H
#define PMUCTL_USER_H

#include <linux/types.h>

struct pmuctl_sample_regs;
struct pmuctl_taken;
struct pt_regs;
struct task_struct;

/* All of these are NMI-safe. */

/* False: a kernel thread, an exit that has come far, or a task not here. */
bool pmuctl_user_is_here(const struct task_struct *task);
/* A program of 32 bits. */
bool pmuctl_user_is_narrow(const struct pt_regs *regs);
/*
 * The program's, or those that it entered the kernel with; NULL: not known,
 * also in the few instructions in which the kernel is entered.
 */
const struct pt_regs *pmuctl_user_regs(const struct pmuctl_taken *taken);
/*
 * Where a task that is in the kernel, and was there at `at` (or NULL: it is not
 * known where), entered it: *ip, unless it is a kernel thread.  The registers
 * that it entered with; NULL: they are not saved yet.
 */
struct pt_regs *pmuctl_user_entered(const struct pt_regs *at,
				    struct task_struct *task, u64 *ip);
void pmuctl_user_regs_of(struct pmuctl_sample_regs *out,
			 const struct pt_regs *in);
/*
 * As PMUCTL_CONTENT_STACK has them, and PMUCTL_CONTENT_TOP; each returns the
 * end of what it wrote.  *moved: the stack is not as the PEBS record has it.
 */
u64 *pmuctl_user_put_stack(u64 *to, const struct pmuctl_taken *taken,
			   bool *moved);
u64 *pmuctl_user_put_top(u64 *to, const struct pmuctl_taken *taken,
			 bool *moved);

#endif
