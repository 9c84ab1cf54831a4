// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elapsed TIMES COMMAND...: runs it so often, without its output, and says how many
 * seconds the fastest run took.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Returns its seconds; ends with it if it fails. */
static double run(char *argv[])
{
	double start = now();
	int status, null;
	pid_t pid = fork();

	if (!pid) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
		fprintf(stderr, "elapsed: %s failed\n", argv[0]);
		exit(1);
	}
	return now() - start;
}

int main(int argc, char *argv[])
{
	double best = 0, seconds;
	int times = argc > 2 ? atoi(argv[1]) : 0;

	if (times < 1) {
		fprintf(stderr, "usage: elapsed TIMES COMMAND...\n");
		return 2;
	}
	for (int i = 0; i < times; i++) {
		seconds = run(argv + 2);
		best = i && best < seconds ? best : seconds;
	}
	printf("%.4f\n", best);
	return 0;
}
