// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where the kernel does not tell what happens to tasks: each process that a sample
 * names is looked up in /proc when it first comes, and looked at again whenever
 * samples are written, since it may have called exec or loaded a library.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/record/dump.h"

/* Processes of which more is known than that they were; the others are named once. */
#define WATCHED_MAX 4096

struct watched {
	uint32_t pid;
	bool gone;
	uint64_t hash;		/* of its name and mappings, as written last; 0: never */
};

struct dump_poll {
	struct watched *list;
	size_t count, room;
	uint32_t last;		/* the pid that was asked for last: most samples are in a row */
};

static uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3ull;
	return hash;
}

/* 0 if it is not there. */
static uint64_t hash_file(uint64_t hash, uint32_t pid, const char *name)
{
	unsigned char bytes[4096];
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		hash = hash_bytes(hash, bytes, (size_t)got);
	close(fd);
	return hash;
}

static uint64_t hash_process(uint32_t pid)
{
	uint64_t hash = hash_file(0xcbf29ce484222325ull, pid, "comm");

	return hash ? hash_file(hash, pid, "maps") : 0;
}

static bool is_watched(const struct dump_poll *p, uint32_t pid)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		if (p->list[i].pid == pid)
			return true;
	return false;
}

int dump_poll_see(struct pmuctl_dump *d, uint32_t pid)
{
	struct dump_poll *p = d->poll;
	size_t room = p->room ? 2 * p->room : 64;
	struct watched *grown;

	if (p->last == pid)
		return 0;
	p->last = pid;
	if (is_watched(p, pid) || p->count == WATCHED_MAX)
		return 0;
	if (p->count == p->room) {
		grown = reallocarray(p->list, room, sizeof(*grown));
		if (!grown)
			return fail(d->ctx, -ENOMEM, "out of memory");
		p->list = grown;
		p->room = room;
	}
	p->list[p->count++] = (struct watched){ .pid = pid };
	return 0;
}

/*
 * What is known of it first holds for its samples before, too.  When it is about
 * to go it has no mappings any more, but what it had stays known.
 */
static int look_at(struct pmuctl_dump *d, struct watched *w)
{
	uint64_t hash = w->gone ? 0 : hash_process(w->pid), before = w->hash;

	w->gone = !hash;
	if (!hash || hash == before)
		return 0;
	w->hash = hash;
	return dump_synthesize_process(d, w->pid, before ? monotonic_ns() : 0);
}

int dump_poll_take(struct pmuctl_dump *d)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && d->info.from_proc && i < d->poll->count; i++)
		err = look_at(d, &d->poll->list[i]);
	return err;
}

int dump_poll_open(struct pmuctl_dump *d)
{
	d->poll = calloc(1, sizeof(*d->poll));
	return d->poll ? 0 : fail(d->ctx, -ENOMEM, "out of memory");
}

void dump_poll_close(struct pmuctl_dump *d)
{
	if (d->poll)
		free(d->poll->list);
	free(d->poll);
}
