// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters: what the registers make each of them count, how it overflows,
 * and the PMI that follows.
 */
#include <stddef.h>

#include "p4.h"
#include "p5.h"

static uint64_t width_mask(unsigned int bits)
{
	return BIT(bits) - 1;
}

void pmu_counters_reset(struct pmu *pmu)
{
	const struct pmu_profile *p = pmu->profile;

	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++) {
		bool fixed = i >= PMU_MAX_GP;
		uint64_t status = BIT(fixed ? STATUS_FIXED + i - PMU_MAX_GP : i);

		pmu->counter[i] = (struct counter) {
			.mask = width_mask(fixed ? p->fixed_width : p->gp_width),
			.status = status,
			.event = EV_NONE,
			.less = EV_NONE,
		};
		if (p->dead & status)
			pmu->counter[i].mask = 0;
	}
	pmu->pmi = false;
	pmu->pmi_cycles = 0;
	pmu->overflowed = 0;
	pmu->record = 0;
}

static uint8_t classes_of(bool os, bool usr)
{
	return (uint8_t)((os ? BIT(PMU_KERNEL) : 0) | (usr ? BIT(PMU_USER) : 0));
}

/* Before version 2 there is no GLOBAL_CTRL, before 4 no freeze bit. */
static bool globally_on(const struct pmu *pmu, uint64_t bit)
{
	if ((pmu->profile->dead | pmu->profile->stuck) & bit)
		return false;
	if (pmu->profile->version < 2)
		return true;
	return (pmu->global_ctrl & bit) && !(pmu->global_status & STATUS_CTR_FRZ);
}

/* The tables are long, and any write of a register comes here. */
static const struct event_code *find_code(struct pmu *pmu, unsigned int i)
{
	struct known_code *known = &pmu->known[i];
	uint64_t sel = pmu->evtsel[i] & (SEL_CODE | SEL_HOW | SEL_EQ | SEL_UMASK2_BITS);

	if (known->sel != sel) {
		known->sel = sel;
		known->code = pmu_event_find(pmu->profile, pmu_events_of(pmu), sel);
	}
	return known->code;
}

/* NULL if this counter cannot count it. */
static const struct event_code *gp_code(struct pmu *pmu, unsigned int i)
{
	const struct event_code *code = find_code(pmu, i);

	return code && (code->counters & BIT(i)) && pmu_frontend_allows(pmu, code) ? code : NULL;
}

static bool enabled(const struct pmu *pmu, unsigned int i)
{
	return pmu->evtsel[pmu->profile->one_enable ? 0 : i] & SEL_EN;
}

static void configure_gp(struct pmu *pmu, unsigned int i)
{
	struct counter *c = &pmu->counter[i];
	uint64_t sel = pmu->evtsel[i];
	const struct event_code *code = gp_code(pmu, i);

	c->classes = classes_of(sel & SEL_OS, sel & SEL_USR);
	pmu_compare_setup(pmu, i, code);
	pmu->wants_fetched |= c->event == EV_FRONTEND;
	pmu_pages_watch(pmu, c->event);
	c->pmi = sel & SEL_INT;
	c->any = ((sel & SEL_ANY) || (code && (code->counters & ALL_THREADS))) && (sel & SEL_EN);
	pmu_pebs_setup(pmu, i);
	c->on = enabled(pmu, i) && globally_on(pmu, c->status);
	pmu_errata_configured(pmu, i);
}

static void configure_fixed(struct pmu *pmu, unsigned int i)
{
	/* Small cores from Skymont on: bad speculation, front end, retiring. */
	static const enum event events[PMU_MAX_FIXED] = {
		EV_INSTRUCTIONS, EV_CYCLES, EV_REF_CYCLES, EV_SLOTS,
		EV_SIG_METRIC_BAD_SPECULATION, EV_SIG_NOT_DELIVERED, EV_SIG_UOPS_RETIRED,
	};
	struct counter *c = &pmu->counter[PMU_MAX_GP + i];
	unsigned int ctrl = (unsigned int)(pmu->fixed_ctrl >> (FIXED_BITS * i));

	c->event = events[i] < EV_PENDING || pmu->pipe ? events[i] : EV_NONE;
	c->classes = classes_of(ctrl & FIXED_OS, ctrl & FIXED_USR);
	c->pmi = ctrl & FIXED_PMI;
	c->any = ctrl & pmu->profile->fixed_ctrl_writable & FIXED_ANY;
	pmu_pebs_setup(pmu, PMU_MAX_GP + i);
	c->on = (ctrl & FIXED_RINGS) && globally_on(pmu, c->status);
}

