/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics as data: what each source of them has to say about one.
 */
#ifndef LIBPMUCTL_METRIC_H
#define LIBPMUCTL_METRIC_H

#include "lib/base/private.h"
#include "lib/base/text.h"
#include "lib/metric/formula.h"

/* What a name in a formula stands for, where it is no event's own. */
struct metric_alias {
	const char *alias;
	const char *meaning;	/* an event, or one of the constants of metric.c */
};

struct metric_def {
	const char *name;
	const char *text;
	const char *unit;	/* "percent": of 100; "" if it has none */
	const char *groups;	/* with semicolons between them */
	const char *formula;	/* NULL: there is none for this CPU, which */
	const char *needs;	/* lacks this, if anything is known; or NULL */
	struct metric_alias *aliases;	/* the last has none; NULL: there is none */
	const char *parent;	/* the metric that this is a part of; NULL: none */
	/* When it is worth a look, over metrics; NULL or "": nothing is known. */
	const char *threshold;
	struct metric_alias *threshold_aliases;	/* of metrics, by either name; as above */
	const char *legacy;	/* its other name, for thresholds alone; or NULL */
	enum pmuctl_source source;
};

/* What a name in a formula stands for. */
struct metric_meaning {
	enum { OF_EVENT, OF_NUMBER, OF_SECONDS } kind;
	size_t event;
	double number;		/* itself, or how many in a second */
};

struct pmuctl_metric {
	struct pmuctl *ctx;
	struct pmuctl_metric_info info;
	uint32_t *parts;
	struct formula *formula;
	struct metric_meaning *meanings;	/* by the formula's names */
	char **events;
	char *texts[5];			/* name, text, unit, groups and parent, of our own */
	char *written;			/* the formula, over events */
	struct formula *threshold;	/* NULL: there is none */
	char **threshold_metrics;	/* by its formula's names */
	char *threshold_written;	/* over metrics; "" */
};

typedef int metric_fn(void *data, const struct metric_def *def);

/* Each calls fn for its metrics until that returns something else than 0. */
int metrics_portable(struct pmuctl *ctx, metric_fn *fn, void *data);
int metrics_intel(struct pmuctl *ctx, metric_fn *fn, void *data);
/* metric/tma.c: of Top-Down's tables, but those that Intel's files have. */
int metrics_tma(struct pmuctl *ctx, metric_fn *fn, void *data);
/* Whether a file of Intel's has that metric. */
bool metrics_intel_has(const struct pmuctl *ctx, const char *name);
/* That has this for its other name; or NULL. */
const char *metrics_intel_named(const struct pmuctl *ctx, const char *legacy);

/* ring: ":u", ":k" or "".  -EOPNOTSUPP: not on this CPU, and the error says why. */
int metric_make(struct pmuctl *ctx, const struct metric_def *def, const char *ring,
		struct pmuctl_metric **metric);
/* -EOPNOTSUPP: only with CAP_PERFMON, and the error says which event of it. */
int metric_check_privilege(const struct pmuctl_metric *metric);
/* Its formula with numbers where its events were, for free(); NULL: no memory. */
char *metric_numbers(const struct pmuctl_metric *metric, const double *counts);
/* A formula's name, or a number in it, is to be written. */
typedef void metric_name_fn(void *data, const char *name, size_t len, struct text *to);
/* The formula with what fn writes, for free(); NULL: no memory. */
char *metric_write(const char *text, size_t len, metric_name_fn *fn, void *data);
/* metric/threshold.c: as it is written over metrics, for free(); NULL: no memory. */
char *metric_threshold_text(struct pmuctl *ctx, const struct metric_def *def);
int metric_take_threshold(struct pmuctl_metric *m, const struct metric_def *def);
void metric_free_threshold(struct pmuctl_metric *m);
/* metric/parts.c: which of its events can be counted at the same time. */
int metric_find_parts(struct pmuctl_metric *m);
/* metric/names.c: its formula's names, and the events among them. */
int metric_take_names(struct pmuctl_metric *m, const struct metric_def *def, const char *ring);
/* Whether it is known without an alias: time, or a number that a machine has. */
bool metric_is_constant(const char *name);
/* What it stands for in that list; NULL: nothing. */
const char *metric_alias(const struct metric_alias *aliases, const char *name, size_t len);
/* The event's index in the metric; its number of events if it is none. */
size_t metric_event(const struct pmuctl_metric *metric, const char *text);

#endif
