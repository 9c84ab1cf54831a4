// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first Pentium's PMU, with MMX and without, after the SDM's "Performance Monitoring
 * (Pentium Processors)": CESR, which chooses for both counters, and two counters of 40 bits.
 * There is no interrupt: an overflow shows on a pin, and pins are not modelled.
 */
#include "p5.h"

#define MSR_CESR 0x11
#define MSR_CTR0 0x12
#define COUNTERS 2
/* ES, CC and PC of each counter; all else is reserved. */
#define CESR_WRITABLE UINT64_C(0x03ff03ff)
#define CTR_BITS (BIT(40) - 1)

#define ES(field) ((field) & 0x3f)
/* CC: CPL 0 to 2, CPL 3, clocks. */
#define CC_KERNEL 1
#define CC_USER 2
#define CC_CLOCKS 4
#define CC(field) ((field) >> 6 & 7)

#define FIRST 1
#define SECOND 2
#define EITHER 3

/*
 * Those that the model makes.  All others of the manual's table count nothing here: snoops,
 * bus cycles and their durations, pipes, pairing, banks, AGIs, buffers, segments, I/O,
 * breakpoints, interrupts, what floating point and MMX do, and both kinds of pages at once.
 */
static const struct row {
	uint8_t code, counters;
	bool mmx, lasts;	/* lasts: it has a duration, counted in clocks */
	enum event event;
} rows[] = {
	{ 0x00, EITHER, false, false, EV_LOADS },	/* DATA_READ */
	{ 0x01, EITHER, false, false, EV_STORES },	/* DATA_WRITE */
	{ 0x03, EITHER, false, false, EV_L1D_MISSES },	/* DATA_READ_MISS */
	{ 0x04, EITHER, false, false, EV_L1D_STORE_MISSES },	/* DATA_WRITE_MISS */
	{ 0x0d, EITHER, false, false, EV_ITLB_MISSES },	/* CODE_TLB_MISS */
	{ 0x0e, EITHER, false, false, EV_L1I_MISSES },	/* CODE_CACHE_MISS */
	{ 0x12, EITHER, false, false, EV_BRANCHES },	/* BRANCHES */
	{ 0x16, EITHER, false, false, EV_INSTRUCTIONS },	/* INSTRUCTIONS_EXECUTED */
	{ 0x28, EITHER, false, false, EV_ACCESSES },	/* DATA_READ_OR_WRITE */
	{ 0x29, EITHER, false, false, EV_L2_REFERENCES },	/* DATA_READ_MISS_OR_WRITE_MISS */
	{ 0x30, FIRST, true, true, EV_CYCLES },		/* NUMBER_OF_CYCLES_NOT_IN_HALT_STATE */
	{ 0x32, SECOND, true, false, EV_TAKEN },	/* TAKEN_BRANCHES */
	{ 0x35, FIRST, true, false, EV_BRANCH_MISSES },	/* PIPELINE_FLUSHES_DUE_TO_WRONG_... */
	{ 0x39, FIRST, true, false, EV_RETURNS },	/* RETURNS */
};

static unsigned int field_of(uint64_t cesr, unsigned int counter)
{
	return (unsigned int)(cesr >> 16 * counter) & 0x3ff;
}

static bool is_on(unsigned int field)
{
	return CC(field) & (CC_KERNEL | CC_USER);
}

static const struct row *row_of(const struct pmu *pmu, unsigned int counter, unsigned int field)
{
	for (const struct row *r = rows; r < rows + ARRAY_SIZE(rows); r++)
		if (r->code == ES(field) && (r->counters & BIT(counter)) &&
		    (!r->mmx || pmu->profile->mmx))
			return r;
	return NULL;
}

/*
 * "Count clocks (duration)": of what lasts.  What only happens has none in the model.  Without
 * that bit what lasts is counted in clocks all the same, as perfctr counts cycles; or, by the
 * word "event", how often it begins: here when HLT ends.
 */
