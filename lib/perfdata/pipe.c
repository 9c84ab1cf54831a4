// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perf.data as it is written to a pipe (perf record -o -): what the header of a file has
 * comes in records, since nobody can go back to fill it in.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "lib/code/perf_features.h"
#include "lib/perfdata/perfdata.h"

/* ---- the events --------------------------------------------------------------------------- */

/* Magic and size. */
#define HEADER 16
#define EVENTS_MAX 65536

struct piped {
	struct pmuctl_data *data;
	size_t room;
};

static int take_attr(struct piped *p, const struct data_reader *reader,
		     const struct perf_event_header *record)
{
	const struct perf_event_attr *attr = (const void *)(record + 1);
	struct pmuctl_data *data = p->data;
	size_t size = record->size - sizeof(*record), own;
	struct data_event *more;

	if (size < PERF_ATTR_SIZE_VER0 || attr->size < PERF_ATTR_SIZE_VER0 || attr->size > size ||
	    attr->size % 8 || data->events_count == EVENTS_MAX)
		return data_bad(data, reader->at, "a malformed HEADER_ATTR record");
	more = data_grow(data->events, &p->room, data->events_count, sizeof(*more));
	if (!more)
		return data_no_memory(data);
	data->events = more;
	more += data->events_count++;
	*more = (struct data_event){ .ids = { 0, 0 } };
	own = attr->size < sizeof(*attr) ? attr->size : sizeof(*attr);
	memcpy(&more->attr, attr, own);
	for (own = attr->size; own < size; own += sizeof(uint64_t)) {
		uint64_t id;

		memcpy(&id, (const uint8_t *)attr + own, sizeof(id));
		if (data_ids_add(&data->ids, id, (uint32_t)data->events_count - 1))
			return data_no_memory(data);
	}
	return 0;
}

/* All of them come before the first sample; 1 ends the walk. */
static int take_record(void *fn_data, struct data_reader *reader,
		       const struct perf_event_header *record)
{
	if (record->type == RECORD_ATTR)
		return take_attr(fn_data, reader, record);
	return record->type == PERF_RECORD_SAMPLE;
}

int data_read_piped_header(struct pmuctl_data *data)
{
	struct piped p = { .data = data };
	int err;

	data->closed = true;
	data->records = (struct data_section){ HEADER, data->file_size - HEADER };
	err = data_each_record(data, take_record, &p);
	if (err < 0)
		return err;
	if (!data->events_count)
		return data_bad(data, HEADER, "it was written to a pipe and has no events");
	return data_describe_events(data);
}

/* ---- what cannot be read twice ------------------------------------------------------------ */

const char *data_spool_dir(void)
{
	const char *dir = secure_getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* Until whoever writes it is done; one without a writer yet waits for it. */
static int copy(int from, int to)
{
	struct pollfd wait = { .fd = from, .events = POLLIN };
	uint8_t bytes[65536];
	ssize_t got;
	int err = 0;

	while (!err) {
		if (poll(&wait, 1, -1) < 0 && errno != EINTR)
			return -errno;
		got = read(from, bytes, sizeof(bytes));
		if (!got)
			break;
		if (got > 0)
			err = write_whole(to, bytes, (size_t)got);
		else if (errno != EINTR && errno != EAGAIN)
			err = -errno;
	}
	return err;
}

int data_spool(int fd)
{
	int to = open(data_spool_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), err;

	if (to < 0)
		return -errno;
	err = copy(fd, to);
	if (!err)
		return to;
	close(to);
	return err;
}
