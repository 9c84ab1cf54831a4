/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run stands on: what its user may count, a place for what it records.
 */
#ifndef PMUCTL_CONTEXT_H
#define PMUCTL_CONTEXT_H

#include <stdbool.h>

struct pmuctl;

/* Whether who may not count the kernel is let count programs. */
bool user_mode_only(struct pmuctl *ctx);

#define MEMORY_FILE_PATH 40

/* A file that only memory holds, with a name to open it by; -1 after a complaint. */
int memory_file(const char *cmd, char path[MEMORY_FILE_PATH]);

#endif
