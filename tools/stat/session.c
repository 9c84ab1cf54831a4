// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the session of pmuctl stat counted, as lines.
 */
#include <string.h>

#include "tools/base/base.h"
#include "tools/stat/run.h"

/* The first line of the session's event of that number; lines if there is none. */
static size_t find_line(const struct run *r, uint32_t number)
{
	size_t i;

	for (i = 0; i < r->events.count; i++)
		if (r->events.list[i].event && !number--)
			return i * stat_args_parts(&r->args);
	return r->lines;
}

static size_t find_cpu(const struct run *r, int cpu)
{
	size_t i;

	for (i = 0; i < r->args.targets.nr_cpus; i++)
		if ((int)r->args.targets.cpus[i] == cpu)
			return i;
	return r->lines;
}

struct reading {
	struct run *r;
	size_t session;		/* the control group's */
};

static int take_value(void *data, const struct pmuctl_value *v)
{
	const struct reading *reading = data;
	struct run *r = reading->r;
	size_t line = find_line(r, v->event) +
		      (r->args.per_cpu ? find_cpu(r, v->cpu) : reading->session);

	if (line < r->lines)
		r->values[line] = *v;
	return 0;
}

int stat_read(struct run *r)
{
	struct reading reading = { .r = r };
	int err = 0;

	memset(r->values, 0, r->lines * sizeof(*r->values));
	for (; !err && reading.session < targets_sessions(&r->args.targets); reading.session++)
		err = (r->args.per_cpu ? pmuctl_session_read_each : pmuctl_session_read)(
			counting_session(&r->c, reading.session), take_value, &reading);
	return err ? counting_failed(&r->c, err, "cannot read the counts") : 0;
}

static void take_difference(struct stat_count *c, const struct pmuctl_value *v,
			    const struct pmuctl_value *before)
{
	c->enabled = v->enabled - before->enabled;
	c->running = v->running - before->running;
	c->value = counting_estimate(v->value - before->value, c->enabled, c->running);
}

static const char *why_not_counted(const struct run *r, const struct stat_count *c)
{
	if (c->running)
		return NULL;
	if (c->enabled)
		return "it never was on a counter";
	if (r->args.delay && !r->c.began_ns)
		return "nothing of it ran after the delay of -D";
	return "nothing of it ran";
}

void stat_take_counts(struct run *r, const struct pmuctl_value *before)
{
	static const struct pmuctl_value zero;
	size_t i;

	for (i = 0; i < r->lines; i++) {
		struct stat_count *c = &r->counts[i];
		const struct pmuctl_value *v = &r->values[i];

		if (!c->supported)
			continue;
		take_difference(c, v, before ? &before[i] : &zero);
		if (!before && (v->flags & PMUCTL_VALUE_ESTIMATE))
			c->value = v->estimate;
		c->flags = v->flags;
		c->why_not = why_not_counted(r, c);
	}
}
