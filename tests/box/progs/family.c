// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes processes whose parents are hard to tell: children that are killed before
 * they have run, grandchildren of a parent that is gone, two at once that are the
 * same, and a program without a path.
 *
 * family PROGRAM: PROGRAM is executed with the argument "true".
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t fork_or_die(void)
{
	pid_t pid = fork();

	if (pid >= 0)
		return pid;
	perror("fork");
	exit(1);
}

static void work(unsigned long n)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

static void reap(void)
{
	while (wait(NULL) > 0)
		;
}

static void kill_newborn(void)
{
	pid_t pid = fork_or_die();

	if (!pid) {
		work(100000000);
		_exit(0);
	}
	kill(pid, SIGKILL);
	reap();
}

static void grandchild(unsigned long n)
{
	char byte;
	int end[2];

	if (pipe(end))
		exit(1);
	if (!fork_or_die()) {
		if (!fork_or_die())
			work(n);
		_exit(0);
	}
	reap();
	close(end[1]);
	if (read(end[0], &byte, 1))	/* the end of the file: the grandchild's end */
		exit(1);
	close(end[0]);
}

static void run(char *program, int fd)
{
	char *argv[] = { program, "true", NULL };

	if (fork_or_die())
		return;
	if (fd >= 0)
		fexecve(fd, argv, environ);
	else
		execv(program, argv);
	_exit(127);
}

int main(int argc, char **argv)
{
	int fd, i;

	if (argc < 2)
		return 2;
	for (i = 0; i < 20; i++)
		kill_newborn();
	grandchild(100000);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 1;
	for (i = 0; i < 10; i++) {
		run(argv[1], -1);
		run(argv[1], fd);
	}
	reap();
	return 0;
}
