// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SIGINT and SIGTERM while counting.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/run/signals.h"

/* A handler can reach nothing else. */
static volatile sig_atomic_t seen, last;
static volatile pid_t child_pid;

static void on_signal(int signo, siginfo_t *info, void *context)
{
	(void)context;
	seen++;
	last = signo;
	/* The terminal's ^C went to the whole group already. */
	if (child_pid && info->si_code <= 0)
		kill(child_pid, signo);
}

void signals_catch(pid_t child)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_sigaction = on_signal;
	child_pid = child;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

void signals_catch_hangup(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO }, before;

	action.sa_sigaction = on_signal;
	if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}

void signals_forget_child(void)
{
	child_pid = 0;
}

int signals_seen(void)
{
	return seen;
}

void signals_die(void)
{
	fflush(NULL);
	signal(last, SIG_DFL);
	raise(last);
}
