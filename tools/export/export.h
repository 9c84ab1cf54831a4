/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats of other viewers: what `pmuctl export` writes.
 */
#ifndef PMUCTL_EXPORT_H
#define PMUCTL_EXPORT_H

#include <stdio.h>

#include "tools/samples/stacks.h"

struct export_options {
	const char *title;	/* the file's name */
	bool samples;		/* folded: how many samples, not events */
};

/*
 * All events of the stacks that have samples.  -ENOMEM, -EIO; what cannot be
 * written may also show in the stream alone.
 */
int export_folded(const struct stacks *s, const struct export_options *options, FILE *out);
int export_speedscope(const struct stacks *s, const struct export_options *options, FILE *out);
/* Stacks by address. */
int export_pprof(const struct stacks *s, const struct export_options *options, FILE *out);

#endif
