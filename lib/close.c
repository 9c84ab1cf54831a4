// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The end of a context, and of all that it has opened.
 */
#include <stdlib.h>

#include "lib/base/private.h"

static void close_kinds(struct kinds *kinds)
{
	unsigned int i;

	for (i = 0; kinds && i < PMUCTL_KINDS_MAX; i++) {
		pmuctl_close(kinds->kind[i].ctx);
		free((uint32_t *)kinds->kind[i].cpus);
	}
	free(kinds);
}

void pmuctl_close(struct pmuctl *ctx)
{
	if (!ctx)
		return;
	if (ctx->owns_whole) {
		ctx->owns_whole = false;
		pmuctl_close(ctx->whole);
		return;
	}
	close_kinds(ctx->kinds);
	talk_close(ctx);
	known_close(ctx);
	pfm_close(ctx);
	intel_close(ctx);
	metrics_intel_close(ctx);
	metrics_tma_close(ctx);
	free(ctx->events_dir);
	free(ctx);
}
