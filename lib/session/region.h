/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions of a program, as threads count them and the table shows them.
 */
#ifndef LIBPMUCTL_SESSION_REGION_H
#define LIBPMUCTL_SESSION_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/pmuctl-region.h"

struct region {
	char name[PMUCTL_REGION_NAME_MAX + 1];
	uint64_t times;
	uint64_t inner;		/* regions that ended within it */
	unsigned int open;	/* begun, and not ended */
	uint64_t sum[PMUCTL_REGION_EVENTS_MAX];
};

/* What an empty region counts, and what it adds to one around it. */
struct region_cost {
	uint64_t inside[PMUCTL_REGION_EVENTS_MAX];
	uint64_t whole[PMUCTL_REGION_EVENTS_MAX];
};

/* What the environment asks for, once. */
struct region_wish {
	bool asked;
	bool subtract;
	int signal;		/* 0: none */
	const char *file;	/* NULL: stderr */
	size_t events;
	const char *name[PMUCTL_REGION_EVENTS_MAX];
	const char *error;	/* NULL, or why nothing is counted */
};

/* region_table.c: all of it in one write. */
void region_table_write(const struct region_wish *wish, const struct region *region, size_t count,
			const char *why, const char *error);

#endif
