// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where results go while a command runs: opened early, emptied late.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "printing.h"
#include "tool.h"

static int failed(const struct printing *p)
{
	return complain(p->cmd, EXIT_FAILED, "-o %s: %s", p->path, strerror(errno));
}

int printing_open(struct printing *p)
{
	int fd;

	if (!p->path || names_standard_output(p->path)) {
		p->out = p->path ? stdout : stderr;
		return 0;
	}
	fd = open(p->path, O_WRONLY | O_CREAT | O_CLOEXEC | (p->append ? O_APPEND : 0), 0666);
	p->out = fd < 0 ? NULL : fdopen(fd, p->append ? "a" : "w");
	return p->out ? 0 : failed(p);
}

static bool is_file(const struct printing *p)
{
	return p->out != stderr && p->out != stdout;
}

/* Pipes and terminals cannot be made empty, and need not. */
static int empty(const struct printing *p)
{
	if (!is_file(p) || p->append || !ftruncate(fileno(p->out), 0) || errno == EINVAL)
		return 0;
	return failed(p);
}

int printing_begin(struct printing *p)
{
	if (p->w)
		return 0;
	if (empty(p))
		return EXIT_FAILED;
	/* The other formats are the same everywhere. */
	if (p->thousands && p->format == FORMAT_TEXT)
		setlocale(LC_NUMERIC, "");
	p->w = writer_open(p->out, p->format, p->separator);
	return p->w ? 0 : complain(p->cmd, EXIT_FAILED, "out of memory");
}

int printing_end(struct printing *p, int code)
{
	bool file = p->out && is_file(p);
	FILE *out = p->out;

	if (p->w && !writer_close(p->w) && !code)
		code = complain(p->cmd, EXIT_FAILED, "%s: cannot write: %s",
				file ? p->path : out == stdout ? "standard output" :
				"standard error", strerror(errno));
	p->w = NULL;
	p->out = NULL;
	if (file && fclose(out) && !code)
		return failed(p);
	return code;
}
