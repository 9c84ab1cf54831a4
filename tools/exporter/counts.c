// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sessions for what there is to be counted: made as that comes, made anew when the PMU was taken
 * and is free again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exporter/exporter.h"

/* A control group that has gone is shown for so long: Prometheus looks as far back. */
#define LINGER_NS (300 * SECOND)
/* Of so many tries in vain each looks once more who holds the PMU: all of /proc is read. */
#define LOOKS 15

/* ---- when nothing is counted --------------------------------------------------------------- */

static const char *reason_of(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENONET:
		return "module";
	case -EBUSY:
	case -ENOSPC:
		return "held";
	case -EPERM:
	case -EACCES:
		return "permission";
	case -ENODEV:
	case -EOPNOTSUPP:
		return "machine";
	default:
		return "error";
	}
}

static void keep_holder(void *data, const struct holder *h)
{
	struct down *down = data;

	if (!down->holder[0])
		snprintf(down->holder, sizeof(down->holder), "process %d (%s)", h->pid, h->comm);
}

static int keep_session(void *data, const struct pmuctl_session_info *s)
{
	struct down *down = data;

	snprintf(down->holder, sizeof(down->holder), "session %u of process %d (%s)", s->id,
		 (int)s->owner_pid, s->owner_comm ? s->owner_comm : "?");
	return 1;
}

static void find_holder(struct counts *c, int err)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	c->down.holder[0] = '\0';
	if (err != -EBUSY && err != -ENOSPC)
		return;
	if (!pmuctl_get_info(c->ctx, &info) && info.holder == PMUCTL_HOLDER_MODULE)
		pmuctl_list_sessions(c->ctx, keep_session, &c->down);
	else if (watchdog_enabled())
		snprintf(c->down.holder, sizeof(c->down.holder), "NMI watchdog");
	else
		perf_holders(keep_holder, &c->down);
}

/* Nobody gains a capability while it runs. */
static bool is_hopeless(const struct counts *c, int err)
{
	return (err == -EPERM || err == -EACCES) && !c->reads;
}

/* err: of the library, as c->reason is.  Says so once for each reason. */
static void set_down(struct counts *c, int err)
{
	bool same = c->down.reason && !strcmp(c->down.text, c->reason);

	c->down.reason = reason_of(err);
	snprintf(c->down.text, sizeof(c->down.text), "%s", c->reason);
	c->up = false;
	c->failed_looks = same ? c->failed_looks + 1 : 0;
	if (!(c->failed_looks % LOOKS))
		find_holder(c, err);
	if (same)
		return;
	complain("exporter", 0, "cannot count: %s%s", c->down.text,
		 is_hopeless(c, err) ? "" : "; it is tried again every second");
	diagnose(c->ctx, err, stderr);
}

static void set_up(struct counts *c)
{
	c->info.size = sizeof(c->info);
	if (c->up || pmuctl_get_info(c->ctx, &c->info))
		return;
	if (c->down.reason)
		complain("exporter", 0, "counts again");
	c->down = (struct down){ .reason = NULL };
	c->up = true;
}

/* ---- every second -------------------------------------------------------------------------- */

/* Unless others have the counters for now, another module may be there the next time. */
static void let_go(struct counts *c, int err)
{
	while (c->nr_meters)
		counts_drop(c, c->nr_meters - 1);
	if (err != -EBUSY)
		counts_close_events(c);
}

int counts_turn(struct counts *c)
{
	int err = 0, group_err = 0, code = 0;

	if (c->no_pmu)
		return 0;
	if (!c->ctx)
		code = counts_open_events(c, false);
	if (code)
		return code;
	places_ask_anew(&c->places);
	if (c->args->scope != SCOPES)
		err = counts_meter_cpus(c);
	if (err)
		counts_say_why_not(c, "CPUs", "");
	if ((!err || counts_sessions(c)) && (c->args->cgroups.count || c->args->units.count))
		code = counts_turn_groups(c, &group_err);
	if (code)
		return code;
	if (!err && !counts_sessions(c))
		err = group_err;
	if (!err || counts_sessions(c)) {
		set_up(c);
	} else {
		set_down(c, err);
		if (is_hopeless(c, err))
			return EXIT_FAILED;
		let_go(c, err);
	}
	/* The machine may not have run for so long. */
	if (now_ns() > LINGER_NS)
		places_forget(&c->places, now_ns() - LINGER_NS);
	return 0;
}

void counts_read(struct counts *c)
{
	uint64_t start = now_ns();
	size_t i = c->nr_meters;
	int err;

	memset(c->flagged, 0, sizeof(c->flagged));
	while (i--) {
		if (!c->meters[i]->session)
			continue;
		c->reads++;
		err = meter_read(c->meters[i], c);
		if (!err)
			continue;
		counts_drop(c, i);
		if (!counts_sessions(c))
			set_down(c, err);
	}
	c->read_at_ns = now_ns();
	c->read_ns += c->read_at_ns - start;
}

void counts_close(struct counts *c)
{
	let_go(c, 0);
	places_free(&c->places);
	while (c->nr_names) {
		free(c->names[--c->nr_names].name);
		free(c->names[c->nr_names].labels);
	}
	free(c->names);
	free(c->meters);
	event_lines_free(&c->lines);
}
