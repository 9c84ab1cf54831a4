// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4's counters: what the registers make each of them add up for each
 * thread, overflow, cascades, and the PMIs that follow.
 */
#include <string.h>

#include "p4.h"

#define COUNTER_MASK (BIT(P4_COUNTER_WIDTH) - 1)

/* --- set-up --- */

static bool cascades(const struct p4 *p4, unsigned int i)
{
	const struct p4_counter_facts *facts = p4_counter_facts(i);
	uint64_t cccr = p4->cccr[i];

	return ((cccr & CCCR_CASCADE) && facts->cascaded_from != P4_NOBODY) ||
	       (cccr & CCCR_EXTENDED);
}

static bool overflowed(const struct p4 *p4, uint64_t how, uint8_t from)
{
	return how && from != P4_NOBODY && (p4->cccr[from] & CCCR_OVF);
}

/* Enabled, or started by another's overflow, for as long as that shows. */
static bool is_on(const struct p4 *p4, unsigned int i)
{
	const struct p4_counter_facts *facts = p4_counter_facts(i);
	uint64_t cccr = p4->cccr[i];

	return (cccr & CCCR_ENABLE) ||
	       overflowed(p4, cccr & CCCR_CASCADE, facts->cascaded_from) ||
	       overflowed(p4, cccr & CCCR_EXTENDED, facts->extended_from);
}

/* The event that an ESCR detects, or NULL. */
static const struct p4_event *detects(const struct p4 *p4, const struct p4_route *route,
				      unsigned int half)
{
	unsigned int escr = route ? route->escr[half] : P4_NO_ESCR;

	if (escr == P4_NO_ESCR || !p4_escr_exists(p4->model, escr))
		return NULL;
	return p4_event_find(p4->model, route, ESCR_SELECT(p4->escr[escr]));
}

static void setup_route(struct p4 *p4, unsigned int i)
{
	struct p4_counter *c = &p4->counter[i];

	c->on = is_on(p4, i);
	c->ready = c->on || cascades(p4, i);
	c->route = c->ready ? p4_route_of(i, CCCR_SELECT(p4->cccr[i])) : NULL;
	for (unsigned int half = 0; half < 2; half++)
		c->event[half] = detects(p4, c->route, half);
}

static bool tagged_event(const struct p4_event *event)
{
	return event->kind == P4_FRONT_END || event->kind == P4_EXECUTION ||
	       event->kind == P4_REPLAY;
}

static void setup_sum(const struct pmu *pmu, unsigned int i)
{
	struct p4 *p4 = p4_of(pmu);
	struct p4_counter *c = &p4->counter[i];
	unsigned int half = p4_counter_facts(i)->half;
	const struct p4_event *event = c->event[half];
	struct p4_sum *sums = c->sum[pmu->thread];
	uint64_t escr = event ? p4->escr[c->route->escr[half]] : 0;

	memset(sums, 0, sizeof(c->sum[0]));
	for (unsigned int cls = 0; event && cls < PMU_CLASSES; cls++) {
		if (!p4_selects(escr, event->either_thread, pmu->thread, cls))
			continue;
		if (tagged_event(event))
			p4_tags_sum(pmu, cls, event, ESCR_MASK(escr), &sums[cls]);
		else
			p4_event_sum(event, ESCR_MASK(escr), &sums[cls]);
	}
}

static void setup_thread(struct pmu *pmu)
{
	p4_tags_mark(pmu);
	for (unsigned int i = 0; i < P4_COUNTERS; i++)
		setup_sum(pmu, i);
	pmu_needs_update(pmu);
}

/* After any change of a register: what the counters are, for all threads of the core. */
void p4_configure(struct pmu *pmu)
{
	struct p4 *p4 = p4_of(pmu);
	struct pmu_core *core = pmu->core;

	for (unsigned int i = 0; i < P4_COUNTERS; i++) {
		setup_route(p4, i);
		p4_pebs_setup(pmu, i);
	}
	for (unsigned int t = 0; t < core->threads; t++)
		if (core->thread[t])
			setup_thread(core->thread[t]);
}

