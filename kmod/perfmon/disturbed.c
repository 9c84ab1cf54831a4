// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that somebody else wrote while they are ours: firmware, wrmsr by
 * hand, perf with Intel PT.  Nobody asks; whoever looks finds out.
 */
#include <linux/compiler.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/twins.h"

#define WHOLE	(~0ULL)

/* As it should be in these bits, again; *first: of those that were not. */
static void put_right(u32 *first, u32 msr, u64 value, u64 bits)
{
	u64 found = hw_rdmsr(msr);

	if (likely(!((found ^ value) & bits)))
		return;
	hw_wrmsr(msr, (found & ~bits) | value);
	if (!*first)
		*first = msr;
}

static void look_at_selects(const struct pmuctl_regs *regs, u32 *first)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	unsigned int i;

	/* An empty one counts nothing, whatever is in it. */
	for (i = 0; i < caps->nr_gp; i++)
		if (regs->evtsel[i])
			put_right(first, MSR_EVTSEL + i, regs->evtsel[i],
				  WHOLE);
	if (caps->nr_fixed)
		put_right(first, MSR_FIXED_CTR_CTRL, regs->fixed_ctrl, WHOLE);
}

static bool has_event(const struct pmuctl_regs *regs, unsigned int slot)
{
	return slot < PMUCTL_GP_MAX ? regs->evtsel[slot] :
	       regs->fixed_ctrl >> 4 * (slot - PMUCTL_GP_MAX) & FIXED_NIBBLE;
}

/* What somebody writes there sets a counter back, recorded or not. */
static void look_at_index(const struct pmuctl_regs *regs, u32 *first)
{
	u64 counters = pmuctl_caps_here()->cfg_c;
	unsigned int slot;

	if (regs->pebs_area)
		put_right(first, MSR_PEBS_BASE, regs->pebs_area, WHOLE);
	for (slot = 0; slot < PMUCTL_SLOTS; slot++)
		if (counters & BIT_ULL(pmuctl_counter(slot)) &&
		    has_event(regs, slot))
			put_right(first, pmuctl_cfg_c_msr(slot),
				  regs->cfg_c[slot], WHOLE);
}

/* While a guest may have had them they are seen to as PEBS goes on. */
static void look_at_pebs(const struct pmuctl_regs *regs, u32 *first)
{
	if (!pmuctl_caps.has_pebs || regs->pebs_foreign)
		return;
	if (pmuctl_pebs_is_architectural()) {
		look_at_index(regs, first);
		return;
	}
	put_right(first, MSR_PEBS_ENABLE, pmuctl_pebs_enabled(regs), WHOLE);
	if (regs->pebs_area)
		put_right(first, MSR_DS_AREA, regs->pebs_area, WHOLE);
}

/* Up to version 3 a PMI takes DEBUGCTL_LBR away until it has been handled. */
static void look_at_lbr(const struct pmuctl_regs *regs, u32 *first)
{
	u64 bits = DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBR;

	if (!pmuctl_caps.lbr_depth)
		return;
	if (regs->lbr && pmuctl_caps.version < VERSION_STREAMLINED)
		bits &= ~DEBUGCTL_LBR;
	if (pmuctl_lbr_is_list()) {
		bits &= ~DEBUGCTL_LBR;
		put_right(first, MSR_LBR_CTL, pmuctl_lbr_ctl(regs->lbr), WHOLE);
	}
	put_right(first, MSR_DEBUGCTL, pmuctl_lbr_debugctl(regs->lbr) & bits,
		  bits);
}

/*
 * No counter of these versions counts but by its bit of GLOBAL_CTRL, which
 * perf, KVM and firmware write whenever they count, so that comes first.  The
 * counters themselves move, and what they should show nobody knows.
 */
u32 pmuctl_perfmon_disturbed(const struct pmuctl_regs *regs)
{
	u32 first = 0;

	if (unlikely(hw_rdmsr(MSR_GLOBAL_CTRL) !=
		     pmuctl_twins_bits(regs->enabled)))
		first = MSR_GLOBAL_CTRL;
	look_at_selects(regs, &first);
	look_at_pebs(regs, &first);
	look_at_lbr(regs, &first);
	return first;
}
