// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows programs by two things that the kernel tells: fanotify asks whether a file may be
 * executed, and waits for the answer; the process connector tells of forks, execs and exits behind
 * that.  By the first a setting is there before a program's first instruction, by the second its
 * end is known, if its processes outlive the first one.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/fanotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"
#include "tools/tune/tracker.h"

/* Events of processes that wait for us, in bytes; behind that all of /proc is looked through. */
#define EVENTS_ROOM (4 << 20)
/* So many are taken before anything else is looked at. */
#define EVENTS_AT_ONCE 65536

/* A file as it was when it was added. */
struct file {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec mtime;
	bool changed;
};

struct member {
	pid_t pid;
	uint64_t run;
	size_t program;
	unsigned int threads;
	bool pending;		/* it is asked for, and the exec is not over */
};

struct tracker {
	struct tracker_user user;
	int fanotify, events, epoll;
	struct file *files;
	size_t nr_files;
	struct member *members;
	size_t nr_members, room;
	uint64_t last_run;
};

static int no_memory(void)
{
	return complain("tune", EXIT_FAILED, "out of memory");
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns its number, or how many there are: none is it. */
static size_t find_file(const struct tracker *t, const struct stat *st)
{
	size_t i;

	for (i = 0; i < t->nr_files; i++)
		if (t->files[i].dev == st->st_dev && t->files[i].ino == st->st_ino)
			break;
	return i;
}

static bool is_changed(struct tracker *t, size_t program, const struct stat *st)
{
	struct file *f = &t->files[program];

	if (!f->changed && (f->size != st->st_size || f->mtime.tv_sec != st->st_mtim.tv_sec ||
			    f->mtime.tv_nsec != st->st_mtim.tv_nsec)) {
		f->changed = true;
		t->user.changed(t->user.data, program);
	}
	return f->changed;
}

int tracker_add(struct tracker *t, int fd)
{
	struct file *grown = reallocarray(t->files, t->nr_files + 1, sizeof(*grown));
	char path[32];
	struct stat st;

	if (!grown)
		return -ENOMEM;
	t->files = grown;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fstat(fd, &st) || fanotify_mark(t->fanotify, FAN_MARK_ADD, FAN_OPEN_EXEC_PERM, AT_FDCWD,
					    path))
		return -errno;
	grown[t->nr_files++] = (struct file){
		.dev = st.st_dev, .ino = st.st_ino, .size = st.st_size, .mtime = st.st_mtim,
	};
	return 0;
}

/* What a process runs; the number of files: none of them. */
static size_t program_of(struct tracker *t, pid_t pid)
{
	char path[32];
	struct stat st;
	size_t program;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (stat(path, &st))
		return t->nr_files;
	program = find_file(t, &st);
	return program < t->nr_files && is_changed(t, program, &st) ? t->nr_files : program;
}

/* ---- processes ------------------------------------------------------------------------------ */

static struct member *find_member(const struct tracker *t, pid_t pid)
{
	size_t i;

	for (i = 0; i < t->nr_members; i++)
		if (t->members[i].pid == pid)
			return &t->members[i];
	return NULL;
}

static bool any_of_run(const struct tracker *t, uint64_t run)
{
	size_t i;

	for (i = 0; i < t->nr_members; i++)
		if (t->members[i].run == run)
			return true;
	return false;
}

static void leave(struct tracker *t, struct member *m)
{
	uint64_t run = m->run;

	*m = t->members[--t->nr_members];
	if (!any_of_run(t, run))
		t->user.ends(t->user.data, run);
}

static unsigned int count_threads(pid_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	/* A link for each, and those of all folders. */
	return stat(path, &st) || st.st_nlink < 3 ? 1 : (unsigned int)st.st_nlink - 2;
}

static struct member *join(struct tracker *t, const struct member *member)
{
	struct member *grown;

	if (t->nr_members == t->room) {
		grown = reallocarray(t->members, t->room + 64, sizeof(*grown));
		if (!grown)
			return NULL;
		t->members = grown;
		t->room += 64;
	}
	t->members[t->nr_members] = *member;
	return &t->members[t->nr_members++];
}

/* A run of its own. */
static int begin_run(struct tracker *t, size_t program, pid_t pid, bool pending)
{
	struct member m = {
		.pid = pid, .run = ++t->last_run, .program = program, .pending = pending,
		.threads = count_threads(pid),
	};

	if (!join(t, &m))
		return no_memory();
	t->user.begins(t->user.data, m.run, program, pid);
	return 0;
}

uint64_t tracker_run_of(struct tracker *t, pid_t pid)
{
	const struct member *m;

	tracker_serve(t);
	m = find_member(t, pid);
	return m && !m->pending ? m->run : 0;
}

