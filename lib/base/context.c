// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The context: what everything else hangs on, and where errors are kept.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

/* "" says that there is none, whatever the environment has. */
static int take_events_dir(struct pmuctl *c, const char *dir)
{
	if (!dir)
		dir = secure_getenv("PMUCTL_EVENTS_DIR");
	if (!dir || !dir[0])
		return 0;
	c->events_dir = strdup(dir);
	return c->events_dir ? 0 : -ENOMEM;
}

int pmuctl_open(const struct pmuctl_options *options, struct pmuctl **ctx)
{
	struct pmuctl_options own = { .size = sizeof(own) };
	int err = options ? take_sized(NULL, &own, options, sizeof(own)) : 0;
	struct pmuctl *c;

	if (err || !ctx)
		return err ? err : -EINVAL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->log = own.log;
	c->log_data = own.log_data;
	c->alone = own.alone;
	err = take_events_dir(c, own.events_dir);
	if (err)
		pmuctl_close(c);
	else
		*ctx = c;
	return err;
}

void pmuctl_close(struct pmuctl *ctx)
{
	if (!ctx)
		return;
	kinds_close(ctx);
	talk_close(ctx);
	pfm_close(ctx);
	intel_close(ctx);
	metrics_intel_close(ctx);
	metrics_tma_close(ctx);
	free(ctx->events_dir);
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
