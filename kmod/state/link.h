/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session on a task, as who puts it there and who asks for it have it; what
 * it is made of is in session/links.h.
 */
#ifndef PMUCTL_LINK_H
#define PMUCTL_LINK_H

#include <linux/sched.h>
#include <linux/types.h>

/* What comes of putting a session on a task. */
enum pmuctl_add {
	PMUCTL_ADDED,
	PMUCTL_PRESENT,
	PMUCTL_ENDING,
	/* From here on the whole request is refused. */
	PMUCTL_IN_THE_WAY,
	PMUCTL_TOO_MANY,
	PMUCTL_NO_MEMORY,
	PMUCTL_NOT_OWN,
	PMUCTL_EXECS,
};

/*
 * Whether a task may have sessions; a hint, any context.  The answer is in the
 * task itself, since every switch asks: the top bit of its thread flags, which
 * x86 has no name for.  A child begins with its parent's.
 */
#define PMUCTL_TASK_FLAG	(BITS_PER_LONG - 1)

static __always_inline bool pmuctl_task_maybe(struct task_struct *task)
{
	return test_tsk_thread_flag(task, PMUCTL_TASK_FLAG);
}

/*
 * Either of two, at the price of one.  Plain reads, which the compiler makes
 * part of other instructions; each is one aligned word, and only a hint.
 */
static __always_inline bool pmuctl_task_maybe_any(struct task_struct *a,
						  struct task_struct *b)
{
	return (long)(task_thread_info(a)->flags |
		      task_thread_info(b)->flags) < 0;
}

#endif
