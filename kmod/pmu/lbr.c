// SPDX-License-Identifier: GPL-2.0-only
/*
 * Last branch records: switched on for the events that need them, read,
 * brought into one form.
 */
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"

#define MSR_BRANCH_SELECT		0x1c8
#define MSR_BRANCH_TOP		0x1c9
#define MSR_BRANCH_INFO		0xdc0

/* LBR_SELECT: what is left out. */
#define SELECT_NOT_KERNEL	BIT_ULL(0)
#define SELECT_NOT_USER		BIT_ULL(1)
#define SELECT_NOT_JCC		BIT_ULL(2)
#define SELECT_NOT_INDIRECT_JMP	BIT_ULL(6)
#define SELECT_NOT_JMP		BIT_ULL(7)
#define SELECT_NOT_FAR		BIT_ULL(8)
#define SELECT_CALL_STACK	BIT_ULL(9)
/* Calls and returns of user mode alone, or the stack would not be one. */
#define SELECT_CALLS							\
	(SELECT_CALL_STACK | SELECT_NOT_KERNEL | SELECT_NOT_JCC |	\
	 SELECT_NOT_INDIRECT_JMP | SELECT_NOT_JMP | SELECT_NOT_FAR)

/* IA32_PERF_CAPABILITIES */
#define CAP_LBR_FORMAT		GENMASK_ULL(5, 0)

enum lbr_format {
	LBR_32_BITS,
	LBR_LINEAR,
	LBR_EFFECTIVE,
	LBR_FLAGS,
	LBR_FLAGS_TSX,
	LBR_INFO,
	LBR_TIME,
	LBR_FORMATS
};

#define INFO_MISPREDICTED	BIT_ULL(63)
#define INFO_TSX		GENMASK_ULL(62, 61)
#define INFO_CYCLES_VALID	BIT_ULL(60)

/* Where the ring is, by how deep it is: a depth of 8 is an Atom's. */
static const struct lbr_ring {
	u32 depth;
	u32 from, to;
	bool has_select;
} rings[] = {
	{ 4, 0x40, 0x60, false },
	{ 8, 0x40, 0x60, false },
	{ 16, 0x680, 0x6c0, true },
	{ 32, 0x680, 0x6c0, true },
};

static const struct lbr_ring *find_ring(u32 depth)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rings); i++)
		if (rings[i].depth == depth)
			return &rings[i];
	return NULL;
}

/* Hypervisors hide it, or let it be read as zeroes without a format. */
static bool is_there(const struct lbr_ring *ring)
{
	u64 value;

	return hw_rdmsr_safe(MSR_BRANCH_TOP, &value) &&
	       hw_rdmsr_safe(ring->from, &value) &&
	       hw_rdmsr_safe(ring->to + ring->depth - 1, &value) &&
	       (!ring->has_select || hw_rdmsr_safe(MSR_BRANCH_SELECT, &value));
}

void pmuctl_lbr_probe(struct pmuctl_caps *caps)
{
	u32 format = caps->capabilities & CAP_LBR_FORMAT;
	const struct lbr_ring *ring;
	u64 value;

	caps->lbr_depth = 0;
	caps->has_lbr_calls = false;
	if (!caps->model || format >= LBR_FORMATS)
		return;
	ring = find_ring(caps->model->lbr_depth);
	if (!ring || !is_there(ring))
		return;
	if (format == LBR_INFO && !hw_rdmsr_safe(MSR_BRANCH_INFO, &value))
		return;
	caps->lbr_depth = ring->depth;
	caps->lbr_format = format;
	/* From Haswell on, which has the first of these formats. */
	caps->has_lbr_calls = ring->has_select && format >= LBR_FLAGS_TSX;
}

/* The i-th entry down from the top. */
static unsigned int entry_below(const struct lbr_ring *ring, u32 top, u32 i)
{
	return (top - i) & (ring->depth - 1);
}

