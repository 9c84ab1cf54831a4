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

#endif
