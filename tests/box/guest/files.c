// SPDX-License-Identifier: GPL-2.0-only
/* Hands files and directories of the guest to the host. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channel.h"
#include "files.h"

/* nftw() knows no argument for its callback. */
static uint32_t wish;
static size_t top_len;

static void announce(uint32_t error, uint32_t mode, const char *below)
{
	union {
		struct frame_file file;
		char room[sizeof(struct frame_file) + PATH_MAX];
	} head = { .file = { .index = wish, .error = error, .mode = mode } };
	size_t len = strnlen(below, PATH_MAX);

	memcpy(head.file.path, below, len);
	channel_send(FRAME_FILE, &head, sizeof(head.file) + len);
}

/* Files of the kernel have no size and cannot be mapped; what is left is read. */
static void send_contents(int fd)
{
	struct stat st;
	void *data;

	if (fstat(fd, &st) || !st.st_size)
		return;
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (data == MAP_FAILED)
		return;
	channel_send_much(FRAME_DATA, data, st.st_size);
	munmap(data, st.st_size);
	lseek(fd, st.st_size, SEEK_SET);
}

static void send_regular(const char *path, uint32_t mode, const char *below)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	announce(fd < 0 ? errno : 0, mode, below);
	if (fd < 0)
		return;
	send_contents(fd);
	channel_forward(FRAME_DATA, fd);
	close(fd);
}

static void send_link(const char *path, uint32_t mode, const char *below)
{
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target));

	announce(len < 0 ? errno : 0, mode, below);
	if (len >= 0)
		channel_send(FRAME_DATA, target, len);
}

static void send_entry(const char *path, const struct stat *st, const char *below)
{
	if (S_ISREG(st->st_mode))
		send_regular(path, st->st_mode, below);
	else if (S_ISLNK(st->st_mode))
		send_link(path, st->st_mode, below);
	else
		announce(S_ISDIR(st->st_mode) ? 0 : EINVAL, st->st_mode, below);
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *where)
{
	const char *below = path + top_len;

	(void)where;
	if (type == FTW_NS)
		announce(errno, 0, below);
	else
		send_entry(path, st, below);
	return 0;
}

void files_send(uint32_t index, const char *path)
{
	struct stat st;

	wish = index;
	top_len = strlen(path);
	if (stat(path, &st))
		announce(errno, 0, "");
	else if (!S_ISDIR(st.st_mode))
		send_entry(path, &st, "");
	else if (nftw(path, visit, 16, FTW_PHYS))
		announce(errno, 0, "");
}
