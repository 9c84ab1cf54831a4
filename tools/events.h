/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a command line, in the order given.
 */
#ifndef PMUCTL_EVENTS_H
#define PMUCTL_EVENTS_H

#include "../lib/pmuctl.h"

struct event {
	char *name;
	struct pmuctl_event *event;	/* NULL: known, but not on this CPU */
	char *why_not;
};

struct events {
	struct event *list;
	size_t count;
};

/* text: names with commas between them.  0, or the exit code. */
int events_add(struct pmuctl *ctx, const char *cmd, const char *text, struct events *events);
/* The exit code, after saying so, if any of them is not supported. */
int events_unsupported(const struct events *events, const char *cmd);
void events_free(struct events *events);

#endif
