/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening a file whose name somebody else chose, and writing all that is to be in one.
 */
#ifndef LIBPMUCTL_REGULAR_H
#define LIBPMUCTL_REGULAR_H

#include <stddef.h>

/*
 * A regular file, for reading; -1 with errno.  A device, a terminal, a pipe and what the kernel
 * makes up (below /proc, /sys) is looked at and not opened: opening alone may do something.
 */
int open_regular(const char *path);
/* The same of a link of the kernel's to some file, below /proc, that we chose ourselves. */
int open_linked(const char *path);
/* What such an errno means. */
const char *regular_error(int error);

/* All of it, whatever signals come; 0 or -errno. */
int write_whole(int fd, const void *bytes, size_t size);

#endif
