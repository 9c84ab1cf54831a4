// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands beside a count of pmuctl stat: its share of another one, or how much of it there
 * was in a second.
 */
#include <string.h>

#include "tools/base/base.h"
#include "tools/run/software.h"
#include "tools/stat/stat.h"

/* A figure made of two counts. */
struct ratio {
	const char *event;	/* its count, ... */
	const char *base;	/* ... divided by this one's */
	double factor;
	const char *fmt;
	const char *unit;
};

static const struct ratio ratios[] = {
	{ "instructions", "cycles", 1, "%7.2f ", "insn per cycle" },
	{ "branch-misses", "branches", 100, "%7.2f%%", "of all branches" },
	{ "cache-misses", "cache-references", 100, "%7.2f%%", "of all cache refs" },
	{ "l1d-load-misses", "l1d-loads", 100, "%7.2f%%", "of all L1-dcache loads" },
	{ "llc-load-misses", "llc-loads", 100, "%7.2f%%", "of all LL-cache loads" },
};

/* Edge, AnyThread, inversion and cmask make another event of it; the Pentium 4's too. */
#define CHANGED 0xffa40000ull
#define CHANGED_CCCR 0x03ff0000ull
#define CHANGED_ESCR 0xfull

static bool is_changed(const struct pmuctl_event_info *e)
{
	if (e->registers[0].kind == PMUCTL_REGISTER_ESCR)
		return e->registers[0].value & CHANGED_ESCR || e->registers[1].value & CHANGED_CCCR;
	return e->registers[0].value & CHANGED;
}

/* Is this count one of `name`, in whatever rings? */
static bool is_event(const struct stat_count *c, const char *name)
{
	const struct pmuctl_event_info *e;
	size_t len;

	if (c->why_not || !c->event->event)
		return false;
	e = pmuctl_event_get_info(c->event->event);
	if (*e->full_name != *name || e->source != PMUCTL_SOURCE_PORTABLE || is_changed(e))
		return false;
	len = strlen(name);
	return !strncmp(e->full_name, name, len) &&
	       (!e->full_name[len] || e->full_name[len] == ':');
}

/* The lines that c is one of: wholes, or parts. */
static const struct stat_count *first_of(const struct stat_result *r, const struct stat_count *c,
					 const struct stat_count **end)
{
	size_t parts = c->part ? r->count : 0;

	*end = r->counts + r->count + parts * r->kinds.count;
	return r->counts + parts;
}

static bool same_rings(const struct stat_count *a, const struct stat_count *b)
{
	const struct pmuctl_event_info *x = pmuctl_event_get_info(a->event->event);
	const struct pmuctl_event_info *y = pmuctl_event_get_info(b->event->event);

	return x->user == y->user && x->kernel == y->kernel;
}

/* Of the same group, if there is one: those were counted at the same time. */
static const struct stat_count *find_base(const struct stat_result *r, const struct stat_count *c,
					  const char *name)
{
	const struct stat_count *base, *end, *found = NULL;

	for (base = first_of(r, c, &end); base < end; base++) {
		if (base->cpu != c->cpu || base->part != c->part || base->kinds != c->kinds ||
		    !is_event(base, name) || !same_rings(base, c))
			continue;
		if (base->event->group == c->event->group)
			return base;
		if (!found)
			found = base;
	}
	return found;
}

static bool find_base_ratio(const struct stat_result *r, const struct stat_count *c,
			    struct stat_ratio *ratio)
{
	const struct stat_count *base;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ratios); i++) {
		if (!is_event(c, ratios[i].event))
			continue;
		base = find_base(r, c, ratios[i].base);
		if (!base || !base->value)
			return false;
		*ratio = (struct stat_ratio){
			.unit = ratios[i].unit, .fmt = ratios[i].fmt, .decimals = 2,
			.value = ratios[i].factor * (double)c->value / (double)base->value,
		};
		return true;
	}
	return false;
}

/* ---- by time ------------------------------------------------------------------------------ */

static bool is_clock(const struct stat_count *c)
{
	return !c->why_not && c->event->software && c->event->software->clock;
}

/* Who asks for a clock beside other events is shown rates. */
static bool has_clock(const struct stat_result *r, const struct stat_count *of)
{
	const struct stat_count *c;

	for (c = r->counts; c < r->counts + r->count; c++)
		if (c->cpu == of->cpu && is_clock(c))
			return true;
	return false;
}

/* Thousands, as perf has them. */
static void set_rate(struct stat_ratio *ratio, double per_second)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	size_t i;

	ratio->scale = 1;
	for (i = 0; per_second > 1000 && i < ARRAY_SIZE(units) - 1; i++) {
		per_second /= 1000;
		ratio->scale *= 1000;
	}
	ratio->unit = units[i];
	ratio->value = per_second;
}

/* Cycles of one ring alone are no frequency. */
static bool is_all_cycles(const struct stat_count *c)
{
	const struct pmuctl_event_info *e = pmuctl_event_get_info(c->event->event);

	return is_event(c, "cycles") && e->user && e->kernel;
}

/*
 * By the event's own time, which is not the clock's to the last instruction: a counter begins
 * behind the exec and goes on until the task is off its CPU for good.
 */
static void find_rate(const struct stat_result *r, const struct stat_count *c,
		      struct stat_ratio *ratio)
{
	double ns = has_clock(r, c) ? (double)c->enabled : 0;

	ratio->fmt = "%8.3f";
	ratio->decimals = 3;
	if (is_clock(c) && r->elapsed > 0) {
		ratio->unit = "CPUs utilized";
		ratio->value = (double)c->value / 1e9 / r->elapsed;
	} else if (!is_clock(c) && ns > 0 && is_all_cycles(c)) {
		ratio->unit = "GHz";
		ratio->value = (double)c->value / ns;
	} else if (!is_clock(c) && ns > 0) {
		set_rate(ratio, 1e9 * (double)c->value / ns);
	}
}

void stat_find_ratio(const struct stat_result *r, const struct stat_count *c,
		     struct stat_ratio *ratio)
{
	*ratio = (struct stat_ratio){ .unit = NULL };
	/* Of cycles that mean something else on each kind of core nothing follows. */
	if (stat_is_sum(r, c))
		return;
	if (!c->why_not && !find_base_ratio(r, c, ratio))
		find_rate(r, c, ratio);
}
