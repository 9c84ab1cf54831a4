// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID leaf 23H: what the PMU of this very core has.  Where cores are of
 * several kinds leaf 0AH has what all of them have.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/msr.h"

#define CPUID_7_1_EAX_LEAF_23	BIT(8)

/* Subleaves. */
#define LEAF_WHAT		0
#define LEAF_WHAT_EBX_UMASK2	BIT(0)
#define LEAF_WHAT_EBX_EQ	BIT(1)
#define LEAF_COUNTERS		1
#define LEAF_RELOAD		2
#define LEAF_PEBS_GROUPS	4
#define LEAF_PEBS		5

/* CFG_B and CFG_C came with it. */
#define VERSION_CFG		6

/* False, and zeroes, if this core has no such subleaf. */
static bool read_leaf(u32 subleaf, u32 regs[4])
{
	bool there;

	hw_cpuid(7, regs);
	there = regs[0];
	if (there)
		hw_cpuid_count(7, 1, regs);
	there = there && regs[0] & CPUID_7_1_EAX_LEAF_23;
	if (there)
		hw_cpuid_count(0x23, 0, regs);
	if (there && regs[0] & BIT(subleaf)) {
		hw_cpuid_count(0x23, subleaf, regs);
		return true;
	}
	memset(regs, 0, 4 * sizeof(regs[0]));
	return false;
}

void pmuctl_leaf_counters(u32 *gp, u32 *fixed)
{
	u32 regs[4];

	if (!*gp || !read_leaf(LEAF_COUNTERS, regs))
		return;
	/* Those below the first hole: loops go over all that there are. */
	if (regs[0] & 1)
		*gp = min_t(u32, hweight32(regs[0] & ~(regs[0] + 1)),
			    PMUCTL_LEAF_GP_MAX);
	*fixed = regs[1];
}

u64 pmuctl_leaf_pebs_counters(void)
{
	u32 regs[4];

	read_leaf(LEAF_PEBS, regs);
	return regs[0] | (u64)regs[2] << PMUCTL_FIXED_BASE;
}

u64 pmuctl_leaf_pebs_groups(void)
{
	u32 regs[4];

	read_leaf(LEAF_PEBS_GROUPS, regs);
	return (u64)regs[1] << 32;
}

void pmuctl_leaf_cfg(struct pmuctl_caps *caps)
{
	u32 regs[4];

	if (caps->version < VERSION_CFG)
		return;
	read_leaf(LEAF_RELOAD, regs);
	caps->cfg_b = regs[0] | (u64)regs[1] << PMUCTL_FIXED_BASE;
	caps->cfg_c = pmuctl_leaf_pebs_counters() | caps->cfg_b;
	caps->cfg_b &= caps->counters;
	caps->cfg_c &= caps->counters;
}

void pmuctl_leaf_fields(struct pmuctl_caps *caps)
{
	u32 regs[4];

	if (!read_leaf(LEAF_WHAT, regs))
		return;
	caps->has_umask2 = regs[1] & LEAF_WHAT_EBX_UMASK2;
	caps->has_eq = regs[1] & LEAF_WHAT_EBX_EQ;
}
