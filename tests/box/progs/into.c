// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * into FOLDER PROGRAM [ARGUMENT...]: runs the program as a child that is made in the control group
 * of that folder, where nobody moves it to (CLONE_INTO_CGROUP); its exit code.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
	int folder, status;
	long pid;

	if (argc < 3)
		errx(2, "into FOLDER PROGRAM [ARGUMENT...]");
	folder = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		err(2, "%s", argv[1]);
	args.cgroup = (uint64_t)folder;
	pid = syscall(SYS_clone3, &args, sizeof(args));
	if (pid < 0)
		err(2, "clone3");
	if (!pid) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (waitpid((pid_t)pid, &status, 0) < 0)
		err(2, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
