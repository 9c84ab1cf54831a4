/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The library's functions, for programs that end where one fails; who includes it defines
 * _GNU_SOURCE first.
 */
#ifndef NEED_H
#define NEED_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmuctl.h>

/* ctx: of which the reason is; NULL: of none, and err is an errno. */
static inline void need(struct pmuctl *ctx, int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
		ctx ? pmuctl_error(ctx) : strerror(abs(err)));
	exit(1);
}

static inline struct pmuctl *opened(void)
{
	struct pmuctl *ctx;

	need(NULL, pmuctl_open(NULL, &ctx), "open");
	return ctx;
}

#endif
