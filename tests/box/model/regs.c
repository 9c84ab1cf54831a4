// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's registers as instructions see them: RDMSR, WRMSR, RDPMC and CPUID.
 * Each group of registers is a row that knows which of them a profile has, how
 * one is read, which bits a write may set, and what it does.
 */
#include <string.h>

#include "model.h"

struct reg_group {
	uint32_t first, last;
	bool (*exists)(const struct pmu_profile *p, unsigned int i);
	uint64_t (*get)(const struct pmu *pmu, unsigned int i);
	uint64_t (*writable)(const struct pmu_profile *p);	/* NULL: read-only */
	void (*set)(struct pmu *pmu, unsigned int i, uint64_t value);
	bool state;		/* of its own, so a snapshot must have it */
};

static bool has_gp(const struct pmu_profile *p, unsigned int i)
{
	return i < p->gp;
}

static bool has_full_width(const struct pmu_profile *p, unsigned int i)
{
	return i < p->gp && (p->capabilities & CAP_FULL_WIDTH);
}

static bool has_fixed(const struct pmu_profile *p, unsigned int i)
{
	return i < p->fixed;
}

static bool has_v2(const struct pmu_profile *p, unsigned int i)
{
	(void)i;
	return p->version >= 2;
}

static bool has_v4(const struct pmu_profile *p, unsigned int i)
{
	(void)i;
	return p->version >= 4;
}

static bool has_capabilities(const struct pmu_profile *p, unsigned int i)
{
	(void)i;
	return p->cpuid1_ecx & CPUID_ECX_PDCM;
}

static uint64_t any_bits(const struct pmu_profile *p)
{
	(void)p;
	return UINT64_MAX;
}

static uint64_t gp_bits(const struct pmu_profile *p)
{
	return BIT(p->gp_width) - 1;
}

static uint64_t fixed_bits(const struct pmu_profile *p)
{
	return BIT(p->fixed_width) - 1;
}

static uint64_t evtsel_bits(const struct pmu_profile *p)
{
	return p->evtsel_writable;
}

static uint64_t fixed_ctrl_bits(const struct pmu_profile *p)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < p->fixed; i++)
		bits |= (uint64_t)p->fixed_ctrl_writable << (FIXED_BITS * i);
	return bits;
}

/* A bit per counter, as in GLOBAL_CTRL and GLOBAL_STATUS. */
static uint64_t counter_bits(const struct pmu_profile *p)
{
	return (BIT(p->gp) - 1) | (BIT(p->fixed) - 1) << STATUS_FIXED;
}

static uint64_t clearable_bits(const struct pmu_profile *p)
{
	return counter_bits(p) | p->status_clearable;
}

static uint64_t settable_bits(const struct pmu_profile *p)
{
	return counter_bits(p) | p->status_settable;
}

static uint64_t get_gp(const struct pmu *pmu, unsigned int i)
{
	return pmu->counter[i].value;
}

/* The legacy address takes 32 bits and extends the sign to the full width. */
static void set_gp(struct pmu *pmu, unsigned int i, uint64_t value)
{
	struct counter *c = &pmu->counter[i];

	c->value = (uint64_t)(int64_t)(int32_t)(uint32_t)value & c->mask;
}

static void set_gp_full(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu->counter[i].value = value;
}

static uint64_t get_fixed(const struct pmu *pmu, unsigned int i)
{
	return pmu->counter[PMU_MAX_GP + i].value;
}

static void set_fixed(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu->counter[PMU_MAX_GP + i].value = value;
}

static uint64_t get_evtsel(const struct pmu *pmu, unsigned int i)
{
	return pmu->evtsel[i];
}

static void set_evtsel(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu->evtsel[i] = value;
}

static uint64_t get_fixed_ctrl(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->fixed_ctrl;
}

static void set_fixed_ctrl(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->fixed_ctrl = value;
}

static uint64_t get_global_ctrl(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->global_ctrl;
}

static void set_global_ctrl(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->global_ctrl = value;
}

static uint64_t get_status(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->global_status;
}

static uint64_t get_zero(const struct pmu *pmu, unsigned int i)
{
	(void)pmu;
	(void)i;
	return 0;
}

static void clear_status(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->global_status &= ~value;
}

static void set_status(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->global_status |= value;
}

static const struct plain_msr *plain_of(const struct pmu_profile *p, uint32_t msr)
{
	for (unsigned int i = 0; i < p->nr_plain; i++)
		if (p->plain[i].msr == msr)
			return &p->plain[i];
	return NULL;
}

