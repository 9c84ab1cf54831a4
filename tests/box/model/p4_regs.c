// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4's registers as instructions see them.  All but the DS area are the
 * core's: what one thread writes the other reads.
 */
#include <stdlib.h>
#include <string.h>

#include "p4.h"

#define MSR_COUNTER 0x300
#define MSR_CCCR 0x360
#define MSR_ESCR 0x3a0
#define MSR_TC_PRECISE_EVENT 0x3f0
#define MSR_PEBS_MATRIX_VERT 0x3f2

/* Causes of replays: 12 to 0, and 15 and 16, which one table reserves and one needs. */
#define PEBS_CAUSES (UINT64_C(0x1fff) | BIT(15) | BIT(16))
#define MATRIX_WRITABLE UINT64_C(0x1fff)
#define PRECISE_WRITABLE UINT64_C(0xffffffff)

int p4_new(struct pmu *pmu)
{
	struct p4 *p4;

	if (!pmu->profile->p4)
		return 0;
	p4 = calloc(1, sizeof(*p4));
	if (!p4)
		return -1;
	p4->model = pmu->profile->p4;
	pmu->core->p4 = p4;
	return 0;
}

void p4_power_on(struct pmu *pmu)
{
	struct p4 *p4 = p4_of(pmu);
	const struct p4_model *model = p4->model;

	memset(p4, 0, sizeof(*p4));
	p4->model = model;
	/* Until it runs its first instruction. */
	p4->halted = (uint8_t)(BIT(pmu->core->threads) - 1);
}

static bool has_threads(const struct pmu *pmu)
{
	return pmu->core->threads > 1;
}

/* A register: where it is kept, and what of it can be written. */
struct reg {
	uint64_t *value;
	uint64_t writable;
};

static uint64_t escr_writable(const struct pmu *pmu)
{
	return has_threads(pmu) ? ESCR_WRITABLE : ESCR_WRITABLE & ~ESCR_T1;
}

static uint64_t cccr_writable(const struct pmu *pmu, unsigned int i)
{
	uint64_t bits = CCCR_OVF | CCCR_CASCADE | CCCR_OVF_PMI_T0 | CCCR_FORCE_OVF | CCCR_EDGE |
			UINT64_C(0xfff000);

	if (has_threads(pmu))
		bits |= CCCR_OVF_PMI_T0 << 1;
	if (p4_counter_facts(i)->extended_from != P4_NOBODY)
		bits |= CCCR_EXTENDED;
	return bits;
}

static uint64_t pebs_writable(const struct pmu *pmu)
{
	uint64_t bits = PEBS_CAUSES | PEBS_REPLAY_TAG | PEBS_THREAD(0);

	return has_threads(pmu) ? bits | PEBS_THREAD(1) : bits;
}

/* One of those numbered from a first one on; false: outside of these. */
static bool find_numbered(const struct pmu *pmu, uint32_t msr, struct reg *reg)
{
	struct p4 *p4 = p4_of(pmu);
	uint32_t i;

	if (msr >= MSR_COUNTER && (i = msr - MSR_COUNTER) < P4_COUNTERS)
		*reg = (struct reg) { &p4->counter[i].value, BIT(P4_COUNTER_WIDTH) - 1 };
	else if (msr >= MSR_CCCR && (i = msr - MSR_CCCR) < P4_COUNTERS)
		*reg = (struct reg) { &p4->cccr[i], cccr_writable(pmu, i) };
	else if (msr >= MSR_ESCR && (i = msr - MSR_ESCR) < P4_ESCRS)
		*reg = (struct reg) {
			p4_escr_exists(p4->model, i) ? &p4->escr[i] : NULL, escr_writable(pmu),
		};
	else
		return false;
	return true;
}

/* A register that is not there has no value. */
static bool find(const struct pmu *pmu, uint32_t msr, struct reg *reg)
{
	struct p4 *p4 = p4_of(pmu);

	if (find_numbered(pmu, msr, reg))
		return true;
	switch (msr) {
	case MSR_TC_PRECISE_EVENT:
		*reg = (struct reg) { &p4->precise, PRECISE_WRITABLE };
		return true;
	case MSR_PEBS_ENABLE:
		*reg = (struct reg) { &p4->pebs_enable, pebs_writable(pmu) };
		return true;
	case MSR_PEBS_MATRIX_VERT:
		*reg = (struct reg) { &p4->matrix_vert, MATRIX_WRITABLE };
		return true;
	default:
		return false;
	}
}

