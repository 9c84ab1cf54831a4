// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The plan of a session: all events in one set if they fit; else the pinned
 * ones in a set that is always on and the others in sets that take turns, with
 * a yardstick in each.
 *
 * The yardstick is an event of our own that counts cycles.  What a set counted
 * stands for the cycles that it was on; the whole run is the cycles of all
 * sets.  Unlike times, cycles do not change with the processor's frequency and
 * do not run while a hypervisor has the CPU.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/session/session.h"

/* ---- one set ------------------------------------------------------------ */

bool plan_fits(const struct pmuctl_session *s, uint64_t available)
{
	const struct packing p = { .s = s, .available = available };
	struct unit all = { .count = 0 };

	if (s->nr_events > UNIT_EVENTS)
		return false;
	for (all.count = 0; all.count < s->nr_events; all.count++)
		all.event[all.count] = all.count;
	return units_fit(&p, &all, NULL);
}

static int plan_one_set(struct pmuctl_session *s)
{
	size_t i;

	s->nr_sets = 1;
	s->first_rotating = 0;
	for (i = 0; i < s->nr_events; i++)
		s->events[i].set = 0;
	return extras_assign(s);
}

/* ---- units --------------------------------------------------------------- */

static void unit_text(const struct pmuctl_session *s, const struct unit *unit, char *text,
		      size_t size)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < unit->count && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? "," : "",
				       s->events[unit->event[i]].name);
}

static void counters_text(uint64_t counters, char *text, size_t size)
{
	int gp = __builtin_popcountll(counters & 0xffffffffull);
	int fixed = __builtin_popcountll(counters >> PMUCTL_COUNTER_FIXED & 0xffff);

	snprintf(text, size, "%d general-purpose and %d fixed counter%s", gp, fixed,
		 fixed == 1 ? "" : "s");
}

static int too_large(struct pmuctl_session *s, const struct unit *unit, size_t events)
{
	char names[300], counters[80];

	unit_text(s, unit, names, sizeof(names));
	counters_text(s->ctx->facts.counters, counters, sizeof(counters));
	return fail(s->ctx, -ENOSPC,
		    "too many events in a group: {%s%s} has %zu, and this PMU cannot count them "
		    "at the same time with its %s (each event has counters that it may use, and "
		    "a register beside them has one value at a time); make the group smaller",
		    names, events > unit->count ? ",..." : "", events, counters);
}

static int no_room(struct pmuctl_session *s, const struct unit *unit, const struct unit *pinned,
		   uint64_t available)
{
	char names[300], counters[80];

	unit_text(s, unit, names, sizeof(names));
	counters_text(available, counters, sizeof(counters));
	return fail(s->ctx, -ENOSPC, "%s '%s' does not fit into the %s that are free%s",
		    unit->count > 1 ? "group" : "event", names, counters,
		    pinned->count ? " beside the pinned events" : "");
}

/* The events of the group that event `first` is the first of, or itself. */
static size_t take_unit(const struct pmuctl_session *s, unsigned int first, struct unit *unit)
{
	uint32_t group = s->events[first].group;
	size_t events = 0;
	unsigned int i;

	unit->count = 0;
	for (i = first; i < s->nr_events && (i == first || s->events[i].group == group); i++) {
		if (unit->count < UNIT_EVENTS)
			unit->event[unit->count++] = i;
		events++;
		if (!group)
			break;
	}
	return events;
}

/* A group must fit by itself into what there is, whoever holds some of it. */
static int check_groups(struct pmuctl_session *s)
{
	const struct packing p = { .s = s, .available = s->ctx->facts.counters };
	struct unit unit;
	unsigned int i;
	size_t events;

	for (i = 0; i < s->nr_events; i += (unsigned int)events) {
		events = take_unit(s, i, &unit);
		if (s->events[i].group && (events > unit.count || !units_fit(&p, &unit, NULL)))
			return too_large(s, &unit, events);
	}
	return 0;
}

/* ---- several sets -------------------------------------------------------- */

struct sets {
	struct pmuctl_session *s;
	struct packing p;
	struct unit pinned;
	struct unit *units;
	size_t count;
};

static bool is_pinned(const struct pmuctl_session *s, const struct unit *unit)
{
	return s->events[unit->event[0]].flags & PMUCTL_EVENT_PINNED;
}

static int take_pinned(struct sets *sets, const struct unit *unit)
{
	struct unit *pinned = &sets->pinned;

	if (pinned->count + unit->count > UNIT_EVENTS)
		return fail(sets->s->ctx, -ENOSPC, "too many pinned events");
	memcpy(&pinned->event[pinned->count], unit->event, unit->count * sizeof(unit->event[0]));
	pinned->count += unit->count;
	return 0;
}

