// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which penalties are free, as the host asks for them, and what must not be beside: an
 * interrupt whose place depends on the time would make another program of the same one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static const char *const names[IDEAL_NR] = {
#define NAME(name, text) [IDEAL_##name] = text,
	IDEAL_PENALTIES(NAME)
#undef NAME
};

/*
 * Draws whether this occurrence of a penalty is free: each penalty for itself, so that
 * others do not change which are.
 */
bool ideal_draw(struct ideal *ideal, enum ideal_penalty what)
{
	uint64_t *random = &ideal->random[what];

	*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *random >> 32 < ideal->share;
}

static int find(const char *name, size_t length)
{
	for (int i = 0; i < IDEAL_NR; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], name, length))
			return i;
	return -1;
}

static void say_names(char *why, size_t size, const char *name, size_t length)
{
	size_t used = (size_t)snprintf(why, size, "no penalty '%.*s'; there are:", (int)length,
				       name);

	for (int i = 0; i < IDEAL_NR && used < size; i++)
		used += (size_t)snprintf(why + used, size - used, " %s", names[i]);
}

/* Returns false if it is no number above 0 and up to 1. */
static bool read_share(const char *text, uint64_t *share)
{
	char *end;
	double value;

	if (strspn(text, "0123456789.") != strlen(text))
		return false;
	value = strtod(text, &end);
	*share = (uint64_t)(value * 4294967296.0);
	return *text && !*end && value <= 1 && *share;
}

bool pmu_ideal(struct pmu *pmu, const char *text, char *why, size_t size)
{
	const char *end = text + strcspn(text, ":");
	struct ideal ideal = { .share = UINT64_C(1) << 32 };

	if (pmu->burst) {
		snprintf(why, size, "a Pentium 4's penalties cannot be taken away yet");
		return false;
	}
	if (pmu->skid) {
		snprintf(why, size, "a skid is in cycles, and would move interrupts");
		return false;
	}
	if (*end && !read_share(end + 1, &ideal.share)) {
		snprintf(why, size, "a share is a number above 0 and up to 1, not '%s'", end + 1);
		return false;
	}
	for (const char *name = text;; name++) {
		size_t length = strcspn(name, ",:");
		int what = find(name, length);

		if (what < 0) {
			say_names(why, size, name, length);
			return false;
		}
		ideal.free |= (uint32_t)BIT(what);
		ideal.random[what] = (uint64_t)what + 1;
		name += length;
		if (*name != ',')
			break;
	}
	pmu->ideal = ideal;
	return true;
}

/* Returns the level that a miss takes the time of; one past the last is memory. */
unsigned int pmu_ideal_level(struct pmu *pmu, unsigned int level, unsigned int last)
{
	if (level > last && ideal_takes(&pmu->ideal, IDEAL_L3))
		level = last;
	if (level > 1 && ideal_takes(&pmu->ideal, IDEAL_L2))
		level = 1;
	if (level && ideal_takes(&pmu->ideal, IDEAL_L1))
		level = 0;
	return level;
}

/* Does it depend on the time at which instruction this event happens? */
static bool has_a_time(const struct pmu *pmu, enum event event)
{
	switch ((int)event) {
	case EV_SLOW_LOADS:
		return pmu_pipe_runs(pmu);
	case EV_CYCLES:
	case EV_REF_CYCLES:
	case EV_BUS_CYCLES:
	case EV_SLOTS:
	case EV_RING0:
	case EV_RING123:
	case EV_DISTRIBUTED:
	case EV_BUS_ALONE:
	case EV_BUSY ... EV_ENTRIES - 1:
	case EV_COMPARED ... EV_PENDING - 1:
	case EV_PIPE ... EV_ALL - 1:
		return true;
	default:
		return false;
	}
}

/* Notes that a counter interrupts, or makes a record: if that depends on the time, it is over. */
void pmu_ideal_interrupts(struct pmu *pmu, enum event event)
{
	if (pmu->ideal.free && has_a_time(pmu, event))
		pmu->spoilt = true;
}

const char *pmu_spoilt(const struct pmu *pmu)
{
	return pmu->spoilt ? "--ideal: a counter of cycles, or of another event that depends on "
			     "the time, interrupts or makes PEBS records: where it does would be "
			     "another place than without --ideal, and so would all that follows" :
			     NULL;
}
