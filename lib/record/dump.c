// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A session goes to a file of perf's format, PERFILE2: header, events, records,
 * and, once all is over, what describes the machine.
 *
 * Whoever is killed before it is closed leaves a file that can be read up to its
 * last whole record.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/code/perf_features.h"
#include "lib/record/dump.h"

/* ---- the file ----------------------------------------------------------------------- */

int dump_cannot_write(struct pmuctl_dump *d)
{
	int err = errno;

	d->broken = true;
	return fail(d->ctx, -err, "cannot write: %s; the file has %llu bytes, all whole",
		    strerror(err), (unsigned long long)d->info.bytes);
}

/* A pipe that somebody else made non-blocking. */
static bool wait_for_room(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };

	return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

int dump_write(struct pmuctl_dump *d, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	ssize_t done;

	while (size) {
		done = write(d->fd, at, size);
		if (done < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_room(d->fd))))
			continue;
		if (done <= 0)
			return dump_cannot_write(d);
		at += done;
		size -= (size_t)done;
		d->info.bytes += (uint64_t)done;
	}
	return 0;
}

/* What of these records is whole if the file has so many bytes of them. */
static size_t whole_records(const struct dump_buffer *b, size_t written)
{
	struct perf_event_header h;
	size_t at = 0;

	while (written - at >= sizeof(h)) {
		memcpy(&h, b->bytes + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > written - at)
			break;
		at += h.size;
	}
	return at;
}

/* On a full disk the part of a record at the end goes. */
static int write_records(struct pmuctl_dump *d, struct dump_buffer *b)
{
	uint64_t before = d->info.bytes;
	int err = d->broken ? -EIO : dump_write(d, b->bytes, b->used);

	if (err && !d->broken)
		return err;
	if (err && !d->piped) {
		d->info.bytes = before + whole_records(b, (size_t)(d->info.bytes - before));
		err = ftruncate(d->fd, (off_t)d->info.bytes) ? -errno : err;
	}
	b->used = 0;
	return err;
}

/* What happened to tasks before the samples that are here is in their rings by now. */
int dump_flush(struct pmuctl_dump *d)
{
	int err = sideband_take(d);

	dump_say_size(d);
	if (!err)
		err = dump_poll_take(d);
	if (!err)
		err = carry_take(d);
	if (!err)
		err = write_records(d, &d->tasks);
	if (!err)
		dump_place_uncertain(d);
	return err ? err : write_records(d, &d->samples);
}

/* ---- its end ---------------------------------------------------------------------------- */

/*
 * Each event's lost samples, which were told of one loss at a time: that is how
 * perf leaves it, too, and what its report has as their total.
 */
static int put_lost(struct pmuctl_dump *d)
{
	struct {
		struct perf_event_header header;
		uint64_t lost;
		struct dump_trailer trailer;
	} lost = {
		.header = { .type = PERF_RECORD_LOST_SAMPLES, .size = sizeof(lost) },
	};
	size_t i;
	int err = 0;

	for (i = 0; !err && i < d->nr_events; i++) {
		lost.lost = d->events[i].lost;
		lost.trailer.id = d->events[i].id;
		if (lost.lost)
			err = dump_append(&d->samples, &lost, sizeof(lost));
	}
	return err ? fail(d->ctx, err, "out of memory") : 0;
}

/* On a full disk a header without features may still find room: it is there already. */
static int end_file(struct pmuctl_dump *d)
{
	uint64_t data_size, features = 0;
	int err = d->broken ? -EIO : put_lost(d), bad;

	if (!err && d->piped)
		err = dump_put_piped_end(d);
	if (!err)
		err = dump_flush(d);
	if (d->piped)
		return err;
	data_size = d->info.bytes - d->data_at;
	if (!err)
		err = dump_write_features(d, &features);
	bad = dump_finish_header(d, data_size, err ? 0 : features);
	if (!err && !bad)
		err = dump_make_certain(d);
	return err ? err : bad;
}

static int finish(struct pmuctl_dump *d)
{
	int err = d->broken ? -EIO : offcpu_end(d), bad;

	d->ended_at = monotonic_ns();
	bad = end_file(d);
	return err ? err : bad;
}

/* ---- handles ---------------------------------------------------------------------------- */

