// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perf.data into a pipe, where nothing can be filled in later: what the header of a file has
 * comes as records, events and the machine before all others, build-ids behind them.
 */
#include <errno.h>
#include <string.h>

#include "lib/code/perf_features.h"
#include "lib/record/rings.h"

struct pipe_header {
	char magic[8];
	uint64_t size;
};

static int put_attr(struct pmuctl_dump *d, const struct dump_event *e)
{
	const size_t size = sizeof(struct perf_event_header) + DUMP_ATTR_SIZE +
			    (1 + e->nr_ids) * sizeof(e->id);
	const struct perf_event_header h = { .type = RECORD_ATTR, .size = (uint16_t)size };

	if (size > UINT16_MAX)
		return fail(d->ctx, -E2BIG, "the ids of %zu descriptors have no room in a pipe's "
			    "record; record fewer threads, or into a file", e->nr_ids);
	return dump_append(&d->tasks, &h, sizeof(h)) ||
	       dump_append(&d->tasks, &e->attr, DUMP_ATTR_SIZE) ||
	       dump_append_ids(&d->tasks, e) ?
	       fail(d->ctx, -ENOMEM, "out of memory") : 0;
}

int dump_put_piped_beginning(struct pmuctl_dump *d)
{
	const struct pipe_header h = {
		{ 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' }, sizeof(h),
	};
	size_t i;
	int err = dump_append(&d->tasks, &h, sizeof(h));

	for (i = 0; !err && i < d->nr_events; i++)
		err = put_attr(d, &d->events[i]);
	return err;
}

int dump_begin_feature(struct dump_buffer *to, unsigned int bit, size_t *at)
{
	const struct {
		struct perf_event_header header;
		uint64_t bit;
	} r = { { .type = RECORD_FEATURE }, bit };

	*at = to->used;
	return dump_append(to, &r, sizeof(r));
}

/* A record has no room for the largest; readers do without. */
int dump_end_feature(struct dump_buffer *to, size_t at)
{
	static const char zeros[8];
	size_t size = to->used - at, padding = -size & 7;
	struct perf_event_header h;

	if (size + padding > UINT16_MAX) {
		to->used = at;
		return 0;
	}
	if (dump_append(to, zeros, padding))
		return -ENOMEM;
	memcpy(&h, to->bytes + at, sizeof(h));
	h.size = (uint16_t)(size + padding);
	memcpy(to->bytes + at, &h, sizeof(h));
	return 0;
}

/* What is known at the end alone. */
int dump_put_piped_end(struct pmuctl_dump *d)
{
	size_t at;
	int err = dump_files_put(d, &d->tasks);

	if (!err)
		err = dump_begin_feature(&d->tasks, FEATURE_VERSION, &at);
	if (!err)
		err = dump_put_version(d, &d->tasks);
	if (!err)
		err = dump_end_feature(&d->tasks, at);
	return err ? fail(d->ctx, -ENOMEM, "out of memory") : 0;
}