/* PEBS_ENABLE speaks of "my thread" and "the other": thread 1 sees the bits swapped. */
static uint64_t seen_by(const struct pmu *pmu, uint32_t msr, uint64_t value)
{
	uint64_t mine = value & PEBS_THREAD(0), other = value & PEBS_THREAD(1);

	if (msr != MSR_PEBS_ENABLE || !pmu->thread)
		return value;
	return (value & ~PEBS_THREADS) | mine << 1 | other >> 1;
}

enum pmu_access p4_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	struct reg reg;

	if (!p4_of(pmu) || !find(pmu, msr, &reg))
		return PMU_NOT_MINE;
	if (!reg.value)
		return PMU_FAULT;
	pmu_sync_before(pmu);
	*value = seen_by(pmu, msr, *reg.value);
	return PMU_DONE;
}

/* The core's other threads do not run now, and have counted under the old settings. */
static void settle_others(struct pmu *pmu)
{
	for (unsigned int t = 0; t < pmu->core->threads; t++) {
		struct pmu *other = pmu->core->thread[t];

		if (other && other != pmu)
			pmu_account(other, other->granted - other->hot->budget);
		if (other && other != pmu)
			pmu_grant(other);
	}
}

/* O9: how near behind the carry of bit 31 it stops is made wide, that it be seen. */
#define CARRY_EVENTS 64

static void lose_carry(struct pmu *pmu, uint32_t msr, uint64_t was, uint64_t is)
{
	uint32_t i = msr - MSR_CCCR;
	uint64_t *value;

	if (msr < MSR_CCCR || i >= P4_COUNTERS || !silicon_is(&pmu->silicon, SILICON_LOST_CARRY) ||
	    !(was & ~is & CCCR_ENABLE))
		return;
	value = &p4_of(pmu)->counter[i].value;
	if ((uint32_t)*value < CARRY_EVENTS)
		*value = (*value - BIT(32)) & (BIT(P4_COUNTER_WIDTH) - 1);
}

/* What a write of a CCCR or a counter does besides. */
static void wrote(struct p4 *p4, uint32_t msr)
{
	uint32_t i = msr - MSR_CCCR;

	if (msr >= MSR_CCCR && i < P4_COUNTERS && !(p4->cccr[i] & CCCR_OVF))
		p4->counter[i].armed = false;
	i = msr - MSR_COUNTER;
	if (msr >= MSR_COUNTER && i < P4_COUNTERS) {
		p4->counter[i].armed = false;
		p4->counter[i].debt = 0;
	}
}

enum pmu_access p4_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	struct reg reg;
	uint64_t was;

	if (!p4_of(pmu) || !find(pmu, msr, &reg))
		return PMU_NOT_MINE;
	if (!reg.value || (value & ~reg.writable))
		return PMU_FAULT;
	settle_others(pmu);
	pmu_retire_write(pmu);
	was = *reg.value;
	*reg.value = seen_by(pmu, msr, value);
	lose_carry(pmu, msr, was, value);
	wrote(p4_of(pmu), msr);
	if (msr < MSR_CCCR)
		pmu_grant(pmu);
	else
		pmu_configure(pmu);
	settle_others(pmu);
	return PMU_DONE;
}

#define RDPMC_FAST BIT(31)

enum pmu_access p4_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value)
{
	uint32_t i = ecx & ~(uint32_t)RDPMC_FAST;

	if (i >= P4_COUNTERS)
		return PMU_FAULT;
	pmu_sync_before(pmu);
	*value = p4_of(pmu)->counter[i].value;
	if (ecx & RDPMC_FAST)
		*value = (uint32_t)*value;
	return PMU_DONE;
}

void p4_each_changed_msr(const struct pmu *pmu,
			 void (*fn)(void *data, uint32_t msr, uint64_t value), void *data)
{
	for (uint32_t msr = MSR_COUNTER; msr <= MSR_PEBS_MATRIX_VERT; msr++) {
		struct reg reg;

		if (find(pmu, msr, &reg) && reg.value && *reg.value)
			fn(data, msr, seen_by(pmu, msr, *reg.value));
	}
}
