// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The beginning of a perf.data file: its header, its events and their names.
 *
 * The header has no features until the file is closed, and says from time to time
 * how many bytes of records are there: so perf reads what a killed recorder leaves.
 * It never says all of them, so that whoever reads the file can tell.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/code/perf_features.h"
#include "lib/record/rings.h"

/* Seconds. */
#define SAY_EVERY 1

/* What a PERF_RECORD_EVENT_UPDATE brings, perf's own. */
#define UPDATE_NAME		2

struct section {
	uint64_t at, size;
};

struct file_header {
	char magic[8];
	uint64_t size;
	uint64_t attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct file_attr {
	unsigned char attr[DUMP_ATTR_SIZE];
	struct section ids;
};

/* Each has its own and others, one behind the other. */
static size_t size_of_ids(const struct dump_event *e)
{
	return (1 + e->nr_ids) * sizeof(uint64_t);
}

static struct file_header make_header(const struct pmuctl_dump *d)
{
	struct file_header h = {
		.magic = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' },
		.size = sizeof(h),
		.attr_size = sizeof(struct file_attr),
	};
	size_t i;

	h.attrs.at = sizeof(h);
	for (i = 0; i < d->nr_events; i++)
		h.attrs.at += size_of_ids(&d->events[i]);
	h.attrs.size = d->nr_events * sizeof(struct file_attr);
	h.data.at = h.attrs.at + h.attrs.size;
	return h;
}

static int put_ids(struct pmuctl_dump *d)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < d->nr_events; i++)
		err = dump_append_ids(&d->tasks, &d->events[i]);
	return err;
}

static int put_attrs(struct pmuctl_dump *d)
{
	struct file_attr a = { .ids.at = sizeof(struct file_header) };
	size_t i;
	int err = 0;

	for (i = 0; !err && i < d->nr_events; i++) {
		memcpy(a.attr, &d->events[i].attr, sizeof(a.attr));
		a.ids.size = size_of_ids(&d->events[i]);
		err = dump_append(&d->tasks, &a, sizeof(a));
		a.ids.at += a.ids.size;
	}
	return err;
}

/* What is known of them once the file is closed comes too late if it never is. */
static int put_name(struct pmuctl_dump *d, const struct dump_event *e)
{
	struct {
		struct perf_event_header header;
		uint64_t what, id;
	} update = {
		.header = { .type = RECORD_EVENT_UPDATE },
		.what = UPDATE_NAME,
		.id = e->id,
	};
	size_t len = strlen(e->name), room = (len / 8 + 1) * 8;
	char *text;

	if (room > UINT16_MAX - sizeof(update))
		return 0;
	update.header.size = (uint16_t)(sizeof(update) + room);
	if (dump_append(&d->tasks, &update, sizeof(update)))
		return -ENOMEM;
	text = dump_room(&d->tasks, room);
	if (!text)
		return -ENOMEM;
	memset(text, 0, room);
	memcpy(text, e->name, len);
	return 0;
}

static int put_names(struct pmuctl_dump *d)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < d->nr_events; i++)
		err = put_name(d, &d->events[i]);
	return err;
}

int dump_write_beginning(struct pmuctl_dump *d)
{
	struct file_header h = make_header(d);
	int err;

	d->data_at = h.data.at;
	if (d->piped) {
		err = dump_put_piped_beginning(d);
		if (!err && (put_names(d) || dump_put_feature_records(d)))
			err = fail(d->ctx, -ENOMEM, "out of memory");
		if (err)
			return err;
	} else if (dump_append(&d->tasks, &h, sizeof(h)) || put_ids(d) || put_attrs(d) ||
		   put_names(d)) {
		return fail(d->ctx, -ENOMEM, "out of memory");
	}
	err = dump_write(d, d->tasks.bytes, d->tasks.used);
	d->tasks.used = 0;
	return err;
}

/* Before more records are written. */
void dump_say_size(struct pmuctl_dump *d)
{
	uint64_t size = d->info.bytes - d->data_at;
	struct timespec now;

	if (d->piped)
		return;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (now.tv_sec < d->said_at + SAY_EVERY || !size)
		return;
	d->said_at = now.tv_sec;
	/* It can do without. */
	if (pwrite(d->fd, &size, sizeof(size), offsetof(struct file_header, data.size)) < 0)
		return;
}

int dump_finish_header(struct pmuctl_dump *d, uint64_t data_size, uint64_t features)
{
	struct file_header h = make_header(d);

	h.data.size = data_size;
	h.features[0] = features;
	if (pwrite(d->fd, &h, sizeof(h), 0) != sizeof(h))
		return dump_cannot_write(d);
	return 0;
}