static void release(struct pmuctl_dump *d)
{
	sideband_close(d->sideband);
	offcpu_close(d->offcpu);
	dump_files_close(d);
	dump_poll_close(d);
	carry_close(d);
	free(d->samples.bytes);
	free(d->tasks.bytes);
	dump_free_groups(d);
	free(d->events);
	free(d->uncertain);
	free(d->owners.list);
	free(d->command);
	if (d->poll_fd >= 0)
		close(d->poll_fd);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

static int cannot_open(struct pmuctl_dump *d, const char *path)
{
	int err = errno;

	if (err == EWOULDBLOCK)
		return fail(d->ctx, -ETXTBSY, "%s: another recording writes to it; name another file",
			    path);
	return fail(d->ctx, -err, "%s: %s", path, strerror(err));
}

/* Until it was locked, whoever had it may have given it another name. */
static bool has_name(int fd, const char *path)
{
	struct stat own, named;

	return !fstat(fd, &own) && !stat(path, &named) && own.st_dev == named.st_dev &&
	       own.st_ino == named.st_ino;
}

/* A device or a pipe is nobody's; where there are no locks we do without. */
static bool is_taken(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) &&
	       errno == EWOULDBLOCK;
}

/* What it had goes only when it is ours. */
static int open_file(struct pmuctl_dump *d, const char *path, int *fd)
{
	*fd = -1;
	do {
		if (*fd >= 0)
			close(*fd);
		*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (*fd < 0 || is_taken(*fd))
			return cannot_open(d, path);
	} while (!has_name(*fd, path));
	/* A device has no length. */
	if (ftruncate(*fd, 0) && errno != EINVAL)
		return cannot_open(d, path);
	return 0;
}

static int open_first(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	d->piped = options->fd > 0;
	if (!d->piped)
		return open_file(d, options->path, &d->fd);
	d->fd = fcntl(options->fd, F_DUPFD_CLOEXEC, 3);
	return d->fd < 0 ? cannot_open(d, options->path) : 0;
}

static int open_poll(struct pmuctl_dump *d)
{
	struct epoll_event event = { .events = EPOLLIN };
	int err, session = pmuctl_session_fd(d->session);

	if (session < 0)
		return session;
	d->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (d->poll_fd < 0 || epoll_ctl(d->poll_fd, EPOLL_CTL_ADD, session, &event))
		return fail(d->ctx, -errno, "cannot wait for samples: %s", strerror(errno));
	err = sideband_poll(d);
	if (!err)
		err = offcpu_poll(d);
	return err ? fail(d->ctx, err, "cannot wait for samples: %s", strerror(-err)) : 0;
}

/* The strings are the caller's, and stay. */
static int keep_command(struct pmuctl_dump *d, const char *const *command)
{
	size_t count = 0;

	while (command && command[count])
		count++;
	d->command = calloc(count + 1, sizeof(*d->command));
	if (!d->command)
		return fail(d->ctx, -ENOMEM, "out of memory");
	if (count)
		memcpy(d->command, command, count * sizeof(*command));
	return 0;
}

/* From format 3 on, entries say what was mispredicted; architectural ones of what kind it is. */
static void look_at_branches(struct pmuctl_dump *d)
{
	unsigned int format = d->ctx->info.capabilities & 0x3f;

	d->branch_flags = format >= 3;
	d->branch_kinds = format == 0x3f;
}

static int synthesize_later(struct pmuctl_dump *d)
{
	size_t i;
	int err = dump_synthesize_kernel(d);

	for (i = 0; !err && i < d->session->nr_targets; i++)
		err = dump_poll_see(d, d->session->targets[i]);
	return err;
}

static int begin(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	const struct pmuctl_info *info;
	int err = info_get(d->ctx, &info);

	look_at_branches(d);
	d->live = options->live;
	if (!err)
		err = keep_command(d, options->command);
	if (!err)
		err = dump_make_events(d, options);
	if (!err)
		err = dump_files_open(d);
	if (!err)
		err = dump_poll_open(d);
	if (!err)
		err = open_first(d, options);
	if (!err && options->switched)
		err = carry_open(d);
	if (!err)
		err = sideband_open(d, options);
	/* All of the kernel's. */
	if (!err)
		dump_dummy(d)->nr_ids = sideband_ids(d, &dump_dummy(d)->ids);
	if (!err)
		err = offcpu_open(d, options);
	if (!err)
		err = open_poll(d);
	if (!err)
		err = dump_write_beginning(d);
	/* What is to call exec would be known by what it was before. */
	if (!err)
		err = d->info.from_proc && options->on_exec ? synthesize_later(d) :
							      dump_synthesize(d);
	if (!err)
		err = carry_take(d);
	d->began = monotonic_ns();
	return err ? err : write_records(d, &d->tasks);
}

int pmuctl_dump_open(struct pmuctl_session *s, const struct pmuctl_dump_options *options,
		     struct pmuctl_dump **dump)
{
	struct pmuctl_dump_options own = { .size = sizeof(own) };
	struct pmuctl_dump *d;
	int err = take_sized(s->ctx, &own, options, sizeof(own));

