// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a command TIMES times, one after the other: spawn LABEL TIMES COMMAND... */
#include <stdlib.h>

#include "quiet.h"
#include "window.h"

int main(int argc, char **argv)
{
	int times, i, bad;

	if (argc < 4)
		return 2;
	times = atoi(argv[2]);
	/* Once before it counts: its pages are in the page cache then. */
	bad = run_quietly(argv + 3);
	window_open(atoi(argv[1]));
	for (i = 0; i < times; i++)
		bad |= run_quietly(argv + 3);
	window_close(atoi(argv[1]), times);
	return bad ? 1 : 0;
}
