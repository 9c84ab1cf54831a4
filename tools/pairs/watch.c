// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What makes runs doubtful that are to be held to each other: a clock that drifts between them,
 * and work on the other thread of the core.
 */
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"
#include "tools/pairs/pairs.h"
#include "tools/run/context.h"

/* How far the clock may drift, and how much the sibling may run while a run does. */
#define DRIFT_MOST	0.01
#define BUSY_MOST	0.05

struct watch {
	double slowest, fastest;	/* cycles by reference cycles, or by time; 0: no run yet */
	const char *by;
	unsigned int sibling;
	struct pmuctl_session *session;	/* of that; NULL: there is none, or it is not watched */
	char why_not[256];		/* it is not, though there is one */
	double before;			/* this run: the sibling's clock, and the time */
	uint64_t tsc;
	unsigned int busy, runs;	/* runs in which it ran, and all */
	double busiest;			/* share of a run */
};

/* ---- which the sibling is ------------------------------------------------------------------- */

/* Returns the CPU that all sides run on; -1: they may run on several. */
static long only_cpu(const struct pairs *p)
{
	long cpu = -1;
	size_t i;

	for (i = 0; i < 2 * p->nr_contests; i++) {
		const struct mode *mode = p->contests[i / 2].sides[i % 2].mode;

		mode = mode->nr_cpus ? mode : &p->args->cpu;
		if (mode->nr_cpus != 1 || (cpu >= 0 && cpu != (long)mode->cpus[0]))
			return -1;
		cpu = (long)mode->cpus[0];
	}
	return cpu;
}

/* Returns the other thread of its core; -1: there is none, or several. */
static long sibling_of(long cpu)
{
	char path[96], line[128];
	unsigned int *cpus;
	const char *why;
	long other = -1;
	size_t count;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/topology/thread_siblings_list",
		 cpu);
	if (!read_line(path, line, sizeof(line)) || parse_cpulist(line, &cpus, &count, &why))
		return -1;
	if (count == 2)
		other = (long)(cpus[0] == (unsigned int)cpu ? cpus[1] : cpus[0]);
	free(cpus);
	return other;
}

static long find_sibling(const struct pairs *p)
{
	long cpu = only_cpu(p);

	return cpu < 0 ? -1 : sibling_of(cpu);
}

/* ---- the clock ------------------------------------------------------------------------------ */

/* Returns where the event of this name is, in any ring; their number: nowhere. */
static size_t find_event(const struct events *events, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < events->count; i++)
		if (events->list[i].event && !strncmp(events->list[i].name, name, len) &&
		    (!events->list[i].name[len] || events->list[i].name[len] == ':'))
			break;
	return i;
}

/* Adds the event, unless it is there; one that this CPU lacks is none.  0, or the exit code. */
static int add_clock(struct pairs *p, struct events *events, const char *name, const char *ring)
{
	char text[64];
	int code;

	if (find_event(events, name) < events->count)
		return 0;
	snprintf(text, sizeof(text), "%s%s", name, ring);
	code = events_try(p->ctx, p->cmd, text, events);
	if (events->count && !events->list[events->count - 1].event)
		events_drop(events, events->count - 1);
	return code;
}

/* Returns the ring of an event that is there, as its modifiers; else that of who may count. */
static const char *ring_of(const struct pairs *p, const struct events *events, size_t at)
{
	const char *colon = at < events->count ? strchr(events->list[at].name, ':') : NULL;

	if (at < events->count)
		return colon ? colon : "";
	return user_mode_only(p->ctx) ? ":u" : "";
}

int pair_set_watch(struct pairs *p, struct pair_set *set)
{
	struct events *events = &set->events;
	size_t before = events->count;
	bool fitted = events_fit(p->ctx, events);
	const char *ring;
	int code;

	set->cycles = find_event(events, "cycles");
	ring = ring_of(p, events, set->cycles);
	code = add_clock(p, events, "cycles", ring);
	if (!code && find_sibling(p) < 0)
		code = add_clock(p, events, "ref-cycles", ring);
	if (events->count > before && (!fitted || !events_fit(p->ctx, events)))
		events_drop(events, before);
	set->cycles = find_event(events, "cycles");
	set->ref_cycles = find_event(events, "ref-cycles");
	/* Of two rings they are no clock. */
	if (set->ref_cycles < events->count && set->cycles < events->count &&
	    strcmp(ring_of(p, events, set->cycles), ring_of(p, events, set->ref_cycles)) != 0)
		set->cycles = set->ref_cycles = events->count;
	return code;
}

static double counted(const struct pairs *p, size_t event)
{
	if (event >= p->set->events.count || p->counted[event].why_not)
		return 0;
	return p->counted[event].value;
}

/* Time that cycles were on a counter, if they are of all of it: those of both rings. */
static double time_of(const struct pairs *p, size_t cycles)
{
	const struct pmuctl_event_info *info;

	if (cycles >= p->set->events.count)
		return 0;
	info = pmuctl_event_get_info(p->set->events.list[cycles].event);
	return info->user && info->kernel ? p->counted[cycles].running : 0;
}