/* After any change of a register that rules counters. */
void pmu_configure(struct pmu *pmu)
{
	pmu->compared = 0;
	pmu->wants_fetched = false;
	pmu->wants_busy = false;
	pmu->watches_code = false;
	pmu->wants_loads = pmu->wants_gaps;
	if (p4_of(pmu))
		p4_configure(pmu);
	if (pmu->profile->p5)
		p5_configure(pmu);
	for (unsigned int i = 0; i < pmu->gp && !pmu->profile->p5; i++)
		configure_gp(pmu, i);
	for (unsigned int i = 0; i < pmu->profile->fixed; i++)
		if (pmu_profile_has_fixed(pmu->profile, i))
			configure_fixed(pmu, i);
	pmu_core_listen(pmu);
	pmu_lbr_configure(pmu);
	pmu_needs_update(pmu);
	pmu_grant(pmu);
}

/* status: whose overflow it is. */
void pmu_overflow(struct pmu *pmu, uint64_t status, bool pmi)
{
	pmu_silicon_show(pmu, status);
	if (!pmi)
		return;
	pmu->overflowed |= status;
	if (pmu->pmi)
		return;
	pmu->pmi = true;
	pmu->pmi_cycles = pmu->skid;
	pmu_needs_update(pmu);
}

/* What other threads of the core have added to an event in these classes. */
static uint64_t elsewhere(const struct pmu *pmu, uint8_t classes, enum event event)
{
	bool told = event < EV_COUNT || event == EV_ALLOCATION || event >= EV_PIPE;
	uint64_t n = 0;

	for (int cls = 0; told && cls < PMU_CLASSES; cls++)
		if (classes & BIT(cls))
			n += pmu->heard[cls][event];
	return n;
}

/* How often an event happened that a counter looks at, here or in its core. */
static int64_t happened(const struct pmu *pmu, const struct counter *c, enum event event)
{
	uint64_t here = c->classes & BIT(pmu->hot->cls) ? pmu->pending[event] : 0;
	int ticks = pmu_core_ticks(event);

	if (!c->any || !c->classes || !pmu_core_busy(pmu))
		return (int64_t)here;
	if (ticks >= 0)
		return (int64_t)pmu->ticked[c->classes - 1][ticks];
	return (int64_t)(here + elsewhere(pmu, c->classes, event));
}

/*
 * What a counter moves by.  A cycle and what happened in it may be accounted one
 * after the other; counters do not run backwards meanwhile.
 */
static uint64_t movement(const struct pmu *pmu, struct counter *c)
{
	int64_t n = happened(pmu, c, c->event) + c->debt;

	if (c->less != EV_NONE)
		n -= happened(pmu, c, c->less);
	c->debt = n < 0 ? n : 0;
	return n < 0 ? 0 : (uint64_t)n;
}

static void advance(struct pmu *pmu, struct counter *c)
{
	uint64_t n = movement(pmu, c);

	if (__builtin_expect(pmu->silicon.is != 0, 0)) {
		if (!pmu_errata_counts(pmu, c))
			return;
		pmu_errata_moved(pmu, c, n);
	}
	c->value += n;
	if (c->pebs) {
		pmu_pebs_event(pmu, c, n);
	} else if (c->value > c->mask) {
		c->value &= c->mask;
		if (c->pmi)
			pmu_ideal_interrupts(pmu, c->event);
		pmu_overflow(pmu, c->status, c->pmi);
	}
}

/* What runs is interrupted: on some machines that is one instruction more. */
void pmu_count_interrupt(struct pmu *pmu)
{
	pmu_errata_interrupt(pmu);
	if (!silicon_is(&pmu->silicon, SILICON_COUNTS_INTERRUPTS))
		return;
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];

		if (c->on && c->event == EV_INSTRUCTIONS && (c->classes & BIT(pmu->hot->cls)))
			c->debt++;
	}
}

/* Add what is pending to every counter that counts it in this class. */
void pmu_counters_advance(struct pmu *pmu)
{
	/* A PMI on its way first: one that starts here has not skidded yet. */
	if (pmu->pmi)
		pmu->pmi_cycles -= (int64_t)pmu->pending[EV_CYCLES];
	for (int i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];

		if (!c->on || c->event == EV_NONE)
			continue;
		if (!c->any && !(c->classes & BIT(pmu->hot->cls)))
			continue;
		advance(pmu, c);
	}
	if (pmu->profile->metrics)
		pmu_metrics_advance(pmu);
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
	/* Interrupts are taken when all in front of them has retired. */
	if (!masked)
		pmu_pipe_drain(pmu);
	pmu_account(pmu, pmu->granted - pmu->hot->budget);
	pmu->pmi = false;
	if (!masked)
		pmu_note(pmu, PMU_PMIS);
	freeze(pmu);
	pmu_configure(pmu);
}
