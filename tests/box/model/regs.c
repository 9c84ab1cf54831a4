// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's registers as instructions see them: RDMSR, WRMSR and RDPMC.
 * Each group of registers is a row that knows which of them a profile has, how
 * one is read, which bits a write may set, and what it does.
 */
#include <string.h>

#include "p4.h"
#include "p5.h"

#define PHYSICAL_BITS (BIT(52) - 1)
#define LBR_DEPTH_CORE 4		/* Core 2 has them elsewhere, and unfiltered */

struct reg_group {
	uint32_t first, last, step;
	bool (*exists)(const struct pmu *pmu, unsigned int i);
	uint64_t (*get)(const struct pmu *pmu, unsigned int i);
	uint64_t (*writable)(const struct pmu *pmu);	/* NULL: read-only */
	void (*set)(struct pmu *pmu, unsigned int i, uint64_t value);
	bool state;		/* of its own, so a snapshot must have it */
};

static bool has_gp(const struct pmu *pmu, unsigned int i)
{
	return i < pmu->gp && !pmu->profile->p5;
}

/* Of a group that begins with the second. */
static bool has_gp_more(const struct pmu *pmu, unsigned int i)
{
	return has_gp(pmu, i + 1);
}

static bool has_full_width(const struct pmu *pmu, unsigned int i)
{
	return i < pmu->gp && (pmu->profile->capabilities & CAP_FULL_WIDTH);
}

static bool has_fixed(const struct pmu *pmu, unsigned int i)
{
	return pmu_profile_has_fixed(pmu->profile, i);
}

static bool has_v2(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->profile->version >= 2;
}

static bool has_v4(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->profile->version >= 4;
}

static bool has_gp_v6(const struct pmu *pmu, unsigned int i)
{
	return i < pmu->gp && pmu->profile->version >= 6;
}

static bool has_fixed_v6(const struct pmu *pmu, unsigned int i)
{
	return has_fixed(pmu, i) && pmu->profile->version >= 6;
}

static bool has_gp_cfg_c(const struct pmu *pmu, unsigned int i)
{
	return has_gp(pmu, i) && pmu_pebs_is_architectural(pmu);
}

static bool has_fixed_cfg_c(const struct pmu *pmu, unsigned int i)
{
	return has_fixed(pmu, i) && pmu_pebs_is_architectural(pmu);
}

static bool has_arch_pebs(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu_pebs_is_architectural(pmu);
}

static bool has_lbr_core(const struct pmu *pmu, unsigned int i)
{
	return pmu->profile->lbr_depth == LBR_DEPTH_CORE && i < LBR_DEPTH_CORE;
}

static bool has_lbr(const struct pmu *pmu, unsigned int i)
{
	return pmu->profile->lbr_depth > LBR_DEPTH_CORE && i < pmu->profile->lbr_depth &&
	       !pmu_lbr_is_architectural(pmu);
}

static bool has_lbr_info(const struct pmu *pmu, unsigned int i)
{
	return has_lbr(pmu, i) && pmu->profile->lbr_format == LBR_INFO;
}

static bool has_lbr_select(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return has_lbr(pmu, 0);
}

static bool has_lbr_top(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->profile->lbr_depth && !pmu_lbr_is_architectural(pmu);
}

static bool has_lbr_ctl(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu_lbr_is_architectural(pmu);
}

/* What lies behind the depth chosen is not there. */
static bool has_lbr_entry(const struct pmu *pmu, unsigned int i)
{
	return pmu_lbr_is_architectural(pmu) && i < pmu->lbr.depth;
}

static bool has_metrics(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->profile->metrics;
}

static bool has_energy(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->profile->rapl_units;
}

static bool has_ways(const struct pmu *pmu, unsigned int i)
{
	return i < pmu->profile->l3_classes;
}

static uint64_t any_bits(const struct pmu *pmu)
{
	(void)pmu;
	return UINT64_MAX;
}

static uint64_t gp_bits(const struct pmu *pmu)
{
	return BIT(pmu->profile->gp_width) - 1;
}

static uint64_t fixed_bits(const struct pmu *pmu)
{
	return BIT(pmu->profile->fixed_width) - 1;
}

