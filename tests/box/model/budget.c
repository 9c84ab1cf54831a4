// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the host's budget of instructions into events and clock ticks, and what
 * the counters lack to their next overflow into the next budget.
 */
#include <string.h>

#include "p4.h"

/* Far from what an int64_t holds, so that stalls can be taken off safely. */
#define BUDGET_MAX (INT64_C(1) << 40)
/* Other threads of the core hear of instructions that often at least. */
#define BUDGET_TELL 1000

/*
 * Which events are only known when the counts are settled: they are differences
 * of others.  Such an event is never more frequent than its guard, so a sync
 * when the guard gets as far as the event may is early at worst.
 */
static enum event guard_of(enum event event)
{
	if (event > EV_BUSY && event < EV_RUNS)
		return EV_BUSY;
	switch (event) {
	case EV_TAKEN:
	case EV_NOT_TAKEN:
	case EV_PREDICTED_TAKEN:
	case EV_PREDICTED_NOT_TAKEN:
		return EV_BRANCHES;
	case EV_L1D_HITS:
		return EV_LOADS;
	case EV_CONDITIONAL:
	case EV_CONDITIONAL_TAKEN:
	case EV_CALLS:
	case EV_RETURNS:
	case EV_INDIRECT:
		return EV_BRANCHES;
	case EV_RING0_ENTRIES:
		return EV_ENTRIES;
	case EV_BUS_ALONE:
		return EV_BUS_CYCLES;
	case EV_LOAD_PORTS ... EV_PORTS_5_10:
		return EV_SIG_UOPS_EXECUTED;
	case EV_FETCH_STALLS ... EV_PORTS_2_3:
		return EV_ALLOCATION;
	case EV_RING0:
	case EV_RING123:
	case EV_DISTRIBUTED:
	case EV_P4_TC_DD ... EV_P4_TC_IB:
		return EV_CYCLES;
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

uint64_t pmu_ticks(struct clock_rate rate, uint64_t *rest, uint64_t cycles)
{
	uint64_t n = cycles * rate.num + *rest;

	*rest = n & (BIT(rate.shift) - 1);
	return n >> rate.shift;
}

static uint64_t cycles_for(struct clock_rate rate, uint64_t rest, uint64_t ticks)
{
	return ((ticks << rate.shift) - rest + rate.num - 1) / rate.num;
}

/* A core without a pipeline, or of which nobody wants to know the cycles. */
static void run_simple_clock(struct pmu *pmu, uint64_t instructions)
{
	struct clock_rate issue = { .num = 1, .shift = pmu->profile->issue_bits };
	uint64_t *n = pmu->pending;

	n[EV_BUSY] = pmu_ticks(issue, &pmu->issue_rest, instructions + pmu->issue.lost);
	n[EV_CYCLES] = n[EV_BUSY] + pmu->issue.stall;
	n[EV_ALLOCATION] = n[EV_CYCLES];
	n[EV_SLOTS] = pmu->profile->slots * n[EV_CYCLES];
	/* What stands there so far are the cycles that a stall cut short. */
	for (int i = 1; i < MAX_WIDTH; i++)
		n[EV_BUSY + i] = n[EV_BUSY] - n[EV_BUSY + i];
}

static void run_clocks(struct pmu *pmu, uint64_t instructions)
{
	const struct pmu_profile *p = pmu->profile;
	uint64_t *n = pmu->pending;

	n[EV_INSTRUCTIONS] = instructions;
	if (pmu_pipe_runs(pmu))
		pmu_pipe_account(pmu, n);
	else
		run_simple_clock(pmu, instructions);
	n[EV_REF_CYCLES] = pmu_ticks(p->ref, &pmu->ref_rest, n[EV_CYCLES]);
	n[EV_BUS_CYCLES] = pmu_ticks(p->bus, &pmu->bus_rest, n[EV_CYCLES]);
	pmu->issue.lost = 0;
	pmu->issue.stall = 0;
}

#define PIPE_EVENTS (EV_ALL - EV_PIPE)

/* Its slots and signals are among the events that happen. */
static bool has_slots(const struct pmu *pmu)
{
	return pmu_pipe_runs(pmu);
}

/* Count what happened, all of it in the class that runs. */
void pmu_account(struct pmu *pmu, int64_t instructions)
{
	uint64_t *totals = pmu->totals[pmu->hot->cls];

	pmu_pipe_finish(pmu);
	run_clocks(pmu, (uint64_t)instructions);
	derive(pmu->pending);
	pmu_codes_derive(pmu);
	pmu->retired += (uint64_t)instructions;
	if (pmu->burst)
		pmu_burst_account(pmu, pmu->retired);
	if (pmu->profile->rapl_units)
		pmu_energy_account(pmu);
	for (int e = 0; e < EV_TOTALS; e++)
		totals[e] += pmu->pending[e];
	for (unsigned int e = EV_P4; e < pmu->events; e++)
		totals[PMU_P4 + e - EV_P4] += pmu->pending[e];
	if (has_slots(pmu))
		for (int e = EV_PIPE; e < EV_SIGNALS + SIG_COUNT; e++)
			totals[PMU_SLOTS + e - EV_PIPE] += pmu->pending[e];
	pmu_core_account(pmu);
	if (p4_of(pmu))
		p4_counters_advance(pmu);
	else
		pmu_counters_advance(pmu);
	memset(pmu->pending, 0, pmu->events * sizeof(*pmu->pending));
	if (has_slots(pmu))
		memset(pmu->pending + EV_PIPE, 0, PIPE_EVENTS * sizeof(*pmu->pending));
	pmu->tally.instruction = 0;
}

/* The number of instructions that takes so many cycles, without a stall, if that is known. */
static uint64_t instructions_for(struct pmu *pmu, uint64_t cycles)
{
	if (pmu_pipe_runs(pmu)) {
		pmu_pipe_due(pmu, cycles);
		return BUDGET_MAX;
	}
	pmu->counts_cycles = true;
	return (cycles << pmu->profile->issue_bits) - pmu->issue_rest;
}

static void limit_to(struct pmu *pmu, enum event event, uint64_t left)
{
	if (left < pmu->limit[event])
		pmu->limit[event] = left;
}

/* Of a pipeline: looked at as it happens, not for the time until it may have. */
static bool watched_event(enum event event)
{
	return event >= EV_PIPE || (event >= EV_BUSY && event < EV_RUNS + MAX_WIDTH) ||
	       (event >= EV_COMPARED && event < EV_FRONTEND);
}

/* Instructions until an event has happened left times, if that can be told. */
uint64_t pmu_distance(struct pmu *pmu, enum event event, uint64_t left)
{
	const struct pmu_profile *p = pmu->profile;

	if (event >= EV_PARTS && event < EV_PENDING)
		event = pmu_parts_all(pmu, event - EV_PARTS);
	else if (event > EV_BEHIND_MISS && event < EV_PENDING)
		event = guard_of(event);
	if (pmu_pipe_runs(pmu) && watched_event(event)) {
		limit_to(pmu, event, left);
		pmu_pipe_watch(pmu, event);
		return BUDGET_MAX;
	}
	event = guard_of(event);
	switch (event) {
	case EV_INSTRUCTIONS:
		return left;
	case EV_CYCLES:
	case EV_BUSY:
		break;
	case EV_ALLOCATION:
		if (!pmu_pipe_runs(pmu))
			break;
		pmu->counts_cycles = true;
		return pmu_pipe_distance(pmu, left);
	case EV_REF_CYCLES:
		left = cycles_for(p->ref, pmu->ref_rest, left);
		break;
	case EV_BUS_CYCLES:
		left = cycles_for(p->bus, pmu->bus_rest, left);
		break;
	case EV_SLOTS:
		if (!p->slots)
			return BUDGET_MAX;
		if (pmu_pipe_runs(pmu)) {
			pmu->counts_cycles = true;
			return left;
		}
		left = (left + p->slots - 1) / p->slots;
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
	return instructions_for(pmu, left);
}

/* Does somebody want to know which instruction makes this counter's next event? */
static bool watched(const struct pmu *pmu, const struct counter *c)
{
	return c->pebs || (c->pmi && pmu->wants_causes);
}

/*
 * Events after which something is to be done about a counter.  The last of them is
 * awaited in steps where its instruction is to be known: that is 0.
 */
static uint64_t events_left(const struct pmu *pmu, const struct counter *c)
{
	uint64_t left = c->mask - c->value + 1;

	if (c->pebs)
		return c->armed ? 0 : left;
	return watched(pmu, c) ? left - 1 : left;
}

#define STEPPED_CYCLES 1024

/*
 * An instruction takes many cycles of a pipeline's clock at once, where it is waited for.
 * Returns how many events of one are left when the steps to its last have to begin.
 */
static uint64_t stepped_events(const struct pmu *pmu, const struct counter *c)
{
	bool clock = pmu_core_ticks(guard_of(c->event)) >= 0;

	return clock && (c->pebs || watched(pmu, c)) && pmu_pipe_runs(pmu) ? STEPPED_CYCLES : 0;
}

static uint64_t budget_of(struct pmu *pmu, const struct counter *c)
{
	uint64_t left = events_left(pmu, c), stepped = stepped_events(pmu, c);

	left = left > stepped ? left - stepped : 0;
	if (left)
		return pmu_distance(pmu, c->event, left);
	if (c->event == EV_NONE)
		return BUDGET_MAX;
	pmu->stepping = true;
	return 0;
}

static uint64_t pmi_distance(struct pmu *pmu)
{
	if (pmu->pmi_cycles <= 0)
		return 0;
	return instructions_for(pmu, (uint64_t)pmu->pmi_cycles);
}

/* The next budget: up to the first overflow in this class, or to the PMI. */
void pmu_grant(struct pmu *pmu)
{
	uint64_t budget = pmu_core_busy(pmu) ? BUDGET_TELL : BUDGET_MAX, n;

	memset(pmu->limit, 0xff, pmu->events * sizeof(*pmu->limit));
	if (has_slots(pmu))
		memset(pmu->limit + EV_PIPE, 0xff, PIPE_EVENTS * sizeof(*pmu->limit));
	pmu_pipe_unwatch(pmu);
	pmu->counts_cycles = false;
	pmu->kicked = false;
	pmu->stepping = false;
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];

		if (!c->on || !(c->classes & BIT(pmu->hot->cls)))
			continue;
		n = budget_of(pmu, c);
		budget = n < budget ? n : budget;
	}
	if (p4_of(pmu)) {
		n = p4_budget(pmu);
		budget = n < budget ? n : budget;
	}
	if (pmu->pmi) {
		n = pmi_distance(pmu);
		budget = n < budget ? n : budget;
	}
	if (pmu->record)
		budget = 0;
	if (pmu->stepping)
		pmu->compared |= WATCH_ACCESS;
	else
		pmu->compared &= ~WATCH_ACCESS;
	if (pmu->burst)
		pmu->compared |= WATCH_BURST;
	pmu->granted = (int64_t)budget;
	pmu->hot->budget = (int64_t)budget;
	/* These happen between the last sync and this one. */
	if (pmu->pending[EV_ENTRIES] >= pmu->limit[EV_ENTRIES] ||
	    pmu->pending[EV_WAKES] >= pmu->limit[EV_WAKES])
		pmu_kick(pmu);
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

static void bump(struct pmu *pmu, enum event event, struct access_tally *tally)
{
	if (tally)
		tally->count[event]++;
	pmu_bump(pmu, event);
}

/*
 * The cycle in which a stall begins retires n instructions, and with those before
 * it, up to the last stall, it makes a run.  Returns the slots that it loses.
 */
static uint64_t end_cycle(struct pmu *pmu, struct access_tally *tally)
{
	struct issue *issue = &pmu->issue;
	uint64_t slot = pmu_in_flight(pmu) + issue->lost_total;
	uint64_t width = BIT(pmu->profile->issue_bits), n = (slot - 1) % width + 1;
	uint64_t full = (slot - n - issue->run) / width;

	for (uint64_t i = 0; i < width; i++) {
		if (n <= i && i)
			bump(pmu, EV_BUSY + (enum event)i, tally);
		if (n > i || full)
			bump(pmu, EV_RUNS + (enum event)i, tally);
	}
	issue->run = slot + width - n;
	return width - n;
}

/* tally: what to note it in, if the instruction may yet not retire. */
void pmu_stall(struct pmu *pmu, uint32_t cycles, struct access_tally *tally)
{
	struct issue *issue = &pmu->issue;
	uint64_t in_flight = pmu_in_flight(pmu), lost = 0;
	int64_t worth;

	if (pmu_pipe_runs(pmu))
		return;
	if (tally && !tally->stalled) {
		tally->issue = *issue;
		tally->stalled = true;
	}
	if (issue->stalled != in_flight)
		lost = end_cycle(pmu, tally);
	issue->stalled = in_flight;
	issue->lost += lost;
	issue->lost_total += lost;
	issue->stall += cycles;
	issue->stall_total += cycles;
	worth = (int64_t)(((uint64_t)cycles << pmu->profile->issue_bits) + lost);
	if (!pmu->counts_cycles)
		return;
	if (pmu->hot->budget <= worth) {
		pmu_kick(pmu);
		return;
	}
	pmu->hot->budget -= worth;
	pmu->granted -= worth;
}

/* The cycle, since pmu_new(), in which a simple core issues the instruction in flight. */
uint64_t pmu_simple_cycle(const struct pmu *pmu)
{
	uint64_t slot = pmu_in_flight(pmu) - 1 + pmu->issue.lost_total;

	return (slot >> pmu->profile->issue_bits) + pmu->issue.stall_total;
}

/* The number, since pmu_new(), of the instruction that runs; never 0. */
uint64_t pmu_in_flight(const struct pmu *pmu)
{
	return pmu->retired + (uint64_t)(pmu->granted - pmu->hot->budget);
}

uint8_t pmu_need_of(enum event event)
{
	switch (event) {
	case EV_NONE:
		return 0;
	case EV_INSTRUCTIONS:
		return PMU_NEED_INSN;
	case EV_BRANCHES:
	case EV_BRANCH_MISSES:
	case EV_TAKEN:
	case EV_NOT_TAKEN:
	case EV_MISSED_TAKEN:
	case EV_MISSED_NOT_TAKEN:
	case EV_PREDICTED_TAKEN:
	case EV_PREDICTED_NOT_TAKEN:
	case EV_CONDITIONAL ... EV_INDIRECT:
	case EV_LBR_INSERTS:
		return PMU_NEED_INSN | PMU_NEED_BRANCH;
	case EV_LOADS:
	case EV_STORES:
	case EV_ACCESSES:
	case EV_L1D_MISSES ... EV_CACHE_MISSES:
	case EV_L1D_HITS ... EV_DTLB_STORE_MISSES:
		return PMU_NEED_INSN | PMU_NEED_MEM;
	case EV_ITLB_MISSES:
	case EV_L1I_MISSES:
		return PMU_NEED_INSN | PMU_NEED_KIND;
	case EV_P4 ... EV_P4_END - 1:
		return pmu_burst_needs(event);
	default:
		/* Cycles need to know about all that stalls, and a pipeline what runs. */
		return PMU_NEED_ALL | PMU_NEED_KIND;
	}
}

/* Cycles of a Pentium 4 are also lost where it fetches. */
static uint8_t needs_of_profile(const struct pmu *pmu, uint8_t needs)
{
	if (pmu->pipe)
		return needs;
	if (!pmu->burst)
		return needs & (PMU_NEED_ALL | (pmu->watches_code ? PMU_NEED_KIND : 0));
	return needs | ((needs & PMU_NEED_ALL) == PMU_NEED_ALL ? PMU_NEED_KIND : 0);
}

/* A record with the retire latency wants to know when instructions retire. */
static uint8_t needs_of_record(const struct pmu *pmu, const struct counter *c)
{
	bool timed = pmu->profile->capabilities & CAP_TIMED_PEBS;

	return c->pebs && timed ? PMU_NEED_ALL | PMU_NEED_KIND : 0;
}

void pmu_needs_update(struct pmu *pmu)
{
	uint8_t needs[PMU_CLASSES];

	memset(needs, (pmu->forced & ~PMU_NEED_USER_KIND) | (pmu->pmi ? PMU_NEED_INSN : 0),
	       sizeof(needs));
	if (pmu->forced & PMU_NEED_USER_KIND)
		needs[PMU_USER] |= PMU_NEED_KIND;
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];

		for (int cls = 0; cls < PMU_CLASSES; cls++)
			if (c->on && (c->classes & BIT(cls)))
				needs[cls] |= pmu_need_of(c->event) | needs_of_record(pmu, c);
	}
	for (unsigned int cls = 0; p4_of(pmu) && cls < PMU_CLASSES; cls++)
		needs[cls] |= p4_needs(pmu, cls);
	for (unsigned int cls = 0; cls < PMU_CLASSES; cls++)
		needs[cls] = needs_of_profile(pmu, needs[cls] | pmu_core_needs(pmu, cls) |
						   pmu_lbr_needs(pmu));
	memcpy(pmu->hot->needs, needs, sizeof(needs));
	pmu->hot->active = needs[PMU_KERNEL] || needs[PMU_USER];
}
