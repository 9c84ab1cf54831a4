// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading: passive, nothing of the PMU is touched by either.
 */
#include <linux/module.h>
#include <net/genetlink.h>

#include "kmod/access/proof.h"
#include "kmod/cpu/gate.h"
#include "kmod/features/features.h"
#include "kmod/hold/buffers.h"
#include "kmod/hold/exclude.h"
#include "kmod/hold/pmi.h"
#include "kmod/netlink/genl.h"
#include "kmod/pmu/pmu.h"
#include "kmod/sample/branches.h"
#include "kmod/session/cgroup.h"
#include "kmod/session/end.h"
#include "kmod/session/hotplug.h"
#include "kmod/session/power.h"
#include "kmod/session/task.h"
#include "kmod/session/trace.h"
#include "kmod/session/wake.h"
#include "kmod/state/cpu.h"

static int __init pmuctl_init(void)
{
	int err;

	err = pmuctl_probe();
	if (err)
		return err;
	err = pmuctl_p4_init();
	if (err)
		return err;
	err = pmuctl_gate_init();
	if (err)
		goto err_p4;
	err = pmuctl_cpu_init();
	if (err)
		goto err_gate;
	err = pmuctl_branches_init();
	if (err)
		goto err_cpu;
	err = pmuctl_buffers_init();
	if (err)
		goto err_branches;
	pmuctl_task_init();
	pmuctl_cgroup_init();
	pmuctl_wake_init();
	err = pmuctl_features_init();
	if (err)
		goto err_ds;
	err = pmuctl_hotplug_init();
	if (err)
		goto err_features;
	err = pmuctl_power_init();
	if (err)
		goto err_hotplug;
	err = pmuctl_proof_init();
	if (err)
		goto err_power;
	err = pmuctl_end_init();
	if (err)
		goto err_proof;
	err = pmuctl_genl_init();
	if (err)
		goto err_end;
	return 0;

err_end:
	pmuctl_end_exit();
err_proof:
	pmuctl_proof_exit();
err_power:
	pmuctl_power_exit();
err_hotplug:
	pmuctl_hotplug_exit();
err_features:
	pmuctl_features_exit();
err_ds:
	pmuctl_buffers_exit();
err_branches:
	pmuctl_branches_exit();
err_cpu:
	pmuctl_cpu_exit();
err_gate:
	pmuctl_gate_exit();
err_p4:
	pmuctl_p4_exit();
	return err;
}

/* Every session holds the module, so there is none. */
static void __exit pmuctl_exit(void)
{
	pmuctl_genl_exit();
	pmuctl_proof_exit();
	pmuctl_power_exit();
	pmuctl_hotplug_exit();
	pmuctl_cgroup_exit();
	pmuctl_trace_exit();
	pmuctl_end_exit();
	pmuctl_features_exit();
	pmuctl_task_exit();
	pmuctl_pmi_exit();
	pmuctl_exclude_exit();
	pmuctl_wake_exit();
	pmuctl_buffers_exit();
	pmuctl_branches_exit();
	pmuctl_cpu_exit();
	pmuctl_gate_exit();
	pmuctl_p4_exit();
}

module_init(pmuctl_init);
module_exit(pmuctl_exit);

MODULE_AUTHOR("The pmuctl authors");
MODULE_DESCRIPTION("Intel's performance monitoring unit, programmed directly");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1");
