/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module would have told the user, for a test to look at.
 */
#ifndef WHY_HOST_H
#define WHY_HOST_H

#include <stdarg.h>
#include <stdio.h>

static char said[512];

int pmuctl_why(const struct pmuctl_why *why, int err, const char *fmt, ...)
{
	va_list args;

	(void)why;
	va_start(args, fmt);
	vsnprintf(said, sizeof(said), fmt, args);
	va_end(args);
	return err;
}

#endif
