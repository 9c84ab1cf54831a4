/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that come and go while the PMU is ours.
 */
#ifndef PMUCTL_HOTPLUG_H
#define PMUCTL_HOTPLUG_H

int pmuctl_hotplug_init(void);
void pmuctl_hotplug_exit(void);

#endif
