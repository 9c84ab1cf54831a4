// SPDX-License-Identifier: GPL-2.0-only
/*
 * Architectural PEBS: a buffer by its physical address, an index in a register,
 * and a register for each counter that says what is recorded of it and what it
 * is set back to.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/pebs_records.h"

/* IA32_PEBS_INDEX: bytes in steps of 16, by where they stand. */
#define INDEX_BYTES		GENMASK_ULL(26, 4)
#define INDEX_FULL		BIT_ULL(31)
#define INDEX_ON		BIT_ULL(32)
#define INDEX_LIMIT_SHIFT	32
#define INDEX_STEP		16U

/* IA32_PMC_*_CFG_C. */
#define CFG_C_ALLOW		BIT_ULL(35)	/* others may record it */
#define CFG_C_GP		BIT_ULL(36)
#define CFG_C_FIXED		BIT_ULL(37)
#define CFG_C_COUNTERS		(CFG_C_ALLOW | CFG_C_GP | CFG_C_FIXED)
#define CFG_C_LBR		GENMASK_ULL(41, 40)	/* all there are */
#define CFG_C_GPR		BIT_ULL(61)
#define CFG_C_MEMORY		BIT_ULL(62)
#define CFG_C_ON		BIT_ULL(63)

/* What 32 bits say that are extended by their sign, or by ones. */
#define RELOAD_MOST		BIT_ULL(31)

/* --- facts --- */

static u64 groups_of(u64 cfg_c)
{
	u64 groups = 0;

	if (cfg_c & CFG_C_MEMORY)
		groups |= PEBS_CFG_MEMORY;
	if (cfg_c & CFG_C_GPR)
		groups |= PEBS_CFG_GPR;
	if ((cfg_c & CFG_C_LBR) == CFG_C_LBR)
		groups |= PEBS_CFG_LBR;
	if ((cfg_c & CFG_C_COUNTERS) == CFG_C_COUNTERS)
		groups |= PEBS_CFG_COUNTERS;
	return groups;
}

bool pmuctl_index_exists(void)
{
	u64 value;

	return pmuctl_leaf_pebs_counters() &&
	       hw_rdmsr_safe(MSR_PEBS_BASE, &value) &&
	       hw_rdmsr_safe(MSR_PEBS_INDEX, &value);
}

void pmuctl_index_probe(struct pmuctl_caps *caps)
{
	caps->pebs_groups = groups_of(pmuctl_leaf_pebs_groups());
	caps->pebs_counters = pmuctl_leaf_pebs_counters() & caps->counters &
			      ~PMUCTL_METRICS;
	caps->pebs_most = RELOAD_MOST;
	caps->has_pebs = caps->pebs_counters;
	caps->has_retire = caps->has_pebs &&
			   caps->capabilities & CAP_TIMED_PEBS;
}

/* Those of the counters are saved with the others that they have. */
unsigned int pmuctl_index_msrs(u32 *msrs)
{
	msrs[0] = MSR_PEBS_BASE;
	msrs[1] = MSR_PEBS_INDEX;
	return 2;
}

/* In this order: Linux leaves its buffer there, and the index on. */
void pmuctl_index_reset(void)
{
	hw_wrmsr(MSR_PEBS_INDEX, 0);
	hw_wrmsr(MSR_PEBS_BASE, 0);
}

/* --- counters --- */

u32 pmuctl_cfg_c_msr(unsigned int slot)
{
	return slot < PMUCTL_GP_MAX ?
	       MSR_CFG_C + slot * MSR_CFG_STEP :
	       MSR_FIXED_CFG_C + (slot - PMUCTL_GP_MAX) * MSR_CFG_STEP;
}

static u64 cfg_c_of(const struct pmuctl_regs *regs, unsigned int slot)
{
	u64 groups = regs->pebs_cfg_of[slot];
	u64 value = CFG_C_ON | regs->reload[slot];

	if (groups & PEBS_CFG_MEMORY)
		value |= CFG_C_MEMORY;
	if (groups & PEBS_CFG_GPR)
		value |= CFG_C_GPR;
	if (groups & PEBS_CFG_LBR)
		value |= CFG_C_LBR;
	if (groups & PEBS_CFG_GP)
		value |= CFG_C_GP;
	if (groups & PEBS_CFG_FIXED)
		value |= CFG_C_FIXED;
	return value;
}

static void set_cfg_c(struct pmuctl_regs *regs, unsigned int slot, u64 value)
{
	if (regs->cfg_c[slot] == value)
		return;
	regs->cfg_c[slot] = value;
	hw_wrmsr(pmuctl_cfg_c_msr(slot), value);
}

