// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Standard output through a pager, as git and perf have it.
 *
 * Who quits the pager has seen enough: the next write gets SIGPIPE, and that is a good end.
 * ^C goes to the pager as well, which goes on; we write no more, and end when it does.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/pager.h"
#include "tools/base/writer.h"

#define NOT_STARTED "pmuctl: the pager could not be started; --no-pager does without\n"
#define WORDS_MAX 32
/* What only a shell understands. */
#define SHELL_SIGNS "|&;<>()$`\\\"'*?[]#~=%\n"

static struct {
	pid_t pid;		/* 0: there is none */
	int out, err;		/* standard output and error as they were; -1: it still is */
} pager = { .out = -1, .err = -1 };

bool pager_is_on(void)
{
	return pager.pid;
}

int terminal_of(int fd)
{
	if (fd == STDOUT_FILENO && pager.out >= 0)
		return pager.out;
	return fd == STDERR_FILENO && pager.err >= 0 ? pager.err : fd;
}

bool is_clever_terminal(int fd)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0 && isatty(terminal_of(fd));
}

/* ---- its end --------------------------------------------------------------------------------- */

/* Safe in a handler; handlers of signal() do not interrupt it. */
static int wait_status(void)
{
	int status;

	return waitpid(pager.pid, &status, 0) < 0 ? 0 : status;
}

/* Of a shell that did not find the program; likewise. */
static bool was_not_started(int status)
{
	return WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
}

static void put_back(void)
{
	dup2(pager.out, STDOUT_FILENO);
	if (pager.err >= 0)
		dup2(pager.err, STDERR_FILENO);
}

static void die_of(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_sigint(int sig)
{
	put_back();
	wait_status();
	die_of(sig);
}

/* The pipe may be another one. */
static void on_sigpipe(int sig)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (poll(&out, 1, 0) < 1 || !(out.revents & POLLERR)) {
		die_of(sig);
		return;
	}
	put_back();
	if (!was_not_started(wait_status()))
		_exit(EXIT_OK);
	if (write(STDERR_FILENO, NOT_STARTED, strlen(NOT_STARTED)) < 0)
		_exit(EXIT_FAILED);
	_exit(EXIT_FAILED);
}

int pager_finish(int code)
{
	int status;

	if (!pager.pid)
		return code;
	/* What was to be written is: the pager alone has to do with ^C now. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	put_back();
	close(pager.out);
	if (pager.err >= 0)
		close(pager.err);
	pager.out = pager.err = -1;
	status = wait_status();
	pager.pid = 0;
	if (!was_not_started(status))
		return code;
	fputs(NOT_STARTED, stderr);
	return EXIT_FAILED;
}

/* ---- its start ------------------------------------------------------------------------------- */

/* "": none. */
static const char *command_of_pager(void)
{
	static const char *const names[] = { "PMUCTL_PAGER", "PAGER" };
	const char *command;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		command = getenv(names[i]);
		if (command)
			return strcmp(command, "cat") ? command : "";
	}
	return "less";
}

/* text is the words' from now on; a shell gets it whole. */
static void split(char *text, char *words[WORDS_MAX + 1])
{
	char *rest = NULL;
	size_t n = 0;

	if (strpbrk(text, SHELL_SIGNS)) {
		words[n++] = (char *)(uintptr_t)"sh";
		words[n++] = (char *)(uintptr_t)"-c";
		words[n++] = text;
	} else {
		for (text = strtok_r(text, " \t", &rest); text && n < WORDS_MAX;
		     text = strtok_r(NULL, " \t", &rest))
			words[n++] = text;
	}
	words[n] = NULL;
}

/* Its signals are as they are of any program, whatever ours were when we were started. */
static int spawn(char *const *words, int from)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t usual;
	int err;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGQUIT);
	if (posix_spawn_file_actions_init(&actions))
		return ENOMEM;
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	err = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	if (!err)
		err = posix_spawnp(&pager.pid, words[0], &actions, &attr, words, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	if (err)
		pager.pid = 0;
	return err;
}

static void redirect(int to)
{
	if (isatty(STDERR_FILENO))
		pager.err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(to, STDOUT_FILENO);
	if (pager.err >= 0)
		dup2(to, STDERR_FILENO);
	if (signal(SIGINT, on_sigint) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, on_sigpipe);
}

/* The words' program reads what we write from now on, if it can be started. */
static void begin(char *const *words)
{
	int fds[2], own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (own >= 0 && !pipe2(fds, O_CLOEXEC)) {
		if (!spawn(words, fds[0])) {
			pager.out = own;
			redirect(fds[1]);
		}
		close(fds[0]);
		close(fds[1]);
	}
	if (!pager.pid)
		close(own);
}

void pager_start(const struct layout *layout)
{
	char *text, *words[WORDS_MAX + 1];

	if (pager.pid || layout->no_pager || !is_clever_terminal(STDOUT_FILENO))
		return;
	fflush(stdout);
	text = strdup(command_of_pager());
	if (!text)
		return;
	split(text, words);
	/* less ends behind what fits the screen, shows colours, and leaves the text there. */
	setenv("LESS", "FRX", 0);
	if (words[0])
		begin(words);
	free(text);
}
