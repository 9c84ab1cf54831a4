// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands in for kvm_intel, for which the box's processors lack VMX: its name and the parameter
 * that says whether guests are given the PMU.
 */
#include <linux/module.h>

static bool enable_mediated_pmu;
module_param(enable_mediated_pmu, bool, 0444);

static int __init kvm_like_init(void)
{
	return 0;
}

static void __exit kvm_like_exit(void)
{
}

module_init(kvm_like_init);
module_exit(kvm_like_exit);
MODULE_DESCRIPTION("stands in for kvm_intel in pmuctl's tests");
MODULE_LICENSE("GPL");
