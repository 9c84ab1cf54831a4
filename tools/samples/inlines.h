/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --inline: functions that were inlined are frames of their own.
 */
#ifndef PMUCTL_INLINES_H
#define PMUCTL_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/options.h"

struct pmuctl_data;
struct pmuctl_inlined;
struct pmuctl_place;

/* Places that were asked for; all zero: off. */
struct inlines {
	bool on;
	uint64_t asked, told;	/* of so many debugging information says what is inlined */
};

/* Behind a name, as in perf. */
#define INLINED " (inlined)"

/* A row of it; the command's structure has a bool `inlined`. */
#define OPTION_INLINE(type)								\
	{ 0, "inline", NULL, take_flag, offsetof(type, inlined),			\
	  .help = "functions that were inlined are frames, too" }

/* How many were inlined there, innermost first; they stay as long as the data. */
size_t inlines_at(struct inlines *inlines, struct pmuctl_data *data,
		  const struct pmuctl_place *place, const struct pmuctl_inlined **inlined);
/*
 * The line of one frame of those `count` (0: the innermost, count: the function itself): it is
 * that of the instruction, and in what something was inlined into that of the call.
 */
void inlines_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		  const struct pmuctl_inlined *inlined, size_t frame, const char **file,
		  unsigned int *line);
/* One line on standard error, if there was debugging information for none. */
void inlines_complain(const char *cmd, const struct inlines *inlines);

#endif
