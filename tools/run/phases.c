// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who is in which phase: the side of who tunes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/talk/phase.h"
#include "tools/run/phases.h"

/* Programs at a time, and phases that one of them is in at a time. */
#define CALLERS_MOST	256
#define OPEN_MOST	32
#define ROUNDS_AT_ONCE	64

struct open_phase {
	char name[PMUCTL_PHASE_NAME_MAX + 1];
	unsigned int depth;		/* threads that are in it; 0: none */
};

struct caller {
	int fd;
	pid_t pid;
	struct open_phase open[OPEN_MOST];
};

struct phases {
	struct phases_user user;
	int epoll, listening;
	char *file;			/* to be unlinked; NULL: there is none */
	struct caller *callers[CALLERS_MOST];
};

/* ---- one program ------------------------------------------------------------------------- */

static struct open_phase *find_open(struct caller *c, const char *name)
{
	size_t i;

	for (i = 0; i < OPEN_MOST; i++)
		if (c->open[i].depth && !strcmp(c->open[i].name, name))
			return &c->open[i];
	return NULL;
}

static int begin_phase(const struct phases *p, struct caller *c, const char *name)
{
	struct open_phase *open = find_open(c, name);
	size_t i;

	if (open) {
		open->depth++;
		return 0;
	}
	for (i = 0; i < OPEN_MOST && c->open[i].depth; i++)
		;
	if (i == OPEN_MOST)
		return -ENOSPC;
	open = &c->open[i];
	strcpy(open->name, name);
	open->depth = 1;
	return p->user.change(p->user.data, c->pid, name, true);
}

static int end_phase(const struct phases *p, struct caller *c, const char *name)
{
	struct open_phase *open = find_open(c, name);

	if (!open)
		return -EINVAL;
	if (--open->depth)
		return 0;
	return p->user.change(p->user.data, c->pid, name, false);
}

static void drop_caller(struct phases *p, struct caller **at)
{
	struct caller *c = *at;
	size_t i;

	*at = NULL;
	for (i = 0; i < OPEN_MOST; i++)
		if (c->open[i].depth)
			p->user.change(p->user.data, c->pid, c->open[i].name, false);
	close(c->fd);
	free(c);
}

/* False: it has gone, or says what makes no sense. */
static bool hear_one(const struct phases *p, struct caller *c)
{
	struct phase_message message;
	ssize_t got = recv(c->fd, &message, sizeof(message), MSG_DONTWAIT);
	int32_t answer;

	if (got < 0)
		return errno == EAGAIN || errno == EINTR;
	if (got != sizeof(message) || !*message.name || message.name[PMUCTL_PHASE_NAME_MAX] ||
	    (message.mark != PHASE_BEGINS && message.mark != PHASE_ENDS))
		return false;
	answer = message.mark == PHASE_BEGINS ? begin_phase(p, c, message.name) :
						end_phase(p, c, message.name);
	return send(c->fd, &answer, sizeof(answer), MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(answer);
}

/* ---- all of them ------------------------------------------------------------------------- */

static int watch(const struct phases *p, int fd, struct caller **caller)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = caller };

	return epoll_ctl(p->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* One more program; where there is no room for it, it is hung up on and goes on by itself. */
static void take_caller(struct phases *p)
{
	struct ucred who = { .pid = 0 };
	struct sockaddr_un from;	/* nothing is in it: they have no names */
	socklen_t size = sizeof(who), length = sizeof(from);
	int fd = accept4(p->listening, (struct sockaddr *)&from, &length,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct caller *c;
	size_t i;

	if (fd < 0)
		return;
	for (i = 0; i < CALLERS_MOST && p->callers[i]; i++)
		;
	c = i < CALLERS_MOST ? calloc(1, sizeof(*c)) : NULL;
	if (!c || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) ||
	    watch(p, fd, &p->callers[i])) {
		free(c);
		close(fd);
		return;
	}
	*c = (struct caller){ .fd = fd, .pid = who.pid };
	p->callers[i] = c;
}

int phases_serve(struct phases *p)
{
	struct epoll_event events[16];
	unsigned int rounds = 0;
	int count = 0, i;

	/* However many tell of phases, signals are seen in between. */
	while (rounds++ < ROUNDS_AT_ONCE && (count = epoll_wait(p->epoll, events, 16, 0)) > 0) {
		for (i = 0; i < count; i++) {
			struct caller **at = events[i].data.ptr;

			if (!at)
				take_caller(p);
			else if (!hear_one(p, *at))
				drop_caller(p, at);
		}
	}
	return count < 0 && errno != EINTR ? -errno : 0;
}

int phases_fd(const struct phases *p)
{
	return p->epoll;
}

/* ---- its socket -------------------------------------------------------------------------- */

/* The file of one that was killed is in the way, and nobody answers there. */
static void remove_stale(const char *path, const struct sockaddr_un *address, socklen_t len)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)address, len) && errno == ECONNREFUSED)
		unlink(path);
	if (fd >= 0)
		close(fd);
}

/* Any program may mark its phases: what comes of it is the user's to decide. */
static int bind_file(struct phases *p, const char *path, const struct sockaddr_un *address,
		     socklen_t len)
{
	if (bind(p->listening, (const struct sockaddr *)address, len))
		return -errno;
	p->file = strdup(path);
	if (!p->file) {
		unlink(path);
		return -ENOMEM;
	}
	return chmod(path, 0666) ? -errno : 0;
}

static int listen_at(struct phases *p, const char *path)
{
	struct sockaddr_un address;
	socklen_t len = phase_address(path, &address);
	int err;

	if (!len)
		return -ENAMETOOLONG;
	p->listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->listening < 0)
		return -errno;
	if (*path == '@') {
		err = bind(p->listening, (const struct sockaddr *)&address, len) ? -errno : 0;
	} else {
		remove_stale(path, &address, len);
		err = bind_file(p, path, &address, len);
	}
	if (!err && listen(p->listening, 16))
		err = -errno;
	return err ? err : watch(p, p->listening, NULL);
}

int phases_open(const char *path, const struct phases_user *user, struct phases **phases)
{
	struct phases *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	p->user = *user;
	p->listening = -1;
	p->epoll = epoll_create1(EPOLL_CLOEXEC);
	err = p->epoll < 0 ? -errno : listen_at(p, path);
	if (err) {
		phases_close(p);
		return err;
	}
	*phases = p;
	return 0;
}

void phases_close(struct phases *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < CALLERS_MOST; i++)
		if (p->callers[i])
			drop_caller(p, &p->callers[i]);
	if (p->file)
		unlink(p->file);
	free(p->file);
	if (p->listening >= 0)
		close(p->listening);
	if (p->epoll >= 0)
		close(p->epoll);
	free(p);
}
