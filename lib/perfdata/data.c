// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perf.data, ours or perf's: opening it, and giving out what it has.
 *
 * Everything in a file may be wrong: each offset and size is checked before it
 * is used, and whoever cuts the file while we read it only ends it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/private.h"
#include "lib/perfdata/perfdata.h"

void data_set_place(struct pmuctl_data *data, uint64_t offset)
{
	maps_set_place(data->maps, offset);
	comms_set_place(data->comms, offset);
	look_set_place(data->look, offset);
}

static int cannot_open(struct pmuctl_data *data)
{
	return fail(data->ctx, -errno, "%s: %s", data->path, strerror(errno));
}

/* A pipe is read once and to its end, and then as often as need be. */
static int spool(struct pmuctl_data *data, struct stat *st)
{
	int fd;

	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode))
		return data_refuse(data, "it is no regular file and no pipe");
	fd = data_spool(data->fd);
	if (fd < 0)
		return fail(data->ctx, fd, "%s: cannot be kept in a file below %s: %s", data->path,
			    data_spool_dir(), strerror(-fd));
	close(data->fd);
	data->fd = fd;
	return fstat(fd, st) ? cannot_open(data) : 0;
}

static int open_directory(struct pmuctl_data *data, struct stat *st)
{
	int dir = data->fd, err;

	data->directory = true;
	err = data_open_directory(data, dir, st);
	close(dir);
	return err;
}

static int open_file(struct pmuctl_data *data)
{
	bool input = !strcmp(data->path, "-");
	struct stat st;
	int err = 0;

	data->fd = input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
			   open(data->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (data->fd < 0 || fstat(data->fd, &st))
		return cannot_open(data);
	if (S_ISDIR(st.st_mode))
		err = open_directory(data, &st);
	else if (!S_ISREG(st.st_mode))
		err = spool(data, &st);
	data->file_size = (uint64_t)st.st_size;
	data->written = st.st_mtime;
	return err;
}

static int read_all(struct pmuctl_data *data)
{
	int err = open_file(data);

	if (!err)
		err = data_read_header(data);
	if (!err && data->piped)
		err = data_read_piped_header(data);
	if (!err)
		err = data_read_sideband(data);
	if (!err)
		err = data_read_features(data);
	if (!err)
		data_give_build_ids(data);
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
	pthread_mutex_init(&data->lock, NULL);
	data->path = strdup(path);
	data->maps = maps_new();
	data->comms = comms_new();
	data->dsos = dsos_new(data);
	data->look = look_new();
	data->info = (struct pmuctl_data_info){
		.hostname = "", .release = "", .arch = "", .cpuid = "", .command = "",
		.version = "",
	};
	if (data->path && data->maps && data->comms && data->dsos && data->look)
		return data;
	pmuctl_data_close(data);
	return NULL;
}

static bool keep(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return !text || *to;
}

static bool set_where(struct data_where *where, const struct pmuctl_data_options *options)
{
	where->download = options->download;
	where->progress = options->progress;
	where->progress_data = options->progress_data;
	where->reading = options->reading;
	where->reading_data = options->reading_data;
	return keep(&where->symfs, options->symfs) && keep(&where->kallsyms, options->kallsyms) &&
	       keep(&where->vmlinux, options->vmlinux);
}

int pmuctl_data_open_with(struct pmuctl *ctx, const char *path,
			  const struct pmuctl_data_options *options, struct pmuctl_data **data)
{
	struct pmuctl_data_options own = { .size = sizeof(own) };
	struct pmuctl_data *d;
	int err = options ? take_sized(ctx, &own, options, sizeof(own)) : 0;

	if (err)
		return err;
	if (!path || !data)
		return is_null(ctx, path ? "the data to be made" : "the file's name");
	d = new_data(ctx, path);
	if (!d || !set_where(&d->where, &own)) {
		pmuctl_data_close(d);
		return fail(ctx, -ENOMEM, "%s: out of memory", path);
	}
	err = read_all(d);
	if (err)
		pmuctl_data_close(d);
	else
		*data = d;
	return err;
}

int pmuctl_data_open(struct pmuctl *ctx, const char *path, struct pmuctl_data **data)
{
	return pmuctl_data_open_with(ctx, path, NULL, data);
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
	look_free(data->look);
	data_ids_free(&data->ids);
	strings_free(&data->strings);
	data_close_parts(data);
	free(data->where.symfs);
	free(data->where.kallsyms);
	free(data->where.vmlinux);
	free(data->build_ids);
	free(data->owners);
	free(data->cores);
	free(data->cuts);
	free(data->values);
	free(data->events);
	free(data->described);
	free(data->path);
	pthread_mutex_destroy(&data->lock);
	free(data);
}

const struct pmuctl_data_info *pmuctl_data_get_info(const struct pmuctl_data *data)
{
	return &data->info;
}

struct giving {
	struct pmuctl_data *data;
	data_amend_fn *amend;
	void *amend_data;
	pmuctl_data_sample_fn *fn;
	void *fn_data;
};

static int give_sample(void *fn_data, struct data_reader *reader,
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
	err = g->amend ? g->amend(g->amend_data, &sample) : 0;
	return err ? err : data_give_sample(g->data, &sample, &values, g->fn, g->fn_data);
}

int data_samples_with(struct pmuctl_data *data, data_amend_fn *amend, void *amend_data,
		      pmuctl_data_sample_fn *fn, void *fn_data)
{
	struct giving giving = { data, amend, amend_data, fn, fn_data };

	return fn ? data_each_record(data, give_sample, &giving) :
		    is_null(data->ctx, "the function for samples");
}

int pmuctl_data_samples(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	return data_samples_with(data, NULL, NULL, fn, fn_data);
}

/* ---- while it is written ------------------------------------------------------------------- */

static bool is_gone(uint32_t task)
{
	return task && kill((pid_t)task, 0) && errno == ESRCH;
}

/* What was read up to there is not read again: its writer may have given it back. */
static int begin_behind(struct pmuctl_data *data)
{
	uint64_t end = data->records.offset + data->records.size;
	struct stat st;

	if (fstat(data->fd, &st))
		return cannot_open(data);
	data->file_size = (uint64_t)st.st_size;
	data->written = st.st_mtime;
	if (data->file_size < end)
		return data_bad(data, end, "what was read of it is gone");
	data->records = (struct data_section){ end, data->file_size - end };
	return 0;
}

int pmuctl_data_follow(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	int err;

	if (!data->piped || data->directory)
		return data_refuse(data, "it can be followed only as it is written to a pipe");
	err = begin_behind(data);
	if (!err)
		err = data_read_sideband(data);
	if (!err && data->info.cut)
		err = data_bad(data, data->file_size, "it ends within a record");
	data_sum_lost(data);
	if (!err)
		err = pmuctl_data_samples(data, fn, fn_data);
	if (err)
		return err;
	maps_forget(data->maps, is_gone);
	comms_forget(data->comms, is_gone);
	look_forget(data->look);
	return 0;
}

/* ---- what addresses mean -------------------------------------------------------------------- */

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

/* What is kept of answers is ours, whoever looks. */
static struct pmuctl_data *own(const struct pmuctl_data *data)
{
	return (struct pmuctl_data *)(uintptr_t)data;
}

void pmuctl_data_place(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       bool kernel, struct pmuctl_place *place)
{
	look_place(own(data), data->look, kernel ? MAPS_KERNEL : pid, time, ip, place);
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

const char *pmuctl_data_comm(const struct pmuctl_data *data, uint32_t tid, uint64_t time)
{
	return look_comm(own(data), data->look, tid, time);
}
