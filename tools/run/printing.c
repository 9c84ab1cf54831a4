// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where results go while a command runs: opened early, emptied late.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/output.h"
#include "tools/run/printing.h"
#include "tools/run/signals.h"

static int failed(const struct printing *p)
{
	return complain(p->cmd, EXIT_FAILED, "%s %s: %s", p->option ? p->option : "-o", p->path,
			strerror(errno));
}

static int out_of_memory(const struct printing *p)
{
	return complain(p->cmd, EXIT_FAILED, "out of memory");
}

static bool is_file(const struct printing *p)
{
	return p->path && !names_standard_output(p->path);
}

int printing_open(struct printing *p)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (p->append ? O_APPEND : 0);

	p->fd = is_file(p) ? open(p->path, flags, 0666) : p->path ? STDOUT_FILENO : STDERR_FILENO;
	if (p->fd < 0)
		return failed(p);
	p->outlet = outlet_open(p->fd);
	if (!p->outlet)
		return out_of_memory(p);
	p->out = outlet_stream(p->outlet);
	return 0;
}

/* Pipes and terminals cannot be made empty, and need not. */
static int empty(const struct printing *p)
{
	if (!is_file(p) || p->append || !ftruncate(p->fd, 0) || errno == EINVAL)
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
	if (p->thousands && p->layout.format == FORMAT_TEXT)
		setlocale(LC_NUMERIC, "");
	/* The stream is memory of ours; what has its text is the descriptor. */
	p->layout.colour = colours_wanted(p->layout.colour, p->fd) ? COLOUR_ALWAYS : COLOUR_NEVER;
	p->w = writer_open_as(p->out, &p->layout);
	return p->w ? 0 : out_of_memory(p);
}

bool printing_push(struct printing *p)
{
	return p->outlet && outlet_push(p->outlet);
}

int printing_finish(struct printing *p)
{
	int err = p->outlet ? wait_for_output(p->outlet) : 0;

	if (!err)
		return 0;
	return complain(p->cmd, EXIT_FAILED, "%s: cannot write: %s",
			is_file(p) ? p->path : p->path ? "standard output" : "standard error",
			strerror(-err));
}

int printing_end(struct printing *p, int code)
{
	bool began = p->w, no_memory = p->w && !writer_close(p->w), opened = p->outlet;
	int replaced = 0;

	p->w = NULL;
	if (no_memory && !code)
		code = out_of_memory(p);
	if (code)
		printing_push(p);
	else
		code = printing_finish(p);
	outlet_close(p->outlet);
	p->outlet = NULL;
	p->out = NULL;
	if (began && is_file(p))
		replaced = check_output(p->cmd, p->path, p->fd);
	if (opened && is_file(p) && close(p->fd) && !code)
		return failed(p);
	return code ? code : replaced;
}
