// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One event of Intel's files: its event select, its counters, the register
 * beside it.  Values are strings, but numbers are taken as well.  Fields that
 * are not known here are left alone.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/intel.h"

struct bits {
	const char *field;
	unsigned int shift;
	uint64_t max;
};

/* Of the event select.  Umasks beyond eight bits and Eq are of later processors. */
static const struct bits bits[] = {
	{ "EventCode", 0, 0xff },
	{ "UMask", 8, 0xff },
	{ "CounterMask", 24, 0xff },
	{ "EdgeDetect", 18, 1 },
	{ "AnyThread", 21, 1 },
	{ "Invert", 23, 1 },
	{ "UMaskExt", 40, 0xff },
	{ "EQ", 36, 1 },
};

static int get_evtsel(const struct reading *r, uint64_t *evtsel)
{
	uint64_t number;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		number = 0;
		/* Later files write the extension into the umask itself. */
		err = intel_number(r, bits[i].field, i == 1 ? 0xffff : bits[i].max, &number);
		if (err)
			return err;
		*evtsel |= (number & bits[i].max) << bits[i].shift;
		if (number > bits[i].max)
			*evtsel |= number >> 8 << 40;
	}
	return 0;
}

/* "0,1,2,3", "Fixed counter 1" (then 0). */
static uint64_t counters_of(const char *text)
{
	uint64_t mask = 0;
	char *end;
	unsigned long i;

	while (*text) {
		i = strtoul(text, &end, 10);
		if (end == text)
			return 0;
		if (i < PMUCTL_COUNTER_FIXED)
			mask |= 1ull << i;
		text = end + strspn(end, ", ");
	}
	return mask;
}

/* With SMT off a core's counters are one thread's: the wider list. */
static int get_counters(const struct reading *r, uint64_t *counters)
{
	bool all = !r->ctx->facts_known || r->ctx->facts.counters >> 4 & 1;
	const char *narrow = "", *wide = NULL;
	int err = intel_text(r, "Counter", &narrow);

	if (!err)
		err = intel_text(r, "CounterHTOff", &wide);
	*counters = counters_of(all && wide ? wide : narrow);
	return err;
}

/*
 * MSRs by their numbers are Intel's way to name registers: all that are there
 * in these files are the ones beside the event select.
 */
static int get_extra(const struct reading *r, uint64_t *extra)
{
	uint64_t msr = 0;
	int err = intel_number(r, "MSRIndex", UINT64_MAX, &msr);

	if (!err && msr)
		err = intel_number(r, "MSRValue", UINT64_MAX, extra);
	return err;
}

static int get_rest(const struct reading *r, struct intel_event *e)
{
	uint64_t deprecated = 0;
	int err = get_evtsel(r, &e->evtsel);

	if (!err)
		err = get_counters(r, &e->counters);
	if (!err)
		err = get_extra(r, &e->extra);
	if (!err)
		err = intel_text(r, "BriefDescription", &e->text);
	if (!err)
		err = intel_text(r, "Errata", &e->errata);
	if (!err)
		err = intel_number(r, "Deprecated", 1, &deprecated);
	e->deprecated = deprecated;
	if (e->errata && (!e->errata[0] || !strcmp(e->errata, "0") || !strcmp(e->errata, "null")))
		e->errata = NULL;
	return err;
}

static bool is_known(const struct intel *intel, const char *name)
{
	size_t i;

	for (i = 0; i < intel->count; i++)
		if (same_event_name(intel->events[i].name, name))
			return true;
	return false;
}

/* If it is an event of the core. */
int intel_take_event(struct reading *r)
{
	struct intel_event *e = &r->intel->events[r->intel->count];
	const char *unit = NULL;
	int err;

	err = intel_text(r, "EventName", &r->name);
	if (!err)
		err = intel_text(r, "Unit", &unit);
	if (err || (unit && strcmp(unit, "cpu_core") != 0))
		return err;
	if (!r->name || !r->name[0])
		return intel_bad(r, "EventName", "is missing");
	if (!r->intel->jansson->get(r->object, "EventCode"))
		return intel_bad(r, "EventCode", "is missing");
	*e = (struct intel_event){ .name = r->name, .text = "" };
	err = get_rest(r, e);
	if (!err && !is_known(r->intel, e->name))
		r->intel->count++;
	return err;
}
