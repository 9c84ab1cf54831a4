// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a command once in a window, whose units are how many samples it makes:
 * sampled LABEL SAMPLES COMMAND...
 */
#include <stdlib.h>

#include "quiet.h"
#include "window.h"

int main(int argc, char **argv)
{
	int bad;

	if (argc < 4)
		return 2;
	window_open(atoi(argv[1]));
	bad = run_quietly(argv + 3);
	window_close(atoi(argv[1]), strtoul(argv[2], NULL, 10));
	return bad ? 1 : 0;
}
