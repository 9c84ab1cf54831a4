/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user may count.
 */
#ifndef PMUCTL_PRIVILEGE_H
#define PMUCTL_PRIVILEGE_H

#include <stdbool.h>

struct pmuctl;

/* Whether who may not count the kernel is let count programs. */
bool user_mode_only(struct pmuctl *ctx);

#endif
