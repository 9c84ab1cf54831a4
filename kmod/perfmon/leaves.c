// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID leaf 23H: what the PMU of this very core has.
 */
#include <linux/bitops.h>
#include <linux/string.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/msr.h"

#define CPUID_7_1_EAX_LEAF_23	BIT(8)

bool pmuctl_leaf_ext(u32 subleaf, u32 regs[4])
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
