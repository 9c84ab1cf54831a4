// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guardian of --nmi-watchdog=off: turns the watchdog off, and on again
 * when its ward has ended, however that came about.
 *
 * Several may be at work at the same time.  They share a file: its content is
 * the value from before the first of them and how often one of them wrote the
 * sysctl, a lock on one of its bytes is held by each as long as its ward counts,
 * another by who looks or changes something.  The last one restores.  Locks die
 * with their owner, so a file with a value that nobody holds is left from a
 * guardian that was killed, and what it should have restored is restored by the
 * next.
 *
 * What somebody else writes meanwhile is to stay, be it the value that is there
 * already: inotify tells of each write, and one that no guardian made changes the
 * value to be restored.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "lib/pmuctl.h"
#include "tools/run/watchdog.h"

static const char sysctl_path[] = "/proc/sys/kernel/nmi_watchdog";
static const char state_path[] = "/run/pmuctl-nmi-watchdog";

enum byte {
	BYTE_MUTEX,
	BYTE_IN_USE,
};

/* What the file says. */
struct state {
	char before;		/* to be restored; '\0': nothing */
	unsigned int writes;	/* of the sysctl, by guardians */
};

struct guardian {
	int sysctl, state;
	int inotify;		/* -1: there is none, so others' writes are not noticed */
	unsigned int writes;	/* those that we know of */
	struct pmuctl *ctx;
};

static int lock(const struct guardian *g, int cmd, short type, enum byte byte)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };

	return fcntl(g->state, cmd, &l) ? errno : 0;
}

static bool others_use_it(const struct guardian *g)
{
	struct flock l = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = BYTE_IN_USE, .l_len = 1,
	};

	return !fcntl(g->state, F_OFD_GETLK, &l) && l.l_type != F_UNLCK;
}

/* One digit, or '\0' if there is none. */
static char read_digit(int fd)
{
	char digit = '\0';

	return pread(fd, &digit, 1, 0) == 1 ? digit : '\0';
}

static struct state read_state(const struct guardian *g)
{
	struct state s = { '\0', 0 };
	char text[32] = "";

	if (pread(g->state, text, sizeof(text) - 1, 0) <= 0 ||
	    sscanf(text, "%c %u", &s.before, &s.writes) < 1)
		s.before = '\0';
	return s;
}

static int write_state(const struct guardian *g, const struct state *s)
{
	char text[32];
	int size = snprintf(text, sizeof(text), "%c %u\n", s->before, s->writes);

	return pwrite(g->state, text, (size_t)size, 0) == size ? 0 : errno;
}

static bool was_written(const struct guardian *g)
{
	char events[4096];
	bool written = false;

	while (read(g->inotify, events, sizeof(events)) > 0)
		written = true;
	return written;
}

/* With the mutex. */
static int notice_others(struct guardian *g)
{
	struct state s = read_state(g);

	if (!was_written(g))
		return 0;
	if (s.writes != g->writes) {
		g->writes = s.writes;
		return 0;
	}
	s.before = read_digit(g->sysctl);
	return write_state(g, &s);
}

/* With the mutex. */
static int write_sysctl(struct guardian *g, char digit)
{
	const char text[] = { digit, '\n' };
	struct state s = read_state(g);
	int err;

	g->writes = ++s.writes;
	err = write_state(g, &s);
	if (!err && pwrite(g->sysctl, text, sizeof(text), 0) != sizeof(text))
		err = errno;
	was_written(g);
	return err;
}

static int failed(struct guardian_report *report, const char *path, int err)
{
	report->err = err;
	snprintf(report->what, sizeof(report->what), "%s", path);
	return err;
}

