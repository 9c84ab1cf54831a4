// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One recording, from its events to the end of its file.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/record/record.h"
#include "tools/run/signals.h"

/* Once nothing can be sampled any more: all that is left, then the file's end. */
static int finish(struct record *r, int code)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };
	int stopped = record_stop(r), err;

	watchdog_warn(r->cmd, r->watchdog);
	if (!code)
		code = stopped ? stopped : record_take(r, true);
	if (!code)
		code = record_read_ledger(r);
	err = pmuctl_dump_end(r->dump);
	pmuctl_dump_get_info(r->dump, &info);
	pmuctl_dump_close(r->dump);
	r->dump = NULL;
	record_add_info(r, &info);
	r->last_samples = info.samples;
	if (err && !code)
		code = complain(r->cmd, EXIT_FAILED, "%s: %s", record_path(r),
				pmuctl_error(r->ctx));
	err = rotate_end(r, code);
	if (!code)
		code = record_summary(r);
	return err ? err : code;
}

/* A command that was started is waited for, whatever became of the recording. */
static int sample(struct record *r)
{
	int code, reaped;

	signals_catch(r->child.pid);
	if (r->args.rotate)
		signals_catch_hangup();
	code = record_wait(r);
	code = finish(r, code);
	reaped = r->child.go < 0 ? command_reap(r->cmd, r->args.command, &r->child) : 0;
	return code ? code : reaped;
}

int record_run(struct record *r)
{
	int code = command_fork(r->cmd, r->args.command, &r->child);

	if (!code)
		code = record_add_events(r);
	if (!code)
		code = record_make_session(r);
	if (!code)
		code = rotate_open(r);
	if (!code)
		code = record_open_dump(r);
	return code ? code : sample(r);
}

void record_free(struct record *r)
{
	child_close(&r->child);
	rotate_free(r);
	pmuctl_dump_close(r->dump);
	record_drop_name(r);
	pmuctl_session_free(r->session);
	events_free(&r->events);
	free(r->ledger);
	if (r->file > 0)
		close(r->file);
}
