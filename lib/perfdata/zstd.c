// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Records that perf record -z compressed: one stream over all of a file, cut into records
 * where it suited perf.  libzstd is loaded when the first of them comes.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "lib/base/library.h"
#include "lib/base/private.h"
#include "lib/code/perf_features.h"
#include "lib/perfdata/perfdata.h"

#define SONAME "libzstd.so.1"
/* A record is at most 64 KiB. */
#define ROOM (256 * 1024)

static struct {
	__typeof__(&ZSTD_createDStream) create;
	__typeof__(&ZSTD_freeDStream) free;
	__typeof__(&ZSTD_decompressStream) decompress;
	__typeof__(&ZSTD_isError) is_error;
	__typeof__(&ZSTD_getErrorName) error_name;
	bool usable;
} lib;

static void load(void)
{
	static const struct library_function functions[] = {
		{ "ZSTD_createDStream", &lib.create },
		{ "ZSTD_freeDStream", &lib.free },
		{ "ZSTD_decompressStream", &lib.decompress },
		{ "ZSTD_isError", &lib.is_error },
		{ "ZSTD_getErrorName", &lib.error_name },
	};

	lib.usable = library_load(SONAME, functions, ARRAY_SIZE(functions));
}

struct unpacking {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;	/* of the record that was given last */
	bool full;		/* the stream may hold more than there was room for */
	size_t used, filled;
	_Alignas(8) uint8_t bytes[ROOM];
};

static int begin(struct data_reader *r)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (!lib.usable)
		return data_refuse(r->data, "its records are compressed, and " SONAME " cannot be "
				   "loaded: install libzstd1, or unpack them by `perf inject -i "
				   "FILE -o NEW`");
	r->data->packed = true;
	r->unpacking = calloc(1, sizeof(*r->unpacking));
	if (!r->unpacking)
		return data_no_memory(r->data);
	r->unpacking->stream = lib.create();
	return r->unpacking->stream ? 0 : data_no_memory(r->data);
}

void data_unpack_end(struct data_reader *r)
{
	if (r->unpacking)
		lib.free(r->unpacking->stream);
	free(r->unpacking);
	r->unpacking = NULL;
}

int data_unpack(struct data_reader *r, const struct perf_event_header *record)
{
	uint64_t size = record->size - sizeof(*record);
	const uint8_t *from = (const uint8_t *)(record + 1);
	int err = r->unpacking ? 0 : begin(r);

	if (err || !r->unpacking)
		return err;
	if (record->type == RECORD_COMPRESSED2) {
		if (size < sizeof(size))
			return data_bad(r->data, r->at, "a malformed COMPRESSED2 record");
		memcpy(&size, from, sizeof(size));
		from += sizeof(size);
		if (size > record->size - sizeof(*record) - sizeof(size))
			return data_bad(r->data, r->at, "a malformed COMPRESSED2 record");
	}
	r->unpacking->in = (ZSTD_inBuffer){ from, (size_t)size, 0 };
	return 0;
}

/* What is left moves to the front, so that records stay aligned. */
static int fill(struct data_reader *r)
{
	struct unpacking *u = r->unpacking;
	ZSTD_outBuffer out = { u->bytes, ROOM, u->filled - u->used };
	size_t ret;

	memmove(u->bytes, u->bytes + u->used, out.pos);
	u->used = 0;
	ret = lib.decompress(u->stream, &out, &u->in);
	u->filled = out.pos;
	u->full = out.pos == ROOM;
	if (lib.is_error(ret))
		return data_bad(r->data, r->at, "its compressed records are damaged: %s",
				lib.error_name(ret));
	return 0;
}

static bool is_whole(const struct unpacking *u)
{
	const struct perf_event_header *next = (const void *)(u->bytes + u->used);
	size_t have = u->filled - u->used;

	return have >= sizeof(*next) && have >= next->size;
}

bool data_unpack_left(const struct data_reader *r)
{
	return r->unpacking && r->unpacking->filled != r->unpacking->used;
}

int data_unpacked_next(struct data_reader *r, const struct perf_event_header **record)
{
	struct unpacking *u = r->unpacking;
	const struct perf_event_header *next;
	int err = 0;

	while (u && !is_whole(u) && !err && (u->full || u->in.pos < u->in.size))
		err = fill(r);
	if (!u || err || !is_whole(u))
		return err;
	next = (const void *)(u->bytes + u->used);
	if (next->size < sizeof(*next) || next->size % 8 || next->type == RECORD_COMPRESSED ||
	    next->type == RECORD_COMPRESSED2 || next->type == RECORD_AUXTRACE)
		return data_bad(r->data, r->at, "a compressed record of type %u has a size of %u "
				"bytes", next->type, next->size);
	u->used += next->size;
	r->before += next->size;
	*record = next;
	return 1;
}
