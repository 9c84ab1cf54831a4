// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the text of an event to what the kernel is asked for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

struct event_source {
	enum pmuctl_source source;
	int (*encode)(struct pmuctl *ctx, const char *name, struct encoding *enc);
};

/* In this order; libpfm4 comes last because loading it costs most. */
static const struct event_source sources[] = {
	{ PMUCTL_SOURCE_PORTABLE, portable_encode },
	{ PMUCTL_SOURCE_RAW, raw_encode },
	{ PMUCTL_SOURCE_LIBPFM4, pfm_encode },
};

/* A source may have had more to say than that it does not know the name. */
static int unknown_event(struct pmuctl *ctx, const char *text)
{
	char why[sizeof(ctx->error)], near[256];

	snprintf(why, sizeof(why), "%s", ctx->error[0] ? ctx->error : "no such event");
	nearest_events(ctx, text, near, sizeof(near));
	if (near[0])
		return fail(ctx, -ENOENT, "%s; nearest: %s", why, near);
	return fail(ctx, -ENOENT, "%s; `pmuctl list` shows all", why);
}

static int encode(struct pmuctl *ctx, const char *text, struct encoding *enc,
		  enum pmuctl_source *source)
{
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		ctx->error[0] = '\0';
		err = sources[i].encode(ctx, text, enc);
		*source = sources[i].source;
		if (err != -ENOENT)
			return err;
	}
	return unknown_event(ctx, text);
}

static int make_event(struct pmuctl *ctx, const char *text, const struct encoding *enc,
		      struct pmuctl_event **event)
{
	struct pmuctl_event *e = calloc(1, sizeof(*e));

	if (!e)
		return fail(ctx, -ENOMEM, "out of memory");
	e->name = strdup(text);
	e->full_name = strdup(enc->full_name);
	if (!e->name || !e->full_name) {
		pmuctl_event_free(e);
		return fail(ctx, -ENOMEM, "out of memory");
	}
	e->reg.kind = PMUCTL_REGISTER_EVTSEL;
	e->reg.value = enc->evtsel;
	e->info.name = e->name;
	e->info.full_name = e->full_name;
	e->info.user = enc->user;
	e->info.kernel = enc->kernel;
	e->info.registers = &e->reg;
	e->info.registers_count = 1;
	*event = e;
	return 0;
}

int pmuctl_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	struct encoding enc = { .user = true, .kernel = true };
	enum pmuctl_source source;
	struct pmu_facts facts;
	uint64_t counters;
	int err;

	if (!text[0])
		return fail(ctx, -EINVAL, "the name is empty");
	err = facts_get(ctx, &facts);
	if (!err)
		err = encode(ctx, text, &enc, &source);
	if (err)
		return err;
	counters = allowed_counters(&facts, enc.evtsel);
	if (!counters)
		return fail(ctx, -EOPNOTSUPP, "no counter of this CPU can count it");
	err = make_event(ctx, text, &enc, event);
	if (err)
		return err;
	(*event)->info.source = source;
	(*event)->info.counters = counters;
	return 0;
}

void pmuctl_event_free(struct pmuctl_event *event)
{
	if (!event)
		return;
	free(event->name);
	free(event->full_name);
	free(event);
}

const struct pmuctl_event_info *pmuctl_event_info(const struct pmuctl_event *event)
{
	return &event->info;
}

int pmuctl_list_events(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	int err = portable_list(ctx, pattern, fn, data);

	return err ? err : pfm_list(ctx, pattern, fn, data);
}
