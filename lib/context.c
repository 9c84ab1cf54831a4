// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The context: what everything else hangs on, and where errors are kept.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kmod/uapi/pmuctl.h"
#include "private.h"

int pmuctl_open(const struct pmuctl_options *options, struct pmuctl **ctx)
{
	struct pmuctl *c;

	if (options && options->size < sizeof(options->size))
		return -EINVAL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	if (options && options->size >= sizeof(*options)) {
		c->log = options->log;
		c->log_data = options->log_data;
	}
	*ctx = c;
	return 0;
}

void pmuctl_close(struct pmuctl *ctx)
{
	if (!ctx)
		return;
	talk_close(ctx);
	pfm_close(ctx);
	free(ctx);
}

const char *pmuctl_error(const struct pmuctl *ctx)
{
	return ctx->error;
}

uint32_t pmuctl_abi(void)
{
	return PMUCTL_ABI;
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

int copy_sized(struct pmuctl *ctx, void *to, const void *from, size_t size)
{
	size_t have;

	memcpy(&have, to, sizeof(have));
	if (have < sizeof(have))
		return fail(ctx, -EINVAL, "a structure's size is not set; set .size to its sizeof");
	memset(to, 0, have);
	memcpy(to, from, have < size ? have : size);
	memcpy(to, &have, sizeof(have));
	return 0;
}