static void watch_clock(struct watch *w, double cycles, double by)
{
	double rate = cycles / by;

	if (!w->slowest || rate < w->slowest)
		w->slowest = rate;
	if (rate > w->fastest)
		w->fastest = rate;
}

/* ---- the sibling ---------------------------------------------------------------------------- */

static int open_sibling(struct pairs *p, struct pmuctl_session **session, unsigned int cpu)
{
	struct pmuctl_event *event;
	int err = pmuctl_event_parse(p->ctx, "ref-cycles", &event);

	if (err)
		return err;
	err = pmuctl_session_new(p->ctx, session);
	if (!err)
		err = pmuctl_session_add_event(*session, event);
	if (!err)
		err = pmuctl_session_add_cpu(*session, cpu);
	if (!err)
		err = pmuctl_session_create(*session, 0);
	if (!err)
		err = pmuctl_session_start(*session);
	pmuctl_event_free(event);
	return err;
}

static double sibling_clock(struct watch *w)
{
	struct pmuctl_value value;

	return w->session && !pmuctl_session_value(w->session, 0, &value) ? (double)value.value : 0;
}

/* They tick as the TSC does while the CPU is not halted. */
static void watch_sibling(struct watch *w)
{
	double share = (sibling_clock(w) - w->before) / (double)(__rdtsc() - w->tsc);

	w->runs++;
	w->busy += share > BUSY_MOST;
	if (share > w->busiest)
		w->busiest = share;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* There is one counter of these. */
static bool counts_ref_cycles(const struct pairs *p)
{
	size_t i;

	for (i = 0; i < p->nr_sets; i++)
		if (find_event(&p->sets[i].events, "ref-cycles") < p->sets[i].events.count)
			return true;
	return false;
}

int watch_open(struct pairs *p)
{
	struct watch *w = p->watch = calloc(1, sizeof(*w));
	long other = find_sibling(p);

	if (!w)
		return complain(p->cmd, EXIT_FAILED, "out of memory");
	if (other < 0)
		return 0;
	w->sibling = (unsigned int)other;
	if (counts_ref_cycles(p)) {
		snprintf(w->why_not, sizeof(w->why_not), "ref-cycles, which tell it, are counted of the "
			 "runs");
		return 0;
	}
	if (open_sibling(p, &w->session, w->sibling)) {
		snprintf(w->why_not, sizeof(w->why_not), "%s", pmuctl_error(p->ctx));
		pmuctl_session_free(w->session);
		w->session = NULL;
	}
	return 0;
}

void watch_begin(struct pairs *p)
{
	p->watch->before = sibling_clock(p->watch);
	p->watch->tsc = __rdtsc();
}

void watch_end(struct pairs *p)
{
	double cycles = counted(p, p->set->cycles), ref = counted(p, p->set->ref_cycles);
	double by = ref > 0 ? ref : time_of(p, p->set->cycles);

	p->watch->by = ref > 0 ? "ref-cycles" : "ns";
	if (cycles > 0 && by > 0)
		watch_clock(p->watch, cycles, by);
	if (p->watch->session)
		watch_sibling(p->watch);
}

void watch_close(struct watch *w)
{
	if (w)
		pmuctl_session_free(w->session);
	free(w);
}

static void warn_of_short_runs(const struct pairs *p)
{
	if (p->meter && p->shortest > 0 && p->shortest < ENERGY_SHORT_SECONDS)
		complain(p->cmd, 0, "warning: the shortest run took %.3g ms, and counters of energy tick "
			 "about once a millisecond: %.0f ms and more are better for --energy",
			 1e3 * p->shortest, 1e3 * ENERGY_SHORT_SECONDS);
}

void pairs_warn(const struct pairs *p)
{
	const struct watch *w = p->watch;

	warn_of_short_runs(p);
	if (!w)
		return;
	if (w->slowest && w->fastest > w->slowest * (1 + DRIFT_MOST))
		complain(p->cmd, 0, "warning: the clock drifted by %.1f %% between the runs (cycles / "
			 "%s from %.3f to %.3f): seconds are not comparable, nor are cycles that "
			 "wait for memory. A fixed frequency, or -C, may help",
			 100 * (w->fastest / w->slowest - 1), w->by, w->slowest, w->fastest);
	if (w->busy)
		complain(p->cmd, 0, "warning: CPU %u, the other thread of the core, was busy in %u of %u "
			 "runs, by its ref-cycles up to %.0f %% of the time: it takes a part of what is "
			 "measured. Another --core, or taking it offline, helps", w->sibling, w->busy,
			 w->runs, 100 * w->busiest);
	if (*w->why_not)
		complain(p->cmd, 0, "warning: whether CPU %u, the other thread of the core, was busy is not "
			 "known: %s", w->sibling, w->why_not);
}
