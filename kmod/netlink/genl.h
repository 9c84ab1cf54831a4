/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic netlink family.
 */
#ifndef PMUCTL_GENL_H
#define PMUCTL_GENL_H

int pmuctl_genl_init(void);
/* Returns when no request is being served. */
void pmuctl_genl_exit(void);

#endif
