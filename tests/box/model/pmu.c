// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a PMU and what its host calls while instructions run: sync, change
 * of ring, instructions that do not retire, and the truth.
 */
#include <stdlib.h>
#include <string.h>

#include "p4.h"
#include "p5.h"

void pmu_power_on(struct pmu *pmu)
{
	pmu_counters_reset(pmu);
	pmu_lbr_reset(pmu);
	memset(pmu->evtsel, 0, sizeof(pmu->evtsel));
	pmu_plain_power_on(pmu);
	pmu_l3_power_on(pmu);
	memset(pmu->metric, 0, sizeof(pmu->metric));
	memset(pmu->cfg_c, 0, sizeof(pmu->cfg_c));
	pmu->pebs_base = 0;
	pmu->pebs_index = 0;
	pmu->fixed_ctrl = 0;
	pmu->global_status = 0;
	pmu->global_ctrl = pmu_power_on_global_ctrl(pmu);
	if (p4_of(pmu))
		p4_power_on(pmu);
	if (pmu->profile->p5)
		p5_power_on(pmu);
	pmu_configure(pmu);
}

struct pmu *pmu_new(const char *profile, unsigned int skid, struct pmu_hot *hot)
{
	struct pmu *pmu = calloc(1, sizeof(*pmu));

	if (!pmu)
		return NULL;
	pmu->profile = pmu_profile_find(profile);
	if (!pmu->profile || pmu_core_new(pmu) < 0 || p4_new(pmu) < 0 ||
	    pmu_l3_new(pmu) < 0 || pmu_timing_new(pmu) < 0 || pmu_pages_new(pmu) < 0 ||
	    pmu_burst_new(pmu) < 0 || pmu_pipe_new(pmu) < 0) {
		pmu_free(pmu);
		return NULL;
	}
	pmu->skid = skid;
	pmu->hot = hot;
	memset(hot, 0, sizeof(*hot));
	hot->cls = PMU_KERNEL;
	pmu_power_on(pmu);
	return pmu;
}

void pmu_free(struct pmu *pmu)
{
	if (!pmu)
		return;
	pmu_timing_free(pmu);
	pmu_pages_free(pmu);
	pmu_burst_free(pmu);
	pmu_pipe_free(pmu);
	pmu_core_leave(pmu);
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
	pmu_power_on(pmu);
}

bool pmu_pmi_due(const struct pmu *pmu)
{
	return pmu->pmi && pmu->pmi_cycles <= 0;
}

static bool due(const struct pmu *pmu)
{
	return pmu_record_due(pmu) || pmu_pmi_due(pmu);
}

bool pmu_sync(struct pmu *pmu)
{
	pmu_account(pmu, consumed(pmu));
	pmu_grant(pmu);
	return due(pmu);
}

bool pmu_shares_counters(const struct pmu *pmu)
{
	return p4_of(pmu) && pmu->core->threads > 1;
}

bool pmu_leave(struct pmu *pmu)
{
	return pmu_sync(pmu);
}

void pmu_enter(struct pmu *pmu)
{
	if (p4_of(pmu))
		p4_wake(pmu);
	pmu_needs_update(pmu);
	pmu_grant(pmu);
}

bool pmu_set_class(struct pmu *pmu, enum pmu_class cls)
{
	pmu_pipe_finish(pmu);
	if (cls != pmu->hot->cls)
		pmu_pipe_drain(pmu);
	pmu_account(pmu, consumed(pmu));
	pmu->pending[EV_ENTRIES] += pmu->hot->cls != cls;
	pmu->hot->cls = (uint8_t)cls;
	pmu_grant(pmu);
	return due(pmu);
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

	for (int e = 0; e < EV_PENDING; e++)
		pmu->pending[e] -= t->count[e];
	pmu->prefetched -= t->prefetched;
	if (t->stalled)
		pmu->issue = t->issue;
	if (pmu->compared)
		pmu_compare_undo(pmu);
}

void pmu_unretire(struct pmu *pmu)
{
	if (pmu->burst)
		pmu_burst_undo(pmu);
	pmu_pipe_drop(pmu);
	if (pmu->tally.instruction == pmu_in_flight(pmu))
		undo_accesses(pmu);
	/* The next instruction gets the same number: what this one did is gone. */
	pmu->tally.instruction = 0;
	pmu->access[0].instruction = 0;
	pmu->access[1].instruction = 0;
	pmu->slowest.instruction = 0;
	give_back(pmu);
}

bool pmu_halt(struct pmu *pmu)
{
	pmu_account(pmu, consumed(pmu));
	pmu->pending[EV_ENTRIES]++;
	pmu->pending[EV_WAKES]++;
	if (pmu->burst)
		pmu_burst_halt(pmu);
	pmu_grant(pmu);
	pmu_core_halt(pmu);
	if (p4_of(pmu))
		p4_halt(pmu);
	return due(pmu);
}

void pmu_rep_again(struct pmu *pmu)
{
	if (pmu->burst)
		pmu_burst_again(pmu);
	pmu_pipe_again(pmu);
	pmu->tally.instruction = 0;
	give_back(pmu);
}

void pmu_force(struct pmu *pmu, unsigned int needs)
{
	pmu->forced = (uint8_t)(needs & (PMU_NEED_ALL | PMU_NEED_KIND | PMU_NEED_USER_KIND));
	pmu_needs_update(pmu);
}

void pmu_want_causes(struct pmu *pmu, bool want)
{
	pmu->wants_causes = want;
}

uint64_t pmu_overflowed(struct pmu *pmu)
{
	uint64_t overflowed = pmu->overflowed;

	pmu->overflowed = 0;
	return overflowed;
}

uint64_t pmu_retired(const struct pmu *pmu)
{
	return pmu->retired;
}

const uint64_t *pmu_totals(const struct pmu *pmu, enum pmu_class cls)
{
	return pmu->totals[cls];
}

unsigned int pmu_nr_totals(const struct pmu *pmu)
{
	if (pmu->burst)
		return PMU_SLOTS;
	if (!pmu->pipe)
		return PMU_P4;
	return pmu->wants_gaps ? PMU_TOTALS : PMU_GAPS;
}

bool pmu_records_before(const struct pmu *pmu)
{
	return pmu->profile->netburst;
}

void pmu_note(struct pmu *pmu, enum pmu_total what)
{
	pmu->totals[pmu->hot->cls][what]++;
}
