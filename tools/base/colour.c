// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which figures are coloured on a terminal, and whether there are colours.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/colour.h"
#include "tools/base/pager.h"

enum colour colour_of_share(double percent)
{
	if (percent >= SHARE_HOT)
		return COLOUR_RED;
	return percent >= SHARE_WARM ? COLOUR_GREEN : COLOUR_NONE;
}

bool colours_wanted(enum colour_when when, int fd)
{
	const char *none = getenv("NO_COLOR");

	if (when != COLOUR_AUTO)
		return when == COLOUR_ALWAYS;
	return !(none && *none) && is_clever_terminal(fd);
}

const char *colour_begin(enum colour colour)
{
	static const char *const begin[] = {
		[COLOUR_NONE] = "", [COLOUR_RED] = "\033[31m", [COLOUR_GREEN] = "\033[32m",
	};

	return begin[colour];
}
