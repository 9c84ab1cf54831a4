// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two tasks that wake each other through pipes, with a mark each four switches, so that
 * each way that the scheduler has through them shows by itself: rounds LABEL TIMES [FEATURES].
 * With FEATURES one of the two has these.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuctl.h>
#include <pmuctl-feature.h>

#include "window.h"

static int to, from;

static void answer(void)
{
	char byte;

	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
}

/* Four switches: there and back, twice. */
static int exchange(void)
{
	char byte = 0;
	int i;

	for (i = 0; i < 2; i++)
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			return 1;
	return 0;
}

/* Until we end. */
static void hold(const char *features)
{
	struct pmuctl_hold *held;
	struct pmuctl *ctx;

	if (!pmuctl_open(NULL, &ctx) && !pmuctl_hold_features_for(ctx, features, getpid(), &held))
		return;
	fprintf(stderr, "rounds: %s\n", ctx ? pmuctl_error(ctx) : "no context");
	exit(2);
}

int main(int argc, char **argv)
{
	int ping[2], pong[2], failed = 0, i, times;

	if (argc < 3 || pipe(ping) || pipe(pong))
		return 2;
	times = atoi(argv[2]);
	if (!fork()) {
		close(ping[1]);
		from = ping[0];
		to = pong[1];
		answer();
		return 0;
	}
	to = ping[1];
	from = pong[0];
	if (argc > 3)
		hold(argv[3]);
	/* Before it counts, until both are warm. */
	for (i = 0; i < 50; i++)
		failed |= exchange();
	usleep(WINDOW_SETTLE_US);
	for (i = 0; i <= times; i++) {
		pmubox_mark(atoi(argv[1]));
		failed |= exchange();
	}
	close(to);
	wait(NULL);
	return failed;
}
