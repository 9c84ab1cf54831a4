/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that Linux counts itself, by its own software: clocks, page faults, switches, and
 * tracepoints.  They need neither a counter of the processor nor the module.
 */
#ifndef PMUCTL_SOFTWARE_H
#define PMUCTL_SOFTWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/pmuctl.h"

struct events;
struct targets;

/* ---- software.c: what they are called ---------------------------------------------------- */

struct software_event {
	uint32_t type;		/* of perf_event_open() */
	uint64_t config;
	bool no_user, no_kernel;	/* what happens in that ring is not counted */
	bool clock;		/* its count is ns */
	const char *text;	/* what it is, one line */
	const char *remark;	/* on a count that it gives as it was asked for; NULL: none */
};

/* "NAME[:MODIFIERS]".  0; -ENOENT: it is none of them; -EINVAL, and what is wrong with it. */
int software_find(const char *text, struct software_event *event, char *why, size_t size);
/* "SYSTEM:NAME[:MODIFIERS]" likewise; of -ENOENT the reason, "" if it does not look like one. */
int software_find_tracepoint(const char *text, struct software_event *event, char *why,
			     size_t size);
/* The same below another directory than tracefs's events, for tests. */
int software_find_tracepoint_at(const char *tracefs, const char *text,
				struct software_event *event, char *why, size_t size);

typedef void software_fn(void *data, const char *name, const char *text);

/* Those with a name of their own that the pattern is a part of or, as a glob, matches. */
void software_list(const char *pattern, software_fn *fn, void *data);

/* ---- software_count.c: one counting ------------------------------------------------------- */

struct software;

struct software_options {
	const char *cmd;
	const struct targets *targets;
	pid_t child;		/* of a command */
	bool inherit;
	bool on_exec;		/* it starts there by itself */
	/* These are told apart, instead of those that the targets have; NULL: none are. */
	const pid_t *threads;
	size_t nr_threads;
};

/*
 * Makes the counters of those of the list that Linux counts; without any *sw is NULL, which all
 * of the following take.  Which the kernel refuses have why_not afterwards, and if it has no
 * such event at all they are Linux's no longer.  0, or the exit code after saying why.
 */
int software_open(const struct software_options *options, struct events *events,
		  struct software **sw);
void software_start(const struct software *sw);
void software_stop(const struct software *sw);
/*
 * Calls fn for each, with its place in the list as its number, summed over the targets or of
 * each CPU, thread or control group (several values, if there are several CPUs), whose number is
 * the value's cpu.  0, or -errno if one cannot be read.
 */
int software_read(const struct software *sw, bool each, pmuctl_value_fn *fn, void *data);
void software_close(struct software *sw);

#endif
