/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file as the kernel's maps have it, whatever its name.
 */
#ifndef LIBPMUCTL_FILE_ID_H
#define LIBPMUCTL_FILE_ID_H

#include <stdbool.h>
#include <stdint.h>

/* inode 0: not known. */
struct file_id {
	uint32_t major, minor;
	uint64_t inode;
};

/* Whether a path leads to that file; true if it is not known, or there is nothing. */
bool object_is_file(const char *path, const struct file_id *file);

#endif
