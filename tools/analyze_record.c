// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second step of pmuctl analyze: the command again, sampled to a file that only memory
 * holds, or to the one that it is to be kept in.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "analyze.h"

static int open_file(struct analyze *a)
{
	if (a->args.output)
		return 0;
	a->file = memfd_create("pmuctl-analyze", MFD_CLOEXEC);
	snprintf(a->path, sizeof(a->path), "/proc/self/fd/%d", a->file);
	return a->file < 0 ? complain("analyze", EXIT_FAILED, "no memory for the samples: %s",
				      strerror(errno)) : 0;
}

int analyze_record(struct analyze *a)
{
	struct record *r = &a->record;
	int code = open_file(a);

	if (code)
		return code;
	r->cmd = "analyze";
	r->ctx = a->run.c.ctx;
	r->args.targets = a->args.targets;
	r->args.event_texts = (const char **)&a->event;
	r->args.nr_event_texts = 1;
	r->args.period = a->args.period;
	r->args.frequency = (uint32_t)a->args.frequency;
	r->args.content = a->content;
	r->args.quiet = true;
	r->args.output = a->args.output ? a->args.output : a->path;
	r->args.command = a->args.command;
	r->args.argv = a->args.argv;
	return record_run(r);
}
