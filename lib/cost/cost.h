/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables of costs: a row for each kind of event, and for each generation what it is counted by.
 */
#ifndef LIBPMUCTL_COST_TABLES_H
#define LIBPMUCTL_COST_TABLES_H

#include "lib/base/private.h"

/* A Pentium 4 is no generation of family 6. */
#define GEN_P4 GENERATIONS
/* Lunar Lake's Skymont, whose last level is the second: what is said of it goes before the rest. */
#define GEN_SKT_ALONE (GENERATIONS + 1)

enum cost_flag {
	COST_COVERS	= 1 << 0,
	COST_BEHIND	= 1 << 1,
	COST_WATCHED	= 1 << 2,
};

struct cost_class {
	const char *name, *text;
	const char *node, *small_node;	/* in the trees of big and of small cores; NULL: none */
	uint32_t flags;		/* enum cost_flag */
};

/* Of these generations; the first row of a class that holds is meant. */
struct cost_event {
	uint8_t first, last;	/* enum generation, or GEN_P4 */
	const char *name;	/* of the class */
	const char *event;	/* NULL: it is another one's there */
};

struct cost_figure {
	uint8_t first, last;
	const char *name;
	double cycles;
	const char *source;
};

struct cost_duration {
	uint8_t first, last;
	const char *name;
	const char *duration, *periods;
	const char *meaning;
};

/* Why there is no duration. */
struct cost_reason {
	uint8_t first, last;
	const char *name;
	const char *reason;
};

struct cost_tag {
	uint8_t first, last;
	const char *name;
	const char *tag, *otherwise, *against;
};

struct cost_width {
	uint8_t first, last;
	uint32_t width;
	uint32_t load;		/* from the manual's parameters of caches; 0: not known */
	const char *event;
};

#define COST_TABLE(type, name)							\
	extern const struct type name[];					\
	extern const size_t name##_count

/* tables.c */
COST_TABLE(cost_class, cost_classes);
COST_TABLE(cost_event, cost_events);
COST_TABLE(cost_figure, cost_figures);
COST_TABLE(cost_duration, cost_durations);
COST_TABLE(cost_reason, cost_reasons);
COST_TABLE(cost_tag, cost_tags);
COST_TABLE(cost_width, cost_widths);

#endif
