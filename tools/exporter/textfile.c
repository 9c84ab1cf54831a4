// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page as a file for node_exporter's textfile collector: a reader finds the whole of the old one
 * or the whole of the new one, whatever ends us.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "tools/exporter/exporter.h"

/* Who collects takes *.prom alone. */
#define UNFINISHED TEXTFILE_NAME ".tmp"

int textfile_open(struct textfile *t, const char *path)
{
	*t = (struct textfile){ .path = path };
	t->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->fd < 0)
		return complain("exporter", EXIT_FAILED, "--textfile %s: %s", path, strerror(errno));
	if (!flock(t->fd, LOCK_EX | LOCK_NB))
		return 0;
	complain("exporter", 0, "--textfile %s: %s", path, errno == EWOULDBLOCK ?
		 "another pmuctl exporter writes there" : strerror(errno));
	close(t->fd);
	t->fd = -1;
	return EXIT_FAILED;
}

/* All of it is on the disk before it has its name. */
static int write_unfinished(const struct textfile *t, const char *text, size_t size)
{
	int fd = openat(t->fd, UNFINISHED,
			O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	int err;

	if (fd < 0)
		return -errno;
	err = write_whole(fd, text, size);
	/* node_exporter is another user. */
	if (!err && (fchmod(fd, 0644) || fsync(fd)))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

bool textfile_write(struct textfile *t, const char *text, size_t size)
{
	int err = write_unfinished(t, text, size);

	if (!err && renameat(t->fd, UNFINISHED, t->fd, TEXTFILE_NAME))
		err = -errno;
	if (err)
		unlinkat(t->fd, UNFINISHED, 0);
	else
		fsync(t->fd);
	if (err && err != t->err)
		complain("exporter", 0, "cannot write %s/" TEXTFILE_NAME ": %s; the one before it stays, and "
			 "the next one is tried", t->path, strerror(-err));
	else if (!err && t->err)
		complain("exporter", 0, "%s/" TEXTFILE_NAME " is written again", t->path);
	t->err = err;
	return !err;
}

void textfile_close(struct textfile *t)
{
	if (t->fd < 0)
		return;
	unlinkat(t->fd, TEXTFILE_NAME, 0);
	close(t->fd);
	t->fd = -1;
}