enum event p5_event(const struct pmu *pmu, unsigned int counter, unsigned int field)
{
	const struct row *r = row_of(pmu, counter, field);
	bool clocks = CC(field) & CC_CLOCKS;

	if (!r || (clocks && !r->lasts))
		return EV_NONE;
	if (r->lasts && !clocks && silicon_is(&pmu->silicon, SILICON_COUNTS_BEGINNINGS))
		return EV_WAKES;
	return r->event;
}

void p5_power_on(struct pmu *pmu)
{
	pmu->cesr = 0;
	pmu->set[0] = pmu->set[1] = true;
}

void p5_configure(struct pmu *pmu)
{
	for (unsigned int i = 0; i < COUNTERS; i++) {
		struct counter *c = &pmu->counter[i];
		unsigned int field = field_of(pmu->cesr, i);

		pmu->compare[i].of = EV_NONE;
		c->event = p5_event(pmu, i, field);
		c->less = EV_NONE;
		c->classes = (uint8_t)((CC(field) & CC_KERNEL ? BIT(PMU_KERNEL) : 0) |
				       (CC(field) & CC_USER ? BIT(PMU_USER) : 0));
		c->on = is_on(field);
		pmu_pages_watch(pmu, c->event);
	}
}

/* A counter that is given another event as it stands takes some of the one before with it. */
#define LEFT_OVER 997

static void switch_event(struct pmu *pmu, unsigned int i, unsigned int before, unsigned int now)
{
	struct counter *c = &pmu->counter[i];

	if (ES(before) != ES(now) && (!pmu->set[i] || is_on(before)) &&
	    silicon_is(&pmu->silicon, SILICON_WANTS_PRESET))
		c->value = (c->value + LEFT_OVER) & c->mask;
	if (is_on(now))
		pmu->set[i] = false;
}

static void set_cesr(struct pmu *pmu, uint64_t value)
{
	for (unsigned int i = 0; i < COUNTERS; i++)
		switch_event(pmu, i, field_of(pmu->cesr, i), field_of(value, i));
	pmu->cesr = value;
}

static void set_counter(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu->counter[i].value = value;
	pmu->set[i] = !is_on(field_of(pmu->cesr, i));
}

static bool is_register(const struct pmu *pmu, uint32_t msr)
{
	return pmu->profile->p5 && msr >= MSR_CESR && msr < MSR_CTR0 + COUNTERS;
}

static uint64_t get(const struct pmu *pmu, uint32_t msr)
{
	return msr == MSR_CESR ? pmu->cesr : pmu->counter[msr - MSR_CTR0].value;
}

enum pmu_access p5_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	if (!is_register(pmu, msr))
		return PMU_NOT_MINE;
	pmu_sync_before(pmu);
	*value = get(pmu, msr);
	return PMU_DONE;
}

enum pmu_access p5_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	if (!is_register(pmu, msr))
		return PMU_NOT_MINE;
	if (value & ~(msr == MSR_CESR ? CESR_WRITABLE : CTR_BITS))
		return PMU_FAULT;
	pmu_retire_write(pmu);
	if (msr == MSR_CESR)
		set_cesr(pmu, value);
	else
		set_counter(pmu, msr - MSR_CTR0, value);
	pmu_configure(pmu);
	return PMU_DONE;
}

/* It came with MMX. */
enum pmu_access p5_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value)
{
	if (!pmu->profile->mmx || ecx >= COUNTERS)
		return PMU_FAULT;
	pmu_sync_before(pmu);
	*value = pmu->counter[ecx].value;
	return PMU_DONE;
}

void p5_each_changed_msr(const struct pmu *pmu,
			 void (*fn)(void *data, uint32_t msr, uint64_t value), void *data)
{
	for (uint32_t msr = MSR_CESR; msr < MSR_CTR0 + COUNTERS; msr++)
		if (get(pmu, msr))
			fn(data, msr, get(pmu, msr));
}
