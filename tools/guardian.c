// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guardian of --nmi-watchdog=off: turns the watchdog off, and on again
 * when its ward has ended, however that came about.
 *
 * Several may be at work at the same time.  They share a file: its content is
 * the value from before the first of them, a lock on one of its bytes is held
 * by each as long as its ward counts, another by who looks or changes
 * something.  The last one restores.  Locks die with their owner, so a file
 * with a value that nobody holds is left from a guardian that was killed, and
 * what it should have restored is restored by the next.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../lib/pmuctl.h"
#include "watchdog.h"

static const char sysctl_path[] = "/proc/sys/kernel/nmi_watchdog";
static const char state_path[] = "/run/pmuctl-nmi-watchdog";

enum byte {
	BYTE_MUTEX,
	BYTE_IN_USE,
};

struct guardian {
	int sysctl, state;
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

static int write_digit(int fd, char digit)
{
	char text[] = { digit, '\n' };

	return pwrite(fd, text, sizeof(text), 0) == sizeof(text) ? 0 : errno;
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
	return 0;
}

/* With the mutex. */
static int turn_off(struct guardian *g, struct guardian_report *report)
{
	char now = read_digit(g->sysctl);
	int err = 0;

	if (!others_use_it(g) && (now != '0' || !read_digit(g->state)))
		err = write_digit(g->state, now);
	if (!err)
		err = lock(g, F_OFD_SETLKW, F_RDLCK, BYTE_IN_USE);
	if (err)
		return failed(report, state_path, err);
	if (now != '0')
		err = write_digit(g->sysctl, '0');
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
	char before = read_digit(g->state);
	int err = 0;

	if (before && before != '0' && read_digit(g->sysctl) == '0')
		err = write_digit(g->sysctl, before);
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

int guardian_main(int life, int report)
{
	struct guardian_report said = { .err = 0 };
	struct guardian g = { .sysctl = -1, .state = -1 };
	char byte;

	begin(&g, &said);
	/* Nobody reads it if our ward was killed already; then we restore at once. */
	if (write(report, &said, sizeof(said)) < 0 || said.err)
		return said.err || restore(&g) ? 1 : 0;
	/* Nobody writes there: this is the end of our ward. */
	while (read(life, &byte, 1) < 0 && errno == EINTR)
		;
	return restore(&g) ? 1 : 0;
}
