// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat -I: what came in each interval.
 */
#include <string.h>

#include "tools/base/base.h"
#include "tools/stat/run.h"

static void set_times(struct run *r, uint64_t now)
{
	r->result.time = (double)(now - r->c.start_ns) / 1e9;
	r->result.elapsed = r->c.began_ns ? (double)(now - r->c.printed_ns) / 1e9 : 0;
	r->result.has_usage = false;
	r->c.printed_ns = now;
}

/* Text that nobody takes would only grow; the last interval waits for who reads it. */
static bool is_held_up(struct run *r)
{
	bool words = printing_push(&r->words);

	return (printing_push(&r->to) || words) && !r->c.stop_ns;
}

int stat_interval(void *run)
{
	struct run *r = run;
	uint64_t now = r->c.stop_ns ? r->c.stop_ns : now_ns();
	int code;

	if (is_held_up(r)) {
		r->c.missed++;
		return 0;
	}
	code = stat_read(r);
	if (!code)
		code = stat_open_writer(r);
	if (code)
		return code;
	if (r->args.verbose)
		stat_print_values(r);
	set_times(r, now);
	r->result.missed = r->c.missed - r->missed_said;
	r->missed_said = r->c.missed;
	stat_take_counts(r, r->before);
	stat_print_interval(r->to.w, &r->result);
	memcpy(r->before, r->values, r->lines * sizeof(*r->values));
	/* Who watches a pipe or a file wants it now. */
	printing_push(&r->words);
	printing_push(&r->to);
	return 0;
}
