// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events that were parsed before: a Top-Down plan asks for some of them ten times, and libpfm4
 * looks each up from the beginning.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"

/* Whoever asks for more goes through a list of events, and asks once for each. */
#define KNOWN_MAX 512

/* Of tsearch(): events by their names. */
struct known_events {
	void *root;
	unsigned int count;
};

static int by_name(const void *a, const void *b)
{
	const struct pmuctl_event *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int copy_of(const struct pmuctl_event *from, struct pmuctl_event **event)
{
	struct pmuctl_event *e, own;
	int err = new_event(from->ctx, from->name, from->full_name, from->note, &e);

	if (err)
		return err;
	own = *e;
	*e = *from;
	e->name = own.name;
	e->full_name = own.full_name;
	e->note = own.note;
	e->info.name = e->name;
	e->info.full_name = e->full_name;
	e->info.note = e->note;
	e->info.registers = e->reg;
	*event = e;
	return 0;
}

/* NULL: there is none. */
static const struct pmuctl_event *find(const struct pmuctl *ctx, const char *text)
{
	const struct pmuctl_event key = { .name = (char *)(uintptr_t)text };
	void *const *found = ctx->known ? tfind(&key, &ctx->known->root, by_name) : NULL;

	return found ? *found : NULL;
}

bool is_known_event(const struct pmuctl *ctx, const char *text)
{
	return find(ctx, text);
}

bool known_event(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	const struct pmuctl_event *found = find(ctx, text);

	return found && !copy_of(found, event);
}

/* Without it all goes on more slowly, so that nothing here is an error. */
void known_add(struct pmuctl *ctx, const struct pmuctl_event *event)
{
	struct pmuctl_event *own;
	void *const *at;

	/* What runs beside it has addresses of its own, on a Pentium 4, where parsing is cheap. */
	if (!ctx->facts_known || event->info.upstreams_count)
		return;
	if (!ctx->known)
		ctx->known = calloc(1, sizeof(*ctx->known));
	if (!ctx->known || ctx->known->count == KNOWN_MAX || copy_of(event, &own))
		return;
	at = tsearch(own, &ctx->known->root, by_name);
	if (at && *at == own)
		ctx->known->count++;
	else
		pmuctl_event_free(own);
}

static void free_event(void *event)
{
	pmuctl_event_free(event);
}

void known_close(struct pmuctl *ctx)
{
	if (ctx->known)
		tdestroy(ctx->known->root, free_event);
	free(ctx->known);
	ctx->known = NULL;
}
