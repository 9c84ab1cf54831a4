// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --nmi-watchdog=off, as seen by the command: it starts the guardian, and at
 * its end waits until the watchdog is as it was.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/keeper.h"
#include "tools/run/watchdog.h"

/* What ends us if nobody catches it; SIGINT and SIGTERM are caught while there is counting. */
static const int deadly[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV,
	SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS,
};

/* A handler can reach nothing else; the command's process, before its exec, is another. */
static volatile pid_t ward;
static volatile int reports;

struct watchdog {
	struct keeper guardian;
};

/*
 * Whoever waits for our end finds the watchdog as it was: what is closed here tells the
 * guardian, and ends the sessions for it.
 */
static void die(int signo)
{
	if (getpid() == ward) {
		close_all_but(reports, reports);
		keeper_wait(reports);
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

static int guard(int life, int report, void *data)
{
	(void)data;
	return guardian_main(life, report);
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
	struct guardian_report report = { .err = 0 };

	if (keeper_report(&w->guardian, &report, sizeof(report)))
		report = (struct guardian_report){
			.err = ECHILD, .what = "the guardian process ended",
		};
	return report.err ? complain_of(cmd, &report) : 0;
}

int watchdog_turn_off(const char *cmd, struct watchdog **off)
{
	struct watchdog *w = calloc(1, sizeof(*w));
	int err, code;

	if (!w)
		return complain(cmd, EXIT_FAILED, "out of memory");
	err = keeper_start(&w->guardian, guard, NULL);
	code = err ? complain(cmd, EXIT_FAILED, "--nmi-watchdog=off: cannot start the guardian "
			      "process: %s", strerror(-err)) : wait_until_off(cmd, w);
	if (code) {
		free(w);
		return code;
	}
	ward = getpid();
	reports = w->guardian.report;
	catch_deadly(die);
	*off = w;
	return 0;
}

void watchdog_restore(const char *cmd, struct watchdog *w)
{
	int status;

	if (!w)
		return;
	status = keeper_end(&w->guardian);
	if (status < 0)
		complain(cmd, 0, "warning: other sessions hold the PMU; process %d turns the NMI "
				 "watchdog on again when they end", (int)w->guardian.pid);
	else if (status)
		complain(cmd, 0, "warning: the NMI watchdog could not be turned on again: "
				 "`sysctl kernel.nmi_watchdog=1` as root does it");
	ward = 0;
	free(w);
}
