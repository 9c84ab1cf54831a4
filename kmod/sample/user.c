// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a sample has of the program: its registers and a copy of its stack.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/segment.h>

#include "kmod/sample/sample.h"
#include "kmod/sample/user.h"

bool pmuctl_user_is_here(const struct task_struct *task)
{
	return task == current && task->mm;
}

bool pmuctl_user_is_narrow(const struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	return regs->cs == __USER32_CS;
#else
	return true;
#endif
}

#ifdef CONFIG_X86_64
#define REGS_FROM_8(in)							\
	.r8 = (in)->r8, .r9 = (in)->r9, .r10 = (in)->r10,		\
	.r11 = (in)->r11, .r12 = (in)->r12, .r13 = (in)->r13,		\
	.r14 = (in)->r14, .r15 = (in)->r15,
#else
#define REGS_FROM_8(in)
#endif

void pmuctl_user_regs_of(struct pmuctl_sample_regs *out,
			 const struct pt_regs *in)
{
	*out = (struct pmuctl_sample_regs){
		.flags = in->flags, .ip = in->ip,
		.ax = in->ax, .bx = in->bx, .cx = in->cx, .dx = in->dx,
		.si = in->si, .di = in->di, .bp = in->bp, .sp = in->sp,
		REGS_FROM_8(in)
	};
}

/* Interrupts and exceptions come here first, and what they saved as well. */
static bool is_entry_stack(unsigned long sp)
{
#ifdef CONFIG_X86_64
	return sp >= CPU_ENTRY_AREA_BASE &&
	       sp - CPU_ENTRY_AREA_BASE < P4D_SIZE;
#else
	return false;
#endif
}

/*
 * The kernel has been entered, and what it saves of the program is not whole:
 * the stack is still the program's, or that of the entry, or is where these
 * registers go.  Until then they are those of an earlier entry.
 */
static bool is_being_saved(const struct pt_regs *at, const struct pt_regs *to)
{
	return at->sp < TASK_SIZE_MAX || is_entry_stack(at->sp) ||
	       (at->sp > (unsigned long)to &&
		at->sp <= (unsigned long)(to + 1));
}

/* What the processor saves at an interrupt or exception, from the top down. */
struct entry_frame {
	unsigned long ip, cs, flags, sp, ss;
};

/*
 * Where the program was, while its registers are being saved, or taken back.
 * An interrupt has left it at the top of the stack of the entry, and IRET finds
 * it there.  SYSCALL has it in RCX, until it is the last word of what is saved;
 * so has SYSRET.  While the way out goes over that stack, all is still saved.
 */
static unsigned long entered_from(const struct pt_regs *at,
				  const struct pt_regs *saved)
{
#ifdef CONFIG_X86_64
	const struct entry_frame *frame;

	if (is_entry_stack(at->sp)) {
		frame = (void *)round_up(at->sp, PAGE_SIZE);
		frame--;
		return at->sp <= (unsigned long)frame && (frame->cs & 3) == 3 ?
		       frame->ip : saved->ip;
	}
	if (at->sp < TASK_SIZE_MAX || at->sp > (unsigned long)&saved->ip)
		return at->cx;
#endif
	return saved->ip;
}

struct pt_regs *pmuctl_user_entered(const struct pt_regs *at,
				    struct task_struct *task, u64 *ip)
{
	struct pt_regs *entry = task_pt_regs(task);

	if (task->flags & PF_KTHREAD)
		return NULL;
	if (!at || task != current || !is_being_saved(at, entry)) {
		*ip = entry->ip;
		return entry;
	}
	*ip = entered_from(at, entry);
	return NULL;
}

const struct pt_regs *pmuctl_user_regs(const struct pmuctl_taken *taken)
{
	struct pt_regs *at = taken->regs;
	struct pt_regs *entry;

	if (!pmuctl_user_is_here(taken->task) || taken->entering)
		return NULL;
	if (at && user_mode(at))
		return at;
	entry = task_pt_regs(current);
	if (!user_mode(entry) || (at && is_being_saved(at, entry)))
		return NULL;
	return entry;
}

/* The record is the program's. */
static bool is_of_record(const struct pmuctl_taken *taken)
{
	return taken->gpr && taken->flags & PMUCTL_RECORD_USER;
}

/* And so are its registers: behind a system call they are the kernel's. */
static bool is_recorded(const struct pmuctl_taken *taken)
{
	return is_of_record(taken) && taken->gpr->ip &&
	       pmuctl_ring_of(taken->gpr->ip) == PMUCTL_EVENT_USER;
}

static u64 stack_pointer(const struct pmuctl_taken *taken,
			 const struct pt_regs *regs)
{
	return is_recorded(taken) ? taken->gpr->sp : regs->sp;
}

/* taken->regs may be the record's; those of now are where it entered. */
static bool has_moved(const struct pmuctl_taken *taken)
{
	return is_of_record(taken) &&
	       taken->gpr->sp != task_pt_regs(current)->sp;
}

/* How many bytes could be read: a page that is not there ends it. */
static u32 copy_stack(void *to, u64 sp, u32 bytes)
{
	const void __user *from = (const void __user *)(uintptr_t)sp;

	if (sp >= TASK_SIZE)
		return 0;
	bytes = min_t(u64, bytes, TASK_SIZE - sp);
	return bytes - copy_from_user_nmi(to, from, bytes);
}

static u64 *put_stack(u64 *to, u64 sp, u32 most)
{
	u32 bytes = copy_stack(to + 1, sp, most);
	u32 whole = round_up(bytes, sizeof(*to));

	to[0] = bytes;
	memset((u8 *)(to + 1) + bytes, 0, whole - bytes);
	return to + 1 + whole / sizeof(*to);
}

u64 *pmuctl_user_put_stack(u64 *to, const struct pmuctl_taken *taken,
			   bool *moved)
{
	const struct pt_regs *regs = pmuctl_user_regs(taken);
	struct pmuctl_user_regs *out = (void *)(to + 1);

	if (!regs) {
		*to = PMUCTL_USER_ABI_NONE;
		return to + 1;
	}
	*to = pmuctl_user_is_narrow(regs) ? PMUCTL_USER_ABI_32 :
					    PMUCTL_USER_ABI_64;
	if (is_recorded(taken))
		out->regs = *taken->gpr;
	else
		pmuctl_user_regs_of(&out->regs, regs);
	out->cs = regs->cs;
	out->ss = regs->ss;
	*moved |= has_moved(taken);
	return put_stack((u64 *)(out + 1), stack_pointer(taken, regs),
			 taken->event->stack);
}

/* Of a stack that has moved, what is at its top is another function's. */
u64 *pmuctl_user_put_top(u64 *to, const struct pmuctl_taken *taken,
			 bool *moved)
{
	const struct pt_regs *regs = pmuctl_user_regs(taken);
	u32 n = 0;

	if (regs && has_moved(taken))
		*moved = true;
	else if (regs && !pmuctl_user_is_narrow(regs))
		n = copy_stack(to + 1, stack_pointer(taken, regs),
			       PMUCTL_TOP_MAX * sizeof(*to)) / sizeof(*to);
	to[0] = n;
	return to + 1 + n;
}
