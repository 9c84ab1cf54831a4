// SPDX-License-Identifier: GPL-2.0-only
/*
 * Last branch records: switched on for the events that need them, read,
 * brought into one form.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"

#define MSR_BRANCH_SELECT		0x1c8
#define MSR_BRANCH_TOP		0x1c9

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

/* IA32_LBR_CTL: what is recorded. */
#define CTL_ON			BIT_ULL(0)
#define CTL_KERNEL		BIT_ULL(1)
#define CTL_USER		BIT_ULL(2)
#define CTL_CALL_STACK		BIT_ULL(3)
#define CTL_ALL			GENMASK_ULL(22, 16)
#define CTL_CALLS							\
	(CTL_USER | CTL_CALL_STACK | BIT_ULL(19) | BIT_ULL(20) | BIT_ULL(21))

/* CPUID.7:EDX, CPUID.1CH */
#define FEATURE_BRANCHES	BIT(19)
#define BRANCHES_DEPTHS		0xf	/* bit n: 8 (n + 1) entries; EAX */
#define BRANCHES_BY_RING	BIT(0)	/* EBX */
#define BRANCHES_BY_KIND	BIT(1)
#define BRANCHES_CALL_STACK	BIT(2)
#define BRANCHES_INFO		0x7	/* mispredicted, cycles, kind; ECX */

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
	LBR_FORMATS,
	LBR_ARCHITECTURAL = 0x3f
};

#define INFO_MISPREDICTED	BIT_ULL(63)
#define INFO_TSX		GENMASK_ULL(62, 61)
#define INFO_CYCLES_VALID	BIT_ULL(60)
#define INFO_CYCLES		GENMASK_ULL(15, 0)

/* Where the ring is, by how deep it is: a depth of 8 is an Atom's. */
static const struct lbr_ring {
	u32 depth;
	u32 from, to, info;
	bool has_select;
} rings[] = {
	{ 4, 0x40, 0x60, 0, false },
	{ 8, 0x40, 0x60, 0, false },
	{ 16, 0x680, 0x6c0, 0, true },
	{ 32, 0x680, 0x6c0, 0xdc0, true },
};

