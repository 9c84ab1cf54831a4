// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Following what a command starts, for pmuctl topdown --per-task: with ptrace() a new
 * task waits before its first instruction until it has a session of its own, so that
 * nothing of it is missed.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/topdown/run.h"

#define OPTIONS (PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | \
		 PTRACE_O_TRACEEXIT)

/* It may have been killed meanwhile, which wait() will tell. */
static void go_on(pid_t tid, int signal)
{
	ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal);
}

static bool stops_all(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* Of a new task, or of all threads by a signal like SIGSTOP: that is left as it is. */
static int stopped(struct topdown_run *r, pid_t tid, int signal)
{
	int code = 0;

	if (stops_all(signal)) {
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		return 0;
	}
	code = topdown_task_add(r, tid, false);
	go_on(tid, 0);
	return code;
}

static int take_stop(struct topdown_run *r, pid_t tid, int status)
{
	int code = 0;

	switch (status >> 16) {
	case 0:
		go_on(tid, WSTOPSIG(status));
		return 0;
	case PTRACE_EVENT_STOP:
		return stopped(r, tid, WSTOPSIG(status));
	case PTRACE_EVENT_EXIT:
		topdown_task_name(r, tid);
		break;
	default:
		break;
	}
	go_on(tid, 0);
	return code;
}

/* The command's own end is left for who waits for it; no more comes from the others then. */
static bool is_commands_end(const struct topdown_run *r, const siginfo_t *info)
{
	return info->si_pid == r->c.child.pid &&
	       (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
		info->si_code == CLD_DUMPED);
}

static int look(struct topdown_run *r)
{
	int status, code = 0;
	siginfo_t info;

	while (!code) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) ||
		    !info.si_pid || is_commands_end(r, &info))
			return 0;
		if (waitpid(info.si_pid, &status, WNOHANG | __WALL) != info.si_pid)
			continue;
		code = WIFSTOPPED(status) ? take_stop(r, info.si_pid, status) :
					    topdown_task_ended(r, info.si_pid);
	}
	return code;
}

static int ready(void *run)
{
	struct topdown_run *r = run;
	struct signalfd_siginfo info;

	/* One signal may stand for several: what there is to be seen is looked for. */
	if (read(r->c.fd, &info, sizeof(info)) < 0 && errno != EAGAIN)
		return complain(r->c.cmd, EXIT_FAILED, "cannot wait: %s", strerror(errno));
	return look(r);
}

static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(how, &set, NULL);
}

int topdown_follow_begin(struct topdown_run *r)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	if (ptrace(PTRACE_SEIZE, r->c.child.pid, NULL, (void *)(intptr_t)OPTIONS))
		return complain(r->c.cmd, EXIT_FAILED, "--per-task: cannot follow the command's "
				"tasks: ptrace: %s; without --per-task it can be counted",
				strerror(errno));
	block(SIG_BLOCK);
	r->c.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	r->c.ready = ready;
	if (r->c.fd > 0)
		return 0;
	r->c.fd = 0;
	return complain(r->c.cmd, EXIT_FAILED, "--per-task: signalfd: %s", strerror(errno));
}

/* Tasks that still run are let go when we end. */
void topdown_follow_end(struct topdown_run *r)
{
	if (!r->c.fd)
		return;
	close(r->c.fd);
	r->c.fd = 0;
	block(SIG_UNBLOCK);
}