static uint64_t evtsel_bits(const struct pmu *pmu)
{
	return pmu->profile->evtsel_writable & ~pmu_silicon_baseline(pmu, SEL_ADAPTIVE);
}

static uint64_t evtsel_bits_more(const struct pmu *pmu)
{
	return evtsel_bits(pmu) & ~(pmu->profile->one_enable ? SEL_EN : 0);
}

static uint64_t fixed_ctrl_bits(const struct pmu *pmu)
{
	const struct pmu_profile *p = pmu->profile;
	uint64_t bits = p->fixed_ctrl_more;

	for (unsigned int i = 0; i < p->fixed; i++) {
		if (pmu_profile_has_fixed(p, i))
			bits |= (uint64_t)p->fixed_ctrl_writable << (FIXED_BITS * i);
		bits &= ~pmu_silicon_baseline(pmu, FIXED_ADAPTIVE_OF(i));
	}
	return bits;
}

static uint64_t cfg_c_bits(const struct pmu *pmu)
{
	return pmu->profile->arch_pebs;
}

static uint64_t pebs_base_bits(const struct pmu *pmu)
{
	(void)pmu;
	return (PHYSICAL_BITS & ~(PEBS_BASE_PAGE - 1)) | PEBS_BASE_SIZE;
}

static uint64_t pebs_index_bits(const struct pmu *pmu)
{
	(void)pmu;
	return INDEX_WR | INDEX_FULL | INDEX_EN | INDEX_THRESH;
}

static uint64_t lbr_select_bits(const struct pmu *pmu)
{
	return BIT(pmu->profile->lbr_format >= LBR_FLAGS_TSX ? 10 : 9) - 1;
}

static uint64_t lbr_ctl_bits(const struct pmu *pmu)
{
	(void)pmu;
	return LBR_CTL_ON | LBR_CTL_KERNEL | LBR_CTL_USER | LBR_CTL_CALL_STACK | LBR_CTL_KINDS;
}

static uint64_t lbr_top_bits(const struct pmu *pmu)
{
	return pmu->profile->lbr_depth - 1u;
}

/* A bit per counter, as in GLOBAL_CTRL and GLOBAL_STATUS. */
static uint64_t counter_bits(const struct pmu *pmu)
{
	return (BIT(pmu->gp) - 1) | pmu_profile_fixed(pmu->profile) << STATUS_FIXED;
}

static uint64_t global_ctrl_bits(const struct pmu *pmu)
{
	return counter_bits(pmu) | pmu->profile->global_ctrl_more;
}

static uint64_t clearable_bits(const struct pmu *pmu)
{
	return counter_bits(pmu) | pmu->profile->status_clearable;
}

static uint64_t settable_bits(const struct pmu *pmu)
{
	return counter_bits(pmu) | pmu->profile->status_settable;
}

/* A byte for each field. */
static uint64_t metrics_bits(const struct pmu *pmu)
{
	return UINT64_MAX >> 8 * (PMU_MAX_METRICS - pmu->profile->metrics);
}

static uint64_t get_gp(const struct pmu *pmu, unsigned int i)
{
	return pmu->counter[i].value;
}

static void written(struct pmu *pmu, struct counter *c)
{
	pmu_errata_set(pmu, c, c->value);
	if (!silicon_is(&pmu->silicon, SILICON_STAYS_READY))
		c->armed = false;
}

/* The legacy address takes 32 bits and extends the sign to the full width. */
static void set_gp(struct pmu *pmu, unsigned int i, uint64_t value)
{
	struct counter *c = &pmu->counter[i];

	c->value = (uint64_t)(int64_t)(int32_t)(uint32_t)value & c->mask;
	written(pmu, c);
}

static void set_gp_full(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu->counter[i].value = value & pmu->counter[i].mask;
	written(pmu, &pmu->counter[i]);
}

static uint64_t get_fixed(const struct pmu *pmu, unsigned int i)
{
	return pmu->counter[PMU_MAX_GP + i].value;
}

static void set_fixed(struct pmu *pmu, unsigned int i, uint64_t value)
{
	struct counter *c = &pmu->counter[PMU_MAX_GP + i];

	c->value = value & c->mask;
	written(pmu, c);
}

static uint64_t get_evtsel(const struct pmu *pmu, unsigned int i)
{
	return pmu->evtsel[i];
}

