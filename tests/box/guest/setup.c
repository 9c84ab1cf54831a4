// SPDX-License-Identifier: GPL-2.0-only
/* Prepares the guest for the command and clears up after it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"
#include "setup.h"

static const struct {
	const char *type;
	const char *where;
} mounts[] = {
	{ "proc", "/proc" },
	{ "sysfs", "/sys" },
	{ "devtmpfs", "/dev" },
	{ "devpts", "/dev/pts" },
	{ "tmpfs", "/dev/shm" },
	{ "debugfs", "/sys/kernel/debug" },
	{ "tracefs", "/sys/kernel/tracing" },
	{ "cgroup2", "/sys/fs/cgroup" },
};

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		fprintf(stderr, "init: %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

void setup_mounts(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, NULL))
			fprintf(stderr, "init: %s: %s\n", mounts[i].where, strerror(errno));
	}
	/*
	 * Linux says of an NMI longer than a millisecond that it was, inside of it: here
	 * that is the host's doing, and 65000 instructions to a session on the kernel.
	 */
	write_file("/sys/kernel/debug/x86/nmi_longest_ns", "10000000000");
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

static int load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		err = errno;
	if (fd >= 0)
		close(fd);
	return err;
}

void setup_modules(const char *list)
{
	char **path = setup_strings(list);

	for (; path && *path; path++) {
		int err = load(*path);

		/* A CPU without the hardware is a case to test, not a broken box. */
		if (err && err != ENODEV && err != EEXIST)
			channel_problem("cannot load %s: %s", *path, strerror(err));
	}
}

void setup_unload(void)
{
	/* Sockets and probes of the processes just ended go away a moment later. */
	for (int tries = 0; tries < 600; tries++) {
		if (!syscall(SYS_delete_module, "pmuctl", O_NONBLOCK) || errno == ENOENT)
			return;
		if (errno != EAGAIN && errno != EBUSY)
			break;
		usleep(100000);
	}
	channel_problem("cannot unload pmuctl after all processes ended: %s", strerror(errno));
}

void setup_end_processes(void)
{
	kill(-1, SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

static char *read_all(const char *path, size_t *len)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	*len = 0;
	if (!file)
		return NULL;
	do {
		size = size * 2 + 4096;
		text = realloc(text, size);
		if (!text)
			abort();
		*len += fread(text + *len, 1, size - *len, file);
	} while (*len == size);
	fclose(file);
	return text;
}

char **setup_strings(const char *path)
{
	size_t len, count = 0;
	char *text = read_all(path, &len);
	char **strings;

	if (!text)
		return NULL;
	strings = calloc(len + 1, sizeof(*strings));
	if (!strings)
		abort();
	for (size_t at = 0; at < len; at += strlen(text + at) + 1)
		strings[count++] = text + at;
	return strings;
}
