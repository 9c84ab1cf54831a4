// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whether a name stands for the file that was mapped.
 */
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "lib/code/file_id.h"

/* There device and inode of stat() are not those that the kernel's maps have. */
static bool has_own_numbers(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) &&
	       ((unsigned long)fs.f_type == BTRFS_SUPER_MAGIC ||
		(unsigned long)fs.f_type == OVERLAYFS_SUPER_MAGIC);
}

/* What the kernel's maps say of a mapping of ours. */
static bool find_mapped(const void *at, struct file_id *id)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];
	uint64_t start;
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%" SCNx64 "-%*x %*s %*x %x:%x %" SCNu64, &start,
			       &id->major, &id->minor, &id->inode) == 4 &&
			start == (uintptr_t)at;
	if (f)
		fclose(f);
	return found;
}

/* Mapped as the recorded one was, it has the same numbers if it is that. */
static bool is_same_mapped(const char *path, const struct file_id *file)
{
	int fd = open_linked(path);
	struct file_id own;
	bool same = false;
	void *at;

	if (fd < 0)
		return true;
	at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	same = find_mapped(at, &own) && own.inode == file->inode && own.major == file->major &&
	       own.minor == file->minor;
	munmap(at, 1);
	return same;
}

bool object_is_file(const char *path, const struct file_id *file)
{
	struct stat st;

	if (!file->inode || stat(path, &st))
		return true;
	return (st.st_ino == file->inode && st.st_dev == makedev(file->major, file->minor)) ||
	       (has_own_numbers(path) && is_same_mapped(path, file));
}
