// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of the test box: runs one command after the other, hands the
 * output of each, its status, wanted files and the kernel's log to the host, and
 * shuts down.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"
#include "files.h"
#include "mark.h"
#include "setup.h"
#include "tidy.h"

#define CONTROL "/.box/"

/* Marks around a command, with its number in the lower half; the host knows them, too. */
#define MARK_BEGIN 0xb0c50000u
#define MARK_END 0xb0c60000u

struct command {
	pid_t pid;
	int status;
	int out, err; /* what it writes comes from here */
};

static int kmsg = -1;
static int children = -1; /* signalfd */

static int asked_for(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The host wants a box whose output is its console: see run --print-qemu. */
static int plain(void)
{
	return asked_for(CONTROL "plain");
}

/* The host wants to tell the truth of one command from that of the others. */
static void mark(uint32_t label)
{
	if (asked_for(CONTROL "marks"))
		pmubox_mark(label);
}

static void __attribute__((noreturn)) become(char **argv)
{
	sigset_t none;
	int err, null = open("/dev/null", O_RDONLY);

	channel_close();
	dup2(null, STDIN_FILENO);
	close(null);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	if (chdir("/root"))
		perror("/root");
	execvp(argv[0], argv);
	err = errno;
	fprintf(stderr, "tests/box/run: cannot run '%s' in the guest: %s\n", argv[0],
		strerror(err));
	_exit(err == ENOENT ? 127 : 126);
}

static void start(struct command *cmd, char **argv)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 };

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		channel_problem("pipe: %s", strerror(errno));
	cmd->pid = fork();
	if (cmd->pid == 0) {
		if (!plain()) {
			dup2(out[1], STDOUT_FILENO);
			dup2(err[1], STDERR_FILENO);
		}
		become(argv);
	}
	close(out[1]);
	close(err[1]);
	cmd->out = out[0];
	cmd->err = err[0];
	fcntl(cmd->out, F_SETFL, O_NONBLOCK);
	fcntl(cmd->err, F_SETFL, O_NONBLOCK);
}

/* Returns whether the command itself is among those that ended. */
static int reap(struct command *cmd)
{
	struct signalfd_siginfo info;
	int status, ended = 0;
	pid_t pid;

	while (read(children, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == cmd->pid) {
			cmd->status = status;
			ended = 1;
		}
	}
	return ended;
}

static void attend(struct command *cmd)
{
	struct pollfd fds[] = {
		{ .fd = cmd->out, .events = POLLIN },
		{ .fd = cmd->err, .events = POLLIN },
		{ .fd = kmsg, .events = POLLIN },
		{ .fd = children, .events = POLLIN },
	};
	int ended = 0;

	while (!ended) {
		if (poll(fds, 4, -1) < 0)
			continue;
		/* Before the pipes are read, so that the last words are not missed. */
		ended = fds[3].revents && reap(cmd);
		if ((fds[0].revents || ended) && !channel_forward(FRAME_STDOUT, cmd->out))
			fds[0].fd = -1;
		if ((fds[1].revents || ended) && !channel_forward(FRAME_STDERR, cmd->err))
			fds[1].fd = -1;
		if (fds[2].revents)
			channel_forward(FRAME_KMSG, kmsg);
	}
	channel_send(FRAME_STATUS, &cmd->status, sizeof(cmd->status));
}

/* What the host said of a command: its "argv", and the paths that it wants to "get". */
static char **wanted(uint32_t number, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), CONTROL "%u/%s", number, what);
	return setup_strings(path);
}

static void send_files(char **path)
{
	if (chdir("/root"))
		perror("/root");
	for (uint32_t i = 0; path && path[i]; i++)
		files_send(i, path[i]);
}

static void send_taint(void)
{
	int fd = open("/proc/sys/kernel/tainted", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		channel_problem("/proc/sys/kernel/tainted: %s", strerror(errno));
	else
		channel_forward(FRAME_TAINT, fd);
}

static void __attribute__((noreturn)) shut_down(void)
{
	sync();
	/* QEMU runs with -no-reboot, so this ends it. */
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}

static void watch_children(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void set_environment(void)
{
	clearenv();
	/* /usr/sbin is a link to /usr/bin here; programs go by their usual names. */
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin", 1);
	setenv("HOME", "/root", 1);
	setenv("USER", "root", 1);
	setenv("LANG", "C.UTF-8", 1);
	setenv("TERM", "dumb", 1);
	umask(022);
}

static void run(char **argv)
{
	struct command cmd = { 0 };

	if (asked_for(CONTROL "slots"))
		pmubox_slots(1);
	start(&cmd, argv);
	attend(&cmd);
	pmubox_slots(0);
	if (plain())
		printf("command ended with wait status 0x%x\n", cmd.status);
}

/* The next one finds module, processes and files as this one did. */
static void clear_up(void)
{
	setup_unload();
	setup_find_leaks();
	send_taint();
	channel_forward(FRAME_KMSG, kmsg);
	tidy_up();
}

static void run_alone(uint32_t number, char **argv)
{
	channel_send(FRAME_BEGIN, &number, sizeof(number));
	setup_modules(CONTROL "modules");
	/* The log up to here now, so that sending it does not disturb the command. */
	channel_forward(FRAME_KMSG, kmsg);
	mark(MARK_BEGIN | number);
	run(argv);
	setup_end_processes();
	mark(MARK_END | number);
	send_files(wanted(number, "get"));
	clear_up();
	channel_send(FRAME_DONE, NULL, 0);
}

int main(void)
{
	char **argv;

	setup_mounts();
	set_environment();
	if (!plain())
		channel_open();
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	tidy_remember();
	watch_children();
	for (uint32_t i = 0; (argv = wanted(i, "argv")) && argv[0]; i++)
		run_alone(i, argv);
	channel_send(FRAME_END, NULL, 0);
	shut_down();
}
