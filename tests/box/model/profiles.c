// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processors that the box can be, as data: registers and their bits, event
 * codes, caches.  Event codes are from the SDM's event tables and Intel's lists;
 * those that the model cannot derive are left out and count nothing.
 */
#include <string.h>

#include "model.h"

#define ANY_COUNTER 0xff
#define PMC0 BIT(0)

/* The seven architectural events, the same everywhere. */
static const struct event_code architectural[] = {
	{ 0x003c, ANY_COUNTER, EV_CYCLES },
	{ 0x00c0, ANY_COUNTER, EV_INSTRUCTIONS },
	{ 0x013c, ANY_COUNTER, EV_BUS_CYCLES },
	{ 0x4f2e, ANY_COUNTER, EV_CACHE_REFERENCES },
	{ 0x412e, ANY_COUNTER, EV_CACHE_MISSES },
	{ 0x00c4, ANY_COUNTER, EV_BRANCHES },
	{ 0x00c5, ANY_COUNTER, EV_BRANCH_MISSES },
};

static const struct event_code core2_events[] = {
	{ 0x01c0, ANY_COUNTER, EV_LOADS },		/* INST_RETIRED.LOADS */
	{ 0x02c0, ANY_COUNTER, EV_STORES },		/* INST_RETIRED.STORES */
	{ 0x01c4, ANY_COUNTER, EV_PREDICTED_NOT_TAKEN },	/* BR_INST_RETIRED.* */
	{ 0x02c4, ANY_COUNTER, EV_MISSED_NOT_TAKEN },
	{ 0x04c4, ANY_COUNTER, EV_PREDICTED_TAKEN },
	{ 0x08c4, ANY_COUNTER, EV_MISSED_TAKEN },
	{ 0x03c4, ANY_COUNTER, EV_NOT_TAKEN },
	{ 0x0cc4, ANY_COUNTER, EV_TAKEN },
	{ 0x0ac4, ANY_COUNTER, EV_BRANCH_MISSES },
	{ 0x0fc4, ANY_COUNTER, EV_BRANCHES },
	{ 0x01cb, PMC0, EV_L1D_MISSES },		/* MEM_LOAD_RETIRED.L1D_MISS */
	{ 0x02cb, PMC0, EV_L1D_MISSES },		/* .L1D_LINE_MISS */
	{ 0x04cb, PMC0, EV_L2_MISSES },			/* .L2_MISS */
	{ 0x08cb, PMC0, EV_L2_MISSES },			/* .L2_LINE_MISS */
	{ 0x0f40, ANY_COUNTER, EV_LOADS },		/* L1D_CACHE_LD.MESI */
	{ 0x0140, ANY_COUNTER, EV_L1D_MISSES },		/* L1D_CACHE_LD.I_STATE */
	{ 0x0f41, ANY_COUNTER, EV_STORES },		/* L1D_CACHE_ST.MESI */
	{ 0x0141, ANY_COUNTER, EV_L1D_STORE_MISSES },	/* L1D_CACHE_ST.I_STATE */
	{ 0x0143, ANY_COUNTER, EV_ACCESSES },		/* L1D_ALL_REF */
	{ 0x0243, ANY_COUNTER, EV_ACCESSES },		/* L1D_ALL_CACHE_REF */
	{ 0x0f45, ANY_COUNTER, EV_L1D_FILLS },		/* L1D_REPL */
	{ 0x7024, ANY_COUNTER, EV_L2_FILLS },		/* L2_LINES_IN.SELF.ANY */
	{ 0x4f29, ANY_COUNTER, EV_LLC_LOADS },		/* L2_LD.SELF.DEMAND.MESI */
	{ 0x4129, ANY_COUNTER, EV_LLC_LOAD_MISSES },	/* L2_LD.SELF.DEMAND.I_STATE */
	{ 0x4f2a, ANY_COUNTER, EV_LLC_STORES },		/* L2_ST.SELF.MESI */
	{ 0x412a, ANY_COUNTER, EV_LLC_STORE_MISSES },	/* L2_ST.SELF.I_STATE */
};

