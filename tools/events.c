// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of events as -e takes them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "tool.h"

static struct event *grow(struct events *events)
{
	struct event *grown = reallocarray(events->list, events->count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	events->list = grown;
	memset(&grown[events->count], 0, sizeof(*grown));
	return &grown[events->count++];
}

static int bad_event(struct pmuctl *ctx, const char *cmd, const char *name, int err)
{
	if (err == -ENOENT || err == -EINVAL)
		return complain(cmd, EXIT_USAGE, "event '%s': %s", name, pmuctl_error(ctx));
	complain(cmd, 0, "%s", pmuctl_error(ctx));
	diagnose(ctx, err, stderr);
	return EXIT_FAILED;
}

static int add(struct pmuctl *ctx, const char *cmd, char *name, struct events *events)
{
	struct event *e = grow(events);
	int err;

	if (!e)
		return complain(cmd, EXIT_FAILED, "out of memory");
	e->name = strdup(name);
	err = pmuctl_event_parse(ctx, name, &e->event);
	if (err == -EOPNOTSUPP)
		e->why_not = strdup(pmuctl_error(ctx));
	if (!e->name || (err == -EOPNOTSUPP && !e->why_not))
		return complain(cmd, EXIT_FAILED, "out of memory");
	return err && err != -EOPNOTSUPP ? bad_event(ctx, cmd, name, err) : 0;
}

int events_add(struct pmuctl *ctx, const char *cmd, const char *text, struct events *events)
{
	char *copy = strdup(text), *rest = copy, *name;
	int code = copy ? 0 : complain(cmd, EXIT_FAILED, "out of memory");

	while (!code && (name = strsep(&rest, ",")))
		code = add(ctx, cmd, name, events);
	free(copy);
	return code;
}

int events_unsupported(const struct events *events, const char *cmd)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		if (!events->list[i].event)
			return complain(cmd, EXIT_USAGE, "event '%s': %s", events->list[i].name,
				    events->list[i].why_not);
	return 0;
}

void events_free(struct events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++) {
		pmuctl_event_free(events->list[i].event);
		free(events->list[i].name);
		free(events->list[i].why_not);
	}
	free(events->list);
}