/* --- counting --- */

/* By the CCCR's active-thread mode: none, one, both, or it does not matter. */
static bool counts_now(const struct pmu *pmu, unsigned int i)
{
	const struct p4 *p4 = p4_of(pmu);
	unsigned int mode = CCCR_ACTIVE(p4->cccr[i]), active = 1;

	for (unsigned int t = 0; t < pmu->core->threads; t++)
		active += t != pmu->thread && !(p4->halted & BIT(t));
	return mode == CCCR_ACTIVE_ANY || mode == active;
}

static uint64_t sum_of(const struct pmu *pmu, const struct event_set *set)
{
	uint64_t n = 0;

	for (unsigned int w = 0; w < SET_WORDS; w++)
		for (uint64_t left = set->word[w]; left; left &= left - 1)
			n += pmu->pending[64 * w + (unsigned int)__builtin_ctzll(left)];
	return n;
}

/* What is taken off may come before what it is taken from; counters only go up. */
uint64_t p4_sum_now(struct pmu *pmu, unsigned int i)
{
	struct p4_counter *c = &p4_of(pmu)->counter[i];
	const struct p4_sum *sum = &c->sum[pmu->thread][pmu->hot->cls];
	int64_t n;

	if (set_empty(&sum->more))
		return 0;
	n = (int64_t)(sum_of(pmu, &sum->more) - sum_of(pmu, &sum->less)) + c->debt;
	c->debt = n < 0 ? n : 0;
	return n < 0 ? 0 : (uint64_t)n;
}

static void interrupt(struct pmu *pmu, unsigned int i)
{
	if (!pmu)
		return;
	pmu->overflowed |= BIT(i);
	if (pmu->pmi)
		return;
	pmu->pmi = true;
	pmu->pmi_cycles = pmu->skid;
	pmu_needs_update(pmu);
}

/* To the threads that the CCCR names; a cascaded counter of some models to none. */
static void interrupt_threads(struct pmu *pmu, unsigned int i)
{
	struct p4 *p4 = p4_of(pmu);
	uint64_t cccr = p4->cccr[i];

	if ((cccr & (CCCR_CASCADE | CCCR_EXTENDED)) && p4->model->cascade_silent)
		return;
	for (unsigned int t = 0; t < pmu->core->threads; t++)
		if (cccr & (CCCR_OVF_PMI_T0 << t))
			interrupt(pmu->core->thread[t], i);
}

/* True if it shows an overflow that it did not before. */
static bool show_overflow(struct p4 *p4, unsigned int i)
{
	bool shown = p4->cccr[i] & CCCR_OVF;

	p4->cccr[i] |= CCCR_OVF;
	return !shown;
}

/*
 * A counter moved by n.  The interrupt comes with the event behind the overflow; with
 * FORCE_OVF each event is an overflow and interrupts itself.
 */
static bool move(struct pmu *pmu, unsigned int i, uint64_t n)
{
	struct p4 *p4 = p4_of(pmu);
	struct p4_counter *c = &p4->counter[i];
	bool forced = p4->cccr[i] & CCCR_FORCE_OVF, due = forced || c->armed;
	bool over;

	c->value += n;
	over = c->value > COUNTER_MASK;
	c->value &= COUNTER_MASK;
	c->armed = over && !c->value;
	if (due || (over && c->value))
		interrupt_threads(pmu, i);
	return (over || forced) && show_overflow(p4, i);
}

static bool advance(struct pmu *pmu, unsigned int i)
{
	uint64_t n = p4_compares(p4_of(pmu), i) ? p4_compare(pmu, i) : p4_sum_now(pmu, i);

	if (!n)
		return false;
	if (!p4_of(pmu)->counter[i].pebs)
		return move(pmu, i, n);
	p4_pebs_event(pmu, i, n);
	return false;
}

