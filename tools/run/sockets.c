// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who has sockets open, or the module's descriptors.
 *
 * Threads may have descriptors of their own, so each is looked at; what a process has by
 * several of them is told once.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/sockets.h"

#define READFD_LINK "anon_inode:[pmuctl]"
#define NO_SOCKET UINT64_MAX

struct look {
	struct socket_holders *holders;
	size_t first;		/* of the process that is looked at */
	struct socket_holder process;
	int err;
};

static uint64_t inode_of(const char *link)
{
	unsigned long long inode;

	if (!strcmp(link, READFD_LINK))
		return 0;
	return sscanf(link, "socket:[%llu]", &inode) == 1 ? inode : NO_SOCKET;
}

static void add_holder(struct look *look, uint64_t inode)
{
	struct socket_holders *all = look->holders;
	struct socket_holder *grown;
	size_t i;

	for (i = look->first; i < all->count; i++)
		if (all->list[i].inode == inode)
			return;
	grown = reallocarray(all->list, all->count + 1, sizeof(*grown));
	if (!grown) {
		look->err = -ENOMEM;
		return;
	}
	all->list = grown;
	all->list[all->count] = look->process;
	all->list[all->count++].inode = inode;
}

/* False: we may not look. */
static bool look_at_thread(struct look *look, const char *pid, const char *tid)
{
	char path[64], link[64];
	struct dirent *entry;
	uint64_t inode;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.16s/task/%.16s/fd", pid, tid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT;
	while ((entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);
		if (len < 0)
			continue;
		link[len] = '\0';
		inode = inode_of(link);
		if (inode != NO_SOCKET)
			add_holder(look, inode);
	}
	closedir(dir);
	return true;
}

static void look_at_process(struct look *look, const char *pid)
{
	struct dirent *entry;
	bool seen = true;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	look->process = (struct socket_holder){ .pid = atoi(pid), .comm = "?" };
	read_line(path, look->process.comm, sizeof(look->process.comm));
	look->first = look->holders->count;
	snprintf(path, sizeof(path), "/proc/%.16s/task", pid);
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			seen &= look_at_thread(look, pid, entry->d_name);
	closedir(dir);
	look->holders->hidden += !seen;
}

int socket_holders(struct socket_holders *holders)
{
	struct look look = { .holders = holders };
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	memset(holders, 0, sizeof(*holders));
	if (!proc)
		return 0;
	while ((entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]))
			look_at_process(&look, entry->d_name);
	closedir(proc);
	if (look.err) {
		free(holders->list);
		holders->list = NULL;
	}
	return look.err;
}
