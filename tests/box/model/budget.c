// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the host's budget of instructions into events and clock ticks, and what
 * the counters lack to their next overflow into the next budget.
 */
#include <string.h>

#include "model.h"

/* Far from what an int64_t holds, so that stalls can be taken off safely. */
#define BUDGET_MAX (INT64_C(1) << 40)

/*
 * Which events are only known when the counts are settled: they are differences
 * of others.  Such an event is never more frequent than its guard, so a sync
 * when the guard gets as far as the event may is early at worst.
 */
static enum event guard_of(enum event event)
{
	switch (event) {
	case EV_TAKEN:
	case EV_NOT_TAKEN:
	case EV_PREDICTED_TAKEN:
	case EV_PREDICTED_NOT_TAKEN:
		return EV_BRANCHES;
	case EV_L1D_HITS:
		return EV_LOADS;
	default:
		return event;
	}
}

static void derive(uint64_t *n)
{
	n[EV_NOT_TAKEN] = n[EV_BRANCHES] - n[EV_TAKEN];
	n[EV_PREDICTED_TAKEN] = n[EV_TAKEN] - n[EV_MISSED_TAKEN];
	n[EV_PREDICTED_NOT_TAKEN] = n[EV_NOT_TAKEN] - n[EV_MISSED_NOT_TAKEN];
	n[EV_L1D_HITS] = n[EV_LOADS] - n[EV_L1D_MISSES];
	n[EV_ACCESSES] = n[EV_LOADS] + n[EV_STORES];
}

static uint64_t ticks(struct clock_rate rate, uint64_t *rest, uint64_t cycles)
{
	uint64_t n = cycles * rate.num + *rest;

	*rest = n & (BIT(rate.shift) - 1);
	return n >> rate.shift;
}

static uint64_t cycles_for(struct clock_rate rate, uint64_t rest, uint64_t ticks)
{
	return ((ticks << rate.shift) - rest + rate.num - 1) / rate.num;
}

static void run_clocks(struct pmu *pmu, uint64_t instructions)
{
	const struct pmu_profile *p = pmu->profile;
	struct clock_rate issue = { .num = 1, .shift = p->issue_bits };
	uint64_t *n = pmu->pending;

	n[EV_INSTRUCTIONS] = instructions;
	n[EV_CYCLES] = ticks(issue, &pmu->issue_rest, instructions) + pmu->stall;
	n[EV_REF_CYCLES] = ticks(p->ref, &pmu->ref_rest, n[EV_CYCLES]);
	n[EV_BUS_CYCLES] = ticks(p->bus, &pmu->bus_rest, n[EV_CYCLES]);
	pmu->stall = 0;
}

/* Count what happened, all of it in the class that runs. */
void pmu_account(struct pmu *pmu, int64_t instructions)
{
	uint64_t *totals = pmu->totals[pmu->hot->cls];

	run_clocks(pmu, (uint64_t)instructions);
	derive(pmu->pending);
	for (int e = 0; e < EV_TOTALS; e++)
		totals[e] += pmu->pending[e];
	pmu->retired += (uint64_t)instructions;
	pmu_counters_advance(pmu);
	memset(pmu->pending, 0, sizeof(pmu->pending));
	pmu->tally.instruction = 0;
}

/* The number of instructions that takes so many cycles, without a stall. */
static uint64_t instructions_for(const struct pmu *pmu, uint64_t cycles)
{
	return (cycles << pmu->profile->issue_bits) - pmu->issue_rest;
}

static void limit_to(struct pmu *pmu, enum event event, uint64_t left)
{
	event = guard_of(event);
	if (left < pmu->limit[event])
		pmu->limit[event] = left;
}