static void set_evtsel(struct pmu *pmu, unsigned int i, uint64_t value)
{
	uint64_t before = pmu->evtsel[i];

	pmu->evtsel[i] = value;
	pmu_errata_selected(pmu, i, before);
}

static uint64_t get_evtsel_more(const struct pmu *pmu, unsigned int i)
{
	return get_evtsel(pmu, i + 1);
}

static void set_evtsel_more(struct pmu *pmu, unsigned int i, uint64_t value)
{
	set_evtsel(pmu, i + 1, value);
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

static uint64_t get_metrics(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu_metrics(pmu);
}

static void set_metrics(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu_metrics_set(pmu, value);
}

static uint64_t get_class(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return (uint64_t)pmu->clos << 32;
}

static uint64_t class_bits(const struct pmu *pmu)
{
	(void)pmu;
	return UINT64_MAX << 32;
}

static void set_class(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->clos = (unsigned int)(value >> 32);
}

static uint64_t get_ways(const struct pmu *pmu, unsigned int i)
{
	return pmu_l3_mask(pmu, i);
}

static void set_ways(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu_l3_set_mask(pmu, i, value);
}

static const struct plain_msr *plain_of(const struct pmu_profile *p, uint32_t msr)
{
	for (unsigned int i = 0; i < p->plain.nr; i++)
		if (p->plain.msrs[i].msr == msr)
			return &p->plain.msrs[i];
	return NULL;
}

bool pmu_has_modules(const struct pmu_profile *profile)
{
	const struct plain_msr *prefetch = plain_of(profile, MSR_PREFETCH);

	return prefetch && prefetch->module;
}

/* Two cores are a module. */
static uint64_t *module_value(struct pmu *pmu, uint32_t msr)
{
	static const uint32_t msrs[PMU_MODULE_PLAIN] = {
		MSR_PREFETCH, MSR_PREFETCH_L2, MSR_PREFETCH_L2 + 1,
	};
	unsigned int i = 0;

	while (msrs[i] != msr)
		i++;
	return &pmu->core->package->module[pmu->core->number / 2 % PMU_MODULES][i];
}

static uint64_t *plain_value(struct pmu *pmu, const struct plain_msr *plain)
{
	uint64_t *values = plain->core ? pmu->core->plain : pmu->plain;

	if (plain->module && !silicon_is(&pmu->silicon, SILICON_OWN_PREFETCH))
		return module_value(pmu, plain->msr);
	return &values[plain - pmu->profile->plain.msrs];
}

/* By number: big and small cores of a package have different lists. */
static uint64_t *package_value(struct pmu *pmu, const struct plain_msr *plain)
{
	static const uint32_t msrs[PMU_PACKAGE_PLAIN] = {
		MSR_MISC_ENABLE, MSR_PKG_POWER_LIMIT, MSR_PP0_POWER_LIMIT,
	};
	unsigned int i = 0;

	while (msrs[i] != plain->msr)
		i++;
	return &pmu->core->package->plain[i];
}

/* Threads of a core, and cores, run at the same time. */
static uint64_t load_plain(const struct pmu *pmu, const struct plain_msr *plain)
{
	struct pmu *p = (struct pmu *)pmu;
	uint64_t value = __atomic_load_n(plain_value(p, plain), __ATOMIC_RELAXED) | plain->always;

	if (!plain->package)
		return value;
	return (value & ~plain->package) |
	       (__atomic_load_n(package_value(p, plain), __ATOMIC_RELAXED) & plain->package);
}

static void store_plain(struct pmu *pmu, const struct plain_msr *plain, uint64_t value)
{
	value &= ~(plain->always | plain->dropped);
	__atomic_store_n(plain_value(pmu, plain), value & ~plain->package, __ATOMIC_RELAXED);
	if (plain->package)
		__atomic_store_n(package_value(pmu, plain), value & plain->package,
				 __ATOMIC_RELAXED);
}

void pmu_plain_power_on(struct pmu *pmu)
{
	const struct plain_list *list = &pmu->profile->plain;

	for (const struct plain_msr *r = list->msrs; r < list->msrs + list->nr; r++)
		store_plain(pmu, r, r->power_on);
}

uint64_t pmu_plain_read(const struct pmu *pmu, uint32_t msr)
{
	const struct plain_msr *plain = plain_of(pmu->profile, msr);

	return plain ? load_plain(pmu, plain) : 0;
}

uint64_t *pmu_plain(struct pmu *pmu, uint32_t msr)
{
	const struct plain_msr *plain = plain_of(pmu->profile, msr);

	return plain ? plain_value(pmu, plain) : NULL;
}

/* GLOBAL_INUSE tells a second user of the PMU what the first has programmed. */
static uint64_t get_inuse(const struct pmu *pmu, unsigned int unused)
{
	uint64_t inuse = 0;
	const struct plain_msr *pebs = plain_of(pmu->profile, MSR_PEBS_ENABLE);
	bool pmi = pebs && load_plain(pmu, pebs);

	(void)unused;
	for (unsigned int i = 0; i < PMU_MAX_COUNTERS; i++)
		pmi |= (pmu->cfg_c[i] & CFG_C_PEBS) != 0;
	for (unsigned int i = 0; i < pmu->gp; i++) {
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
	return (pmu->profile->capabilities & ~pmu_silicon_baseline(pmu, CAP_PEBS_BASELINE)) |
	       pmu->profile->lbr_format;
}

static uint64_t get_gp_cfg_c(const struct pmu *pmu, unsigned int i)
{
	return pmu->cfg_c[i];
}

static void set_gp_cfg_c(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu->cfg_c[i] = value;
}

static uint64_t get_fixed_cfg_c(const struct pmu *pmu, unsigned int i)
{
	return pmu->cfg_c[PMU_MAX_GP + i];
}

static void set_fixed_cfg_c(struct pmu *pmu, unsigned int i, uint64_t value)
{
	pmu->cfg_c[PMU_MAX_GP + i] = value;
}

static uint64_t get_pebs_base(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->pebs_base;
}

static void set_pebs_base(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->pebs_base = value;
}

static uint64_t get_pebs_index(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->pebs_index;
}

static void set_pebs_index(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->pebs_index = value;
}

static uint64_t get_lbr_select(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->lbr.select;
}

static void set_lbr_select(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->lbr.select = value;
}

static uint64_t get_lbr_top(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->lbr.top;
}

static void set_lbr_top(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->lbr.top = (unsigned int)value;
}

static uint64_t get_rapl_units(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->profile->rapl_units;
}

static uint64_t get_energy(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu_energy(pmu);
}

static uint64_t get_core_energy(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu_core_energy(pmu);
}

/* Thermal design power: 65 W, in eighths. */
static uint64_t get_power_info(const struct pmu *pmu, unsigned int i)
{
	(void)pmu;
	(void)i;
	return 0x208;
}

static uint64_t get_lbr_ctl(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->lbr.ctl;
}

static void set_lbr_ctl(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	pmu->lbr.ctl = value;
}

static bool lbr_refuses_writes(const struct pmu *pmu)
{
	return pmu_lbr_busy(pmu) && silicon_is(&pmu->silicon, SILICON_LBR_UNWRITTEN);
}

static uint64_t get_lbr_depth(const struct pmu *pmu, unsigned int i)
{
	(void)i;
	return pmu->lbr.depth;
}

static void set_lbr_depth(struct pmu *pmu, unsigned int i, uint64_t value)
{
	(void)i;
	if (!lbr_refuses_writes(pmu))
		pmu_lbr_set_depth(pmu, (unsigned int)value);
}

#define LBR_REGISTER(field)							\
static uint64_t get_lbr_##field(const struct pmu *pmu, unsigned int i)		\
{										\
	return pmu_lbr_at((struct pmu *)pmu, i)->field;				\
}										\
										\
static void set_lbr_##field(struct pmu *pmu, unsigned int i, uint64_t value)	\
{										\
	if (!lbr_refuses_writes(pmu))						\
		pmu_lbr_at(pmu, i)->field = value;				\
}

LBR_REGISTER(from)
LBR_REGISTER(to)
LBR_REGISTER(info)

static const struct reg_group groups[] = {
	/* Branch records say what happened, which nobody sets or restores: no state. */
	{ 0x040, 0x043, 1, has_lbr_core, get_lbr_from, any_bits, set_lbr_from, false },
	{ 0x060, 0x063, 1, has_lbr_core, get_lbr_to, any_bits, set_lbr_to, false },
	{ 0x1c8, 0x1c8, 1, has_lbr_select, get_lbr_select, lbr_select_bits, set_lbr_select, true },
	{ 0x1c9, 0x1c9, 1, has_lbr_top, get_lbr_top, lbr_top_bits, set_lbr_top, false },
	{ 0x680, 0x69f, 1, has_lbr, get_lbr_from, any_bits, set_lbr_from, false },
	{ 0x6c0, 0x6df, 1, has_lbr, get_lbr_to, any_bits, set_lbr_to, false },
	{ 0xdc0, 0xddf, 1, has_lbr_info, get_lbr_info, any_bits, set_lbr_info, false },
	{ 0x14ce, 0x14ce, 1, has_lbr_ctl, get_lbr_ctl, lbr_ctl_bits, set_lbr_ctl, true },
	{ 0x14cf, 0x14cf, 1, has_lbr_ctl, get_lbr_depth, any_bits, set_lbr_depth, true },
	{ 0x1500, 0x151f, 1, has_lbr_entry, get_lbr_from, any_bits, set_lbr_from, false },
	{ 0x1600, 0x161f, 1, has_lbr_entry, get_lbr_to, any_bits, set_lbr_to, false },
	{ 0x1200, 0x121f, 1, has_lbr_entry, get_lbr_info, any_bits, set_lbr_info, false },
	{ 0x0c1, 0x0ca, 1, has_gp, get_gp, any_bits, set_gp, true },
	{ 0x186, 0x186, 1, has_gp, get_evtsel, evtsel_bits, set_evtsel, true },
	{ 0x187, 0x18f, 1, has_gp_more, get_evtsel_more, evtsel_bits_more, set_evtsel_more, true },
	{ 0x309, 0x30f, 1, has_fixed, get_fixed, fixed_bits, set_fixed, true },
	{ 0x329, 0x329, 1, has_metrics, get_metrics, metrics_bits, set_metrics, true },
	{ 0x345, 0x345, 1, has_v2, get_capabilities, NULL, NULL, false },
	{ 0x38d, 0x38d, 1, has_v2, get_fixed_ctrl, fixed_ctrl_bits, set_fixed_ctrl, true },
	{ 0x38e, 0x38e, 1, has_v2, get_status, NULL, NULL, true },
	{ 0x38f, 0x38f, 1, has_v2, get_global_ctrl, global_ctrl_bits, set_global_ctrl, true },
	{ 0x390, 0x390, 1, has_v2, get_zero, clearable_bits, clear_status, false },
	{ 0x391, 0x391, 1, has_v4, get_zero, settable_bits, set_status, false },
	{ 0x392, 0x392, 1, has_v4, get_inuse, NULL, NULL, false },
	{ 0x3f4, 0x3f4, 1, has_arch_pebs, get_pebs_base, pebs_base_bits, set_pebs_base, true },
	{ 0x3f5, 0x3f5, 1, has_arch_pebs, get_pebs_index, pebs_index_bits, set_pebs_index, true },
	{ 0x606, 0x606, 1, has_energy, get_rapl_units, NULL, NULL, false },
	{ 0x611, 0x611, 1, has_energy, get_energy, NULL, NULL, false },
	{ 0x614, 0x614, 1, has_energy, get_power_info, NULL, NULL, false },
	{ 0x639, 0x639, 1, has_energy, get_core_energy, NULL, NULL, false },
	{ 0x4c1, 0x4ca, 1, has_full_width, get_gp, gp_bits, set_gp_full, false },
	/* Without monitoring the class has no number for it beside (bits 9 to 0). */
	{ 0xc8f, 0xc8f, 1, has_ways, get_class, class_bits, set_class, true },
	{ 0xc90, 0xc9f, 1, has_ways, get_ways, pmu_l3_ways, set_ways, true },
	/* Version 6 has the counters a second time, with what belongs to each. */
	{ 0x1900, 0x1924, 4, has_gp_v6, get_gp, gp_bits, set_gp_full, false },
	{ 0x1901, 0x1925, 4, has_gp_v6, get_evtsel, evtsel_bits, set_evtsel, false },
	{ 0x1903, 0x1927, 4, has_gp_cfg_c, get_gp_cfg_c, cfg_c_bits, set_gp_cfg_c, true },
	{ 0x1983, 0x199b, 4, has_fixed_cfg_c, get_fixed_cfg_c, cfg_c_bits, set_fixed_cfg_c, true },
	{ 0x1980, 0x1998, 4, has_fixed_v6, get_fixed, fixed_bits, set_fixed, false },
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
	{ 0x3f1, 0x3f2 }, { 0x3f4, 0x3f7 },	/* PEBS */
	{ 0x600, 0x600 },			/* DS_AREA */
	{ 0x606, 0x606 }, { 0x610, 0x611 },	/* RAPL */
	{ 0x614, 0x614 }, { 0x638, 0x639 },
	{ 0x680, 0x69f }, { 0x6c0, 0x6df },	/* LBR from Nehalem on */
	{ 0xc8f, 0xd0f },			/* PQR_ASSOC, masks of L3 */
	{ 0xdc0, 0xddf },			/* LBR_INFO */
	{ 0x1200, 0x123f }, { 0x1500, 0x153f },	/* architectural LBR: room for 64 */
	{ 0x1600, 0x163f }, { 0x14ce, 0x14cf },
	{ 0x1309, 0x130c }, { 0x14c1, 0x14c8 },	/* RELOAD_ */
	{ 0x1328, 0x1329 },			/* SNOOP_RSP of small cores */
	{ 0x1900, 0x19ff },			/* counters of version 6 */
};

static const struct reg_group *group_of(uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		const struct reg_group *g = &groups[i];

		if (msr >= g->first && msr <= g->last && (msr - g->first) % g->step == 0)
			return g;
	}
	return NULL;
}

static unsigned int index_in(const struct reg_group *group, uint32_t msr)
{
	return (msr - group->first) / group->step;
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

/* WRMSR retires under the old settings; what it causes itself is never recorded. */
void pmu_retire_write(struct pmu *pmu)
{
	pmu->in_write = true;
	pmu_account(pmu, pmu->granted - pmu->hot->budget);
	pmu->in_write = false;
}

static enum pmu_access set_plain(struct pmu *pmu, const struct plain_msr *plain, uint64_t value)
{
	uint64_t taken = plain->writable | plain->always | plain->dropped;

	if (value & ~taken || (plain->linear && !canonical(value)))
		return PMU_FAULT;
	pmu_retire_write(pmu);
	store_plain(pmu, plain, value);
	pmu_configure(pmu);
	return PMU_DONE;
}

/* Bring the counters up to date while an instruction is in flight. */
void pmu_sync_before(struct pmu *pmu)
{
	int64_t consumed = pmu->granted - pmu->hot->budget;
	bool taken = (pmu->hot->needs[pmu->hot->cls] & PMU_NEED_INSN) && consumed > 0;

	pmu_pipe_hold(pmu, true);
	if (pmu->burst)
		pmu_burst_hold(pmu);
	pmu_account(pmu, consumed - taken);
	pmu_grant(pmu);
	pmu->hot->budget -= taken;
	if (pmu->burst)
		pmu_burst_release(pmu);
	pmu_pipe_hold(pmu, false);
}

enum pmu_access pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	const struct reg_group *group = group_of(msr);
	const struct plain_msr *plain = plain_of(pmu->profile, msr);
	enum pmu_access access = p4_rdmsr(pmu, msr, value);

	if (access == PMU_NOT_MINE)
		access = p5_rdmsr(pmu, msr, value);
	if (access != PMU_NOT_MINE)
		return access;
	if (plain) {
		*value = load_plain(pmu, plain);
		return PMU_DONE;
	}
	if (!group)
		return missing(msr);
	if (!group->exists(pmu, index_in(group, msr)))
		return PMU_FAULT;
	pmu_sync_before(pmu);
	*value = msr == MSR_GLOBAL_STATUS ? pmu_silicon_status(pmu, clearable_bits(pmu)) :
					    group->get(pmu, index_in(group, msr));
	return PMU_DONE;
}

/* Of bits that may be set not every choice may be. */
static bool allowed(const struct pmu *pmu, const struct reg_group *group, uint64_t value)
{
	if (group->set == set_ways)
		return pmu_l3_allows_mask(value);
	if (group->set == set_pebs_base)
		return (value & PEBS_BASE_SIZE) <= PEBS_BASE_MOST;
	if (group->set == set_lbr_depth)
		return pmu_lbr_has_depth(pmu, value);
	return group->set != set_class || pmu_l3_allows_class(pmu, value);
}

static enum pmu_access set_group(struct pmu *pmu, const struct reg_group *group,
				 unsigned int i, uint64_t value)
{
	if (!group->exists(pmu, i) || !group->set)
		return PMU_FAULT;
	if (value & ~group->writable(pmu) || !allowed(pmu, group, value))
		return PMU_FAULT;
	pmu_retire_write(pmu);
	group->set(pmu, i, value);
	pmu_configure(pmu);
	return PMU_DONE;
}

enum pmu_access pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	const struct plain_msr *plain = plain_of(pmu->profile, msr);
	const struct reg_group *group = group_of(msr);
	enum pmu_access access = p4_wrmsr(pmu, msr, value);

	if (access == PMU_NOT_MINE)
		access = p5_wrmsr(pmu, msr, value);
	if (access != PMU_NOT_MINE)
		return access;
	if (plain)
		return set_plain(pmu, plain, value);
	if (group)
		return set_group(pmu, group, index_in(group, msr), value);
	return missing(msr);
}