static int take_units(struct sets *sets)
{
	struct pmuctl_session *s = sets->s;
	struct unit unit;
	unsigned int i;
	size_t events;
	int err = 0;

	for (i = 0; !err && i < s->nr_events; i += (unsigned int)events) {
		events = take_unit(s, i, &unit);
		if (is_pinned(s, &unit))
			err = take_pinned(sets, &unit);
		else
			sets->units[sets->count++] = unit;
	}
	return err;
}

/* They keep their counters, so that each other set may count on the rest. */
static int pin(struct sets *sets)
{
	struct unit *pinned = &sets->pinned;
	struct pmuctl_session *s = sets->s;
	uint64_t masks[2 * UNIT_EVENTS];
	uint8_t got[2 * UNIT_EVENTS];
	unsigned int i, n = 0;

	if (!pinned->count)
		return 0;
	for (i = 0; i < pinned->count; i++) {
		masks[n++] = s->events[pinned->event[i]].counters;
		if (takes_two(s, pinned->event[i]))
			masks[n++] = s->events[pinned->event[i]].counters;
	}
	if (extras_clash(s, pinned->event, pinned->count) ||
	    !(is_p4(s) ? p4_fits(s, pinned->event, pinned->count, sets->p.available, 0, got) :
	      match_counters(masks, n, sets->p.available, got)))
		return no_room(s, pinned, &(struct unit){ .count = 0 }, sets->p.available);
	for (i = n = 0; i < pinned->count; i++) {
		s->events[pinned->event[i]].only = 1ull << got[n++];
		if (takes_two(s, pinned->event[i]))
			s->events[pinned->event[i]].only |= 1ull << got[n++];
	}
	sets->p.pinned = pinned;
	return 0;
}

/* The rings that all of them count. */
static uint64_t yardstick_flags(const struct sets *sets)
{
	uint64_t flags = 0;
	size_t i;

	for (i = 0; i < sets->count; i++)
		flags |= sets->s->events[sets->units[i].event[0]].flags;
	return flags & (PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL);
}

static struct unit whole_set(const struct sets *sets, uint32_t set)
{
	struct unit whole = { .count = 0 };
	unsigned int k;
	size_t i;

	for (i = 0; i < sets->count; i++)
		for (k = 0; sets->units[i].set == set && k < sets->units[i].count; k++)
			whole.event[whole.count++] = sets->units[i].event[k];
	return whole;
}

static bool counts_cycles(const struct pmuctl_session *s, const struct session_event *e)
{
	struct pmuctl_register reg[2];
	size_t i, count = cycles_event(&s->ctx->facts, reg);

	for (i = 0; i < count; i++)
		if (e->reg[i].value != reg[i].value)
			return false;
	return true;
}

static unsigned int own_cycles(const struct pmuctl_session *s, const struct unit *set,
			       uint64_t flags)
{
	const struct session_event *e;
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		e = &s->events[set->event[i]];
		if (counts_cycles(s, e) && e->flags == flags)
			return set->event[i];
	}
	return NO_EVENT;
}

static unsigned int add_yardstick(struct pmuctl_session *s, uint32_t set, uint64_t flags,
				  uint64_t counters)
{
	struct session_event *e;

	if (all_events(s) == PMUCTL_SESSION_EVENTS_MAX)
		return NO_EVENT;
	e = session_grow(s);
	if (!e)
		return NO_EVENT;
	s->nr_hidden++;
	e->flags = flags;
	e->counters = e->only = counters;
	e->nr_regs = cycles_event(&s->ctx->facts, e->reg);
	e->set = set;
	return (unsigned int)all_events(s) - 1;
}

/* A yardstick in every set, of our own or one that is there anyway. */
static bool measure(struct sets *sets, uint32_t nr, uint64_t counters)
{
	uint64_t flags = yardstick_flags(sets);
	struct pmuctl_session *s = sets->s;
	struct packing p = sets->p;
	uint32_t set, event;
	struct unit whole;

	p.yardstick = counters;
	for (set = 0; set < nr; set++) {
		whole = whole_set(sets, set);
		event = own_cycles(s, &whole, flags);
		if (event == NO_EVENT && units_fit(&p, &whole, NULL))
			event = add_yardstick(s, s->first_rotating + set, flags, counters);
		if (event == NO_EVENT) {
			s->nr_hidden = 0;
			return false;
		}
		s->yardstick[s->first_rotating + set] = event;
	}
	return true;
}

