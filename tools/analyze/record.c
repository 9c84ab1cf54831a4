// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second step of pmuctl analyze: the command again, sampled to a file that only memory
 * holds, or to the one that it is to be kept in.
 */
#include "tools/analyze/analyze.h"

int analyze_record(struct analyze *a)
{
	struct record *r = &a->record;

	r->cmd = "analyze";
	r->ctx = a->run.c.ctx;
	r->args.targets = a->args.targets;
	r->args.events.texts = (const char **)&a->event;
	r->args.events.count = 1;
	r->args.period = a->args.period;
	r->args.frequency = (uint32_t)a->args.frequency;
	r->args.content = a->content;
	r->args.quiet = true;
	r->args.output = a->args.output ? a->args.output : a->path;
	r->args.command = a->args.command;
	r->args.argv = a->args.argv;
	return record_run(r);
}
