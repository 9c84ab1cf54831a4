/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.data files made in a test, record by record.
 */
#ifndef DATA_FILE_H
#define DATA_FILE_H

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/pmuctl.h"
#include "tests/unit/cmocka_all.h"

struct file_section {
	uint64_t offset, size;
};

struct file_header {
	uint64_t magic, size, attr_size;
	struct file_section attrs, data, event_types;
	uint64_t features[4];
};

struct file_attr {
	struct perf_event_attr attr;
	struct file_section ids;
};

/* A file as it grows. */
struct data_file {
	char path[64];		/* "": not written yet */
	int fd;
	_Alignas(8) uint8_t bytes[65536];
	size_t size;
	size_t records;		/* where they begin */
};

static void put(struct data_file *f, const void *bytes, size_t size)
{
	assert_true(f->size + size <= sizeof(f->bytes));
	if (size)
		memcpy(f->bytes + f->size, bytes, size);
	f->size += size;
}

static void put_u64(struct data_file *f, uint64_t value)
{
	put(f, &value, sizeof(value));
}

static void put_text(struct data_file *f, const char *text)
{
	static const char zeros[8];

	put(f, text, strlen(text));
	put(f, zeros, 8 - strlen(text) % 8);
}

static struct file_header *file_header(struct data_file *f)
{
	return (void *)f->bytes;
}

/* Events whose ids are 100, 101... */
static void begin_file(struct data_file *f, const struct perf_event_attr *attrs, size_t count)
{
	struct file_header h = {
		.magic = 0x32454c4946524550,
		.size = sizeof(h),
		.attr_size = sizeof(struct file_attr),
		.attrs = { sizeof(h) + 8 * count, count * sizeof(struct file_attr) },
	};
	size_t i;

	f->size = 0;
	h.data.offset = h.attrs.offset + h.attrs.size;
	put(f, &h, sizeof(h));
	for (i = 0; i < count; i++)
		put_u64(f, 100 + i);
	for (i = 0; i < count; i++) {
		struct file_attr a = { attrs[i], { sizeof(h) + 8 * i, 8 } };

		a.attr.size = sizeof(a.attr);
		put(f, &a, sizeof(a));
	}
	f->records = f->size;
}

/* In memory: on a disk each of thousands of rewritten files would wait for it. */
static void write_file(struct data_file *f, size_t size)
{
	if (!f->path[0]) {
		f->fd = memfd_create("perf.data", MFD_CLOEXEC);
		assert_true(f->fd >= 0);
		snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	}
	assert_int_equal(ftruncate(f->fd, 0), 0);
	assert_int_equal(pwrite(f->fd, f->bytes, size, 0), size);
}

/* As its writer leaves it. */
static void end_file(struct data_file *f)
{
	file_header(f)->data.size = f->size - f->records;
	write_file(f, f->size);
}

static void remove_file(struct data_file *f)
{
	if (f->path[0])
		close(f->fd);
	f->path[0] = '\0';
}

/* The header of a record whose length end_record() fills in. */
static size_t begin_record(struct data_file *f, uint32_t type, uint16_t misc)
{
	const struct perf_event_header h = { type, misc, 0 };

	put(f, &h, sizeof(h));
	return f->size - sizeof(h);
}

static void end_record(struct data_file *f, size_t at)
{
	uint16_t size = (uint16_t)(f->size - at);

	memcpy(f->bytes + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

#endif
