/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turning the kernel's NMI watchdog off for a while, whatever happens to us.
 */
#ifndef PMUCTL_WATCHDOG_H
#define PMUCTL_WATCHDOG_H

struct watchdog;

/*
 * Returns with the watchdog off and a guardian process that turns it on again
 * when we end or are killed; 0, or the exit code after saying why.
 */
int watchdog_turn_off(const char *cmd, struct watchdog **off);
/* Lets the guardian do it now, and waits for it a little; off may be NULL. */
void watchdog_restore(const char *cmd, struct watchdog *off);

/* guardian.c: what the guardian does once it is a process of its own. */
struct guardian_report {
	int err;		/* 0: the watchdog is off */
	char what[96];		/* the file that it could not open or write */
};

/*
 * life: a pipe that nobody but its ward holds open; reports to `report`.
 * Its exit code says whether the value could be restored.
 */
int guardian_main(int life, int report);

#endif
