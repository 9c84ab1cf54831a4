// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * heartbeat SECONDS MS: a tick every so many milliseconds, at moments fixed beforehand.
 * A tick that comes later than when the next was due is missed.  Prints: ticks missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NS 1000000000L

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS + t.tv_nsec;
}

static void wait_until(long when)
{
	struct timespec t = { .tv_sec = when / NS, .tv_nsec = when % NS };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

int main(int argc, char **argv)
{
	long step = argc > 2 ? atol(argv[2]) * 1000000L : 100000000L;
	long ticks = argc > 1 ? atol(argv[1]) * NS / step : 1;
	long start = now(), missed = 0;

	for (long tick = 1; tick <= ticks; tick++) {
		wait_until(start + tick * step);
		missed += now() >= start + (tick + 1) * step;
	}
	printf("%ld %ld\n", ticks, missed);
	return 0;
}
