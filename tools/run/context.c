// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the user may count, by capabilities and by what the module allows; and a place for
 * samples of which no file is to be left.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/context.h"

static bool has_capability(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	if (syscall(SYS_capget, &head, data))
		return false;
	return data[CAP_TO_INDEX(CAP_PERFMON)].effective & CAP_TO_MASK(CAP_PERFMON) ||
	       data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN);
}

bool user_mode_only(struct pmuctl *ctx)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	return !has_capability() && !pmuctl_get_info(ctx, &info) && info.unprivileged;
}

/* ---- a file that only memory holds ------------------------------------------------------ */

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
