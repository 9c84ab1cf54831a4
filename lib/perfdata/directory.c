// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What perf record --threads and --kcore leave: a directory, in which `data` is a file as any
 * and data.0, data.1 ... have records of threads of the recorder's, without a header.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/perfdata/perfdata.h"

/* A thread a CPU. */
#define PARTS_MAX 8192

static int open_part(int dir, const char *name, struct stat *st)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

static int add_part(struct pmuctl_data *data, int fd, const struct stat *st, size_t *room)
{
	struct data_part *more = data_grow(data->parts, room, data->parts_count, sizeof(*more));

	if (!more) {
		close(fd);
		return data_no_memory(data);
	}
	data->parts = more;
	data->parts[data->parts_count++] = (struct data_part){ fd, (uint64_t)st->st_size };
	return 0;
}

int data_open_directory(struct pmuctl_data *data, int dir, struct stat *st)
{
	size_t room = 0;
	struct stat part;
	char name[32];
	int err = 0, fd, failed = 0;

	data->fd = open_part(dir, "data", st);
	if (data->fd < 0)
		return data_refuse(data, "it is a directory, and none of perf record's: there is no "
				   "file data in it");
	while (!err && !failed) {
		snprintf(name, sizeof(name), "data.%zu", data->parts_count);
		fd = open_part(dir, name, &part);
		if (fd < 0) {
			failed = errno;
		} else if (data->parts_count == PARTS_MAX) {
			close(fd);
			return data_refuse(data, "more than 8192 files are in its directory");
		} else {
			err = add_part(data, fd, &part, &room);
		}
	}
	if (!err && failed != ENOENT)
		return data_refuse(data, "a file of its directory cannot be opened");
	return err;
}

void data_close_parts(struct pmuctl_data *data)
{
	while (data->parts_count)
		close(data->parts[--data->parts_count].fd);
	free(data->parts);
}
