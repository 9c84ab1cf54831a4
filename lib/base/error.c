// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Why a call failed, in words, and what else there is to be said.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

const char *pmuctl_error(const struct pmuctl *ctx)
{
	return ctx->error;
}

int fail(struct pmuctl *ctx, int err, const char *fmt, ...)
{
	char text[sizeof(ctx->error)];
	va_list ap;

	/* By way of a copy: an argument may be the old error. */
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	memcpy(ctx->error, text, sizeof(text));
	return err;
}

void say(struct pmuctl *ctx, enum pmuctl_log_level level, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!ctx->log)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	ctx->log(ctx->log_data, level, text);
}