unsigned int pmuctl_lbr_msrs(u32 *msrs)
{
	const struct lbr_ring *ring = find_ring(pmuctl_caps.lbr_depth);

	if (!ring || !ring->has_select)
		return 0;
	msrs[0] = MSR_BRANCH_SELECT;
	return 1;
}

/* --- on and off --- */

/* Linux sets single-stepping of branches in the same register. */
static void set_debugctl(u64 clear, u64 set)
{
	u64 found = hw_rdmsr(MSR_DEBUGCTL);
	u64 value = (found & ~clear) | set;

	if (value != found)
		hw_wrmsr(MSR_DEBUGCTL, value);
}

static u32 lbr_wanted(const struct pmuctl_regs *regs)
{
	u32 rings = 0;
	unsigned int i;

	for (i = 0; i < PMUCTL_SLOTS; i++)
		rings |= regs->lbr_of[i];
	return rings;
}

static void set_select(u32 rings)
{
	u64 select = 0;

	if (!find_ring(pmuctl_caps.lbr_depth)->has_select)
		return;
	if (!(rings & PMUCTL_EVENT_KERNEL))
		select |= SELECT_NOT_KERNEL;
	if (!(rings & PMUCTL_EVENT_USER))
		select |= SELECT_NOT_USER;
	if (rings & LBR_CALLS)
		select = SELECT_CALLS;
	hw_wrmsr(MSR_BRANCH_SELECT, select);
}

/*
 * A stack of calls is not frozen by the PMI, which is in the kernel and no part
 * of it: with the freeze a call or return beside it may be taken in twice, or
 * not at all (Linux found that out).
 */
u64 pmuctl_lbr_debugctl(u32 rings)
{
	if (!rings)
		return 0;
	return rings & LBR_CALLS ? DEBUGCTL_LBR :
				   DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBR;
}

void pmuctl_lbr_program(struct pmuctl_regs *regs,
			const struct pmuctl_event *event)
{
	u32 rings;

	if (regs->lbr_of[event->slot] == event->lbr)
		return;
	regs->lbr_of[event->slot] = event->lbr;
	rings = lbr_wanted(regs);
	if (rings == regs->lbr)
		return;
	regs->lbr = rings;
	set_debugctl(DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBR, 0);
	if (!rings)
		return;
	set_select(rings);
	pmuctl_lbr_mark(regs);
	set_debugctl(0, pmuctl_lbr_debugctl(rings));
}

/* Version 4 froze it by a bit of GLOBAL_STATUS, acknowledged with the rest. */
void pmuctl_lbr_go(const struct pmuctl_regs *regs)
{
	if (regs->lbr && pmuctl_caps.version < VERSION_STREAMLINED)
		set_debugctl(0, DEBUGCTL_LBR);
}

/*
 * Whoever reads goes from the latest to one that came from nowhere: two writes
 * instead of emptying all of it at each switch.
 */
void pmuctl_lbr_mark(const struct pmuctl_regs *regs)
{
	const struct lbr_ring *ring = find_ring(pmuctl_caps.lbr_depth);
	u32 top;

	if (!regs->lbr)
		return;
	if (regs->lbr & LBR_CALLS) {
		pmuctl_lbr_put(NULL);
		return;
	}
	top = entry_below(ring, hw_rdmsr(MSR_BRANCH_TOP), 0);
	hw_wrmsr(ring->from + top, 0);
	hw_wrmsr(ring->to + top, 0);
}

/* --- calls, from task to task --- */

void pmuctl_lbr_keep(struct pmuctl_calls *calls)
{
	const struct lbr_ring *ring = find_ring(pmuctl_caps.lbr_depth);
	u32 top = hw_rdmsr(MSR_BRANCH_TOP), at;
	u64 from;

	for (calls->nr = 0; calls->nr < ring->depth; calls->nr++) {
		at = entry_below(ring, top, calls->nr);
		from = hw_rdmsr(ring->from + at);
		if (!from)
			break;
		calls->from[calls->nr] = from;
		calls->to[calls->nr] = hw_rdmsr(ring->to + at);
	}
}

