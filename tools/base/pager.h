/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a person reads what is written, and the program by which it is read in pages.
 */
#ifndef PMUCTL_PAGER_H
#define PMUCTL_PAGER_H

#include <stdbool.h>

struct layout;

/*
 * From now on standard output goes to PMUCTL_PAGER, PAGER or less, if it is a terminal, and
 * standard error with it, so that neither writes into the other's screen.  Before the first line;
 * not where the layout wants none.  Without a program that can be started nothing changes.
 */
void pager_start(const struct layout *layout);
bool pager_is_on(void);
/* At the end of the process: waits until it was read.  code, or another one if nobody could. */
int pager_finish(int code);
/* The terminal that what is written to this descriptor is read on; else itself. */
int terminal_of(int fd);
/* Whether it is read on a terminal that knows more than lines. */
bool is_clever_terminal(int fd);

#endif
