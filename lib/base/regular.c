// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening a file whose name somebody else chose: what it is is known before it is opened; and
 * writing all that is to be in one.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/regular.h"

/* Of what is there and may not be opened. */
#define NOT_REGULAR ENODEV

/* Not in <linux/magic.h>. */
#define CONFIGFS_MAGIC	0x62656570
#define FUSECTL_MAGIC	0x65735543
#define MQUEUE_MAGIC	0x19800202
#define RESCTRL_MAGIC	0x07655821

/* File systems whose files are the kernel's doing: reading one may take or start something. */
static const unsigned long made_by_kernel[] = {
	PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC,
	CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC, PSTOREFS_MAGIC, EFIVARFS_MAGIC,
	SELINUX_MAGIC, SMACK_MAGIC, BINFMTFS_MAGIC, DEVPTS_SUPER_MAGIC, AUTOFS_SUPER_MAGIC,
	CONFIGFS_MAGIC, FUSECTL_MAGIC, MQUEUE_MAGIC, RESCTRL_MAGIC,
};

static bool is_real(int fd)
{
	struct statfs fs;
	size_t i;

	if (fstatfs(fd, &fs))
		return false;
	for (i = 0; i < sizeof(made_by_kernel) / sizeof(made_by_kernel[0]); i++)
		if ((unsigned long)fs.f_type == made_by_kernel[i])
			return false;
	return true;
}

#define FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Without /proc: by its name once more, if that is still the file that was looked at. */
static int open_by_name(const char *path, const struct stat *looked)
{
	int fd = open(path, FLAGS);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && st.st_dev == looked->st_dev &&
		       st.st_ino == looked->st_ino))
		return fd;
	close(fd);
	errno = NOT_REGULAR;
	return -1;
}

/* Not by its name again, which may be another file's by now. */
static int open_again(int fd, const char *name, const struct stat *looked)
{
	char path[32];
	int opened;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opened = open(path, FLAGS);
	if (opened < 0 && errno == ENOENT)
		return open_by_name(name, looked);
	return opened;
}

/* Whether the directory that the name is in is one on a disk. */
static bool is_dir_real(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) + 1 : 0;
	char dir[PATH_MAX] = ".";
	bool real;
	int fd;

	if (length >= sizeof(dir))
		return false;
	if (length)
		snprintf(dir, sizeof(dir), "%.*s", (int)length, path);
	fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	/* What is not there is told when the file is opened. */
	real = fd < 0 || is_real(fd);
	if (fd >= 0)
		close(fd);
	return real;
}

int open_regular(const char *path)
{
	if (is_dir_real(path))
		return open_linked(path);
	errno = NOT_REGULAR;
	return -1;
}

int open_linked(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC), opened = -1, error;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st))
		error = errno;
	else if (!S_ISREG(st.st_mode) || !is_real(fd))
		error = NOT_REGULAR;
	else
		error = (opened = open_again(fd, path, &st)) < 0 ? errno : 0;
	close(fd);
	errno = error;
	return opened;
}

const char *regular_error(int error)
{
	return error == NOT_REGULAR ? "it is no regular file" : strerror(error);
}

int write_whole(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	ssize_t done;

	while (size) {
		done = write(fd, at, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -EIO;
		at += done;
		size -= (size_t)done;
	}
	return 0;
}
