/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far it is, for who waits in front of a terminal.
 */
#ifndef PMUCTL_PROGRESS_H
#define PMUCTL_PROGRESS_H

#include <stdint.h>

/*
 * "pmuctl CMD: WHAT 3 of 8 UNIT" on standard error, over the line before; without a number where
 * all is 0, not known.  From the first second on, ten times a second at most, and only where that
 * is a terminal whose user sees nothing else.  It may be called as often as something is done that
 * takes a millisecond.
 */
void progress_show(const char *cmd, const char *what, const char *unit, double done, double all);
/* The line goes; before anything else is written. */
void progress_end(void);
/* There is none from now on: something else is written meanwhile. */
void progress_stop(void);

#endif
