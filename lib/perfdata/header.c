// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The header of perf.data: what kind of file it is, its events and their ids.
 */
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/perfdata/perfdata.h"

#define MAGIC		0x32454c4946524550ULL	/* "PERFILE2" */
#define MAGIC_OLD	0x454c494646524550ULL	/* "PERFFILE" */

#define FEATURE_DIRECTORY	24

/* A file has hundreds of them at most; an event is not worth more memory than the file. */
#define EVENTS_MAX 65536

struct file_header {
	uint64_t magic;
	uint64_t size;		/* of this; less: a pipe's */
	uint64_t attr_size;
	struct data_section attrs, data, event_types;
	uint64_t features[4];
};

static int check_magic(struct pmuctl_data *data, uint64_t magic)
{
	if (magic == MAGIC)
		return 0;
	if (magic == bswap_64(MAGIC))
		return data_refuse(data, "it is from a machine of the other endianness, whose "
				   "records perf alone turns: `perf script -i FILE` reads it");
	if (magic == MAGIC_OLD || magic == bswap_64(MAGIC_OLD))
		return data_refuse(data, "its format is PERFFILE, older than PERFILE2, of "
				   "which `perf script -i FILE` is the only reader left");
	return data_bad(data, 0, "it does not begin with PERFILE2: no perf.data file");
}

static int read_file_header(struct pmuctl_data *data, struct file_header *h)
{
	int err = data_pread(data, h, 2 * sizeof(uint64_t), 0);

	if (!err)
		err = check_magic(data, h->magic);
	if (err)
		return err;
	data->piped = h->size == 2 * sizeof(uint64_t);
	if (data->piped)
		return 0;
	if (h->size < sizeof(*h))
		return data_bad(data, 8, "its header's size is %llu", (unsigned long long)h->size);
	return data_pread(data, h, sizeof(*h), 0);
}

static bool feature(const struct file_header *h, unsigned int bit)
{
	return h->features[bit / 64] >> bit % 64 & 1;
}

static int check_features(struct pmuctl_data *data, const struct file_header *h)
{
	if (feature(h, FEATURE_DIRECTORY) && !data->directory)
		return data_refuse(data, "it is part of a directory: name that");
	return 0;
}

static bool has_features(const struct file_header *h)
{
	return h->features[0] || h->features[1] || h->features[2] || h->features[3];
}

/*
 * A section of a file that was cut is as long as the file is.  So it is where the
 * header has nothing to follow them, and more follows: that was written since.
 */
static int set_records(struct pmuctl_data *data, const struct file_header *h)
{
	uint64_t at = h->data.offset, size = h->data.size, left;

	if (at < sizeof(*h))
		return data_bad(data, 40, "its records begin within its header");
	data->features_at = at + size;
	if (at > data->file_size)
		at = data->file_size;
	left = data->file_size - at;
	data->closed = size && (has_features(h) || size >= left);
	if (!data->closed || size > left) {
		data->info.cut = true;
		size = left;
	}
	data->records = (struct data_section){ at, size };
	memcpy(data->features, h->features, sizeof(data->features));
	return 0;
}

/* perf of any age: what its attr lacks is 0, what we do not know is left alone. */
static int read_event(struct pmuctl_data *data, uint64_t offset, uint64_t size,
		      struct data_event *event)
{
	size_t attr = (size_t)size - sizeof(event->ids);
	int err;

	if (attr > sizeof(event->attr))
		attr = sizeof(event->attr);
	err = data_pread(data, &event->attr, attr, offset);
	if (err)
		return err;
	return data_pread(data, &event->ids, sizeof(event->ids),
			  offset + size - sizeof(event->ids));
}