	if (err)
		return err;
	if (!dump)
		return is_null(s->ctx, "the dump to be made");
	if (!session_is_made(s) || !own.path)
		return fail(s->ctx, -EINVAL, own.path ? "the session was not created" :
			    "there is no name for the file");
	d = calloc(1, sizeof(*d));
	if (!d)
		return fail(s->ctx, -ENOMEM, "out of memory");
	d->ctx = s->ctx;
	d->session = s;
	d->fd = d->poll_fd = -1;
	err = begin(d, &own);
	if (err)
		release(d);
	else
		*dump = d;
	return err;
}

int pmuctl_dump_fd(const struct pmuctl_dump *d)
{
	return d->poll_fd;
}

int pmuctl_dump_get_info(const struct pmuctl_dump *d, struct pmuctl_dump_info *info)
{
	return give_sized(d->ctx, info, &d->info, sizeof(d->info));
}

/*
 * What is taken later is not older than the newest of this time, so that a
 * reader need not keep more than two rounds to put all in order; what buffers of
 * the hardware hold back is.
 */
static int end_round(struct pmuctl_dump *d)
{
	const struct perf_event_header round = {
		.type = RECORD_FINISHED_ROUND,
		.size = sizeof(round),
	};

	return dump_append(&d->samples, &round, sizeof(round)) ?
	       fail(d->ctx, -ENOMEM, "out of memory") : 0;
}

/* What became ready was told, and is taken now; see rings_poll(). */
static void clear_ready(struct pmuctl_dump *d)
{
	struct epoll_event events[64];

	while (epoll_wait(d->poll_fd, events, ARRAY_SIZE(events), 0) == (int)ARRAY_SIZE(events))
		;
}

int pmuctl_dump_take(struct pmuctl_dump *d, bool flush)
{
	int err;

	if (d->ended)
		return fail(d->ctx, -EINVAL, "the file has ended");
	clear_ready(d);
	carry_begin_round(d, monotonic_ns());
	err = offcpu_take(d);
	if (!err)
		err = pmuctl_session_drain(d->ctx, d->session, -1, flush, dump_take_records, d);
	if (!err && (flush || !d->delayed))
		err = end_round(d);
	return err ? err : dump_flush(d);
}

/* ---- one file after the other ----------------------------------------------------------- */

/* Nothing of the one before, but who lives, what he has mapped, and what is not over yet. */
static int begin_next(struct pmuctl_dump *d, int fd)
{
	const bool from_proc = d->info.from_proc;
	const uint64_t lost = d->info.tasks_lost;
	size_t i, before;
	int err;

	close(d->fd);
	d->fd = fd;
	d->info = (struct pmuctl_dump_info){ .size = d->info.size, .from_proc = from_proc };
	d->began = d->ended_at;
	d->said_at = 0;
	d->nr_uncertain = d->nr_placed = 0;
	for (i = 0; i < d->nr_events; i++)
		d->events[i].lost = 0;
	dump_reset_groups(d);
	err = dump_write_beginning(d);
	if (!err)
		err = dump_synthesize_kernel(d);
	before = d->tasks.used;
	if (!err)
		err = carry_put(d, lost);
	if (err)
		return err;
	dump_files_renew(d, before);
	dump_owners_renew(d, carry_knows);
	return write_records(d, &d->tasks);
}

int pmuctl_dump_switch(struct pmuctl_dump *d, const char *path, struct pmuctl_dump_info *ended)
{
	int err, fd;

	if (!path)
		return is_null(d->ctx, "the name of the next file");
	if (d->ended || d->piped || !d->carry)
		return fail(d->ctx, -EINVAL, d->ended ? "the file has ended" : d->piped ?
			    "what goes to a pipe is one file" :
			    "no other file was to follow this one");
	err = open_file(d, path, &fd);
	if (!err) {
		d->ended_at = monotonic_ns();
		err = pmuctl_dump_take(d, true);
	}
	if (!err)
		err = end_file(d);
	if (!err && ended)
		err = pmuctl_dump_get_info(d, ended);
	if (!err)
		return begin_next(d, fd);
	if (fd >= 0)
		close(fd);
	return err;
}

int pmuctl_dump_end(struct pmuctl_dump *d)
{
	if (d->ended)
		return 0;
	d->ended = true;
	return finish(d);
}

int pmuctl_dump_close(struct pmuctl_dump *d)
{
	int err;

	if (!d)
		return 0;
	err = pmuctl_dump_end(d);
	release(d);
	return err;
}
