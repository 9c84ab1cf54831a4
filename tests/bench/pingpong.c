// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two tasks that wake each other through pipes, so that each byte is a context
 * switch; marks the truth around the exchange: pingpong LABEL ROUNDS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../box/guest/mark.h"

static void answer(int from, int to, int rounds)
{
	char byte;

	while (rounds-- && read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
}

int main(int argc, char **argv)
{
	int ping[2], pong[2];
	unsigned int label;
	int rounds;
	char byte = 0;

	if (argc != 3 || pipe(ping) || pipe(pong))
		return 2;
	label = atoi(argv[1]);
	rounds = atoi(argv[2]);
	if (!fork()) {
		answer(ping[0], pong[1], rounds + 1);
		return 0;
	}
	/* Once before it counts, when both exist and are warm. */
	if (write(ping[1], &byte, 1) != 1 || read(pong[0], &byte, 1) != 1)
		return 1;
	pmubox_mark(label);
	while (rounds-- && write(ping[1], &byte, 1) == 1 && read(pong[0], &byte, 1) == 1)
		;
	pmubox_mark(label + 1);
	wait(NULL);
	return rounds == -1 ? 0 : 1;
}
