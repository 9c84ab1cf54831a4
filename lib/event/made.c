// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The memory of an event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"

int new_event(struct pmuctl *ctx, const char *name, const char *full_name, const char *note,
	      struct pmuctl_event **event)
{
	struct pmuctl_event *e = calloc(1, sizeof(*e));

	if (!e)
		return fail(ctx, -ENOMEM, "out of memory");
	e->name = strdup(name);
	e->full_name = strdup(full_name);
	e->note = strdup(note);
	if (!e->name || !e->full_name || !e->note) {
		pmuctl_event_free(e);
		return fail(ctx, -ENOMEM, "out of memory");
	}
	e->ctx = ctx;
	e->info.name = e->name;
	e->info.full_name = e->full_name;
	e->info.note = e->note;
	e->info.registers = e->reg;
	*event = e;
	return 0;
}

void pmuctl_event_free(struct pmuctl_event *event)
{
	size_t i;

	if (!event)
		return;
	for (i = 0; i < ARRAY_SIZE(event->of_kind); i++)
		pmuctl_event_free(event->of_kind[i]);
	free(event->name);
	free(event->full_name);
	free(event->note);
	free(event);
}
