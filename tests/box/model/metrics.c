// SPDX-License-Identifier: GPL-2.0-only
/*
 * PERF_METRICS: what became of the slots that fixed counter 3 counts, as a byte for
 * each category, of 255 parts of them.
 */
#include <string.h>

#include "model.h"

#define PARTS 255
#define LEVEL_1 4			/* fields that add up to all parts */

static unsigned int byte_of(uint64_t value, unsigned int i)
{
	return (unsigned int)(value >> 8 * i) & 0xff;
}

static uint64_t all_slots(const struct pmu *pmu)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < LEVEL_1; i++)
		sum += pmu->metric[i];
	return sum;
}

/* What rounding down has left over goes to those that it took most from. */
static void hand_out(uint64_t left, const uint64_t *rest, unsigned int *part)
{
	bool given[LEVEL_1] = { false };

	for (; left; left--) {
		unsigned int most = LEVEL_1;

		for (unsigned int i = 0; i < LEVEL_1; i++)
			if (!given[i] && (most == LEVEL_1 || rest[i] > rest[most]))
				most = i;
		given[most] = true;
		part[most]++;
	}
}

static void first_level(const struct pmu *pmu, uint64_t all, unsigned int *part)
{
	uint64_t rest[LEVEL_1], left = PARTS;

	for (unsigned int i = 0; i < LEVEL_1; i++) {
		part[i] = (unsigned int)(PARTS * pmu->metric[i] / all);
		rest[i] = PARTS * pmu->metric[i] % all;
		left -= part[i];
	}
	hand_out(left, rest, part);
}

/* A field of the second level is part of the one four below it, and never more. */
static void second_level(const struct pmu *pmu, uint64_t all, unsigned int *part)
{
	for (unsigned int i = LEVEL_1; i < pmu->profile->metrics; i++) {
		part[i] = (unsigned int)((PARTS * pmu->metric[i] + all / 2) / all);
		if (part[i] > part[i - LEVEL_1])
			part[i] = part[i - LEVEL_1];
	}
}

uint64_t pmu_metrics(const struct pmu *pmu)
{
	unsigned int part[PMU_MAX_METRICS] = { 0 };
	uint64_t all = all_slots(pmu), value = 0;

	if (!all)
		return 0;
	first_level(pmu, all, part);
	second_level(pmu, all, part);
	for (unsigned int i = 0; i < pmu->profile->metrics; i++)
		value |= (uint64_t)part[i] << 8 * i;
	return value;
}

/* Somebody has read it: with FIXED_METRICS_CLEAR it and the slots begin anew. */
void pmu_metrics_were_read(struct pmu *pmu)
{
	if (!(pmu->fixed_ctrl & FIXED_METRICS_CLEAR))
		return;
	pmu->counter[PMU_SLOTS_COUNTER].value = 0;
	memset(pmu->metric, 0, sizeof(pmu->metric));
}

/* Shares of what the counter holds: so software restores what it has read from both. */
void pmu_metrics_set(struct pmu *pmu, uint64_t value)
{
	uint64_t slots = pmu->counter[PMU_SLOTS_COUNTER].value;

	for (unsigned int i = 0; i < PMU_MAX_METRICS; i++)
		pmu->metric[i] = slots / PARTS * byte_of(value, i) +
				 slots % PARTS * byte_of(value, i) / PARTS;
}

/* In the order of the fields; the first level adds up to all slots. */
static void pending_slots(const struct pmu *pmu, uint64_t *slots)
{
	const uint64_t *n = pmu->pending;

	slots[0] = n[EV_SIG_UOPS_RETIRED];
	slots[1] = n[EV_SIG_METRIC_BAD_SPECULATION];
	slots[2] = n[EV_SIG_NOT_DELIVERED];
	slots[3] = n[EV_SIG_METRIC_BACK_END];
	slots[4] = n[EV_SIG_UOPS_HEAVY];
	slots[5] = n[EV_SIG_METRIC_MISPREDICTS];
	slots[6] = n[EV_SIG_METRIC_FETCH_LATENCY];
	slots[7] = n[EV_SIG_METRIC_MEMORY];
}

/* What is pending goes to the fields, while the counter of slots goes on. */
void pmu_metrics_advance(struct pmu *pmu)
{
	const struct counter *c = &pmu->counter[PMU_SLOTS_COUNTER];
	uint64_t slots[PMU_MAX_METRICS];

	if (!c->on || !(pmu->global_ctrl & STATUS_METRICS) || !(c->classes & BIT(pmu->hot->cls)))
		return;
	pending_slots(pmu, slots);
	for (unsigned int i = 0; i < pmu->profile->metrics; i++) {
		pmu->metric[i] += slots[i];
		if (pmu->metric[i] <= c->mask)
			continue;
		pmu->metric[i] &= c->mask;
		if (c->pmi)
			pmu_ideal_interrupts(pmu, c->event);
		pmu_overflow(pmu, STATUS_METRICS, c->pmi);
	}
}