/* In records of other counters. */
static u64 counters_shown(u64 cfg)
{
	return (cfg & PEBS_CFG_GP) >> PEBS_CFG_GP_SHIFT |
	       (cfg & PEBS_CFG_FIXED) >> PEBS_CFG_FIXED_SHIFT
				      << PMUCTL_FIXED_BASE;
}

void pmuctl_index_record(struct pmuctl_regs *regs, u64 counters)
{
	const struct pmuctl_caps *caps = pmuctl_caps_here();
	u64 shown = counters_shown(regs->pebs_cfg), bit, value;
	unsigned int slot;

	for (slot = 0; slot < PMUCTL_SLOTS; slot++) {
		bit = BIT_ULL(pmuctl_counter(slot));
		if (!(caps->cfg_c & bit))
			continue;
		value = caps->pebs_counters & counters & bit ?
			cfg_c_of(regs, slot) : 0;
		if (shown & bit)
			value |= CFG_C_ALLOW;
		set_cfg_c(regs, slot, value);
	}
}

static void index_reload(struct pmuctl_regs *regs, unsigned int slot,
			 u32 value)
{
	regs->reload[slot] = value;
	if (regs->cfg_c[slot] & CFG_C_ON)
		set_cfg_c(regs, slot, cfg_c_of(regs, slot) |
				      (regs->cfg_c[slot] & CFG_C_ALLOW));
}

void pmuctl_index_try(unsigned int counter, u32 period)
{
	hw_wrmsr(pmuctl_cfg_c_msr(counter),
		 period ? CFG_C_ON | (u32)-period : 0);
}

/* --- the buffer --- */

static u64 limit_value(u32 bytes)
{
	u64 limit = bytes / INDEX_STEP * INDEX_STEP;

	/* Of 0 nobody says that it is none. */
	return (limit ?: INDEX_STEP) << INDEX_LIMIT_SHIFT;
}

static void index_on(struct pmuctl_regs *regs, struct pmuctl_ds *ds,
		     u64 address, unsigned int order)
{
	hw_wrmsr(MSR_PEBS_INDEX, 0);
	regs->pebs_area = address | order;
	hw_wrmsr(MSR_PEBS_BASE, regs->pebs_area);
	ds->index = INDEX_ON | limit_value(ds->size);
	hw_wrmsr(MSR_PEBS_INDEX, ds->index);
}

/* Unless what was found has been put back, and is somebody else's. */
static void index_off(const struct pmuctl_regs *regs)
{
	if (hw_rdmsr(MSR_PEBS_BASE) == regs->pebs_area)
		pmuctl_index_reset();
}

static struct pmuctl_filled index_look(const struct pmuctl_ds *ds)
{
	u64 index = hw_rdmsr(MSR_PEBS_INDEX);
	u64 bytes = min_t(u64, index & INDEX_BYTES, ds->size);
	u64 limit = ds->index >> INDEX_LIMIT_SHIFT & INDEX_BYTES;
	/* Where a full one stops by itself it may say so by this alone. */
	bool stopped = index & INDEX_FULL || !(index & INDEX_ON);

	return (struct pmuctl_filled){
		.bytes = bytes, .due = stopped || bytes >= limit,
		.stopped = stopped,
	};
}

static void index_empty(const struct pmuctl_ds *ds)
{
	hw_wrmsr(MSR_PEBS_INDEX, ds->index);
}

/*
 * The register has the index as well, which moves while a counter that records
 * runs, so none does meanwhile.
 */
static void index_limit(struct pmuctl_regs *regs, struct pmuctl_ds *ds,
			u32 bytes)
{
	u64 index = INDEX_ON | limit_value(bytes), enabled = regs->enabled;
	u64 running = enabled & regs->pebs & pmuctl_caps.pebs_counters;

	if (likely(index == ds->index))
		return;
	if (running)
		hw_wrmsr(MSR_GLOBAL_CTRL, enabled & ~running);
	ds->index = index;
	hw_wrmsr(MSR_PEBS_INDEX, index | (hw_rdmsr(MSR_PEBS_INDEX) &
					  (INDEX_BYTES | INDEX_FULL)));
	if (running)
		hw_wrmsr(MSR_GLOBAL_CTRL, enabled);
}

const struct pmuctl_buffer pmuctl_index = {
	.on = index_on,
	.off = index_off,
	.look = index_look,
	.empty = index_empty,
	.limit = index_limit,
	.reload = index_reload,
};
