// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gaps of retirement: what became of each instruction, for the truth and for a trace.
 * All gaps of a class add up to its cycles.
 */
#include "pipeline.h"

static uint64_t *totals_of(struct pmu *pmu, enum gap_tag tag)
{
	return pmu->totals[pmu->hot->cls] + PMU_GAPS + (unsigned int)tag * PMU_GAP_TOTALS;
}

static uint64_t gap_now(struct pipeline *p)
{
	uint64_t gap = p->last_retire - p->gap_since;

	p->gap_since = p->last_retire;
	return gap;
}

static enum gap_tag tag_now(const struct pipeline *p)
{
	if (p->tag_branch != GAP_OTHER)
		return p->tag_branch;
	if (p->tag_behind != GAP_OTHER)
		return p->tag_behind;
	if (p->tag_access != GAP_OTHER)
		return p->tag_access;
	return p->front.lost ? GAP_FRONT_END : GAP_OTHER;
}

/* Counts the gap of the instruction in flight, which has retired, and tells of it. */
void pmu_gap(struct pmu *pmu)
{
	struct pipeline *p = pmu->pipe;
	enum gap_tag tag = tag_now(p);
	uint64_t gap = gap_now(p), *totals = totals_of(pmu, tag);

	totals[0] += gap;
	totals[1 + gap_bin_of(gap)]++;
	if (pmu->retired_fn)
		pmu->retired_fn(pmu->retired_data, &(struct pmu_retired) {
			.ip = p->flight.ip, .gap = gap, .tag = tag,
			.cls = (enum pmu_class)pmu->hot->cls,
		});
	p->tag_branch = GAP_OTHER;
	p->tag_behind = p->tag_next;
	p->tag_next = GAP_OTHER;
	p->tag_access = GAP_OTHER;
}

/* Counts cycles that a class ends with, in which no instruction of it retires, as other ones. */
void pmu_gap_end(struct pmu *pmu)
{
	*totals_of(pmu, GAP_OTHER) += gap_now(pmu->pipe);
}

void pmu_want_gaps(struct pmu *pmu, void (*fn)(void *data, const struct pmu_retired *retired),
		   void *data)
{
	struct pipeline *p = pmu->pipe;

	if (!p)
		return;
	pmu->wants_gaps = true;
	pmu->wants_loads = true;
	pmu->retired_fn = fn;
	pmu->retired_data = data;
	p->gap_since = p->last_retire;
	p->tag_branch = p->tag_behind = p->tag_next = p->tag_access = GAP_OTHER;
}
