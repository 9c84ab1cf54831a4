// SPDX-License-Identifier: GPL-2.0-only
/*
 * CMASK, INV and E of PERFEVTSEL: what is counted are the cycles in which an event
 * happens at least CMASK times (with INV: fewer, with EQ: as many), or with E how often
 * that begins.
 */
#include "model.h"

#define NEVER (UINT64_MAX / 2)

static bool is_hit(struct compare *c, uint64_t cycle)
{
	struct cycle_tally *now = &c->now;
	bool adjacent;

	if (now->cycle != cycle) {
		now->cycle = cycle;
		now->n = 0;
	}
	if (++now->n != c->least)
		return false;
	adjacent = cycle == now->hit + 1;
	now->hit = cycle;
	return !c->edge || !adjacent;
}

static void found(struct pmu *pmu, unsigned int i)
{
	pmu->tally.count[EV_COMPARED + i]++;
	pmu->tally.missed = true;
	pmu_bump(pmu, EV_COMPARED + (enum event)i);
}

/*
 * In a pipeline events are those of the cycle in which their instruction retires, which
 * is known when it ends: without one in flight, the last has.
 */
static void happens(struct pmu *pmu, unsigned int i)
{
	struct compare *c = &pmu->compare[i];
	uint64_t cycle;

	if (pmu_pipe_runs(pmu)) {
		c->held++;
		if (pmu_pipe_retired(pmu, &cycle))
			pmu_compare_retired(pmu, cycle);
	} else if (is_hit(c, pmu_simple_cycle(pmu))) {
		found(pmu, i);
	}
}

/* An event that some counter compares happens, by the instruction in flight. */
void pmu_compare(struct pmu *pmu, enum event event)
{
	uint64_t in_flight = pmu_in_flight(pmu);

	for (unsigned int i = 0; i < pmu->gp; i++) {
		struct compare *c = &pmu->compare[i];

		if (c->of != event)
			continue;
		if (c->instruction != in_flight) {
			c->instruction = in_flight;
			c->saved = c->now;
		}
		happens(pmu, i);
	}
}

/* The instruction whose events are held retires in a cycle of the pipeline. */
void pmu_compare_retired(struct pmu *pmu, uint64_t cycle)
{
	for (unsigned int i = 0; i < pmu->gp; i++)
		for (struct compare *c = &pmu->compare[i]; c->held; c->held--)
			if (is_hit(c, cycle))
				pmu_bump(pmu, EV_COMPARED + (enum event)i);
}

/* The instruction in flight does not retire. */
void pmu_compare_undo(struct pmu *pmu)
{
	uint64_t in_flight = pmu_in_flight(pmu);

	for (unsigned int i = 0; i < pmu->gp; i++) {
		struct compare *c = &pmu->compare[i];

		if (c->of != EV_NONE && c->instruction == in_flight) {
			c->now = c->saved;
			c->instruction = 0;
			c->held = 0;
		}
	}
}

/* An event and what inverts it: the cycles, of its own clock, that are not among its own. */
static void count(struct counter *c, enum event event, bool inverted)
{
	enum event cycles = event >= EV_PARTS ? EV_ALLOCATION : EV_CYCLES;

	c->event = inverted ? cycles : event;
	c->less = inverted ? event : EV_NONE;
}

/* Never true of any cycle, or of all of them. */
static void count_nothing(struct counter *c, bool inverted)
{
	c->event = inverted ? EV_CYCLES : EV_NONE;
	c->less = EV_NONE;
}

/* The same number in every cycle. */
static void compare_steady(struct counter *c, bool holds, bool inverted, bool edge)
{
	if (!edge)
		count_nothing(c, holds != inverted);
	else if (holds)
		c->event = c->classes == BIT(PMU_KERNEL) || c->classes == BIT(PMU_USER) ?
			   EV_ENTRIES : EV_WAKES;
	else
		c->event = EV_NONE;
}

static void compare_instructions(struct pmu *pmu, struct counter *c, unsigned int least,
				 bool inverted, bool edge)
{
	enum event n = (enum event)(least - 1);

	pmu->wants_busy = true;
	if (least > BIT(pmu->profile->issue_bits))
		count_nothing(c, inverted && !edge);
	else if (edge)
		count(c, EV_RUNS + n, false);
	else
		count(c, EV_BUSY + n, inverted);
}

/* At most once in a cycle, and never in two that are next to each other. */
static void compare_sparse(struct counter *c, unsigned int least, bool inverted, bool edge)
{
	if (least > 1)
		count_nothing(c, inverted && !edge);
	else
		count(c, c->event, inverted && !edge);
}

static void compare_any(struct pmu *pmu, unsigned int i, unsigned int least, bool inverted,
			bool edge)
{
	struct counter *c = &pmu->counter[i];
	struct compare *compare = &pmu->compare[i];

	if (compare->of != c->event || compare->least != least || compare->edge != edge)
		*compare = (struct compare) {
			.of = c->event,
			.least = (uint8_t)least,
			.edge = edge,
			.now = { .hit = NEVER },
		};
	pmu->compared |= BIT(c->event);
	count(c, EV_COMPARED + (enum event)i, inverted && !edge);
}

/*
 * Signals of the pipeline that a cycle may have several of, and their cycles with at
 * least 1, 2 and so on, as far as it counts these.
 */
