// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that somebody else wrote while they are ours: firmware, wrmsr by
 * hand, perf with Intel PT.  Nobody asks; whoever looks finds out.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/msr.h"

/* What a register holds in some bits, and others of it that are not ours. */
struct holding {
	u32 msr;
	u64 value;
	u64 bits;
};

#define WHOLE	(~0ULL)

/* A selector, or what is left out: 18 at most, and what is below. */
#define HOLDINGS_MAX	(PMUCTL_GP_MAX + 6)

static unsigned int selects_held(const struct pmuctl_regs *regs,
				 struct holding *held)
{
	unsigned int i, n = 0;

	/* An empty one counts nothing, whatever is in it. */
	for (i = 0; i < pmuctl_caps.nr_gp; i++)
		if (regs->evtsel[i])
			held[n++] = (struct holding){ MSR_EVTSEL + i,
						      regs->evtsel[i], WHOLE };
	if (pmuctl_caps.nr_fixed)
		held[n++] = (struct holding){ MSR_FIXED_CTR_CTRL,
					      regs->fixed_ctrl, WHOLE };
	return n;
}

/* While a guest may have had them they are seen to as PEBS goes on. */
static unsigned int pebs_held(const struct pmuctl_regs *regs,
			      struct holding *held)
{
	unsigned int n = 0;

	if (!pmuctl_caps.has_pebs || regs->pebs_foreign)
		return 0;
	held[n++] = (struct holding){ MSR_PEBS_ENABLE,
				      regs->pebs_paused ? 0 : regs->pebs,
				      WHOLE };
	if (regs->pebs_area)
		held[n++] = (struct holding){ MSR_DS_AREA, regs->pebs_area,
					      WHOLE };
	return n;
}

/* Up to version 3 a PMI takes DEBUGCTL_LBR away until it has been handled. */
static unsigned int lbr_held(const struct pmuctl_regs *regs,
			     struct holding *held)
{
	u64 bits = DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBR;

	if (!pmuctl_caps.lbr_depth)
		return 0;
	if (regs->lbr && pmuctl_caps.version < VERSION_STREAMLINED)
		bits &= ~DEBUGCTL_LBR;
	held[0] = (struct holding){ MSR_DEBUGCTL, regs->lbr ? bits : 0, bits };
	return 1;
}

/* It is what it was again. */
static bool put_right(const struct holding *held)
{
	u64 found = hw_rdmsr(held->msr);

	if (likely(!((found ^ held->value) & held->bits)))
		return false;
	hw_wrmsr(held->msr, (found & ~held->bits) | held->value);
	return true;
}

/*
 * No counter of these versions counts but by its bit of GLOBAL_CTRL, which
 * perf, KVM and firmware write whenever they count, so that comes first.  The
 * counters themselves move, and what they should show nobody knows.
 */
u32 pmuctl_perfmon_disturbed(const struct pmuctl_regs *regs)
{
	struct holding held[HOLDINGS_MAX];
	unsigned int i, n = 0;
	u32 msr = 0;

	if (unlikely(hw_rdmsr(MSR_GLOBAL_CTRL) != regs->enabled))
		msr = MSR_GLOBAL_CTRL;
	n += selects_held(regs, &held[n]);
	n += pebs_held(regs, &held[n]);
	n += lbr_held(regs, &held[n]);
	for (i = 0; i < n; i++)
		if (unlikely(put_right(&held[i])) && !msr)
			msr = held[i].msr;
	return msr;
}