#define RDPMC_METRICS BIT(29)
#define RDPMC_FIXED BIT(30)

static enum pmu_access rdpmc_metrics(struct pmu *pmu, uint64_t *value)
{
	if (!pmu->profile->metrics)
		return PMU_FAULT;
	pmu_sync_before(pmu);
	*value = pmu_metrics(pmu);
	pmu_metrics_were_read(pmu);
	return PMU_DONE;
}

enum pmu_access pmu_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value)
{
	bool fixed = ecx & RDPMC_FIXED;
	uint32_t i = ecx & ~(uint32_t)RDPMC_FIXED;

	if (p4_of(pmu))
		return p4_rdpmc(pmu, ecx, value);
	if (pmu->profile->p5)
		return p5_rdpmc(pmu, ecx, value);
	if (ecx == RDPMC_METRICS)
		return rdpmc_metrics(pmu, value);
	if (fixed ? !has_fixed(pmu, i) : !has_gp(pmu, i))
		return PMU_FAULT;
	pmu_sync_before(pmu);
	*value = pmu->counter[fixed ? PMU_MAX_GP + i : i].value;
	return PMU_DONE;
}

/* The general-purpose counters are globally on from power-on, the fixed are not. */
uint64_t pmu_power_on_global_ctrl(const struct pmu *pmu)
{
	return pmu->profile->version < 2 ? 0 : BIT(pmu->gp) - 1;
}

