// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts in bigger units, for who wants to see how much it is.
 */
#include <inttypes.h>
#include <stdio.h>

#include "tools/base/units.h"

/* Half is rounded up; count + by / 2 may be too much. */
static uint64_t divided(uint64_t count, uint64_t by)
{
	return count / by + (count % by >= by - by / 2);
}

void units_text(uint64_t count, char text[UNITS_TEXT])
{
	static const char units[] = "kMGTPE";
	uint64_t scale = 1000;
	const char *unit = units;

	if (count < 1000) {
		snprintf(text, UNITS_TEXT, "%" PRIu64, count);
		return;
	}
	/* What would be rounded to 1000 of one is 1 of the next. */
	while (unit[1] && divided(count, scale) >= 1000) {
		scale *= 1000;
		unit++;
	}
	if (divided(count, scale / 100) < 1000)
		snprintf(text, UNITS_TEXT, "%.2f %c", (double)divided(count, scale / 100) / 100, *unit);
	else if (divided(count, scale / 10) < 1000)
		snprintf(text, UNITS_TEXT, "%.1f %c", (double)divided(count, scale / 10) / 10, *unit);
	else
		snprintf(text, UNITS_TEXT, "%" PRIu64 " %c", divided(count, scale), *unit);
}
