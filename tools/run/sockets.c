// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who has sockets open, or the module's descriptors.
 *
 * Threads may have descriptors of their own, so each is looked at; what a process has by
 * several of them is told once.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/proc.h"
#include "tools/run/sockets.h"

#define READFD_LINK "anon_inode:[pmuctl]"
#define NO_SOCKET UINT64_MAX

struct look {
	struct socket_holders *holders;
	size_t first;		/* of the process that is looked at */
	struct socket_holder process;
	bool seen;		/* all of its threads */
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

static int look_at_thread(void *data, pid_t tid)
{
	struct look *look = data;
	char path[64], link[64];
	struct dirent *entry;
	uint64_t inode;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/fd", look->process.pid, (int)tid);
	dir = opendir(path);
	if (!dir) {
		/* Gone by now is not "may not look". */
		look->seen &= errno == ENOENT;
		return 0;
	}
	while ((entry = readdir(dir))) {
		/* NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): it has one */
		len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);
		if (len < 0)
			continue;
		link[len] = '\0';
		inode = inode_of(link);
		if (inode != NO_SOCKET)
			add_holder(look, inode);
	}
	closedir(dir);
	return 0;
}

static int look_at_process(void *data, pid_t pid)
{
	struct look *look = data;

	look->process = (struct socket_holder){ .pid = pid, .comm = "?" };
	task_name(pid, look->process.comm, sizeof(look->process.comm));
	look->first = look->holders->count;
	look->seen = true;
	each_thread(pid, look_at_thread, look);
	look->holders->hidden += !look->seen;
	return 0;
}

int socket_holders(struct socket_holders *holders)
{
	struct look look = { .holders = holders };

	memset(holders, 0, sizeof(*holders));
	each_process(look_at_process, &look);
	if (look.err) {
		free(holders->list);
		holders->list = NULL;
	}
	return look.err;
}
