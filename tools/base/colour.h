/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which figures are coloured on a terminal, and whether there are colours.
 */
#ifndef PMUCTL_COLOUR_H
#define PMUCTL_COLOUR_H

#include <stdbool.h>

/* --color */
enum colour_when {
	COLOUR_AUTO,
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

enum colour {
	COLOUR_NONE,
	COLOUR_RED,
	COLOUR_GREEN,
};

/* Percent of all there is, as perf has them: from here on a share is red, and green. */
#define SHARE_HOT 5.0
#define SHARE_WARM 0.5

/* Of a share in percent. */
enum colour colour_of_share(double percent);
/*
 * Whether what goes to this descriptor has colours: automatically on a terminal that is not
 * dumb, and unless NO_COLOR is set and not empty.
 */
bool colours_wanted(enum colour_when when, int fd);
/* What a terminal is sent in front of text of this colour, and behind it of any. */
const char *colour_begin(enum colour colour);
#define COLOUR_END "\033[0m"

#endif
