/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of pmuctl stat tell each other.
 */
#ifndef PMUCTL_STAT_H
#define PMUCTL_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "events.h"
#include "writer.h"

enum target {
	TARGET_COMMAND,
	TARGET_ALL_CPUS,
	TARGET_CPUS,
	TARGET_PROCESSES,
	TARGET_THREADS,
};

struct stat_args {
	enum target target;
	const char *target_text;	/* as it was given: "0,2-3" */
	unsigned int *cpus;
	size_t nr_cpus;
	pid_t *pids;			/* processes or threads */
	size_t nr_pids;
	bool no_inherit;
	bool all_cpus;			/* -a, which -C overrides */

	bool events_given;
	const char **event_texts;	/* of every -e */
	size_t nr_event_texts;

	enum format format;
	const char *separator;
	const char *output;		/* NULL: stderr */

	char **command;			/* NULL: none */
};

/* 0, or the exit code. */
int stat_args_parse(struct stat_args *args, int argc, char **argv);
void stat_args_free(struct stat_args *args);

/* What became of one event. */
struct stat_count {
	const struct event *event;
	const char *why_not;	/* not NULL: no count, and this is why */
	bool supported;
	uint64_t value;		/* scaled if it did not run all the time */
	uint64_t enabled;
	uint64_t running;
	uint32_t flags;		/* enum pmuctl_value_flag */
};

struct stat_result {
	const struct stat_args *args;
	struct stat_count *counts;
	size_t count;
	double elapsed;		/* seconds */
	bool has_usage;		/* a command ran: */
	double user, system;
};

void stat_print(FILE *out, struct writer *w, const struct stat_result *result);

/* How many of these masks, from the first, can have a counter each. */
bool counters_fit(const uint64_t *masks, size_t count, uint64_t available);

#endif