static int open_files(struct guardian *g, struct guardian_report *report)
{
	g->sysctl = open(sysctl_path, O_RDWR | O_CLOEXEC);
	if (g->sysctl < 0)
		return failed(report, sysctl_path, errno);
	g->state = open(state_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (g->state < 0)
		return failed(report, state_path, errno);
	g->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	inotify_add_watch(g->inotify, sysctl_path, IN_MODIFY);
	return 0;
}

/* With the mutex. */
static int turn_off(struct guardian *g, struct guardian_report *report)
{
	char now = read_digit(g->sysctl);
	struct state s = read_state(g);
	int err = 0;

	if (!others_use_it(g) && (now != '0' || !s.before)) {
		s.before = now;
		err = write_state(g, &s);
	}
	g->writes = s.writes;
	if (!err)
		err = lock(g, F_OFD_SETLKW, F_RDLCK, BYTE_IN_USE);
	if (err)
		return failed(report, state_path, err);
	if (now != '0')
		err = write_sysctl(g, '0');
	return err ? failed(report, sysctl_path, err) : 0;
}

static int begin(struct guardian *g, struct guardian_report *report)
{
	int err = open_files(g, report);

	if (err)
		return err;
	err = lock(g, F_OFD_SETLKW, F_WRLCK, BYTE_MUTEX);
	if (err)
		return failed(report, state_path, err);
	err = turn_off(g, report);
	lock(g, F_OFD_SETLK, F_UNLCK, BYTE_MUTEX);
	return err;
}

/* The kernel would turn the watchdog on without a counter, and not say so. */
static bool module_has_pmu(const struct guardian *g)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	return g->ctx && !pmuctl_get_info(g->ctx, &info) && info.holder == PMUCTL_HOLDER_MODULE;
}

/* With the mutex.  Who turned it on meanwhile knows better. */
static int put_back(struct guardian *g)
{
	struct state s = read_state(g);
	int err = 0;

	if (s.before && s.before != '0' && read_digit(g->sysctl) == '0')
		err = write_sysctl(g, s.before);
	if (!err && ftruncate(g->state, 0))
		err = errno;
	return err;
}

/* True when there is nothing left to do. */
static bool try_to_restore(struct guardian *g, int *err)
{
	bool done;

	*err = lock(g, F_OFD_SETLKW, F_WRLCK, BYTE_MUTEX);
	if (*err)
		return true;
	notice_others(g);
	lock(g, F_OFD_SETLK, F_UNLCK, BYTE_IN_USE);
	done = others_use_it(g);
	if (!done && !module_has_pmu(g)) {
		*err = put_back(g);
		done = true;
	}
	if (!done)
		lock(g, F_OFD_SETLK, F_RDLCK, BYTE_IN_USE);
	lock(g, F_OFD_SETLK, F_UNLCK, BYTE_MUTEX);
	return done;
}

static int restore(struct guardian *g)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	struct timespec pause = { .tv_nsec = 20000000 };
	int err;

	if (pmuctl_open(&options, &g->ctx))
		g->ctx = NULL;
	while (!try_to_restore(g, &err))
		nanosleep(&pause, NULL);
	return err;
}

/* Nobody writes there: when it can be read, this is the end of our ward. */
static void wait_for_end(struct guardian *g, int life)
{
	struct pollfd fds[] = {
		{ .fd = life, .events = POLLIN }, { .fd = g->inotify, .events = POLLIN },
	};

	while (poll(fds, 2, -1) < 0 || !fds[0].revents) {
		if (!fds[1].revents || lock(g, F_OFD_SETLKW, F_WRLCK, BYTE_MUTEX))
			continue;
		notice_others(g);
		lock(g, F_OFD_SETLK, F_UNLCK, BYTE_MUTEX);
	}
}

int guardian_main(int life, int report)
{
	struct guardian_report said = { .err = 0 };
	struct guardian g = { .sysctl = -1, .state = -1, .inotify = -1 };

	begin(&g, &said);
	/* Nobody reads it if our ward was killed already; then we restore at once. */
	if (write(report, &said, sizeof(said)) < 0 || said.err)
		return said.err || restore(&g) ? 1 : 0;
	wait_for_end(&g, life);
	return restore(&g) ? 1 : 0;
}
