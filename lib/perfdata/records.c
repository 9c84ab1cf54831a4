// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The records of a perf.data file, one after the other, through a buffer: a
 * mapping would count as memory of ours, and kill us when somebody cuts the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/code/perf_features.h"
#include "lib/perfdata/perfdata.h"

/*
 * A record is at most 64 KiB, and so is what is read at once: pieces of 128 KiB and more took three
 * times as long on the machine where it was measured, as the second cache has other things too.
 */
#define PIECE (64 * 1024)
#define BUFFER (2 * PIECE)

struct auxtrace_record {
	struct perf_event_header header;
	uint64_t size;		/* of what follows the record */
};

struct tracing_record {
	struct perf_event_header header;
	uint32_t size;		/* likewise, padded to words */
};

static void tell(const struct data_reader *r, uint64_t got)
{
	const struct data_where *where = &r->data->where;

	if (!where->reading || !r->parts)
		return;
	/* The others are as far, more or less; only the end is the end. */
	if (got < r->all && got * r->parts >= r->all)
		got = r->all - 1;
	else if (got < r->all)
		got *= r->parts;
	where->reading(where->reading_data, got, r->all);
}

static uint64_t size_of_all(const struct pmuctl_data *data)
{
	uint64_t size = data->records.size;
	size_t i;

	for (i = 0; i < data->parts_count; i++)
		size += data->parts[i].size;
	return size;
}

int data_reader_open(struct data_reader *reader, struct pmuctl_data *data)
{
	*reader = (struct data_reader){
		.data = data,
		.fd = data->fd,
		.offset = data->records.offset,
		.left = data->records.size,
		.all = size_of_all(data),
		.parts = 1,
	};
	reader->buffer = malloc(BUFFER);
	return reader->buffer ? 0 : data_no_memory(data);
}

/* The first of them is where all begins. */
static uint64_t split_at(const struct pmuctl_data *data, size_t number, size_t count)
{
	size_t i = number * (data->splits_count + 1) / count;

	if (number == count)
		return data->records.offset + data->records.size;
	return i ? data->splits[i - 1] : data->records.offset;
}

void data_reader_limit(struct data_reader *r, size_t number, size_t count)
{
	r->offset = split_at(r->data, number, count);
	r->left = split_at(r->data, number + 1, count) - r->offset;
	r->parts = number ? 0 : (unsigned int)count;
}

void data_note_split(struct pmuctl_data *data, uint64_t at)
{
	uint64_t apart = data->records.size / (DATA_SPLITS + 1) + 1;

	/* The first record begins the first part anyway. */
	if (data->next_split && data->splits_count < DATA_SPLITS)
		data->splits[data->splits_count++] = at;
	data->next_split = at + apart;
}

bool data_can_split(const struct pmuctl_data *data)
{
	return !data->parts_count && !data->packed && !data->info.trace_bytes && !data->values;
}

void data_reader_close(struct data_reader *reader)
{
	tell(reader, reader->all);
	data_unpack_end(reader);
	free(reader->buffer);
	reader->buffer = NULL;
}

/* What is left moves to the front, so that records stay aligned. */
static void fill(struct data_reader *r)
{
	size_t have = r->filled - r->used;
	size_t want = PIECE;
	ssize_t got;

	memmove(r->buffer, r->buffer + r->used, have);
	r->offset += r->used;
	r->used = 0;
	r->filled = have;
	/* The end is told at the end: what is in the buffer is not given yet. */
	if (r->left)
		tell(r, r->taken);
	if (want > BUFFER - have)
		want = BUFFER - have;
	if (want > r->left)
		want = (size_t)r->left;
	while (want) {
		got = pread(r->fd, r->buffer + r->filled, want,
			    (off_t)(r->offset + r->filled));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		r->filled += (size_t)got;
		r->left -= (size_t)got;
		r->taken += (size_t)got;
		want -= (size_t)got;
	}
	/* The file became shorter, or cannot be read: this is its end. */
	if (want)
		r->left = 0;
}

static bool have(struct data_reader *r, size_t size)
{
	if (r->filled - r->used < size && r->left)
		fill(r);
	return r->filled - r->used >= size;
}

/* False: there are not that many. */
static bool skip(struct data_reader *r, uint64_t bytes)
{
	size_t buffered = r->filled - r->used;

	if (bytes <= buffered) {
		r->used += (size_t)bytes;
		return true;
	}
	bytes -= buffered;
	r->offset += r->filled + (bytes < r->left ? bytes : r->left);
	r->taken += bytes < r->left ? bytes : r->left;
	r->used = 0;
	r->filled = 0;
	if (bytes > r->left) {
		r->left = 0;
		return false;
	}
	r->left -= bytes;
	return true;
}

/* An end that cuts a record is no error: what is whole was given. */
static int end(struct data_reader *r)
{
	r->data->info.cut = true;
	return 0;
}

/* These perf makes of any length; what follows is moved into place. */
static size_t alignment(uint32_t type)
{
	switch (type) {
	case RECORD_COMPRESSED:
	case RECORD_FEATURE:
	case RECORD_TRACING_DATA:
	case RECORD_BUILD_ID:	/* of `perf inject -b` */
		return 1;
	default:
		return 8;
	}
}

