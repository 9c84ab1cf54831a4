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

#include "tools/base/base.h"
#include "tools/run/watchdog.h"

/* Longer only if other sessions go on holding the PMU. */
#define PATIENCE_MS 2000

/* What ends us if nobody catches it; SIGINT and SIGTERM are caught while there is counting. */
static const int deadly[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV,
	SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS,
};

/* A handler can reach nothing else; the command's process, before its exec, is another. */
static volatile pid_t ward;
static volatile int reports;

struct watchdog {
	pid_t guardian;
	int life;	/* our end of the pipe that it watches */
	int report;	/* closed by the guardian's end */
};

static int wait_for_guardian(int report)
{
	struct pollfd fd = { .fd = report, .events = POLLIN };
	int got;

	do
		got = poll(&fd, 1, PATIENCE_MS);
	while (got < 0 && errno == EINTR);
	return got;
}

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

/*
 * Whoever waits for our end finds the watchdog as it was: what is closed here tells the
 * guardian, and ends the sessions for it.
 */
static void die(int signo)
{
	if (getpid() == ward) {
		close_all_but(reports, reports);
		wait_for_guardian(reports);
	}
	signal(signo, SIG_DFL);
	raise(signo);
}

/* What is ignored (nohup) ends nobody. */
static void catch_deadly(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler }, before;
	size_t i;

	sigfillset(&action.sa_mask);
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		if (!sigaction(deadly[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(deadly[i], &action, NULL);
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
	int err, code;

	if (!w)
		return complain(cmd, EXIT_FAILED, "out of memory");
	err = start_guardian(w);
	code = err ? complain(cmd, EXIT_FAILED, "--nmi-watchdog=off: cannot start the guardian "
			      "process: %s", strerror(-err)) : wait_until_off(cmd, w);
	if (code) {
		free(w);
		return code;
	}
	ward = getpid();
	reports = w->report;
	catch_deadly(die);
	*off = w;
	return 0;
}

void watchdog_restore(const char *cmd, struct watchdog *w)
{
	int status = 0;

	if (!w)
		return;
	close(w->life);
	if (wait_for_guardian(w->report) <= 0)
		complain(cmd, 0, "warning: other sessions hold the PMU; process %d turns the NMI "
				 "watchdog on again when they end", (int)w->guardian);
	else if (waitpid(w->guardian, &status, 0) == w->guardian && status)
		complain(cmd, 0, "warning: the NMI watchdog could not be turned on again: "
				 "`sysctl kernel.nmi_watchdog=1` as root does it");
	ward = 0;
	close(w->report);
	free(w);
}
