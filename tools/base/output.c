// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing a file that is made out of another one.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/base/base.h"
#include "tools/base/output.h"

static bool is_same(const char *a, const char *b)
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
	if (is_same(path, input)) {
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

int close_output(const char *cmd, const char *path, FILE *out, int err)
{
	int bad = stream_error(out);

	if (!err)
		err = bad;
	if (out != stdout && fclose(out) && !err)
		err = -errno;
	if (!err)
		return EXIT_OK;
	return complain(cmd, EXIT_FAILED, "cannot write %s: %s",
			path && !names_standard_output(path) ? path : "standard output",
			strerror(-err));
}
