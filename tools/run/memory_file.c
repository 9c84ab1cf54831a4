// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples of which no file is to be left.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "tools/base/base.h"
#include "tools/run/memory_file.h"

int memory_file(const char *cmd, char path[MEMORY_FILE_PATH])
{
	int fd;

	if (!has_proc()) {
		complain(cmd, 0, "samples that only memory holds are written by way of /proc, which is "
			 "not mounted here");
		return -1;
	}
	fd = memfd_create("pmuctl", MFD_CLOEXEC);
	if (fd < 0)
		complain(cmd, 0, "no memory for the samples: %s", strerror(errno));
	else
		snprintf(path, MEMORY_FILE_PATH, "/proc/self/fd/%d", fd);
	return fd;
}
