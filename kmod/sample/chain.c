// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call chains: the kernel's by its unwinder, the program's by frame pointers.
 */
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/irq_regs.h>
#include <asm/unwind.h>

#include "kmod/sample/chain.h"
#include "kmod/sample/sample.h"
#include "kmod/sample/user.h"
#include "kmod/state/session.h"

struct chain {
	u64 *ip;
	unsigned int nr;
};

static bool chain_add(struct chain *chain, u64 ip)
{
	if (chain->nr == PMUCTL_CHAIN_MAX)
		return false;
	chain->ip[chain->nr++] = ip;
	return true;
}

/*
 * The stack is still as these registers have it: of the NMI that this is, or
 * of the interrupt.  Those of a PMI that came while busy are a copy, and what
 * was called then may have returned since.
 */
static bool is_under_way(const struct pt_regs *regs)
{
	return regs && (in_nmi() || regs == get_irq_regs());
}

static void add_callers(struct chain *chain, struct unwind_state *state)
{
	unsigned long ip;

	for (; !unwind_done(state); unwind_next_frame(state)) {
		ip = unwind_get_return_address(state);
		if (!ip || !chain_add(chain, ip))
			return;
	}
}

/* From here outwards: what the module calls to take a sample is no caller. */
static void skip_module(struct unwind_state *state)
{
	while (!unwind_done(state) &&
	       within_module(unwind_get_return_address(state), THIS_MODULE))
		unwind_next_frame(state);
}

static void add_kernel(struct chain *chain, const struct pmuctl_taken *taken)
{
	bool under_way = is_under_way(taken->regs);
	struct unwind_state state;

	if (!chain_add(chain, PMUCTL_CHAIN_KERNEL) ||
	    !chain_add(chain, taken->ip))
		return;
	unwind_start(&state, current, under_way ? taken->regs : NULL, NULL);
	/* Of an interrupt, the first is the ip itself. */
	if (under_way)
		unwind_next_frame(&state);
	else
		skip_module(&state);
	add_callers(chain, &state);
}

/* --- frame pointers --- */

struct frame64 {
	u64 next;
	u64 back;
};

struct frame32 {
	u32 next;
	u32 back;
};

static bool read_frame64(struct frame64 *frame, u64 at)
{
	const void __user *from = (const void __user *)(uintptr_t)at;

	return __access_ok(from, sizeof(*frame)) &&
	       !copy_from_user_nmi(frame, from, sizeof(*frame));
}

static bool read_frame32(struct frame64 *frame, u64 at)
{
	const void __user *from = (const void __user *)(uintptr_t)(u32)at;
	struct frame32 narrow;

	if (copy_from_user_nmi(&narrow, from, sizeof(narrow)))
		return false;
	frame->next = narrow.next;
	frame->back = narrow.back;
	return true;
}

/* Outwards is upwards: what points elsewhere is no frame. */
static void add_user(struct chain *chain, u64 ip, u64 bp, bool narrow)
{
	struct frame64 frame;

	if (!chain_add(chain, PMUCTL_CHAIN_USER) || !chain_add(chain, ip))
		return;
	while (bp && chain->nr < PMUCTL_CHAIN_MAX) {
		if (!(narrow ? read_frame32(&frame, bp) :
			       read_frame64(&frame, bp)) || !frame.back)
			return;
		chain_add(chain, frame.back);
		if (frame.next <= bp)
			return;
		bp = frame.next;
	}
}

/* From inside the kernel: where the program entered it. */
static void add_entry(struct chain *chain, const struct pmuctl_taken *taken)
{
	const struct pt_regs *regs = pmuctl_user_regs(taken);

	if (regs)
		add_user(chain, regs->ip, regs->bp,
			 pmuctl_user_is_narrow(regs));
}

unsigned int pmuctl_chain(const struct pmuctl_taken *taken, u64 *ips)
{
	const struct pt_regs *regs = taken->regs;
	struct chain chain = { .ip = ips };
	/* Where there is a copy of the stack, that has the callers. */
	bool user = !(taken->event->content & PMUCTL_CONTENT_STACK) &&
		    pmuctl_user_is_here(taken->task);

	if (!(taken->flags & PMUCTL_RECORD_USER)) {
		add_kernel(&chain, taken);
		if (user)
			add_entry(&chain, taken);
		return chain.nr;
	}
	if (!user)
		return 0;
	if (taken->gpr)
		add_user(&chain, taken->ip, taken->gpr->bp,
			 pmuctl_user_is_narrow(task_pt_regs(current)));
	else if (regs)
		add_user(&chain, taken->ip, regs->bp,
			 pmuctl_user_is_narrow(regs));
	else if (taken->ip)
		add_user(&chain, taken->ip, 0, false);
	return chain.nr;
}