static const struct event_code skylake_events[] = {
	{ 0x01c0, BIT(1), EV_INSTRUCTIONS },		/* INST_RETIRED.PREC_DIST */
	{ 0x04c4, ANY_COUNTER, EV_BRANCHES },		/* BR_INST_RETIRED.ALL_BRANCHES_PEBS */
	{ 0x10c4, ANY_COUNTER, EV_NOT_TAKEN },		/* .NOT_TAKEN */
	{ 0x20c4, ANY_COUNTER, EV_TAKEN },		/* .NEAR_TAKEN */
	{ 0x04c5, ANY_COUNTER, EV_BRANCH_MISSES },	/* BR_MISP_RETIRED.ALL_BRANCHES_PEBS */
	{ 0x20c5, ANY_COUNTER, EV_MISSED_TAKEN },	/* .NEAR_TAKEN */
	{ 0x81d0, 0xf, EV_LOADS },			/* MEM_INST_RETIRED.ALL_LOADS */
	{ 0x82d0, 0xf, EV_STORES },			/* .ALL_STORES */
	{ 0x83d0, 0xf, EV_ACCESSES },			/* .ANY */
	{ 0x01d1, 0xf, EV_L1D_HITS },			/* MEM_LOAD_RETIRED.L1_HIT */
	{ 0x02d1, 0xf, EV_L2_HITS },			/* .L2_HIT */
	{ 0x04d1, 0xf, EV_L3_HITS },			/* .L3_HIT */
	{ 0x08d1, 0xf, EV_L1D_MISSES },			/* .L1_MISS */
	{ 0x10d1, 0xf, EV_L2_MISSES },			/* .L2_MISS */
	{ 0x20d1, 0xf, EV_LLC_LOAD_MISSES },		/* .L3_MISS */
	{ 0x0151, ANY_COUNTER, EV_L1D_FILLS },		/* L1D.REPLACEMENT */
	{ 0xe124, ANY_COUNTER, EV_L1D_MISSES },		/* L2_RQSTS.ALL_DEMAND_DATA_RD */
	{ 0x2124, ANY_COUNTER, EV_L2_MISSES },		/* .DEMAND_DATA_RD_MISS */
	{ 0xff24, ANY_COUNTER, EV_L2_REFERENCES },	/* .REFERENCES */
	{ 0x3f24, ANY_COUNTER, EV_L2_FILLS },		/* .MISS */
	{ 0x1ff1, ANY_COUNTER, EV_L2_FILLS },		/* L2_LINES_IN.ALL */
};

/*
 * No branch is recorded yet, so there is no LBR: neither its registers nor bit 0
 * of DEBUGCTL.  BTS is declared unavailable, as are its bits 6 to 10.
 */
#define DEBUGCTL_BITS (DEBUGCTL_BTF | DEBUGCTL_FREEZE_LBR | DEBUGCTL_FREEZE_PERFMON)

static const struct plain_msr core2_plain[] = {
	{ .msr = MSR_DEBUGCTL, .writable = DEBUGCTL_BITS },
	{ .msr = MSR_PEBS_ENABLE, .writable = 0x1 },
	{ .msr = MSR_DS_AREA, .writable = UINT64_MAX, .linear = true },
};

#define SKYLAKE_OFFCORE UINT64_C(0x3fffff8fff)

static const struct plain_msr skylake_plain[] = {
	{ .msr = 0x1a6, .writable = SKYLAKE_OFFCORE },
	{ .msr = 0x1a7, .writable = SKYLAKE_OFFCORE },
	{ .msr = MSR_DEBUGCTL, .writable = DEBUGCTL_BITS },
	{ .msr = MSR_PEBS_ENABLE, .writable = UINT64_C(0xf0000000f) },
	{ .msr = 0x3f6, .writable = 0xffff },		/* PEBS_LD_LAT_THRESHOLD */
	{ .msr = 0x3f7, .writable = 0x7fff17 },		/* PEBS_FRONTEND */
	{ .msr = MSR_DS_AREA, .writable = UINT64_MAX, .linear = true },
};

