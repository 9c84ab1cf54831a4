// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suspend, hibernation, reboot and kexec: nothing of the PMU stays armed.
 *
 * A device stands for the PMU, since the kernel suspends devices when it has
 * frozen every task and resumes them before it lets one go on: no task runs
 * uncounted in between, as some would around a notifier of suspend.
 */
#include <linux/err.h>
#include <linux/notifier.h>
#include <linux/platform_device.h>
#include <linux/pm.h>
#include <linux/reboot.h>

#include "kmod/features/features.h"
#include "kmod/session/power.h"
#include "kmod/state/session.h"

static int power_suspend(struct device *dev)
{
	pmuctl_session_pause_all();
	pmuctl_features_pause();
	return 0;
}

static int power_resume(struct device *dev)
{
	pmuctl_features_resume();
	pmuctl_session_resume_all();
	return 0;
}

/* Hibernation as well: its image is written with the PMU given back. */
static DEFINE_SIMPLE_DEV_PM_OPS(power_ops, power_suspend, power_resume);

static int power_probe(struct platform_device *device)
{
	return 0;
}

static struct platform_driver power_driver = {
	.driver = {
		.name = "pmuctl",
		.pm = pm_sleep_ptr(&power_ops),
		.suppress_bind_attrs = true,
	},
};

static struct platform_device *power_device;

/* Halt, power-off, restart and kexec; a crash kernel comes without it. */
static int on_reboot(struct notifier_block *block, unsigned long event,
		     void *data)
{
	pmuctl_session_shutdown();
	pmuctl_features_shutdown();
	return NOTIFY_DONE;
}

static struct notifier_block reboot_notifier = {
	.notifier_call = on_reboot,
};

int pmuctl_power_init(void)
{
	int err;

	power_device = platform_create_bundle(&power_driver, power_probe,
					      NULL, 0, NULL, 0);
	if (IS_ERR(power_device))
		return PTR_ERR(power_device);
	err = register_reboot_notifier(&reboot_notifier);
	if (!err)
		return 0;
	platform_device_unregister(power_device);
	platform_driver_unregister(&power_driver);
	return err;
}

void pmuctl_power_exit(void)
{
	unregister_reboot_notifier(&reboot_notifier);
	platform_device_unregister(power_device);
	platform_driver_unregister(&power_driver);
}
