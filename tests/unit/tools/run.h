/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running the command as a whole against the kernel of paper: what the tests of
 * its subcommands share.
 */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"
#include "tests/unit/lib/golden.h"

#define ARGS_MAX 16

int pmuctl_main(int argc, char **argv);

static char out[65536], err[65536];

static void slurp(int fd, char *text, size_t size)
{
	ssize_t len;

	lseek(fd, 0, SEEK_SET);
	len = read(fd, text, size - 1);
	text[len < 0 ? 0 : len] = '\0';
	close(fd);
}

static int temporary(void)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	return fd;
}

/* What is started has no capability. */
static bool unprivileged;

static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	assert_int_equal(syscall(SYS_capset, &head, none), 0);
}

/* The command in a process of its own, whose output goes there. */
static pid_t start_to(int argc, char **argv, int output, int errors)
{
	pid_t pid = fork();

	if (!pid) {
		dup2(output, STDOUT_FILENO);
		dup2(errors, STDERR_FILENO);
		close_range(STDERR_FILENO + 1, ~0u, 0);
		/* A shell starts what is to run in the background with these ignored. */
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		if (unprivileged)
			drop_capabilities();
		exit(pmuctl_main(argc, argv));
	}
	return pid;
}

/* Into fds, which finish() reads. */
static pid_t start_argv(int argc, char **argv, int fds[2])
{
	fds[0] = temporary();
	fds[1] = temporary();
	return start_to(argc, argv, fds[0], fds[1]);
}

/* A command line without the command's name, of words between single blanks. */
struct words {
	char text[1024], *argv[ARGS_MAX + 1];
	int argc;
};

static void split(struct words *w, const char *line)
{
	char *rest = w->text;

	w->argc = 0;
	snprintf(w->text, sizeof(w->text), "pmuctl %s", line);
	while ((w->argv[w->argc] = strsep(&rest, " ")))
		w->argc += w->argc < ARGS_MAX;
}

static pid_t start(const char *line, int fds[2])
{
	struct words w;

	split(&w, line);
	return start_argv(w.argc, w.argv, fds);
}

static int exit_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The exit code as a shell has it; out and err have what was printed. */
static int finish(pid_t pid, int fds[2])
{
	int code = exit_of(pid);

	slurp(fds[0], out, sizeof(out));
	slurp(fds[1], err, sizeof(err));
	return code;
}

static __attribute__((unused)) int run(const char *line)
{
	int fds[2];
	pid_t pid = start(line, fds);

	return finish(pid, fds);
}

#define RUN_HAS(line, code, text)                                                        \
	do {                                                                             \
		int got_ = run(line);                                                    \
		if (got_ != (code) || !strstr(err, text))                                \
			print_message("%s: %d\n%s%s", line, got_, out, err);             \
		assert_int_equal(got_, code);                                            \
		assert_non_null(strstr(err, text));                                      \
	} while (0)

static int setup(void **state)
{
	size_t i;

	(void)state;
	unprivileged = false;
	fake_skylake();
	for (i = 0; i < sizeof(fake.counts) / sizeof(fake.counts[0]); i++) {
		fake.counts[i].value = 1000 * (i + 1);
		fake.counts[i].enabled = fake.counts[i].running = 5000;
	}
	return 0;
}

#endif
