/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame graph as an SVG file that brings its own script and needs nothing else.
 */
#ifndef PMUCTL_FLAME_H
#define PMUCTL_FLAME_H

#include "tools/samples/stacks.h"

/* event's samples of stacks by function; title: the file's name. -ENOMEM. */
int flame_svg(const struct stacks *s, uint32_t event, const char *title, FILE *out);

/*
 * For a subcommand cmd: the flame graph of data's event (INDEX_NONE: the first that
 * has samples) into a file; complains and returns the exit code.
 */
int flame_write(const char *cmd, struct pmuctl *ctx, struct pmuctl_data *data, uint32_t event,
		bool inlined, const char *title, const char *path);

#endif