static const struct {
	enum event event, least_1;
	uint8_t most;
} levels[] = {
	{ EV_SIG_UOPS_ISSUED, EV_SIG_ISSUED_GE1, MAX_SLOTS },
	{ EV_SIG_UOPS_EXECUTED, EV_SIG_EXECUTED_GE1, 4 },
	{ EV_SIG_UOPS_RETIRED, EV_SIG_RETIRED_GE1, MAX_SLOTS },
	{ EV_SIG_UOPS_RETIRED_ALL, EV_SIG_RETIRED_GE1, 1 },
	{ EV_SIG_DSB_UOPS, EV_SIG_DSB_CYCLES_ANY, 1 },
	{ EV_SIG_MITE_UOPS, EV_SIG_MITE_CYCLES_ANY, 1 },
	{ EV_SIG_DEC0_UOPS, EV_SIG_DEC0_CYCLES, 1 },
	{ EV_SIG_MS_UOPS, EV_SIG_MS_CYCLES_ANY, 1 },
	{ EV_SIG_L1D_PENDING, EV_SIG_L1D_MISS_CYCLES, 1 },
	{ EV_SIG_OFFCORE_PENDING, EV_SIG_L2_MISS_CYCLES, 1 },
};

/* Cycles in which it happens at least so often; EV_NONE: in none that is known. */
static enum event at_least(const struct pmu *pmu, enum event event, unsigned int least)
{
	unsigned int width = pmu->profile->shape->width;

	if (event == EV_SIG_DSB_UOPS && least == width)
		return EV_SIG_DSB_CYCLES_OK;
	if (event == EV_SIG_MITE_UOPS && least == width)
		return EV_SIG_MITE_CYCLES_OK;
	for (unsigned int i = 0; i < ARRAY_SIZE(levels); i++)
		if (levels[i].event == event)
			return least <= levels[i].most ? levels[i].least_1 + (least - 1) : EV_NONE;
	/* What is not delivered and what is make the width together. */
	if (event == EV_SIG_NOT_DELIVERED)
		return least <= width ?
		       EV_SIG_DELIVERED_0 + (width - least) : EV_NONE;
	return least == 1 ? event : EV_NONE;
}

/* Where they begin has codes of its own. */
static void compare_signal(struct pmu *pmu, struct counter *c, unsigned int least,
			   bool inverted, bool edge)
{
	enum event cycles = at_least(pmu, c->event, least);

	if (edge || cycles == EV_NONE)
		count_nothing(c, inverted && !edge);
	else
		count(c, cycles, inverted);
}

/*
 * As many are at least so many, and not one more.  It is known of what is told apart by
 * each number; of all else, and with E, nothing is counted.  With INV it is some, but
 * another number, as Intel's metrics take it: known where that is the width of a path.
 */
static void compare_equal(struct pmu *pmu, struct counter *c, unsigned int n, bool inverted)
{
	unsigned int most = BIT(pmu->profile->issue_bits);
	enum event of = c->event;

	c->event = EV_NONE;
	if (inverted) {
		if (of != EV_SIG_DSB_UOPS && of != EV_SIG_MITE_UOPS)
			return;
		c->less = at_least(pmu, of, n);
		c->event = c->less == EV_NONE || n == 1 ? EV_NONE : at_least(pmu, of, 1);
		return;
	}
	if (of == EV_INSTRUCTIONS) {
		pmu->wants_busy = true;
		c->event = n <= most ? EV_BUSY + (enum event)(n - 1) : EV_NONE;
		c->less = n < most ? EV_BUSY + (enum event)n : EV_NONE;
	} else if (of == EV_CYCLES) {
		c->event = n == 1 ? of : EV_NONE;
	} else if (of == EV_SIG_UOPS_ISSUED || of == EV_SIG_NOT_DELIVERED ||
		   (of == EV_SIG_UOPS_RETIRED &&
		    (n < MAX_SLOTS || pmu->profile->shape->retire <= MAX_SLOTS))) {
		c->event = at_least(pmu, of, n);
		c->less = at_least(pmu, of, n + 1);
	}
}

/*
 * Sets what counter i counts of an event.  INV means nothing without CMASK, and E
 * wants at least one.  EQ without CMASK is taken for a comparison with 0, which
 * nothing that is known is counted by.
 */
void pmu_compare_setup(struct pmu *pmu, unsigned int i, const struct event_code *code)
{
	struct counter *c = &pmu->counter[i];
	uint64_t sel = pmu->evtsel[i];
	enum event event = pmu_parts_event(pmu, i, code);
	bool edge = sel & SEL_EDGE, inverted = (sel & SEL_INV) && SEL_CMASK(sel);
	unsigned int least = SEL_CMASK(sel) ? SEL_CMASK(sel) : edge;
	bool whole = !least || event == EV_NONE || (code->code & SEL_HOW);

	c->event = event;
	c->less = EV_NONE;
	if (whole || sel & SEL_EQ || event > EV_COUNT || event == EV_INSTRUCTIONS ||
	    event == EV_CYCLES || event == EV_SLOTS || event == EV_BUS_CYCLES)
		pmu->compare[i].of = EV_NONE;
	if (sel & SEL_EQ && (edge || !SEL_CMASK(sel)))
		c->event = EV_NONE;
	else if (sel & SEL_EQ)
		compare_equal(pmu, c, SEL_CMASK(sel), inverted);
	else if (whole)
		return;
	else if (event > EV_COUNT)
		compare_signal(pmu, c, least, inverted, edge);
	else if (event == EV_INSTRUCTIONS)
		compare_instructions(pmu, c, least, inverted, edge);
	else if (event == EV_CYCLES)
		compare_steady(c, least <= 1, inverted, edge);
	else if (event == EV_SLOTS)
		compare_steady(c, least <= pmu->profile->slots, inverted, edge);
	else if (event == EV_BUS_CYCLES)
		compare_sparse(c, least, inverted, edge);
	else
		compare_any(pmu, i, least, inverted, edge);
}
