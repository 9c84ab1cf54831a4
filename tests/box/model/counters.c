// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters: what the registers make each of them count, how it overflows,
 * and the PMI that follows.
 */
#include "model.h"

static uint64_t width_mask(unsigned int bits)
{
	return BIT(bits) - 1;
}

void pmu_counters_reset(struct pmu *pmu)
{
	const struct pmu_profile *p = pmu->profile;

	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++) {
		bool fixed = i >= PMU_MAX_GP;

		pmu->counter[i] = (struct counter) {
			.mask = width_mask(fixed ? p->fixed_width : p->gp_width),
			.status = BIT(fixed ? STATUS_FIXED + i - PMU_MAX_GP : i),
			.event = EV_NONE,
		};
	}
	pmu->pmi = false;
	pmu->pmi_cycles = 0;
}

static uint8_t classes_of(bool os, bool usr)
{
	return (uint8_t)((os ? BIT(PMU_KERNEL) : 0) | (usr ? BIT(PMU_USER) : 0));
}

/* Before version 2 there is no GLOBAL_CTRL, before 4 no freeze bit. */
static bool globally_on(const struct pmu *pmu, uint64_t bit)
{
	if (pmu->profile->version < 2)
		return true;
	return (pmu->global_ctrl & bit) && !(pmu->global_status & STATUS_CTR_FRZ);
}

/*
 * CMASK compares a count per cycle, of which the model has no view: an event
 * counts as it does without CMASK, INV and E.  Only the comparison that no cycle
 * fails is certain: fewer than more than the core can do (Linux's cycles:pp is
 * INST_RETIRED of fewer than 16), and its opposite, which no cycle meets.
 */
static enum event compare(const struct pmu *pmu, uint64_t sel, enum event event)
{
	if (event == EV_NONE || SEL_CMASK(sel) <= BIT(pmu->profile->issue_bits))
		return event;
	return (sel & SEL_INV) ? EV_CYCLES : EV_NONE;
}

static enum event gp_event(const struct pmu *pmu, unsigned int i)
{
	uint64_t sel = pmu->evtsel[i];
	const struct event_code *code = pmu_event_find(pmu->profile, sel & SEL_CODE);

	if (!code || !(code->counters & BIT(i)))
		return EV_NONE;
	return compare(pmu, sel, code->event);
}

/* ANY, where a profile has it, finds one thread in each core: nothing to add. */
static void configure_gp(struct pmu *pmu, unsigned int i)
{
	struct counter *c = &pmu->counter[i];
	uint64_t sel = pmu->evtsel[i];

	c->event = gp_event(pmu, i);
	c->classes = classes_of(sel & SEL_OS, sel & SEL_USR);
	c->pmi = sel & SEL_INT;
	c->on = (sel & SEL_EN) && globally_on(pmu, c->status);
}

static void configure_fixed(struct pmu *pmu, unsigned int i)
{
	static const enum event events[PMU_MAX_FIXED] = {
		EV_INSTRUCTIONS, EV_CYCLES, EV_REF_CYCLES, EV_NONE
	};
	struct counter *c = &pmu->counter[PMU_MAX_GP + i];
	unsigned int ctrl = (unsigned int)(pmu->fixed_ctrl >> (FIXED_BITS * i));

	c->event = events[i];
	c->classes = classes_of(ctrl & FIXED_OS, ctrl & FIXED_USR);
	c->pmi = ctrl & FIXED_PMI;
	c->on = (ctrl & FIXED_RINGS) && globally_on(pmu, c->status);
}

/* After any change of a register that rules counters. */
void pmu_configure(struct pmu *pmu)
{
	for (unsigned int i = 0; i < pmu->profile->gp; i++)
		configure_gp(pmu, i);
	for (unsigned int i = 0; i < pmu->profile->fixed; i++)
		configure_fixed(pmu, i);
	pmu_needs_update(pmu);
	pmu_grant(pmu);
}

static void overflow(struct pmu *pmu, const struct counter *c)
{
	pmu->global_status |= c->status;
	if (!c->pmi || pmu->pmi)
		return;
	pmu->pmi = true;
	pmu->pmi_cycles = pmu->skid;
	pmu_needs_update(pmu);
}

/* Add what is pending to every counter that counts it in this class. */
void pmu_counters_advance(struct pmu *pmu)
{
	/* A PMI on its way first: one that starts here has not skidded yet. */
	if (pmu->pmi)
		pmu->pmi_cycles -= (int64_t)pmu->pending[EV_CYCLES];
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];

		if (!c->on || c->event == EV_NONE || !(c->classes & BIT(pmu->hot->cls)))
			continue;
		c->value += pmu->pending[c->event];
		if (c->value > c->mask) {
			c->value &= c->mask;
			overflow(pmu, c);
		}
	}
}

/*
 * Freeze on PMI.  Up to version 3 the hardware clears what software set; the
 * streamlined way of version 4 leaves that alone and sets a bit in the status.
 */
static void freeze(struct pmu *pmu)
{
	uint64_t *debugctl = pmu_plain(pmu, MSR_DEBUGCTL);
	bool streamlined = pmu->profile->version >= 4;

	if (!debugctl)
		return;
	if (*debugctl & DEBUGCTL_FREEZE_PERFMON) {
		if (streamlined)
			pmu->global_status |= STATUS_CTR_FRZ;
		else
			pmu->global_ctrl = 0;
	}
	if (*debugctl & DEBUGCTL_FREEZE_LBR) {
		if (streamlined)
			pmu->global_status |= STATUS_LBR_FRZ;
		else
			*debugctl &= ~DEBUGCTL_LBR;
	}
}

void pmu_pmi(struct pmu *pmu, bool masked)
{
	pmu_account(pmu, pmu->granted - pmu->hot->budget);
	pmu->pmi = false;
	if (!masked)
		pmu_note(pmu, PMU_PMIS);
	freeze(pmu);
	pmu_configure(pmu);
}
