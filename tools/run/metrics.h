/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of a command line: what is made of several events.
 */
#ifndef PMUCTL_METRICS_H
#define PMUCTL_METRICS_H

#include <stdbool.h>
#include <stddef.h>

struct events;
struct option_list;
struct pmuctl;
struct pmuctl_metric;

/* One of -M. */
struct metric {
	char *name;
	struct pmuctl *ctx;		/* of the kind of core that it is of, or of all */
	int kind;			/* -1: all CPUs are alike */
	struct pmuctl_metric *metric;	/* NULL: this CPU cannot measure it */
	char *why_not;
	size_t *events;		/* which of all each of its events is */
};

struct metrics {
	const char *cmd;	/* the subcommand, for what is complained of */
	struct pmuctl *ctx;
	struct metric *list;
	size_t count;
};

/*
 * Adds those of all texts and groups of them, and their events to the events; cmd and ctx are
 * there.  tasks: of tasks, not of CPUs.  Returns 0, or the exit code.
 */
int metrics_add(struct metrics *metrics, const struct option_list *texts, bool tasks,
		struct events *events);
void metrics_free(struct metrics *metrics);

#endif
