// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come and go while the PMU is ours.
 *
 * The callbacks run on the CPU meant with hotplug locked for writing, which
 * keeps every change of sessions out (pmuctl_lock()).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include "kmod/features/features.h"
#include "kmod/hold/buffers.h"
#include "kmod/hold/reserve.h"
#include "kmod/pmu/kinds.h"
#include "kmod/session/hotplug.h"
#include "kmod/session/rdpmc.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"

static enum cpuhp_state state;

static void look_here(void *unused)
{
	this_cpu_ptr(pmuctl_cpus)->unlike = pmuctl_kinds_join();
}

static int on_online(unsigned int number)
{
	int err;

	look_here(NULL);
	err = pmuctl_features_online(number);
	if (err)
		return err;
	if (per_cpu_ptr(pmuctl_cpus, number)->unlike)
		pr_warn("CPU %u is not counted on: %s\n", number,
			per_cpu_ptr(pmuctl_cpus, number)->unlike);
	if (!pmuctl_held())
		return 0;
	pmuctl_rdpmc_cpu_online();
	pmuctl_buffers_cpu_online(number);
	pmuctl_take_here();
	if (per_cpu_ptr(pmuctl_cpus, number)->refusal)
		pr_info("CPU %u came up without counting: %s\n",
			number, per_cpu_ptr(pmuctl_cpus, number)->refusal);
	pmuctl_session_cpu_online(number);
	return 0;
}

/* No task but this CPU's own kernel threads runs here any more. */
static int on_offline(unsigned int number)
{
	if (pmuctl_held())
		pmuctl_give_back_here();
	pmuctl_features_offline(number);
	return 0;
}

int pmuctl_hotplug_init(void)
{
	int err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					    "pmuctl:online", on_online,
					    on_offline);

	if (err < 0)
		return err;
	state = err;
	/* One may have come up since the module looked at all of them. */
	on_each_cpu(look_here, NULL, true);
	return 0;
}

void pmuctl_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(state);
}