static int count_events(struct pmuctl_data *data, const struct file_header *h)
{
	uint64_t size = h->attr_size;

	if (size < PERF_ATTR_SIZE_VER0 + sizeof(struct data_section) || size > 4096 || size % 8)
		return data_bad(data, 16, "an event's size is %llu", (unsigned long long)size);
	if (!h->attrs.size || h->attrs.size % size || h->attrs.size / size > EVENTS_MAX)
		return data_bad(data, 32, "its events take %llu bytes, %llu each",
				(unsigned long long)h->attrs.size, (unsigned long long)size);
	if (h->attrs.offset > data->file_size || h->attrs.size > data->file_size - h->attrs.offset)
		return data_bad(data, data->file_size, "the file ends before its events");
	data->events_count = (size_t)(h->attrs.size / size);
	return 0;
}

static int read_events(struct pmuctl_data *data, const struct file_header *h)
{
	size_t i;
	int err = count_events(data, h);

	if (err)
		return err;
	data->events = calloc(data->events_count, sizeof(*data->events));
	if (!data->events)
		return data_no_memory(data);
	for (i = 0; i < data->events_count && !err; i++)
		err = read_event(data, h->attrs.offset + i * h->attr_size, h->attr_size,
				 &data->events[i]);
	return err;
}

static int read_ids(struct pmuctl_data *data, uint32_t event)
{
	const struct data_section *s = &data->events[event].ids;
	uint64_t id, at, end;
	int err = 0;

	if (s->offset > data->file_size || s->size > data->file_size - s->offset)
		return data_bad(data, s->offset, "the file ends before the ids of event %u", event);
	end = s->offset + s->size / sizeof(id) * sizeof(id);
	for (at = s->offset; at < end && !err; at += sizeof(id)) {
		err = data_pread(data, &id, sizeof(id), at);
		if (!err && data_ids_add(&data->ids, id, event))
			err = data_no_memory(data);
	}
	return err;
}

/* Without an id in each sample nobody can tell several events apart. */
static int check_types(struct pmuctl_data *data)
{
	uint64_t first = data->events[0].attr.sample_type;
	size_t i;

	data->timed = true;
	for (i = 0; i < data->events_count; i++) {
		uint64_t type = data->events[i].attr.sample_type;

		if (type >= PERF_SAMPLE_MAX)
			return data_refuse(data, "its samples have parts newer than this program");
		if (!(type & PERF_SAMPLE_TIME))
			data->timed = false;
		if (i && !data_same_id_place(type, first))
			return data_bad(data, 0, "its events cannot be told apart");
	}
	return 0;
}

static void note_copies(struct pmuctl_data_info *info, const struct perf_event_attr *attr)
{
	const uint64_t copy = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	if ((attr->sample_type & copy) == copy)
		info->stack_copies = true;
}

static int describe(struct pmuctl_data *data)
{
	char name[64];
	size_t i;

	data->described = calloc(data->events_count + 1, sizeof(*data->described));
	if (!data->described)
		return data_no_memory(data);
	for (i = 0; i < data->events_count; i++) {
		const struct perf_event_attr *attr = &data->events[i].attr;

		data_name_event(attr, name, sizeof(name));
		data->described[i] = (struct pmuctl_data_event){
			.name = strings_add(&data->strings, name, sizeof(name)),
			.type = attr->type,
			.config = attr->config,
			.sample_type = attr->sample_type,
			.period = attr->freq ? 0 : attr->sample_period,
			.precise = attr->precise_ip,
		};
		if (!data->described[i].name)
			return data_no_memory(data);
		note_copies(&data->info, attr);
		data_lay_out(&data->events[i]);
	}
	data_find_id(data);
	data->info.events = data->described;
	data->info.events_count = data->events_count;
	return 0;
}

int data_describe_events(struct pmuctl_data *data)
{
	int err = check_types(data);

	return err ? err : describe(data);
}

int data_read_header(struct pmuctl_data *data)
{
	struct file_header h;
	uint32_t i;
	int err = read_file_header(data, &h);

	if (err || data->piped)
		return err;
	err = check_features(data, &h);
	if (!err)
		err = read_events(data, &h);
	if (!err)
		err = set_records(data, &h);
	for (i = 0; i < data->events_count && !err; i++)
		err = read_ids(data, i);
	return err ? err : data_describe_events(data);
}
