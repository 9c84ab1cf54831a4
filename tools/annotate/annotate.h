/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pmuctl annotate share.
 */
#ifndef PMUCTL_ANNOTATE_H
#define PMUCTL_ANNOTATE_H

#include "tools/base/base.h"
#include "tools/base/table.h"
#include "tools/samples/filter.h"
#include "tools/samples/inlines.h"
#include "tools/samples/missing.h"
#include "tools/samples/view_args.h"

/* How instructions are shown; all zero: all of them, as AT&T has them. */
struct listing {
	enum pmuctl_syntax syntax;
	double least;		/* percent of the symbol: instructions with less are not shown */
	bool arrows;
	/* Below it are sources, without so many directories of their names; or NULL. */
	const char *prefix;
	unsigned int strip;
};


struct count {
	uint64_t samples;
	uint64_t events;	/* sum of their periods */
	uint64_t timed;		/* of them those whose record says how long... */
	double cycles;		/* ...retirement stood still in front of them */
};

/* A place that samples name; its key is DSO and address. */
struct hit {
	struct table_entry key;
	uint64_t block;		/* key of its block, beside the DSO */
	struct count counts[];	/* an event each */
};

/* Of hits that no symbol has. */
#define NO_SYMBOL UINT64_MAX

/* A symbol that samples name, or what of a DSO has none; its key is DSO and start. */
struct block {
	struct table_entry key;
	char *name;		/* NULL: NO_SYMBOL */
	uint64_t size;
	struct hit **hits;	/* by address; part of annotation.hits */
	size_t hits_count;
	double share;		/* of that event of which it has most */
	struct count counts[];
};

struct annotation {
	const struct view_args *args;
	struct listing listing;
	struct pmuctl_data *data;
	const struct pmuctl_data_event *events;
	size_t events_count;
	struct table places, symbols;
	struct hit **hits;	/* all, by block and address */
	struct block **blocks;	/* hottest first, NULL behind the last */
	uint64_t *uncertain;	/* an event: samples that are not exact */
	struct count *totals;	/* an event: of what is there by CPU and time */
	/* By CPU: its records have the retire latency, which some kinds of cores lack; or NULL. */
	bool *timed;
	struct missing missing;
	struct inlines inlines;
	struct filter filter;
};

/* annotate/hits.c; 0 or a negative errno. */
int annotation_collect(struct annotation *a);
void annotation_free(struct annotation *a);
/* Whether samples of this event are shown. */
bool annotation_shows(const struct annotation *a, size_t event);

/* annotate/print.c */
void annotation_print(struct annotation *a, struct writer *w);

#endif
