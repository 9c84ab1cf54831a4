/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a command line, in the order given.
 */
#ifndef PMUCTL_EVENTS_H
#define PMUCTL_EVENTS_H

#include "lib/pmuctl.h"

struct event {
	char *name;
	struct pmuctl_event *event;	/* NULL: known, but not on this CPU, or it is Linux's: */
	struct software_event *software;	/* NULL: Linux does not count it itself */
	char *why_not;
	unsigned int group;		/* 0: none; events of one follow each other */
	/* :S: the first of the group is sampled, and has the counts of those that are along. */
	bool leads, along;
	uint64_t after;		/* starts the next one at its event of that number; 0: not */
	bool started;			/* by the one before it */
	char *remark;			/* on that, for its line; NULL: none */
	uint64_t wanted;		/* how many of it there should be; 0: any number */
};

struct events {
	struct event *list;
	size_t count;
	unsigned int groups;
	bool software;		/* what Linux counts itself is taken, too */
	bool leaders;		/* and groups whose first event samples for the others (:S) */
};

struct option_use;

/* -e, into a struct option_list, if it is a list of events at all, whatever these are. */
int take_events(const struct option_use *use);
/*
 * text: events and groups with commas between them, "a,{b,c}:u,cpu/event=1,umask=2/".
 * 0, or the exit code.
 */
int events_add(struct pmuctl *ctx, const char *cmd, const char *text, struct events *events);
/* Adds those that are counted where nobody asked for any by name; returns 0, or the exit code. */
int events_add_usual(struct pmuctl *ctx, const char *cmd, struct events *events);
/* Adds the event if this CPU has it, else nothing; 0, or the exit code. */
int events_try(struct pmuctl *ctx, const char *cmd, const char *name, struct events *events);
/* Whether any of them needs a counter of the processor. */
bool events_need_session(const struct events *events);
/* The exit code, after saying so, if any of them is not supported. */
int events_unsupported(const struct events *events, const char *cmd);
/* Those that this CPU has, groups as groups; 0 or -errno. */
int events_into_session(const struct events *events, struct pmuctl_session *session);
/* Whether all of them are counted at the same time, if nobody else holds counters. */
bool events_fit(struct pmuctl *ctx, const struct events *events);
/* Takes those from this place on away again. */
void events_drop(struct events *events, size_t from);
void events_free(struct events *events);

/* event_text.c: "EVENT:upp" of a ring, as u, and of how precise it is, as pp; free it. */
char *event_in_ring(const char *event, const char *ring, const char *precise);

/* event_text.c: parts of what -e takes. */
struct event_part {
	const char *name;
	size_t len;
	const char *modifiers;		/* of the group, with their colon; "" if none */
	size_t modifiers_len;
	unsigned int group;		/* from 1; 0: none */
	bool leads;			/* its first event samples for all of it */
};

typedef int event_text_fn(void *data, const struct event_part *part);

/* What fn returns ends the walk if not 0.  On -EINVAL *why says what is wrong. */
int event_text_walk(const char *text, event_text_fn *fn, void *data, const char **why);

#endif
