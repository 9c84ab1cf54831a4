// SPDX-License-Identifier: GPL-2.0-only
/*
 * What processors do wrong, by their published errata, as far as the box is told to.
 */
#include "model.h"

/* MEM_UOPS_RETIRED and the three events behind it. */
#define TWIN_FIRST 0xd0
#define TWIN_LAST 0xd3
#define EVENT(sel) ((sel) & 0xff)

#define PREC_DIST 0x01c0
#define PREC_DIST_LEAST 128
#define PREC_DIST_STEP 64
#define WRONG_BY 300

#define AUXILIARY 0x8203

static bool is_gp(const struct pmu *pmu, const struct counter *c, unsigned int *i)
{
	*i = (unsigned int)(c - pmu->counter);
	return *i < pmu->gp;
}

/* Not where it stands still: what has a core to itself loses nothing. */
static void move_twins(struct pmu *pmu, unsigned int i, uint64_t n)
{
	for (unsigned int t = 0; t < pmu->core->threads; t++) {
		struct pmu *other = pmu->core->thread[t];

		if (other && other != pmu && other->counter[i].on)
			__atomic_fetch_add(&other->counter[i].debt, (int64_t)n, __ATOMIC_RELAXED);
	}
}

void pmu_errata_moved(struct pmu *pmu, const struct counter *c, uint64_t n)
{
	unsigned int i;

	if (n && silicon_is(&pmu->silicon, SILICON_TWINS) && is_gp(pmu, c, &i) &&
	    EVENT(pmu->evtsel[i]) >= TWIN_FIRST && EVENT(pmu->evtsel[i]) <= TWIN_LAST)
		move_twins(pmu, i, n);
}

static bool is_bad_distance(const struct pmu *pmu, uint64_t left)
{
	if (left < PREC_DIST_LEAST && silicon_is(&pmu->silicon, SILICON_SHORT_DIST))
		return true;
	return left % PREC_DIST_STEP && silicon_is(&pmu->silicon, SILICON_ODD_DIST);
}

/* A counter is set to this value, by software or by a record. */
void pmu_errata_set(struct pmu *pmu, struct counter *c, uint64_t value)
{
	unsigned int i;

	if (is_gp(pmu, c, &i) && (pmu->evtsel[i] & SEL_CODE) == PREC_DIST &&
	    is_bad_distance(pmu, c->mask + 1 - value))
		c->debt += WRONG_BY;
}

static bool is_first_event(uint64_t sel)
{
	return (sel & SEL_EN) && (EVENT(sel) == 0xb5 || EVENT(sel) == 0xb1 || EVENT(sel) == 0xd2);
}

/* From one event to another without such a one between them it counts nothing. */
void pmu_errata_selected(struct pmu *pmu, unsigned int i, uint64_t before)
{
	struct counter *c = &pmu->counter[i];

	if (c->ran_first)
		c->is_good = true;
	else if ((pmu->evtsel[i] ^ before) & SEL_CODE)
		c->is_good = false;
	c->ran_first = false;
}

void pmu_errata_configured(struct pmu *pmu, unsigned int i)
{
	if (pmu->counter[i].on && is_first_event(pmu->evtsel[i]))
		pmu->counter[i].ran_first = true;
}

bool pmu_errata_counts(const struct pmu *pmu, const struct counter *c)
{
	unsigned int i;

	return !silicon_is(&pmu->silicon, SILICON_FIRST_EVENT) || c->is_good ||
	       !is_gp(pmu, c, &i) || is_first_event(pmu->evtsel[i]);
}

/* Microcode's transactions, which come as they like: with each interrupt here. */
void pmu_errata_interrupt(struct pmu *pmu)
{
	if (silicon_is(&pmu->silicon, SILICON_COUNTER3) && pmu->gp > 3 && pmu->counter[3].on)
		pmu->counter[3].value ^= WRONG_BY;
}

/* Whether a record of a load shows where its data were, and how long that took. */
bool pmu_errata_shows_load(const struct pmu *pmu)
{
	if (!silicon_is(&pmu->silicon, SILICON_AUXILIARY))
		return true;
	for (unsigned int i = 0; i < pmu->gp; i++)
		if ((pmu->evtsel[i] & SEL_CODE) == AUXILIARY && pmu->counter[i].on)
			return true;
	return false;
}