/*
 * Below the last one there is nothing: a return too much may move the top all
 * the same, and is not to find another task's.
 */
void pmuctl_lbr_put(const struct pmuctl_calls *calls)
{
	const struct lbr_ring *ring = find_ring(pmuctl_caps.lbr_depth);
	u32 top = hw_rdmsr(MSR_BRANCH_TOP), at, i;
	u32 nr = calls ? calls->nr : 0;

	for (i = 0; i < ring->depth; i++) {
		at = entry_below(ring, top, i);
		hw_wrmsr(ring->from + at, i < nr ? calls->from[i] : 0);
		if (i < nr)
			hw_wrmsr(ring->to + at, calls->to[i]);
	}
}

/* --- reading --- */

static u64 lbr_extend(u64 address, unsigned int bits)
{
	return (u64)((s64)(address << (64 - bits)) >> (64 - bits));
}

static u64 flags_of(u64 from, u64 mask)
{
	return from & mask;
}

/* As MSR_LBR_INFO has it, whatever was stuffed into the addresses. */
static void lbr_normalise(struct pmuctl_branch *branch)
{
	u64 from = branch->from, to = branch->to;

	switch (pmuctl_caps.lbr_format) {
	case LBR_32_BITS:
		branch->from = (u32)from;
		branch->to = from >> 32;
		break;
	case LBR_FLAGS:
		branch->info = flags_of(from, INFO_MISPREDICTED);
		branch->from = lbr_extend(from, 63);
		break;
	case LBR_FLAGS_TSX:
		/* Without transactions these bits are the address's sign. */
		branch->info = flags_of(from, INFO_MISPREDICTED |
					(pmuctl_caps.has_tsx ? INFO_TSX : 0));
		branch->from = lbr_extend(from, 61);
		break;
	case LBR_TIME:
		branch->info = flags_of(from, INFO_MISPREDICTED) |
			       INFO_CYCLES_VALID | to >> 48;
		branch->from = lbr_extend(from, 63);
		branch->to = lbr_extend(to, 48);
		break;
	}
}

/* Of calls under way nobody asks how they were predicted. */
unsigned int pmuctl_lbr_read(const struct pmuctl_regs *regs,
			     struct pmuctl_branch *branches)
{
	bool has_info = pmuctl_caps.lbr_format == LBR_INFO &&
			!(regs->lbr & LBR_CALLS);
	const struct lbr_ring *ring = find_ring(pmuctl_caps.lbr_depth);
	unsigned int i, at;
	u32 top;

	if (!ring)
		return 0;
	top = hw_rdmsr(MSR_BRANCH_TOP);
	for (i = 0; i < ring->depth; i++) {
		at = entry_below(ring, top, i);
		branches[i].from = hw_rdmsr(ring->from + at);
		if (!branches[i].from)
			break;
		branches[i].to = hw_rdmsr(ring->to + at);
		branches[i].info = has_info ? hw_rdmsr(MSR_BRANCH_INFO + at) :
					      0;
		lbr_normalise(&branches[i]);
	}
	return i;
}

/*
 * A branch counts to the ring that it leads to.  Where it came from in the
 * kernel is not for an event of user mode.
 */
unsigned int pmuctl_lbr_filter(const struct pmuctl_event *event,
			       struct pmuctl_branch *branches, unsigned int n)
{
	unsigned int i, kept = 0;
	u32 ring;

	for (i = 0; i < n; i++) {
		ring = pmuctl_ring_of(branches[i].to);
		if (!(event->flags & ring))
			continue;
		branches[kept] = branches[i];
		if (!(event->flags & pmuctl_ring_of(branches[i].from)))
			branches[kept].from = 0;
		kept++;
	}
	return kept;
}
