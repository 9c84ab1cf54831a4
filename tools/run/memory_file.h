/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of which no file is to be left.
 */
#ifndef PMUCTL_MEMORY_FILE_H
#define PMUCTL_MEMORY_FILE_H

#define MEMORY_FILE_PATH 40

/* A file that only memory holds, with a name to open it by; -1 after a complaint. */
int memory_file(const char *cmd, char path[MEMORY_FILE_PATH]);

#endif
