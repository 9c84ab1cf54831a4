// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where file systems are mounted.
 */
#include <mntent.h>
#include <string.h>

#include "tools/base/base.h"

bool mounted(const char *type, char *root, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	bool found = false;

	while (mounts && !found && (m = getmntent(mounts)) != NULL) {
		found = !strcmp(m->mnt_type, type);
		if (found)
			snprintf(root, size, "%s", m->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return found;
}
