/* SPDX-License-Identifier: GPL-2.0-only */
/* Files and directories that the host wants from the guest. */
#ifndef BOX_FILES_H
#define BOX_FILES_H

#include <stdint.h>

/* Sends what is at path, a directory with all below it, as the index-th wish. */
void files_send(uint32_t index, const char *path);

#endif