/* ---- all of /proc, where events were lost --------------------------------------------------- */

static pid_t parent_of(pid_t pid)
{
	char path[32], line[512], *at;
	FILE *in;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	in = fopen(path, "re");
	if (!in)
		return 0;
	/* Behind the name, which may have anything in it. */
	if (fgets(line, sizeof(line), in) && (at = strrchr(line, ')')) &&
	    sscanf(at, ") %*c %d", &parent) != 1)
		parent = 0;
	fclose(in);
	return parent;
}

static int look_at(void *data, pid_t pid)
{
	struct tracker *t = data;
	size_t program = program_of(t, pid);
	const struct member *parent;
	struct member *m = find_member(t, pid), child;

	if (m || program == t->nr_files)
		return 0;
	parent = find_member(t, parent_of(pid));
	if (!parent || parent->program != program || parent->pending)
		return begin_run(t, program, pid, false);
	child = *parent;
	child.pid = pid;
	child.threads = count_threads(pid);
	return join(t, &child) ? 0 : no_memory();
}

static int look_at_all(struct tracker *t)
{
	size_t i;
	int code;

	for (i = t->nr_members; i--; ) {
		struct member *m = &t->members[i];

		m->threads = count_threads(m->pid);
		if (m->pending ? kill(m->pid, 0) && errno == ESRCH :
				 program_of(t, m->pid) != m->program)
			leave(t, m);
	}
	code = each_process(look_at, t);
	return code < 0 ? complain("tune", EXIT_FAILED, "cannot read /proc: %s", strerror(-code)) :
			  code;
}

/* ---- events of processes -------------------------------------------------------------------- */

static int on_fork(struct tracker *t, pid_t parent, pid_t child)
{
	struct member *m = find_member(t, parent), forked;

	if (!m || m->pending)
		return 0;
	if (parent == child) {
		m->threads++;
		return 0;
	}
	forked = *m;
	forked.pid = child;
	forked.threads = 1;
	return find_member(t, child) || join(t, &forked) ? 0 : no_memory();
}

/* All of our files are asked for before, so another exec is of another program. */
static void on_exec(struct tracker *t, pid_t pid)
{
	struct member *m = find_member(t, pid);

	if (!m)
		return;
	if (!m->pending || program_of(t, pid) != m->program) {
		leave(t, m);
		return;
	}
	m->pending = false;
	m->threads = 1;
}

static void on_exit_of(struct tracker *t, pid_t pid)
{
	struct member *m = find_member(t, pid);

	if (m && m->threads > 1)
		m->threads--;
	else if (m)
		leave(t, m);
}

static int take_event(struct tracker *t, const struct proc_event *e)
{
	switch (e->what) {
	case PROC_EVENT_FORK:
		return on_fork(t, e->event_data.fork.parent_tgid, e->event_data.fork.child_tgid);
	case PROC_EVENT_EXEC:
		on_exec(t, e->event_data.exec.process_tgid);
		return 0;
	case PROC_EVENT_EXIT:
		on_exit_of(t, e->event_data.exit.process_tgid);
		return 0;
	default:
		return 0;
	}
}