static uint64_t power_on(const struct pmu *pmu, const struct reg_group *group)
{
	if (group->get == get_ways)
		return pmu_l3_ways(pmu);
	if (group->get == get_lbr_depth)
		return pmu->profile->lbr_depth;
	return group->first == MSR_GLOBAL_CTRL ? pmu_power_on_global_ctrl(pmu) : 0;
}

void pmu_each_changed_msr(const struct pmu *pmu,
			  void (*fn)(void *data, uint32_t msr, uint64_t value), void *data)
{
	const struct pmu_profile *p = pmu->profile;

	if (p4_of(pmu))
		p4_each_changed_msr(pmu, fn, data);
	if (p->p5)
		p5_each_changed_msr(pmu, fn, data);
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++) {
		for (uint32_t msr = groups[g].first; msr <= groups[g].last; msr += groups[g].step) {
			uint32_t i = index_in(&groups[g], msr);

			if (!groups[g].state || !groups[g].exists(pmu, i))
				continue;
			if (groups[g].get(pmu, i) != power_on(pmu, &groups[g]))
				fn(data, msr, groups[g].get(pmu, i));
		}
	}
	for (const struct plain_msr *r = p->plain.msrs; r < p->plain.msrs + p->plain.nr; r++)
		if (load_plain(pmu, r) != (r->power_on | r->always))
			fn(data, r->msr, load_plain(pmu, r));
}