/* Add what is pending to every counter that counts it for this thread in this class. */
void p4_counters_advance(struct pmu *pmu)
{
	struct p4 *p4 = p4_of(pmu);
	bool started = false;

	if (pmu->pmi)
		pmu->pmi_cycles -= (int64_t)pmu->pending[EV_CYCLES];
	for (unsigned int i = 0; i < P4_COUNTERS; i++)
		if (p4->counter[i].on && counts_now(pmu, i))
			started |= advance(pmu, i);
	/* Cascades begin behind the overflow that starts them. */
	if (started)
		p4_configure(pmu);
}

void p4_halt(struct pmu *pmu)
{
	p4_of(pmu)->halted |= (uint8_t)BIT(pmu->thread);
}

void p4_wake(struct pmu *pmu)
{
	p4_of(pmu)->halted &= (uint8_t)~BIT(pmu->thread);
}

/* --- what the host has to do for them --- */

/*
 * Events after which something is to be done about a counter.  The last of them is
 * awaited in steps where its instruction is to be known: that is 0.
 */
static uint64_t events_left(const struct pmu *pmu, unsigned int i)
{
	const struct p4 *p4 = p4_of(pmu);
	const struct p4_counter *c = &p4->counter[i];
	bool interrupts = p4->cccr[i] & (CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T0 << 1);

	if (c->armed && c->pebs)
		return 0;
	if (interrupts && (c->armed || (p4->cccr[i] & CCCR_FORCE_OVF)))
		return pmu->wants_causes ? 0 : 1;
	return COUNTER_MASK - c->value + 1;
}

struct nearest {
	struct pmu *pmu;
	uint64_t left, distance;
};

static void nearest(void *data, enum event event)
{
	struct nearest *n = data;
	uint64_t distance = pmu_distance(n->pmu, event, n->left);

	n->distance = distance < n->distance ? distance : n->distance;
}

/* While each of k addends is below a k-th, the sum is below the whole. */
static uint64_t sum_distance(struct pmu *pmu, const struct event_set *set, uint64_t left)
{
	struct nearest n = { .pmu = pmu, .distance = UINT64_MAX };
	unsigned int addends = set_size(set);

	if (!addends)
		return UINT64_MAX;
	n.left = (left + addends - 1) / addends;
	set_each(set, nearest, &n);
	return n.distance;
}

static uint64_t budget_of(struct pmu *pmu, unsigned int i)
{
	const struct p4 *p4 = p4_of(pmu);
	const struct event_set *set = &p4->counter[i].sum[pmu->thread][pmu->hot->cls].more;
	uint64_t left;

	if (set_empty(set) && !p4_compares(p4, i))
		return UINT64_MAX;
	left = events_left(pmu, i);
	if (!left) {
		pmu->stepping = true;
		return 0;
	}
	return p4_compares(p4, i) ? p4_compare_distance(pmu, i, left) :
				    sum_distance(pmu, set, left);
}

/* Instructions until something is to be done, for the thread that runs. */
uint64_t p4_budget(struct pmu *pmu)
{
	const struct p4 *p4 = p4_of(pmu);
	uint64_t budget = UINT64_MAX, n;

	for (unsigned int i = 0; i < P4_COUNTERS; i++) {
		if (!p4->counter[i].on || !counts_now(pmu, i))
			continue;
		n = budget_of(pmu, i);
		budget = n < budget ? n : budget;
	}
	return budget;
}

static void need(void *data, enum event event)
{
	uint8_t *needs = data;

	*needs |= pmu_need_of(event);
}

uint8_t p4_needs(const struct pmu *pmu, unsigned int cls)
{
	const struct p4 *p4 = p4_of(pmu);
	uint8_t needs = 0;

	for (unsigned int i = 0; i < P4_COUNTERS; i++) {
		const struct p4_sum *sum = &p4->counter[i].sum[pmu->thread][cls];

		/* Where one is turned on at a boundary it is too late to ask for more. */
		if (!p4->counter[i].ready)
			continue;
		set_each(&sum->more, need, &needs);
		set_each(&sum->less, need, &needs);
		if (p4_compares(p4, i))
			needs |= p4_compare_needs(pmu, i, cls);
	}
	return needs;
}
