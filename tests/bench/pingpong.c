// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two tasks that wake each other through pipes, so that each byte is a context
 * switch: pingpong LABEL ROUNDS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static void answer(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
}

static int exchange(int to, int from, int rounds)
{
	char byte = 0;

	while (rounds && write(to, &byte, 1) == 1 && read(from, &byte, 1) == 1)
		rounds--;
	return rounds;
}

int main(int argc, char **argv)
{
	int ping[2], pong[2], rounds, left;

	if (argc != 3 || pipe(ping) || pipe(pong))
		return 2;
	rounds = atoi(argv[2]);
	if (!fork()) {
		close(ping[1]);
		answer(ping[0], pong[1]);
		return 0;
	}
	/* Before it counts, until both are warm. */
	left = exchange(ping[1], pong[0], 10);
	window_open(atoi(argv[1]));
	left += exchange(ping[1], pong[0], rounds);
	window_close(atoi(argv[1]), 2 * rounds);
	close(ping[1]);
	wait(NULL);
	return left ? 1 : 0;
}
