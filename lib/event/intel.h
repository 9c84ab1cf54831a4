/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Intel's files of events and metrics: which ones are for this CPU
 * (intel_files.c), and what is in them (intel_json.c, intel_events.c,
 * intel_metrics.c).
 */
#ifndef LIBPMUCTL_INTEL_H
#define LIBPMUCTL_INTEL_H

#include <jansson.h>

#include "lib/base/private.h"
#include "lib/metric/metric.h"

/* jansson's functions, loaded when the first file is read. */
struct jansson {
	__typeof__(&json_load_file) load_file;
	__typeof__(&json_delete) delete;
	__typeof__(&json_object_get) get;
	__typeof__(&json_array_get) at;
	__typeof__(&json_array_size) size;
	__typeof__(&json_string_value) string;
	__typeof__(&json_integer_value) integer;
};

struct intel_event {
	const char *name;	/* as all texts, of the file */
	const char *text;
	const char *errata;	/* or NULL */
	bool deprecated;
	uint64_t evtsel;	/* with a bit above 31: not countable here */
	uint64_t extra;		/* of the register beside it, 0: none */
	uint64_t counters;	/* mask, 0: fixed ones only */
};

enum intel_kind {
	INTEL_EVENTS,
	INTEL_METRICS,
};

/* What the files for this CPU have of one kind. */
struct intel {
	enum intel_kind kind;
	void *handle;		/* jansson, loaded when a file is read */
	struct jansson *jansson;
	/* Their texts are those of the events and metrics. */
	json_t **files;
	size_t nr_files;
	struct intel_event *events;
	struct metric_def *metrics;
	size_t count;		/* of the one or the other */
};

/*
 * path: a file or a directory; -EINVAL with file and line if it is broken.
 * Metrics may be none, events have to be there.
 */
int intel_load(struct pmuctl *ctx, struct intel *intel, const char *path);
void intel_unload(struct intel *intel);

/* Is no element, but what the field has. */
#define INTEL_NO_LIST SIZE_MAX

/* An object of a list in a file, or one within that. */
struct reading {
	struct pmuctl *ctx;
	struct intel *intel;
	const char *path;
	const struct reading *of;	/* what it is within; NULL: nothing */
	const char *in;		/* the field of that, or of the file, which has it */
	size_t index;		/* in the list there, from 0; or INTEL_NO_LIST */
	const char *as;		/* what errors call its fields; NULL: by their names */
	const char *name;	/* or NULL: not known yet */
	const json_t *object;
};

/* intel_json.c: files, and fields of objects.  Absent and null: what is there stays. */
int intel_read_file(struct pmuctl *ctx, struct intel *intel, const char *path);
__attribute__((format(printf, 3, 4)))
int intel_bad(const struct reading *r, const char *field, const char *fmt, ...);
int intel_text(const struct reading *r, const char *field, const char **text);
/* A number, or a text that is one; of several in a text the first, and "" is none. */
int intel_number(const struct reading *r, const char *field, uint64_t max, uint64_t *number);

/* Each takes one object of a list into the next place of its own, which is there. */
int intel_take_event(struct reading *r);
int intel_take_metric(struct reading *r);

/* intel_line.c: of a field of the object, or where that begins; 0: unknown. */
unsigned int intel_line(const struct reading *r, const char *field);

#endif
