// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perf.data, ours or perf's: opening it, and giving out what it has.
 *
 * Everything in a file may be wrong: each offset and size is checked before it
 * is used, and whoever cuts the file while we read it only ends it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/private.h"
#include "lib/perfdata/perfdata.h"

int data_bad(struct pmuctl_data *data, uint64_t offset, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fail(data->ctx, -EBADMSG, "%s: %s (at byte %llu)", data->path, text,
		    (unsigned long long)offset);
}

int data_refuse(struct pmuctl_data *data, const char *why)
{
	return fail(data->ctx, -EOPNOTSUPP, "%s: cannot be read: %s", data->path, why);
}

int data_no_memory(struct pmuctl_data *data)
{
	return fail(data->ctx, -ENOMEM, "%s: out of memory", data->path);
}

int data_pread(struct pmuctl_data *data, void *to, size_t size, uint64_t offset)
{
	uint8_t *at = to;
	ssize_t got;

	while (size) {
		if (offset > INT64_MAX)
			got = 0;
		else
			got = pread(data->fd, at, size, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return data_bad(data, offset, "the file ends too early");
		at += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return 0;
}

void *data_grow(void *array, size_t *room, size_t count, size_t size)
{
	size_t more = *room ? *room * 2 : 32;

	if (count < *room)
		return array;
	array = reallocarray(array, more, size);
	if (array)
		*room = more;
	return array;
}

void data_set_place(struct pmuctl_data *data, uint64_t offset)
{
	maps_set_place(data->maps, offset);
	comms_set_place(data->comms, offset);
}

static int open_file(struct pmuctl_data *data)
{
	struct stat st;

	data->fd = open(data->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (data->fd < 0)
		return fail(data->ctx, -errno, "%s: %s", data->path, strerror(errno));
	if (fstat(data->fd, &st))
		return fail(data->ctx, -errno, "%s: %s", data->path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return data_refuse(data, "it is a directory: record without --threads and --kcore");
	if (!S_ISREG(st.st_mode))
		return data_refuse(data, "it is no regular file: record with -o FILE");
	data->file_size = (uint64_t)st.st_size;
	return 0;
}

static int read_all(struct pmuctl_data *data)
{
	int err = open_file(data);

	if (!err)
		err = data_read_header(data);
	if (!err)
		err = data_read_sideband(data);
	if (!err)
		err = data_read_features(data);
	data_sum_lost(data);
	return err;
}

static struct pmuctl_data *new_data(struct pmuctl *ctx, const char *path)
{
	struct pmuctl_data *data = calloc(1, sizeof(*data));

	if (!data)
		return NULL;
	data->ctx = ctx;
	data->fd = -1;
	data->path = strdup(path);
	data->maps = maps_new();
	data->comms = comms_new();
	data->dsos = dsos_new(data);
	data->info = (struct pmuctl_data_info){
		.hostname = "", .release = "", .arch = "", .cpuid = "", .command = "",
		.version = "",
	};
	if (data->path && data->maps && data->comms && data->dsos)
		return data;
	pmuctl_data_close(data);
	return NULL;
}

int pmuctl_data_open(struct pmuctl *ctx, const char *path, struct pmuctl_data **data)
{
	struct pmuctl_data *d;
	int err;

	if (!path || !data)
		return is_null(ctx, path ? "the data to be made" : "the file's name");
	d = new_data(ctx, path);
	if (!d)
		return fail(ctx, -ENOMEM, "%s: out of memory", path);
	err = read_all(d);
	if (err)
		pmuctl_data_close(d);
	else
		*data = d;
	return err;
}

void pmuctl_data_close(struct pmuctl_data *data)
{
	if (!data)
		return;
	if (data->fd >= 0)
		close(data->fd);
	dsos_free(data->dsos);
	comms_free(data->comms);
	maps_free(data->maps);
	data_ids_free(&data->ids);
	strings_free(&data->strings);
	free(data->values);
	free(data->events);
	free(data->described);
	free(data->path);
	free(data);
}

const struct pmuctl_data_info *pmuctl_data_get_info(const struct pmuctl_data *data)
{
	return &data->info;
}

struct giving {
	struct pmuctl_data *data;
	pmuctl_data_sample_fn *fn;
	void *fn_data;
};

static int give_sample(void *fn_data, const struct data_reader *reader,
		       const struct perf_event_header *record)
{
	const struct giving *g = fn_data;
	struct pmuctl_data_sample sample;
	struct data_values values;
	int err;

	if (record->type != PERF_RECORD_SAMPLE)
		return 0;
	err = data_parse_sample(g->data, record, reader->at, &sample, &values);
	if (err == -ENOENT)
		return 0;
	if (err)
		return data_bad(g->data, reader->at,
				"this sample was whole when the file was opened");
	data_set_place(g->data, reader->at);
	return data_give_sample(g->data, &sample, &values, g->fn, g->fn_data);
}

int pmuctl_data_samples(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	struct giving giving = { data, fn, fn_data };

	return fn ? data_each_record(data, give_sample, &giving) :
		    is_null(data->ctx, "the function for samples");
}

static struct pmuctl_place place_in(const struct pmuctl_data *data, const struct map *map,
				    uint64_t ip)
{
	struct pmuctl_place place = { .dso = 0, .address = ip };

	if (!map)
		return place;
	place.dso = map->dso;
	if (!map->as_it_is)
		place.address = dsos_address(data->dsos, map->dso, ip - map->start + map->offset);
	return place;
}

void pmuctl_data_place(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       bool kernel, struct pmuctl_place *place)
{
	*place = place_in(data, maps_find(data->maps, kernel ? MAPS_KERNEL : pid, time, ip), ip);
}

void pmuctl_data_sample_place(const struct pmuctl_data *data,
			      const struct pmuctl_data_sample *sample, struct pmuctl_place *place)
{
	if (sample->guest)
		*place = place_in(data, NULL, sample->ip);
	else
		pmuctl_data_place(data, sample->pid, sample->time, sample->ip, sample->kernel,
				  place);
}

void pmuctl_data_entry(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       struct pmuctl_place *place)
{
	*place = place_in(data, maps_find_entry(data->maps, pid, time, ip), ip);
}

uint64_t pmuctl_data_offset(const struct pmuctl_data *data, const struct pmuctl_place *place)
{
	return dsos_offset(data->dsos, place->dso, place->address);
}

const char *pmuctl_data_dso(const struct pmuctl_data *data, uint32_t dso)
{
	return dsos_name(data->dsos, dso);
}

/* A task that nobody named, as perf has it. */
static const char *number_as_name(const struct pmuctl_data *data, uint32_t tid)
{
	/* The strings are ours whoever looks at them. */
	struct strings *strings = (struct strings *)(uintptr_t)&data->strings;
	const char *name;
	char text[16];

	snprintf(text, sizeof(text), ":%d", (int)tid);
	name = strings_add(strings, text, sizeof(text));
	return name ? name : "";
}

const char *pmuctl_data_comm(const struct pmuctl_data *data, uint32_t tid, uint64_t time)
{
	const char *name = comms_find(data->comms, tid, time);

	if (name)
		return name;
	return tid ? number_as_name(data, tid) : "swapper";
}
