// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps N sessions alive, each on a child of its own that sleeps, while a command
 * runs: sessions N EVENT COMMAND...; with "none" for EVENT only the children.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuctl.h>

static struct pmuctl *ctx;

static void need(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "sessions: %s: %s\n", what, pmuctl_error(ctx));
	exit(1);
}

static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void session_on(pid_t pid, const char *name)
{
	struct pmuctl_session *session;
	struct pmuctl_event *event;

	need(pmuctl_session_new(ctx, &session), "session");
	need(pmuctl_event_parse(ctx, name, &event), name);
	need(pmuctl_session_add_event(session, event), name);
	need(pmuctl_session_add_process(session, pid), "target");
	need(pmuctl_session_create(session, PMUCTL_INHERIT), "create");
	need(pmuctl_session_start(session), "start");
}

int main(int argc, char **argv)
{
	int i, status = -1;
	pid_t pid;

	if (argc < 4)
		return 2;
	need(pmuctl_open(NULL, &ctx), "open");
	for (i = 0; i < atoi(argv[1]); i++) {
		pid = sleeper();
		if (strcmp(argv[2], "none"))
			session_on(pid, argv[2]);
	}
	pid = fork();
	if (!pid) {
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return status ? 1 : 0;
}