/* NULL if the profile has no such register. */
static const uint64_t *plain_value(const struct pmu *pmu, uint32_t msr)
{
	const struct plain_msr *plain = plain_of(pmu->profile, msr);

	return plain ? &pmu->plain[plain - pmu->profile->plain] : NULL;
}

uint64_t *pmu_plain(struct pmu *pmu, uint32_t msr)
{
	const struct plain_msr *plain = plain_of(pmu->profile, msr);

	return plain ? &pmu->plain[plain - pmu->profile->plain] : NULL;
}

/* GLOBAL_INUSE tells a second user of the PMU what the first has programmed. */
static uint64_t get_inuse(const struct pmu *pmu, unsigned int unused)
{
	uint64_t inuse = 0;
	const uint64_t *pebs = plain_value(pmu, MSR_PEBS_ENABLE);
	bool pmi = pebs && *pebs;

	(void)unused;
	for (unsigned int i = 0; i < pmu->profile->gp; i++) {
		if (pmu->evtsel[i] & SEL_EVENT)
			inuse |= BIT(i);
		pmi |= pmu->evtsel[i] & SEL_INT;
	}
	for (unsigned int i = 0; i < pmu->profile->fixed; i++) {
		uint64_t field = pmu->fixed_ctrl >> (FIXED_BITS * i);

		if (field & FIXED_RINGS)
			inuse |= BIT(STATUS_FIXED + i);
		pmi |= field & FIXED_PMI;
	}
	return inuse | (pmi ? INUSE_PMI : 0);
}

static uint64_t get_capabilities(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->profile->capabilities;
}

static const struct reg_group groups[] = {
	{ 0x0c1, 0x0c8, has_gp, get_gp, any_bits, set_gp, true },
	{ 0x186, 0x18d, has_gp, get_evtsel, evtsel_bits, set_evtsel, true },
	{ 0x309, 0x30c, has_fixed, get_fixed, fixed_bits, set_fixed, true },
	{ 0x345, 0x345, has_capabilities, get_capabilities, NULL, NULL, false },
	{ 0x38d, 0x38d, has_v2, get_fixed_ctrl, fixed_ctrl_bits, set_fixed_ctrl, true },
	{ 0x38e, 0x38e, has_v2, get_status, NULL, NULL, true },
	{ 0x38f, 0x38f, has_v2, get_global_ctrl, counter_bits, set_global_ctrl, true },
	{ 0x390, 0x390, has_v2, get_zero, clearable_bits, clear_status, false },
	{ 0x391, 0x391, has_v4, get_zero, settable_bits, set_status, false },
	{ 0x392, 0x392, has_v4, get_inuse, NULL, NULL, false },
	{ 0x4c1, 0x4c8, has_full_width, get_gp, gp_bits, set_gp_full, false },
};

/*
 * Registers of some PMU or other that fault on a processor without them.
 * Anything outside these ranges and the groups above is the host's.
 */
static const struct {
	uint32_t first, last;
} pmu_ranges[] = {
	{ 0x040, 0x047 }, { 0x060, 0x067 },	/* LBR of Core */
	{ 0x1a6, 0x1a7 },			/* OFFCORE_RSP */
	{ 0x1c8, 0x1c9 }, { 0x1d9, 0x1d9 },	/* LBR_SELECT, LBR_TOS, DEBUGCTL */
	{ 0x329, 0x329 },			/* PERF_METRICS */
	{ 0x3f1, 0x3f2 }, { 0x3f6, 0x3f7 },	/* PEBS */
	{ 0x600, 0x600 },			/* DS_AREA */
	{ 0x680, 0x69f }, { 0x6c0, 0x6df },	/* LBR from Nehalem on */
	{ 0xdc0, 0xddf },			/* LBR_INFO */
	{ 0x1200, 0x121f }, { 0x1500, 0x151f },	/* architectural LBR */
	{ 0x1600, 0x161f }, { 0x14ce, 0x14cf },
	{ 0x1309, 0x130c }, { 0x14c1, 0x14c8 },	/* RELOAD_ */
	{ 0x1900, 0x19ff },			/* counters of version 6 */
};

static const struct reg_group *group_of(uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (msr >= groups[i].first && msr <= groups[i].last)
			return &groups[i];
	return NULL;
}

static enum pmu_access missing(uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(pmu_ranges); i++)
		if (msr >= pmu_ranges[i].first && msr <= pmu_ranges[i].last)
			return PMU_FAULT;
	return PMU_NOT_MINE;
}

