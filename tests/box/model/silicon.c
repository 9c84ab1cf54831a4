// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which kind of machine the box is where manuals leave it open, as the host asks for it.
 */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define LOST_EVERY 20
#define NAMELESS_EVERY 8

static const char *const names[SILICON_NR] = {
#define NAME(name, text) [SILICON_##name] = text,
	SILICON_READINGS(NAME)
#undef NAME
};

static int find(const char *name, size_t length)
{
	for (int i = 0; i < SILICON_NR; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], name, length))
			return i;
	return -1;
}

static void say_names(char *why, size_t size, const char *name, size_t length)
{
	size_t used = (size_t)snprintf(why, size, "no reading '%.*s'; there are:", (int)length,
				       name);

	for (int i = 0; i < SILICON_NR && used < size; i++)
		used += (size_t)snprintf(why + used, size - used, " %s", names[i]);
}

bool pmu_silicon(struct pmu *pmu, const char *text, char *why, size_t size)
{
	for (const char *name = text;; name++) {
		size_t length = strcspn(name, ",");
		int what = find(name, length);

		if (what < 0) {
			say_names(why, size, name, length);
			return false;
		}
		pmu->silicon.is |= BIT(what);
		name += length;
		if (*name != ',')
			return true;
	}
}

bool pmu_masks_pmi(const struct pmu *pmu)
{
	return !silicon_is(&pmu->silicon, SILICON_UNMASKED);
}

bool pmu_loses_pmi(struct pmu *pmu)
{
	return silicon_is(&pmu->silicon, SILICON_LOST_PMI) &&
	       ++pmu->silicon.pmis % LOST_EVERY == 0;
}

/* The counters that a record of an old format names, of those that it is of. */
uint64_t pmu_silicon_named(struct pmu *pmu, uint64_t counters)
{
	if (silicon_is(&pmu->silicon, SILICON_NAMES_NONE) &&
	    ++pmu->silicon.records % NAMELESS_EVERY == 0)
		return 0;
	for (unsigned int i = 0; i < pmu->gp && silicon_is(&pmu->silicon, SILICON_NAMES_READY); i++)
		if (pmu->counter[i].pebs && pmu->counter[i].armed)
			counters |= pmu->counter[i].status;
	return counters;
}

/* Where an overflow shows: in GLOBAL_STATUS, or not before that has been read. */
void pmu_silicon_show(struct pmu *pmu, uint64_t status)
{
	if (silicon_is(&pmu->silicon, SILICON_LATE_BITS) && pmu->global_status)
		pmu->silicon.late |= status & ~pmu->global_status;
	else
		pmu->global_status |= status;
}

/* Bits that are not there where architectural PEBS is no baseline. */
uint64_t pmu_silicon_baseline(const struct pmu *pmu, uint64_t bits)
{
	return pmu_pebs_is_architectural(pmu) && silicon_is(&pmu->silicon, SILICON_NO_BASELINE) ?
	       bits : 0;
}

/* GLOBAL_STATUS as a reading has it; may: bits that this processor knows. */
uint64_t pmu_silicon_status(struct pmu *pmu, uint64_t may)
{
	uint64_t status = pmu->global_status;

	pmu->global_status |= pmu->silicon.late;
	pmu->silicon.late = 0;
	if (status && silicon_is(&pmu->silicon, SILICON_MORE_BITS))
		status |= (STATUS_ASCI | STATUS_UNCORE | STATUS_COND_CHGD) & may;
	return status;
}
