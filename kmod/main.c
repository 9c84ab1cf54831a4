// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading: passive, nothing of the PMU is touched by either.
 */
#include <linux/module.h>
#include <net/genetlink.h>

#include "backend.h"
#include "genl.h"
#include "hotplug.h"
#include "percpu.h"
#include "task.h"

static int __init pmuctl_init(void)
{
	int err;

	err = pmuctl_probe();
	if (err)
		return err;
	pmuctl_cpu_init();
	err = pmuctl_hotplug_init();
	if (err)
		return err;
	err = pmuctl_genl_init();
	if (err)
		goto err_hotplug;
	return 0;

err_hotplug:
	pmuctl_hotplug_exit();
	return err;
}

/* Every session holds the module, so there is none. */
static void __exit pmuctl_exit(void)
{
	pmuctl_genl_exit();
	pmuctl_hotplug_exit();
	pmuctl_task_exit();
}

module_init(pmuctl_init);
module_exit(pmuctl_exit);

MODULE_AUTHOR("The pmuctl authors");
MODULE_DESCRIPTION("Intel's performance monitoring unit, programmed directly");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1");
MODULE_ALIAS_GENL_FAMILY(PMUCTL_FAMILY_NAME);