/* No ring but a list, as deep as it is told to be: the latest is the first. */
static const struct lbr_ring architectural = {
	.from = 0x1500, .to = 0x1600, .info = 0x1200,
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

/* Every processor that has it tells all of an entry, and keeps rings apart. */
static void probe_architectural(struct pmuctl_caps *caps)
{
	u32 feature[4], leaf[4];
	u64 value;

	hw_cpuid(7, feature);
	if (!(feature[3] & FEATURE_BRANCHES))
		return;
	hw_cpuid(0x1c, leaf);
	if (!(leaf[0] & BRANCHES_DEPTHS) || !(leaf[1] & BRANCHES_BY_RING) ||
	    !(leaf[1] & BRANCHES_BY_KIND) ||
	    (leaf[2] & BRANCHES_INFO) != BRANCHES_INFO ||
	    !hw_rdmsr_safe(MSR_LBR_CTL, &value) ||
	    !hw_rdmsr_safe(MSR_LBR_DEPTH, &value) ||
	    !hw_rdmsr_safe(architectural.info, &value))
		return;
	caps->lbr_format = LBR_ARCHITECTURAL;
	caps->lbr_depth = 8 * fls64(leaf[0] & BRANCHES_DEPTHS);
	caps->has_lbr_calls = leaf[1] & BRANCHES_CALL_STACK;
}

void pmuctl_lbr_none(struct pmuctl_caps *caps)
{
	caps->lbr_depth = 0;
	caps->lbr_format = 0;
	caps->has_lbr_calls = false;
}

void pmuctl_lbr_probe(struct pmuctl_caps *caps)
{
	u32 format = caps->capabilities & CAP_LBR_FORMAT;
	const struct lbr_ring *ring;
	u64 value;

	pmuctl_lbr_none(caps);
	if (format == LBR_ARCHITECTURAL)
		probe_architectural(caps);
	if (!caps->model || format >= LBR_FORMATS)
		return;
	ring = find_ring(caps->model->lbr_depth);
	if (!ring || !is_there(ring))
		return;
	if (format == LBR_INFO && !hw_rdmsr_safe(ring->info, &value))
		return;
	caps->lbr_depth = ring->depth;
	caps->lbr_format = format;
	/* From Haswell on, which has the first of these formats. */
	caps->has_lbr_calls = ring->has_select && format >= LBR_FLAGS_TSX;
}

bool pmuctl_lbr_is_list(void)
{
	return pmuctl_caps.lbr_format == LBR_ARCHITECTURAL;
}

/* Of this machine; NULL: it has none. */
static const struct lbr_ring *the_ring(void)
{
	return pmuctl_lbr_is_list() ? &architectural :
				      find_ring(pmuctl_caps.lbr_depth);
}

static u32 find_top(void)
{
	return pmuctl_lbr_is_list() ? 0 : hw_rdmsr(MSR_BRANCH_TOP);
}

/* The i-th entry down from the top. */
static unsigned int entry_below(u32 top, u32 i)
{
	return pmuctl_lbr_is_list() ? i :
				      (top - i) & (pmuctl_caps.lbr_depth - 1);
}

unsigned int pmuctl_lbr_msrs(u32 *msrs)
{
	const struct lbr_ring *ring = the_ring();

	if (pmuctl_lbr_is_list()) {
		msrs[0] = MSR_LBR_DEPTH;
		msrs[1] = MSR_LBR_CTL;
		return 2;
	}
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

u64 pmuctl_lbr_ctl(u32 rings)
{
	if (!rings)
		return 0;
	if (rings & LBR_CALLS)
		return CTL_ON | CTL_CALLS;
	return CTL_ON | CTL_ALL |
	       (rings & PMUCTL_EVENT_KERNEL ? CTL_KERNEL : 0) |
	       (rings & PMUCTL_EVENT_USER ? CTL_USER : 0);
}

/* Of none: off. */
static void set_list(u32 rings)
{
	hw_wrmsr(MSR_LBR_CTL, pmuctl_lbr_ctl(rings));
}

/* The entries of a list move with each branch that is recorded, ours too. */
static bool moves_here(u32 rings)
{
	return pmuctl_lbr_is_list() && rings & PMUCTL_EVENT_KERNEL;
}

void pmuctl_lbr_reset(void)
{
	if (pmuctl_lbr_is_list() && hw_rdmsr(MSR_LBR_CTL))
		set_list(0);
}

static void set_select(u32 rings)
{
	u64 select = 0;

	if (!the_ring()->has_select)
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
	u64 on = pmuctl_lbr_is_list() ? 0 : DEBUGCTL_LBR;

	if (!rings)
		return 0;
	return rings & LBR_CALLS ? on : on | DEBUGCTL_FREEZE_LBR;
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
	if (pmuctl_lbr_is_list())
		set_list(0);
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
 * Whether entries can be written while a list is on no manual says.  Writing
 * its depth empties it.
 */
static void put_list(u32 rings, const struct pmuctl_calls *calls)
{
	u32 i;

	set_list(0);
	hw_wrmsr(MSR_LBR_DEPTH, pmuctl_caps.lbr_depth);
	for (i = 0; calls && i < calls->nr; i++) {
		hw_wrmsr(architectural.from + i, calls->from[i]);
		hw_wrmsr(architectural.to + i, calls->to[i]);
	}
	set_list(rings);
}

/*
 * Whoever reads goes from the latest to one that came from nowhere: two writes
 * instead of emptying all of a ring at each switch.
 */
void pmuctl_lbr_mark(const struct pmuctl_regs *regs)
{
	const struct lbr_ring *ring = the_ring();
	u32 top;

	if (!regs->lbr)
		return;
	if (pmuctl_lbr_is_list()) {
		put_list(regs->lbr, NULL);
		return;
	}
	if (regs->lbr & LBR_CALLS) {
		pmuctl_lbr_put(NULL);
		return;
	}
	top = entry_below(find_top(), 0);
	hw_wrmsr(ring->from + top, 0);
	hw_wrmsr(ring->to + top, 0);
}

/* --- calls, from task to task --- */

void pmuctl_lbr_keep(struct pmuctl_calls *calls)
{
	const struct lbr_ring *ring = the_ring();
	u32 top = find_top(), at;
	u64 from;

	for (calls->nr = 0; calls->nr < pmuctl_caps.lbr_depth; calls->nr++) {
		at = entry_below(top, calls->nr);
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
	const struct lbr_ring *ring = the_ring();
	u32 nr = calls ? calls->nr : 0;
	u32 top, at, i;

	if (pmuctl_lbr_is_list()) {
		put_list(LBR_CALLS, calls);
		return;
	}
	top = find_top();
	for (i = 0; i < ring->depth; i++) {
		at = entry_below(top, i);
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
static bool wants_info(const struct pmuctl_regs *regs)
{
	return (pmuctl_caps.lbr_format == LBR_INFO || pmuctl_lbr_is_list()) &&
	       !(regs->lbr & LBR_CALLS);
}

unsigned int pmuctl_lbr_read(const struct pmuctl_regs *regs,
			     struct pmuctl_branch *branches)
{
	const struct lbr_ring *ring = the_ring();
	bool has_info = wants_info(regs);
	unsigned int i, at;
	u32 top;

	if (!ring)
		return 0;
	if (moves_here(regs->lbr))
		set_list(0);
	top = find_top();
	for (i = 0; i < pmuctl_caps.lbr_depth; i++) {
		at = entry_below(top, i);
		branches[i].from = hw_rdmsr(ring->from + at);
		if (!branches[i].from)
			break;
		branches[i].to = hw_rdmsr(ring->to + at);
		branches[i].info = has_info ? hw_rdmsr(ring->info + at) : 0;
		lbr_normalise(&branches[i]);
	}
	if (moves_here(regs->lbr))
		set_list(regs->lbr);
	return i;
}

/* Of some branches it is not known how long it took to get there. */
static void without_false_cycles(struct pmuctl_branch *branch)
{
	if (pmuctl_lbr_is_list() && !(branch->info & INFO_CYCLES_VALID))
		branch->info &= ~INFO_CYCLES;
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
		without_false_cycles(&branches[kept]);
		if (!(event->flags & pmuctl_ring_of(branches[i].from)))
			branches[kept].from = 0;
		kept++;
	}
	return kept;
}