/* All that are there; of more than can be taken at once all of /proc is looked through. */
static int take_events(struct tracker *t)
{
	union {
		struct nlmsghdr head;
		char bytes[4096];
	} buffer;
	struct proc_event event;
	unsigned int taken = 0;
	ssize_t got;
	int code = 0;

	while (!code) {
		if (++taken > EVENTS_AT_ONCE)
			return look_at_all(t);
		got = recv(t->events, &buffer, sizeof(buffer), MSG_DONTWAIT);
		if (got < 0 && errno == ENOBUFS) {
			code = look_at_all(t);
			continue;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		if (got < (ssize_t)(NLMSG_HDRLEN + sizeof(struct cn_msg) +
				    offsetof(struct proc_event, event_data)))
			continue;
		memset(&event, 0, sizeof(event));
		got -= NLMSG_HDRLEN + (ssize_t)sizeof(struct cn_msg);
		memcpy(&event, buffer.bytes + NLMSG_HDRLEN + sizeof(struct cn_msg),
		       (size_t)got < sizeof(event) ? (size_t)got : sizeof(event));
		code = take_event(t, &event);
	}
	return code;
}

static int listen_to_events(struct tracker *t)
{
	struct {
		struct nlmsghdr head;
		struct cn_msg message;
		enum proc_cn_mcast_op op;
	} __attribute__((packed)) ask = {
		.head = { .nlmsg_len = sizeof(ask), .nlmsg_type = NLMSG_DONE },
		.message = { .id = { CN_IDX_PROC, CN_VAL_PROC }, .len = sizeof(ask.op) },
		.op = PROC_CN_MCAST_LISTEN,
	};
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC };
	const int room = EVENTS_ROOM;

	t->events = socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);
	if (t->events < 0 || bind(t->events, (const struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(t->events, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    send(t->events, &ask, sizeof(ask), 0) != sizeof(ask))
		return complain("tune", EXIT_FAILED, "cannot hear of processes that end: %s%s",
				strerror(errno), errno == EPERM ? "; it needs root" :
				errno == EPROTONOSUPPORT ? "; this kernel has no process connector "
				"(CONFIG_PROC_EVENTS)" : "");
	return 0;
}

/* ---- questions of fanotify ------------------------------------------------------------------ */

/* Whatever became of it, the program runs. */
static int answer(struct tracker *t, const struct fanotify_event_metadata *asked)
{
	const struct fanotify_response yes = { .fd = asked->fd, .response = FAN_ALLOW };
	struct stat st;
	struct member *m;
	size_t program;
	int code = 0;

	if (asked->fd < 0)
		return 0;
	program = fstat(asked->fd, &st) ? t->nr_files : find_file(t, &st);
	/* Who is outside our namespace of processes has no number here. */
	if (program < t->nr_files && asked->pid > 0 && !is_changed(t, program, &st)) {
		/* An exec of another one that is about to fail loses what it had: nobody tells. */
		m = find_member(t, asked->pid);
		if (m)
			leave(t, m);
		code = begin_run(t, program, asked->pid, true);
	}
	if (write(t->fanotify, &yes, sizeof(yes)) != sizeof(yes) && !code)
		code = complain("tune", EXIT_FAILED, "cannot let a program go on: %s",
				strerror(errno));
	close(asked->fd);
	return code;
}

static int take_questions(struct tracker *t)
{
	union {
		struct fanotify_event_metadata event;
		char bytes[4096];
	} buffer;
	const struct fanotify_event_metadata *asked;
	ssize_t got;
	int code;

	/* A bufferful at a time: signals are seen in between, however many execute programs. */
	got = read(t->fanotify, &buffer, sizeof(buffer));
	if (got <= 0)
		return 0;
	/* What the asking process did before has been told before. */
	code = take_events(t);
	for (asked = &buffer.event; FAN_EVENT_OK(asked, got); asked = FAN_EVENT_NEXT(asked, got)) {
		int one = answer(t, asked);

		code = code ? code : one;
	}
	return code;
}

static int listen_to_questions(struct tracker *t)
{
	t->fanotify = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK,
				    O_RDONLY | O_LARGEFILE | O_CLOEXEC);
	if (t->fanotify >= 0)
		return 0;
	return complain("tune", EXIT_FAILED, "cannot be asked before programs run: %s%s",
			strerror(errno), errno == EPERM ? "; it needs root" :
			errno == ENOSYS || errno == EINVAL ? "; this kernel has no permission events "
			"of fanotify (CONFIG_FANOTIFY_ACCESS_PERMISSIONS)" : "");
}

/* ---- all of it ------------------------------------------------------------------------------ */

int tracker_serve(struct tracker *t)
{
	int code = take_questions(t);

	return code ? code : take_events(t);
}

int tracker_fd(const struct tracker *t)
{
	return t->epoll;
}

int tracker_open(const struct tracker_user *user, struct tracker **tracker)
{
	struct tracker *t = calloc(1, sizeof(*t));
	int code;

	if (!t)
		return no_memory();
	t->user = *user;
	t->events = t->fanotify = -1;
	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	code = t->epoll < 0 ? complain("tune", EXIT_FAILED, "cannot wait: %s", strerror(errno)) :
			      listen_to_questions(t);
	if (code) {
		tracker_close(t);
		return code;
	}
	*tracker = t;
	return 0;
}

int tracker_begin(struct tracker *t)
{
	struct epoll_event event = { .events = EPOLLIN };
	int code = listen_to_events(t);

	if (!code && (epoll_ctl(t->epoll, EPOLL_CTL_ADD, t->events, &event) ||
		      epoll_ctl(t->epoll, EPOLL_CTL_ADD, t->fanotify, &event)))
		code = complain("tune", EXIT_FAILED, "cannot wait: %s", strerror(errno));
	return code ? code : look_at_all(t);
}

void tracker_close(struct tracker *t)
{
	if (!t)
		return;
	while (t->nr_members)
		leave(t, &t->members[t->nr_members - 1]);
	if (t->fanotify >= 0)
		close(t->fanotify);
	if (t->events >= 0)
		close(t->events);
	if (t->epoll >= 0)
		close(t->epoll);
	free(t->members);
	free(t->files);
	free(t);
}
