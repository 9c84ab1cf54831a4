/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Suspend, hibernation, reboot and kexec: nothing of the PMU stays armed.
 */
#ifndef PMUCTL_POWER_H
#define PMUCTL_POWER_H

int pmuctl_power_init(void);
void pmuctl_power_exit(void);

#endif
