// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What there is to be said of a count, or of all of them.
 */
#include <inttypes.h>

#include "tools/base/flags.h"
#include "tools/stat/stat.h"

/* Of --cascade A:M,B:N. */
static size_t cascade_note(const struct stat_count *c, char *text, size_t size)
{
	const struct event *e = c->event;
	size_t at = (size_t)snprintf(text, size, "%s", e->remark);

	if (!e->wanted || at >= size)
		return at;
	return at + (size_t)snprintf(text + at, size - at, ", %llu wanted: %s",
				     (unsigned long long)e->wanted,
				     c->value >= e->wanted ? "reached" : "not reached");
}

/* Of -r: the mean is not one of all of them. */
static bool is_in_some_runs(const struct stat_result *r, const struct stat_count *c)
{
	return r->args->repeat && !c->why_not && c->spread.runs < r->runs;
}

void stat_note(const struct stat_result *r, const struct stat_count *c, char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "%s", c->why_not ? c->why_not : "");

	/* Of a metric there is no event. */
	if (!at && c->event && c->event->remark)
		at = cascade_note(c, text, size);
	if (is_in_some_runs(r, c) && at < size)
		at += (size_t)snprintf(text + at, size - at, "%sin %u of %u runs", at ? "; " : "",
				       c->spread.runs, r->runs);
	if (r->missed && at < size)
		at += (size_t)snprintf(text + at, size - at, "%sof %" PRIu64 " intervals",
				       at ? "; " : "", r->missed + 1);
	flags_note(c->flags, text, at, size);
}

void stat_warn(const struct stat_result *r)
{
	uint32_t all = 0;
	size_t i;

	for (i = 0; i < r->count; i++)
		all |= r->counts[i].flags;
	flags_warn("stat", all);
}
