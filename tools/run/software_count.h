/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting events of Linux's: beside a session, and where none of the events are the processor's
 * without one.
 */
#ifndef PMUCTL_SOFTWARE_COUNT_H
#define PMUCTL_SOFTWARE_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/pmuctl.h"

struct events;
struct targets;

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