static int check_size(struct data_reader *r, const struct perf_event_header *record)
{
	/* A file that was never closed may end with room that nothing was written to. */
	if (!r->data->closed && !record->type && !record->size)
		return end(r);
	if (record->size < sizeof(*record) || record->size % alignment(record->type))
		return data_bad(r->data, r->at, "a record of type %u has a size of %u bytes",
				record->type, record->size);
	return 1;
}

/* Of no use without its decoder. */
static int skip_trace(struct data_reader *r, const struct auxtrace_record *aux)
{
	if (aux->header.size < sizeof(*aux) || aux->size % 8)
		return data_bad(r->data, r->at, "a malformed AUXTRACE record");
	r->data->info.trace_bytes += aux->size;
	return skip(r, aux->size) ? 2 : end(r);
}

/* Formats of tracepoints. */
static int skip_formats(struct data_reader *r, const struct tracing_record *t)
{
	if (t->header.size < sizeof(*t))
		return data_bad(r->data, r->at, "a malformed TRACING_DATA record");
	return skip(r, ((uint64_t)t->size + 7) & ~7ull) ? 2 : end(r);
}

/* 1: to be given; 2: to be passed over, with what follows it. */
static int take_own(struct data_reader *r, const struct perf_event_header *record)
{
	int err;

	switch (record->type) {
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
		err = data_unpack(r, record);
		return err ? err : 2;
	case RECORD_AUXTRACE:
		return skip_trace(r, (const void *)record);
	case RECORD_TRACING_DATA:
		return skip_formats(r, (const void *)record);
	default:
		return 1;
	}
}

/* The next one of the file itself. */
static int next_in_file(struct data_reader *r, const struct perf_event_header **record)
{
	const struct perf_event_header *next;
	int ret;

	if (r->used % 8)
		fill(r);
	if (!have(r, sizeof(*next)))
		return r->filled == r->used ? 0 : end(r);
	r->at = data_reader_place(r);
	next = (const void *)(r->buffer + r->used);
	ret = check_size(r, next);
	if (ret <= 0)
		return ret;
	if (!have(r, next->size))
		return end(r);
	next = (const void *)(r->buffer + r->used);
	r->used += next->size;
	*record = next;
	return take_own(r, next);
}

/* False: there is none.  Each part is a stream of its own. */
static bool next_part(struct data_reader *r)
{
	const struct data_part *part;

	if (data_unpack_left(r))
		end(r);
	if (r->part == r->data->parts_count)
		return false;
	part = &r->data->parts[r->part++];
	r->before += r->offset + r->filled + r->left;
	r->fd = part->fd;
	r->offset = r->used = r->filled = 0;
	r->left = part->size;
	data_unpack_end(r);
	return true;
}

/* Nearly every record is the kernel's, and all of it is in the buffer; else false. */
static bool is_ready(struct data_reader *r, const struct perf_event_header **record)
{
	const struct perf_event_header *next = (const void *)(r->buffer + r->used);
	size_t there = r->filled - r->used;

	if (r->unpacking || r->used % 8 || there < sizeof(*next) || next->type >= RECORD_USER ||
	    next->size < sizeof(*next) || next->size % 8 || next->size > there)
		return false;
	r->at = data_reader_place(r);
	r->used += next->size;
	*record = next;
	return true;
}

int data_reader_next(struct data_reader *r, const struct perf_event_header **record)
{
	int ret;

	if (is_ready(r, record))
		return 1;
	do {
		r->at = data_reader_place(r);
		ret = data_unpacked_next(r, record);
		if (!ret)
			ret = next_in_file(r, record);
	} while (ret == 2 || (!ret && next_part(r)));
	return ret;
}

void data_run_begin(struct data_run *run, const struct data_reader *r)
{
	run->at = run->end = NULL;
	if (r->unpacking || r->used % 8)
		return;
	run->at = (const void *)(r->buffer + r->used);
	run->end = run->at + (r->filled - r->used) / 8;
}

void data_run_end(const struct data_run *run, struct data_reader *r)
{
	if (run->at)
		r->used = (size_t)((const uint8_t *)run->at - r->buffer);
}

bool data_run_turn(struct data_run *run, uint64_t id)
{
	int64_t event = run->data->id_at ? data_ids_find(&run->data->ids, id) : 0;

	run->layout = NULL;
	if (event < 0 || !run->data->events[event].whole)
		return false;
	run->layout = &run->data->events[event];
	run->event = (uint32_t)event;
	run->id = id;
	return true;
}

int data_each_record(struct pmuctl_data *data, data_record_fn *fn, void *fn_data)
{
	const struct perf_event_header *record;
	struct data_reader reader;
	int ret = data_values_begin(data);

	if (!ret)
		ret = data_reader_open(&reader, data);
	if (ret)
		return ret;
	data->info.trace_bytes = 0;
	while ((ret = data_reader_next(&reader, &record)) > 0) {
		ret = fn(fn_data, &reader, record);
		if (ret)
			break;
	}
	data_set_place(data, UINT64_MAX);
	data_reader_close(&reader);
	return ret;
}
