// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a PMU and what its host calls while instructions run: sync, change
 * of ring, instructions that do not retire, and the truth.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

static void power_on(struct pmu *pmu)
{
	pmu_counters_reset(pmu);
	memset(pmu->evtsel, 0, sizeof(pmu->evtsel));
	memset(pmu->plain, 0, sizeof(pmu->plain));
	pmu->fixed_ctrl = 0;
	pmu->global_status = 0;
	pmu->global_ctrl = pmu_power_on_global_ctrl(pmu->profile);
	pmu_configure(pmu);
}

struct pmu *pmu_new(const char *profile, unsigned int skid, struct pmu_hot *hot)
{
	struct pmu *pmu = calloc(1, sizeof(*pmu));

	if (!pmu)
		return NULL;
	pmu->profile = pmu_profile_find(profile);
	if (!pmu->profile || pmu_timing_new(pmu) < 0) {
		pmu_free(pmu);
		return NULL;
	}
	pmu->skid = skid;
	pmu->hot = hot;
	memset(hot, 0, sizeof(*hot));
	hot->cls = PMU_KERNEL;
	power_on(pmu);
	return pmu;
}

void pmu_free(struct pmu *pmu)
{
	if (!pmu)
		return;
	pmu_timing_free(pmu);
	free(pmu);
}

static int64_t consumed(const struct pmu *pmu)
{
	return pmu->granted - pmu->hot->budget;
}

void pmu_reset(struct pmu *pmu)
{
	pmu_account(pmu, consumed(pmu));
	pmu->hot->cls = PMU_KERNEL;
	power_on(pmu);
}

bool pmu_sync(struct pmu *pmu)
{
	pmu_account(pmu, consumed(pmu));
	pmu_grant(pmu);
	return pmu->pmi && pmu->pmi_cycles <= 0;
}

bool pmu_set_class(struct pmu *pmu, enum pmu_class cls)
{
	pmu_account(pmu, consumed(pmu));
	pmu->hot->cls = (uint8_t)cls;
	pmu_grant(pmu);
	return pmu->pmi && pmu->pmi_cycles <= 0;
}

/*
 * One instruction less is consumed.  After a kick the budget must stay at zero,
 * for the event behind the kick may be that of an instruction before this one.
 */
static void give_back(struct pmu *pmu)
{
	if (pmu->kicked)
		pmu->granted--;
	else
		pmu->hot->budget++;
}

static void undo_accesses(struct pmu *pmu)
{
	struct access_tally *t = &pmu->tally;

	for (int e = 0; e < EV_COUNT; e++)
		pmu->pending[e] -= t->count[e];
	pmu->stall -= t->stall;
}

void pmu_unretire(struct pmu *pmu)
{
	if (pmu->tally.instruction == pmu_in_flight(pmu))
		undo_accesses(pmu);
	/* The next instruction gets the same number: what this one did is gone. */
	pmu->tally.instruction = 0;
	give_back(pmu);
}

void pmu_rep_again(struct pmu *pmu)
{
	pmu->tally.instruction = 0;
	give_back(pmu);
}

void pmu_force(struct pmu *pmu, unsigned int needs)
{
	pmu->forced = (uint8_t)(needs & PMU_NEED_ALL);
	pmu_needs_update(pmu);
}

const uint64_t *pmu_totals(const struct pmu *pmu, enum pmu_class cls)
{
	return pmu->totals[cls];
}

void pmu_note(struct pmu *pmu, enum pmu_total what)
{
	pmu->totals[pmu->hot->cls][what]++;
}
