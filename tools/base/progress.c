// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How far it is, for who waits in front of a terminal.
 */
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/pager.h"
#include "tools/base/progress.h"

/* In seconds: what takes less is not worth a line; between two lines. */
#define PATIENCE 1.0
#define REST 0.1

static struct {
	bool asked, wanted;	/* whether there is a terminal, and that there is one */
	double began, shown;
	bool visible;
} progress;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void begin(double time)
{
	progress.asked = true;
	progress.wanted = is_clever_terminal(STDERR_FILENO);
	progress.began = time;
}

/* A line that is wrapped could not be written over. */
static int columns(void)
{
	struct winsize size;

	if (ioctl(terminal_of(STDERR_FILENO), TIOCGWINSZ, &size) || !size.ws_col)
		return 79;
	return size.ws_col - 1;
}

void progress_show(const char *cmd, const char *what, const char *unit, double done, double all)
{
	char line[256];
	double time;

	if (progress.asked && !progress.wanted)
		return;
	time = now();
	if (!progress.asked)
		begin(time);
	if (!progress.wanted || pager_is_on() || time < progress.began + PATIENCE ||
	    time < progress.shown + REST)
		return;
	if (all > 0)
		snprintf(line, sizeof(line), "pmuctl %s: %s %.0f of %.0f %s", cmd, what, done, all,
			 unit);
	else
		snprintf(line, sizeof(line), "pmuctl %s: %s", cmd, what);
	fprintf(stderr, "\r%.*s\033[K", columns(), line);
	fflush(stderr);
	progress.visible = true;
	progress.shown = time;
}

void progress_end(void)
{
	if (!progress.visible)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress.visible = false;
}

void progress_stop(void)
{
	progress_end();
	progress.asked = true;
	progress.wanted = false;
}