static int set_count(struct sets *sets, uint32_t nr, size_t bad)
{
	struct pmuctl_session *s = sets->s;

	if (!nr && sets->count)
		return no_room(s, &sets->units[bad], &sets->pinned, sets->p.available);
	if (nr == UINT32_MAX)
		return fail(s->ctx, -ENOMEM, "out of memory");
	if (nr + s->first_rotating > PMUCTL_SETS_MAX)
		return fail(s->ctx, -ENOSPC, "these events need %u turns, and a session has %u at "
					     "most; count fewer in a run", nr, PMUCTL_SETS_MAX);
	return 0;
}

/*
 * As few sets as possible, unless there is no room for yardsticks in them and
 * there would be in one more.
 */
static int pack(struct sets *sets, uint32_t *nr)
{
	uint64_t cycles = cycles_counters(&sets->s->ctx->facts) & sets->p.available;
	struct pmuctl_session *s = sets->s;
	uint32_t with = 0;
	size_t bad;
	int err;

	*nr = pack_units(&sets->p, sets->units, sets->count, &bad);
	err = set_count(sets, *nr, bad);
	if (err || *nr < 2 || !cycles)
		return err;
	s->measured = measure(sets, *nr, cycles);
	if (s->measured)
		return 0;
	sets->p.yardstick = cycles;
	with = pack_units(&sets->p, sets->units, sets->count, &bad);
	sets->p.yardstick = 0;
	if (with && with <= *nr + 1 && with + s->first_rotating <= PMUCTL_SETS_MAX) {
		*nr = with;
		s->measured = measure(sets, with, cycles);
	} else {
		*nr = pack_units(&sets->p, sets->units, sets->count, &bad);
	}
	return 0;
}

static int place_in_sets(struct sets *sets)
{
	struct pmuctl_session *s = sets->s;
	unsigned int k;
	uint32_t nr;
	size_t i;
	int err;

	s->first_rotating = sets->pinned.count ? 1 : 0;
	err = pack(sets, &nr);
	if (err)
		return err;
	s->nr_sets = s->first_rotating + nr;
	for (i = 0; i < sets->pinned.count; i++)
		s->events[sets->pinned.event[i]].set = 0;
	for (i = 0; i < sets->count; i++)
		for (k = 0; k < sets->units[i].count; k++)
			s->events[sets->units[i].event[k]].set =
				s->first_rotating + sets->units[i].set;
	return extras_assign(s);
}

static int plan_sets(struct pmuctl_session *s, uint64_t available)
{
	struct sets sets = { .s = s, .p = { .s = s, .available = available } };
	int err;

	sets.units = calloc(s->nr_events, sizeof(*sets.units));
	if (!sets.units)
		return fail(s->ctx, -ENOMEM, "out of memory");
	err = take_units(&sets);
	if (!err)
		err = pin(&sets);
	if (!err)
		err = place_in_sets(&sets);
	free(sets.units);
	return err;
}

/* ---- all of it ----------------------------------------------------------- */

static void forget(struct pmuctl_session *s)
{
	size_t i;

	s->nr_hidden = 0;
	s->measured = false;
	for (i = 0; i < s->nr_events; i++) {
		s->events[i].only = s->events[i].counters;
		s->events[i].set = 0;
	}
}

static int make_plan(struct pmuctl_session *s, uint64_t available, bool multiplex)
{
	int err;

	forget(s);
	err = p4_assign_tags(s);
	if (!err)
		err = p4_check_threads(s);
	if (!err)
		err = check_groups(s);
	if (err)
		return err;
	/* Without sets the kernel says what is missing, and who has it. */
	if (!multiplex || plan_fits(s, available))
		return plan_one_set(s);
	if (!(s->ctx->info.features & PMUCTL_CAN_SETS))
		return fail(s->ctx, -EOPNOTSUPP,
			    "these events do not fit into the counters at once, and the loaded "
			    "module cannot let them take turns; install module and command of one "
			    "version");
	return plan_sets(s, available);
}

/* One of these counters is the module's, for what has to run beside such an event. */
#define AUXILIARY_COUNTERS 0xfull

static uint64_t without_auxiliary(const struct pmuctl_session *s, uint64_t available)
{
	const struct session_event *e;
	uint64_t may = available & AUXILIARY_COUNTERS;

	for (e = s->events; may && e < s->events + s->nr_events; e++)
		if (is_sampled(&e->sampling) && e->sampling.precise &&
		    erratum_on(&s->ctx->facts, PMUCTL_ERRATUM_AUXILIARY, e->reg[0].value))
			return available & ~(1ull << (63 - __builtin_clzll(may)));
	return available;
}

int plan_session(struct pmuctl_session *s, uint64_t available, bool multiplex)
{
	int err = make_plan(s, without_auxiliary(s, available), multiplex);

	return err ? err : p4_add_upstreams(s);
}