/* Instructions until an event has happened left times, if that can be told. */
static uint64_t distance(struct pmu *pmu, enum event event, uint64_t left)
{
	const struct pmu_profile *p = pmu->profile;

	switch (event) {
	case EV_INSTRUCTIONS:
		return left;
	case EV_CYCLES:
		break;
	case EV_REF_CYCLES:
		left = cycles_for(p->ref, pmu->ref_rest, left);
		break;
	case EV_BUS_CYCLES:
		left = cycles_for(p->bus, pmu->bus_rest, left);
		break;
	case EV_ACCESSES:
		/* Two addends: while each is below half, so is the sum. */
		limit_to(pmu, EV_LOADS, (left + 1) / 2);
		limit_to(pmu, EV_STORES, (left + 1) / 2);
		return BUDGET_MAX;
	case EV_NONE:
		return BUDGET_MAX;
	default:
		limit_to(pmu, event, left);
		return BUDGET_MAX;
	}
	pmu->counts_cycles = true;
	return instructions_for(pmu, left);
}

static uint64_t pmi_distance(struct pmu *pmu)
{
	if (pmu->pmi_cycles <= 0)
		return 0;
	pmu->counts_cycles = true;
	return instructions_for(pmu, (uint64_t)pmu->pmi_cycles);
}

/* The next budget: up to the first overflow in this class, or to the PMI. */
void pmu_grant(struct pmu *pmu)
{
	uint64_t budget = BUDGET_MAX, n;

	memset(pmu->limit, 0xff, sizeof(pmu->limit));
	pmu->counts_cycles = false;
	pmu->kicked = false;
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];

		if (!c->on || !(c->classes & BIT(pmu->hot->cls)))
			continue;
		n = distance(pmu, c->event, c->mask - c->value + 1);
		budget = n < budget ? n : budget;
	}
	if (pmu->pmi) {
		n = pmi_distance(pmu);
		budget = n < budget ? n : budget;
	}
	pmu->granted = (int64_t)budget;
	pmu->hot->budget = (int64_t)budget;
}

/* What is consumed stays so; nothing more is to be consumed before a sync. */
void pmu_kick(struct pmu *pmu)
{
	struct pmu_hot *hot = pmu->hot;

	if (hot->budget > 0) {
		pmu->granted -= hot->budget;
		hot->budget = 0;
	}
	pmu->kicked = true;
}

void pmu_stall(struct pmu *pmu, uint32_t cycles)
{
	int64_t worth = (int64_t)cycles << pmu->profile->issue_bits;

	pmu->stall += cycles;
	if (!pmu->counts_cycles)
		return;
	if (pmu->hot->budget <= worth) {
		pmu_kick(pmu);
		return;
	}
	pmu->hot->budget -= worth;
	pmu->granted -= worth;
}

/* The number, since pmu_new(), of the instruction that runs; never 0. */
uint64_t pmu_in_flight(const struct pmu *pmu)
{
	return pmu->retired + (uint64_t)(pmu->granted - pmu->hot->budget);
}

static uint8_t need_of(enum event event)
{
	switch (event) {
	case EV_NONE:
		return 0;
	case EV_INSTRUCTIONS:
		return PMU_NEED_INSN;
	case EV_CYCLES:
	case EV_REF_CYCLES:
	case EV_BUS_CYCLES:
		return PMU_NEED_ALL;
	case EV_BRANCHES:
	case EV_BRANCH_MISSES:
	case EV_TAKEN:
	case EV_NOT_TAKEN:
	case EV_MISSED_TAKEN:
	case EV_MISSED_NOT_TAKEN:
	case EV_PREDICTED_TAKEN:
	case EV_PREDICTED_NOT_TAKEN:
		return PMU_NEED_INSN | PMU_NEED_BRANCH;
	default:
		return PMU_NEED_INSN | PMU_NEED_MEM;
	}
}

void pmu_needs_update(struct pmu *pmu)
{
	uint8_t needs[PMU_CLASSES];

	memset(needs, pmu->forced | (pmu->pmi ? PMU_NEED_INSN : 0), sizeof(needs));
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];

		for (int cls = 0; cls < PMU_CLASSES; cls++)
			if (c->on && (c->classes & BIT(cls)))
				needs[cls] |= need_of(c->event);
	}
	memcpy(pmu->hot->needs, needs, sizeof(needs));
	pmu->hot->active = needs[PMU_KERNEL] || needs[PMU_USER];
}
