// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threshold, complement and edge of a CCCR: what is counted are the cycles in which
 * the ESCR delivers more events than the threshold (complement: not more), or how
 * often such cycles begin.  The cycles of other rings and threads deliver none.
 */
#include "p4.h"

#define ESCR_MOST 15			/* events that an ESCR delivers in a cycle */

static bool holds(uint64_t cccr, uint64_t n)
{
	unsigned int threshold = CCCR_THRESHOLD(cccr);

	n = n < ESCR_MOST ? n : ESCR_MOST;
	return (cccr & CCCR_COMPLEMENT) ? n <= threshold : n > threshold;
}

/* Threshold, complement and edge are nothing without the compare bit. */
bool p4_compares(const struct p4 *p4, unsigned int i)
{
	return p4->cccr[i] & CCCR_COMPARE;
}

/* Events that are cycles themselves: at most one in each. */
static bool is_cycle(enum event event)
{
	switch (event) {
	case EV_CYCLES:
	case EV_P4_CLEAR_CYCLES:
	case EV_P4_STORE_STALLS:
	case EV_P4_TC_DD ... EV_P4_TC_IB:
		return true;
	default:
		return false;
	}
}

static void note_other(void *data, enum event event)
{
	bool *others = data;

	*others |= !is_cycle(event);
}

static bool of_cycles(const struct event_set *set)
{
	bool others = false;

	set_each(set, note_other, &others);
	return !others;
}

/* The same whatever an ESCR delivers. */
static bool constant(uint64_t cccr)
{
	return CCCR_THRESHOLD(cccr) == ESCR_MOST;
}

/*
 * Does the host have to stop at each instruction?  Where cycles are compared it is
 * enough to know how many there were, unless their order matters.
 */
static bool steps(const struct pmu *pmu, unsigned int i, unsigned int cls)
{
	const struct p4 *p4 = p4_of(pmu);
	const struct event_set *set = &p4->counter[i].sum[pmu->thread][cls].more;
	uint64_t cccr = p4->cccr[i];

	if (constant(cccr) || set_empty(set))
		return false;
	if (set_size(set) == 1 && (set->word[EV_CYCLES / 64] & BIT(EV_CYCLES % 64)))
		return false;
	return (cccr & CCCR_EDGE) || !of_cycles(set);
}

uint8_t p4_compare_needs(const struct pmu *pmu, unsigned int i, unsigned int cls)
{
	const struct p4 *p4 = p4_of(pmu);
	const struct event_set *set = &p4->counter[i].sum[pmu->thread][cls].more;
	bool elsewhere = holds(p4->cccr[i], 0);

	return set_empty(set) && !elsewhere ? 0 : PMU_NEED_ALL;
}

/* So many cycles one after the other in which the comparison comes out the same. */
static uint64_t run(struct p4_cycle *cycle, uint64_t cccr, bool held, uint64_t cycles)
{
	bool begins = held && !cycle->held;

	if (!cycles)
		return 0;
	cycle->held = held;
	if (cccr & CCCR_EDGE)
		return begins;
	return held ? cycles : 0;
}

/* What is pending has at most one event in a cycle: those with one come first. */
static uint64_t compare_cycles(struct p4_cycle *cycle, uint64_t cccr, uint64_t n, uint64_t cycles)
{
	uint64_t with = n < cycles ? n : cycles;

	return run(cycle, cccr, holds(cccr, 1), with) +
	       run(cycle, cccr, holds(cccr, 0), cycles - with);
}

/* What is pending is in the cycle that runs; it may end, and others follow it. */
static uint64_t compare_step(struct p4_cycle *cycle, uint64_t cccr, uint64_t n, uint64_t cycles)
{
	uint64_t count;

	cycle->n += (unsigned int)n;
	if (!cycles)
		return 0;
	count = run(cycle, cccr, holds(cccr, cycle->n), 1);
	cycle->n = 0;
	return count + run(cycle, cccr, holds(cccr, 0), cycles - 1);
}

/* What a counter that compares moves by. */
uint64_t p4_compare(struct pmu *pmu, unsigned int i)
{
	struct p4 *p4 = p4_of(pmu);
	struct p4_counter *c = &p4->counter[i];
	const struct event_set *set = &c->sum[pmu->thread][pmu->hot->cls].more;
	struct p4_cycle *cycle = &c->cycle[pmu->thread];
	uint64_t cycles = pmu->pending[EV_CYCLES], cccr = p4->cccr[i];
	uint64_t n = p4_sum_now(pmu, i);

	if (constant(cccr))
		return run(cycle, cccr, holds(cccr, 0), cycles);
	return of_cycles(set) ? compare_cycles(cycle, cccr, n, cycles) :
				compare_step(cycle, cccr, n, cycles);
}

/* Instructions that may run before it has moved by so much. */
uint64_t p4_compare_distance(struct pmu *pmu, unsigned int i, uint64_t left)
{
	return steps(pmu, i, pmu->hot->cls) ? 0 : pmu_distance(pmu, EV_CYCLES, left);
}