static bool canonical(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

static enum pmu_access set_plain(struct pmu *pmu, const struct plain_msr *plain, uint64_t value)
{
	if (value & ~plain->writable || (plain->linear && !canonical(value)))
		return PMU_FAULT;
	pmu->plain[plain - pmu->profile->plain] = value;
	return PMU_DONE;
}

/* Bring the counters up to date while an instruction is in flight. */
static void sync_before(struct pmu *pmu)
{
	int64_t consumed = pmu->granted - pmu->hot->budget;
	bool taken = (pmu->hot->needs[pmu->hot->cls] & PMU_NEED_INSN) && consumed > 0;

	pmu_account(pmu, consumed - taken);
	pmu_grant(pmu);
	pmu->hot->budget -= taken;
}

enum pmu_access pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	const struct reg_group *group = group_of(msr);
	const uint64_t *plain = plain_value(pmu, msr);

	if (plain) {
		*value = *plain;
		return PMU_DONE;
	}
	if (!group)
		return missing(msr);
	if (!group->exists(pmu->profile, msr - group->first))
		return PMU_FAULT;
	sync_before(pmu);
	*value = group->get(pmu, msr - group->first);
	return PMU_DONE;
}

static enum pmu_access set_group(struct pmu *pmu, const struct reg_group *group,
				 unsigned int i, uint64_t value)
{
	if (!group->exists(pmu->profile, i) || !group->set)
		return PMU_FAULT;
	if (value & ~group->writable(pmu->profile))
		return PMU_FAULT;
	pmu_account(pmu, pmu->granted - pmu->hot->budget);
	group->set(pmu, i, value);
	pmu_configure(pmu);
	return PMU_DONE;
}

enum pmu_access pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	const struct plain_msr *plain = plain_of(pmu->profile, msr);
	const struct reg_group *group = group_of(msr);

	if (plain)
		return set_plain(pmu, plain, value);
	if (group)
		return set_group(pmu, group, msr - group->first, value);
	return missing(msr);
}

#define RDPMC_FIXED BIT(30)

enum pmu_access pmu_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value)
{
	bool fixed = ecx & RDPMC_FIXED;
	uint32_t i = ecx & ~(uint32_t)RDPMC_FIXED;

	if (i >= (fixed ? pmu->profile->fixed : pmu->profile->gp))
		return PMU_FAULT;
	sync_before(pmu);
	*value = pmu->counter[fixed ? PMU_MAX_GP + i : i].value;
	return PMU_DONE;
}

void pmu_cpuid_0a(const struct pmu *pmu, uint32_t regs[4])
{
	const struct pmu_profile *p = pmu->profile;

	regs[0] = p->version | (uint32_t)p->gp << 8 | (uint32_t)p->gp_width << 16 |
		  (uint32_t)p->arch_events << 24;
	regs[1] = p->arch_missing;
	regs[2] = 0;
	regs[3] = p->version < 2 ? 0 : p->fixed | (uint32_t)p->fixed_width << 5;
}

void pmu_cpuid_1(const struct pmu *pmu, uint32_t *ecx, uint32_t *edx)
{
	*ecx |= pmu->profile->cpuid1_ecx;
	*edx |= pmu->profile->cpuid1_edx;
}

uint64_t pmu_misc_enable(const struct pmu *pmu)
{
	return pmu->profile->misc_enable;
}

/* The general-purpose counters are globally on from power-on, the fixed are not. */
uint64_t pmu_power_on_global_ctrl(const struct pmu_profile *p)
{
	return p->version < 2 ? 0 : BIT(p->gp) - 1;
}

void pmu_each_changed_msr(const struct pmu *pmu,
			  void (*fn)(void *data, uint32_t msr, uint64_t value), void *data)
{
	const struct pmu_profile *p = pmu->profile;

	for (size_t g = 0; g < ARRAY_SIZE(groups); g++) {
		for (uint32_t msr = groups[g].first; msr <= groups[g].last; msr++) {
			uint32_t i = msr - groups[g].first;
			uint64_t power_on =
				msr == MSR_GLOBAL_CTRL ? pmu_power_on_global_ctrl(p) : 0;

			if (!groups[g].state || !groups[g].exists(p, i))
				continue;
			if (groups[g].get(pmu, i) != power_on)
				fn(data, msr, groups[g].get(pmu, i));
		}
	}
	for (unsigned int i = 0; i < p->nr_plain; i++)
		if (pmu->plain[i])
			fn(data, p->plain[i].msr, pmu->plain[i]);
}
