/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame graph as an SVG file that brings its own script and needs nothing else.
 */
#ifndef PMUCTL_FLAME_H
#define PMUCTL_FLAME_H

#include "tools/samples/stacks.h"

/* event's samples of stacks by function; title: the file's name. -ENOMEM. */
int flame_svg(const struct stacks *s, uint32_t event, const char *title, FILE *out);

/* What two files have of a node that is in either: A, and B. */
struct flame_both {
	double share[2];	/* of all of each */
	uint64_t samples[2];
	double low, high;	/* an interval for the change of the share */
	const char *object;	/* that it is in; NULL: it is none's */
};

struct flame_pair {
	const char *event;
	const char *files[2];
	double level;		/* of the intervals */
	const struct flame_both *nodes;
};

/*
 * The flame graph of two files in one: trees merged to one, whose first node is the root, as wide
 * as the mean of both shares, and coloured by the change.  Of the stacks only nodes and frames
 * are looked at.  -ENOMEM.
 */
int flame_pair_svg(const struct stacks *merged, const struct flame_pair *pair, FILE *out);

struct flame_args {
	uint32_t event;		/* INDEX_NONE: the first that has samples */
	bool inlined;
	const struct filter_args *filter;
};

/* For a subcommand cmd: the flame graph of data into a file; complains, returns the exit code. */
int flame_write(const char *cmd, struct pmuctl *ctx, struct pmuctl_data *data,
		const struct flame_args *args, const char *title, const char *path);

#endif
