// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --nmi-watchdog=off, as seen by the command: it starts the guardian, and at
 * its end waits until the watchdog is as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"
#include "watchdog.h"

/* Longer only if other sessions go on holding the PMU. */
#define PATIENCE_MS 2000

struct watchdog {
	pid_t guardian;
	int life;	/* our end of the pipe that it watches */
	int report;	/* closed by the guardian's end */
};

static void close_all_but(int a, int b)
{
	unsigned int low = (unsigned int)(a < b ? a : b), high = (unsigned int)(a < b ? b : a);

	if (low > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0u, 0);
}

/* A session of its own, no terminal, no signal but SIGKILL, nothing open of ours. */
static void become_guardian(int life, int report)
{
	sigset_t all;
	int null;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	null = open("/dev/null", O_RDWR);
	if (chdir("/") || null < 0)
		_exit(EXIT_FAILED);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close_all_but(life, report);
}

static int start_guardian(struct watchdog *w)
{
	int life[2], report[2];

	if (pipe2(life, O_CLOEXEC))
		return -errno;
	if (pipe2(report, O_CLOEXEC)) {
		close(life[0]);
		close(life[1]);
		return -errno;
	}
	w->guardian = fork();
	if (!w->guardian) {
		become_guardian(life[0], report[1]);
		_exit(guardian_main(life[0], report[1]));
	}
	close(life[0]);
	close(report[1]);
	w->life = life[1];
	w->report = report[0];
	return w->guardian < 0 ? -errno : 0;
}

static int complain_of(const char *cmd, const struct guardian_report *report)
{
	complain(cmd, 0, "--nmi-watchdog=off: %s: %s", report->what, strerror(report->err));
	if (report->err == EACCES || report->err == EPERM)
		fprintf(stderr, "only root may turn the NMI watchdog off: run pmuctl as root, or have "
				"root run `sysctl kernel.nmi_watchdog=0`\n");
	return EXIT_FAILED;
}

static int wait_until_off(const char *cmd, struct watchdog *w)
{
	struct guardian_report report = { .err = ECHILD, .what = "the guardian process ended" };
	ssize_t got;

	do
		got = read(w->report, &report, sizeof(report));
	while (got < 0 && errno == EINTR);
	return report.err ? complain_of(cmd, &report) : 0;
}

int watchdog_turn_off(const char *cmd, struct watchdog **off)
{
	struct watchdog *w = calloc(1, sizeof(*w));
	int err = w ? start_guardian(w) : -ENOMEM, code;

	code = err ? complain(cmd, EXIT_FAILED, "--nmi-watchdog=off: cannot start the guardian "
			      "process: %s", strerror(-err)) : wait_until_off(cmd, w);
	if (code)
		free(w);
	else
		*off = w;
	return code;
}

static bool ends_soon(const struct watchdog *w)
{
	struct pollfd fd = { .fd = w->report, .events = POLLIN };
	int got;

	do
		got = poll(&fd, 1, PATIENCE_MS);
	while (got < 0 && errno == EINTR);
	return got > 0;
}

void watchdog_restore(const char *cmd, struct watchdog *w)
{
	int status = 0;

	if (!w)
		return;
	close(w->life);
	if (!ends_soon(w))
		complain(cmd, 0, "warning: other sessions hold the PMU; process %d turns the NMI "
				 "watchdog on again when they end", (int)w->guardian);
	else if (waitpid(w->guardian, &status, 0) == w->guardian && status)
		complain(cmd, 0, "warning: the NMI watchdog could not be turned on again: "
				 "`sysctl kernel.nmi_watchdog=1` as root does it");
	close(w->report);
	free(w);
}
