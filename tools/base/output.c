// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing a file that is made out of another one.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/output.h"

bool output_is(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool names_standard_output(const char *path)
{
	return !strcmp(path, "-");
}

FILE *open_output(const char *cmd, const char *path, const char *input)
{
	FILE *out;

	if (!path || names_standard_output(path))
		return stdout;
	if (output_is(path, input)) {
		complain(cmd, 0, "%s is what is read; name another file to be written", path);
		return NULL;
	}
	out = fopen(path, "w");
	if (!out)
		complain(cmd, 0, "cannot write %s: %s", path, strerror(errno));
	return out;
}

int stream_error(FILE *out)
{
	if (fflush(out))
		return -errno;
	if (!ferror(out))
		return 0;
	clearerr(out);
	fputc('\n', out);
	return fflush(out) ? -errno : -EIO;
}

static bool same_as(const struct stat *own, const char *path)
{
	struct stat named;

	return !stat(path, &named) && named.st_dev == own->st_dev && named.st_ino == own->st_ino;
}

bool output_is_there(const char *path, int fd, char *where, size_t size)
{
	char link[32];
	struct stat own;
	ssize_t len;

	snprintf(where, size, "%s", path);
	if (fstat(fd, &own) || !S_ISREG(own.st_mode) || same_as(&own, path))
		return true;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, where, size - 1);
	where[len < 0 ? 0 : len] = '\0';
	/* "NAME (deleted)" is none, unless there is such a file. */
	if (!own.st_nlink || !same_as(&own, where))
		where[0] = '\0';
	return false;
}

int output_replaced(const char *cmd, const char *path, int fd, const char *where)
{
	const char *what = access(path, F_OK) ? "was removed or renamed" : "was replaced";
	struct stat own;

	if (*where)
		return complain(cmd, EXIT_FAILED, "%s %s while it was written: what was written is "
				"in %s", path, what, where);
	if (!fstat(fd, &own) && own.st_nlink)
		return complain(cmd, EXIT_FAILED, "%s %s while it was written: what was written is "
				"in the file that had this name (inode %ju), which has another one "
				"now", path, what, (uintmax_t)own.st_ino);
	return complain(cmd, EXIT_FAILED, "%s %s while it was written: what was written is gone "
			"with the file that had this name", path, what);
}

int check_output(const char *cmd, const char *path, int fd)
{
	char where[PATH_MAX];

	if (output_is_there(path, fd, where, sizeof(where)))
		return 0;
	return output_replaced(cmd, path, fd, where);
}

int close_output(const char *cmd, const char *path, FILE *out, int err)
{
	int bad = stream_error(out), replaced = 0;

	if (!err)
		err = bad;
	if (!err && out != stdout)
		replaced = check_output(cmd, path, fileno(out));
	if (out != stdout && fclose(out) && !err)
		err = -errno;
	if (!err)
		return replaced;
	return complain(cmd, EXIT_FAILED, "cannot write %s: %s",
			path && !names_standard_output(path) ? path : "standard output",
			strerror(-err));
}
