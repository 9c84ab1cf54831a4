// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text on its way to a descriptor that may not take it yet.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/outlet.h"

struct outlet {
	int fd;
	int own;	/* the same file, without waiting; -1: not opened */
	bool is_file;	/* takes everything at once */
	FILE *stream;
	char *text;	/* of the stream, up to its last fflush() */
	size_t size, done;
	int err;
};

struct outlet *outlet_open(int fd)
{
	struct outlet *o = calloc(1, sizeof(*o));
	struct stat st;

	if (!o)
		return NULL;
	o->fd = fd;
	o->own = -1;
	o->is_file = !fstat(fd, &st) && S_ISREG(st.st_mode);
	o->stream = open_memstream(&o->text, &o->size);
	if (o->stream)
		return o;
	free(o);
	return NULL;
}

void outlet_close(struct outlet *o)
{
	if (!o)
		return;
	fclose(o->stream);
	free(o->text);
	if (o->own >= 0)
		close(o->own);
	free(o);
}

FILE *outlet_stream(const struct outlet *o)
{
	return o->stream;
}

/* Without /proc, of a socket and of somebody else's terminal there is none. */
void outlet_never_wait(struct outlet *o)
{
	char path[32];

	if (o->is_file || o->own >= 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", o->fd);
	o->own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static int target(const struct outlet *o)
{
	return o->own >= 0 ? o->own : o->fd;
}

/* A pipe takes no more in one piece; lines are not cut that fit. */
static size_t next_piece(const struct outlet *o)
{
	const char *from = o->text + o->done, *end;
	size_t left = o->size - o->done;

	if (o->is_file || left <= PIPE_BUF)
		return left;
	end = memrchr(from, '\n', PIPE_BUF);
	return end ? (size_t)(end - from) + 1 : PIPE_BUF;
}

/* So a write to it does not wait, unless somebody else comes first. */
static bool takes_more(const struct outlet *o)
{
	struct pollfd fd = { .fd = o->fd, .events = POLLOUT };

	return o->is_file || o->own >= 0 || poll(&fd, 1, 0) > 0;
}

/* Gone by then is what could not be written: the next row may be. */
static void begin_anew(struct outlet *o, int err)
{
	if (!o->err)
		o->err = err;
	fseeko(o->stream, 0, SEEK_SET);
	o->done = o->size = 0;
}

bool outlet_push(struct outlet *o)
{
	ssize_t put;

	if (fflush(o->stream))
		begin_anew(o, -ENOMEM);
	while (o->done < o->size && takes_more(o)) {
		put = write(target(o), o->text + o->done, next_piece(o));
		if (put < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (put < 0)
			begin_anew(o, -errno);
		else
			o->done += (size_t)put;
	}
	if (o->done == o->size)
		begin_anew(o, 0);
	return o->size;
}

int outlet_waits_for(const struct outlet *o)
{
	return o->size ? target(o) : -1;
}

int outlet_error(const struct outlet *o)
{
	return o->err;
}

/* Else what is said behind it would wait for the same reader. */
void outlet_give_up(struct outlet *o)
{
	struct stat ours, errors;
	int null;

	begin_anew(o, -EINTR);
	if (fstat(o->fd, &ours) || fstat(STDERR_FILENO, &errors) ||
	    ours.st_dev != errors.st_dev || ours.st_ino != errors.st_ino)
		return;
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null < 0)
		return;
	dup2(null, STDERR_FILENO);
	close(null);
}
