// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event names of Intel's own files, where the caller has some.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/intel.h"

static int encode_name(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	const struct intel *intel = ctx->intel;
	const struct intel_event *e;

	for (e = intel->events; e < intel->events + intel->count; e++)
		if (same_event_name(e->name, name))
			break;
	if (e == intel->events + intel->count)
		return -ENOENT;
	enc->evtsel = e->evtsel;
	enc->extra_given = e->extra;
	enc->extra = e->extra;
	enc->counters = e->counters;
	snprintf(enc->full_name, sizeof(enc->full_name), "%s", e->name);
	snprintf(enc->note, sizeof(enc->note), "%s%s%s%s", e->errata ? "errata " : "",
		 e->errata ? e->errata : "", e->errata && e->deprecated ? "; " : "",
		 e->deprecated ? "deprecated by Intel" : "");
	return 0;
}

int intel_open(struct pmuctl *ctx)
{
	int err;

	if (ctx->intel || !ctx->events_dir)
		return 0;
	ctx->intel = calloc(1, sizeof(*ctx->intel));
	if (!ctx->intel)
		return fail(ctx, -ENOMEM, "out of memory");
	err = intel_load(ctx, ctx->intel, ctx->events_dir);
	if (err)
		intel_close(ctx);
	return err;
}

int intel_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	int err;

	if (!ctx->events_dir)
		return -ENOENT;
	err = intel_open(ctx);
	return err ? err : encode_with_umasks(ctx, t, encode_name, enc);
}

int intel_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_INTEL };
	size_t i;
	int err = 0;

	if (!ctx->events_dir)
		return 0;
	err = intel_open(ctx);
	for (i = 0; !err && i < ctx->intel->count; i++) {
		desc.name = ctx->intel->events[i].name;
		desc.text = ctx->intel->events[i].text;
		if (pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err;
}

void intel_close(struct pmuctl *ctx)
{
	if (ctx->intel)
		intel_unload(ctx->intel);
	free(ctx->intel);
	ctx->intel = NULL;
}