/* PERFEVTSEL without TSX's bits, which the box's processors lack. */
#define SEL_V3 UINT64_C(0xffffffff)
#define SEL_V2 (SEL_V3 & ~SEL_ANY)

static const struct pmu_profile profiles[] = {
	{
		/* Core 2 of 45 nm (model 23): PEBS without Merom's errata. */
		.name = "core2",
		.version = 2,
		.gp = 2, .gp_width = 40,
		.fixed = 3, .fixed_width = 40,
		.arch_events = 7,
		.cpuid1_ecx = CPUID_ECX_DTES64 | CPUID_ECX_PDCM,
		.cpuid1_edx = CPUID_EDX_DS,
		.misc_enable = MISC_PERFMON | MISC_NO_BTS,
		.capabilities = CAP_PEBS_TRAP | CAP_PEBS_REGS | CAP_PEBS_FORMAT(0),
		.evtsel_writable = SEL_V2,
		.fixed_ctrl_writable = FIXED_RINGS | FIXED_PMI,
		.status_clearable = STATUS_DS | STATUS_COND_CHGD,
		.events = core2_events, .nr_events = ARRAY_SIZE(core2_events),
		.plain = core2_plain, .nr_plain = ARRAY_SIZE(core2_plain),
		.issue_bits = 2,
		.branch_stall = 15,
		.memory_stall = 180,
		.ref = { 1, 0 },		/* no turbo */
		.bus = { 1, 3 },		/* 333 MHz at 2.67 GHz */
		.cache = {
			{ .set_bits = 6, .ways = 8 },			/* 32 KiB */
			{ .set_bits = 12, .ways = 24, .stall = 10 },	/* 6 MiB */
		},
	}, {
		.name = "skylake",
		.version = 4,
		.gp = 4, .gp_width = 48,
		.fixed = 3, .fixed_width = 48,
		.arch_events = 7,
		.cpuid1_ecx = CPUID_ECX_DTES64 | CPUID_ECX_PDCM,
		.cpuid1_edx = CPUID_EDX_DS,
		.misc_enable = MISC_PERFMON | MISC_NO_BTS,
		.capabilities = CAP_PEBS_TRAP | CAP_PEBS_REGS | CAP_PEBS_FORMAT(3) | CAP_FULL_WIDTH,
		.evtsel_writable = SEL_V3,
		.fixed_ctrl_writable = FIXED_RINGS | FIXED_ANY | FIXED_PMI,
		.status_clearable = STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI |
				    STATUS_UNCORE | STATUS_DS | STATUS_COND_CHGD,
		.status_settable = STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI |
				   STATUS_UNCORE | STATUS_DS,
		.events = skylake_events, .nr_events = ARRAY_SIZE(skylake_events),
		.plain = skylake_plain, .nr_plain = ARRAY_SIZE(skylake_plain),
		.issue_bits = 2,
		.branch_stall = 16,
		.memory_stall = 180,
		.ref = { 7, 3 },		/* the core runs at 8/7 of the TSC */
		.bus = { 7, 8 },		/* REF_XCLK, a 32nd of the TSC */
		.cache = {
			{ .set_bits = 6, .ways = 8 },			/* 32 KiB */
			{ .set_bits = 10, .ways = 4, .stall = 8 },	/* 256 KiB */
			{ .set_bits = 13, .ways = 16, .stall = 30 },	/* 8 MiB */
		},
	},
};

const struct pmu_profile *pmu_profile_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++)
		if (!strcmp(profiles[i].name, name))
			return &profiles[i];
	return NULL;
}

static const struct event_code *look_up(const struct event_code *codes, size_t nr, uint16_t code)
{
	for (size_t i = 0; i < nr; i++)
		if (codes[i].code == code)
			return &codes[i];
	return NULL;
}

/* NULL if the profile does not know the code. */
const struct event_code *pmu_event_find(const struct pmu_profile *p, uint16_t code)
{
	const struct event_code *found = look_up(p->events, p->nr_events, code);

	return found ? found : look_up(architectural, ARRAY_SIZE(architectural), code);
}
