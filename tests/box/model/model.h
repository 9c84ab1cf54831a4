/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the PMU model share with each other and with nobody else:
 * the events it knows, the facts of a profile, and the state of one PMU.
 */
#ifndef PMUBOX_MODEL_H
#define PMUBOX_MODEL_H

#include "pmu.h"

#define PMU_MAX_GP 8
#define PMU_MAX_FIXED 4
#define PMU_MAX_COUNTERS (PMU_MAX_GP + PMU_MAX_FIXED)
#define PMU_MAX_PLAIN 16

#define BIT(n) (UINT64_C(1) << (n))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * What a counter can count.  The first ones are also truth totals, under the
 * same number; EV_NONE is what an event code means that the profile lacks.
 */
enum event {
	EV_INSTRUCTIONS = PMU_INSTRUCTIONS,
	EV_CYCLES = PMU_CYCLES,
	EV_REF_CYCLES = PMU_REF_CYCLES,		/* at the rate of the TSC */
	EV_BRANCHES = PMU_BRANCHES,
	EV_BRANCH_MISSES = PMU_BRANCH_MISSES,
	EV_LOADS = PMU_LOADS,
	EV_STORES = PMU_STORES,
	EV_L1D_MISSES = PMU_L1D_MISSES,
	EV_CACHE_REFERENCES = PMU_CACHE_REFERENCES,
	EV_CACHE_MISSES = PMU_CACHE_MISSES,
	EV_TOTALS,
	EV_BUS_CYCLES = EV_TOTALS,		/* at the rate of the bus */
	EV_TAKEN,
	EV_NOT_TAKEN,
	EV_MISSED_TAKEN,
	EV_MISSED_NOT_TAKEN,
	EV_PREDICTED_TAKEN,
	EV_PREDICTED_NOT_TAKEN,
	EV_ACCESSES,				/* loads and stores */
	EV_L1D_HITS,				/* of loads, as the next six */
	EV_L2_HITS,
	EV_L2_MISSES,
	EV_L3_HITS,
	EV_LLC_LOADS,
	EV_LLC_LOAD_MISSES,
	EV_L1D_STORE_MISSES,
	EV_LLC_STORES,
	EV_LLC_STORE_MISSES,
	EV_L1D_FILLS,				/* lines, for loads and stores */
	EV_L2_REFERENCES,
	EV_L2_FILLS,
	EV_COUNT,
	EV_NONE = EV_COUNT
};

/* An event code (umask in bits 8 to 15) and the counters that can count it. */
struct event_code {
	uint16_t code;
	uint16_t counters;
	enum event event;
};

/* A register without a function in the model so far: bits that can be set. */
struct plain_msr {
	uint32_t msr;
	uint64_t writable;
	bool linear;			/* an address: faults unless canonical */
};

struct cache_shape {
	uint8_t set_bits;		/* log2 of the number of sets */
	uint8_t ways;			/* 0: no such cache */
	uint16_t stall;			/* cycles that a load waits for a hit here */
};

/* A clock that ticks num times in 2^shift core cycles. */
struct clock_rate {
	uint8_t num;
	uint8_t shift;
};

#define CACHE_LEVELS 3

struct pmu_profile {
	const char *name;
	uint8_t version;
	uint8_t gp, fixed;		/* numbers of counters */
	uint8_t gp_width, fixed_width;	/* bits */
	uint8_t arch_events;		/* valid bits of CPUID.0AH:EBX */
	uint32_t arch_missing;		/* CPUID.0AH:EBX */
	uint32_t cpuid1_ecx, cpuid1_edx;
	uint64_t misc_enable;
	uint64_t capabilities;		/* IA32_PERF_CAPABILITIES */
	uint64_t evtsel_writable;
	uint8_t fixed_ctrl_writable;	/* four bits, the same for each counter */
	uint64_t status_clearable;	/* GLOBAL_STATUS bits that can be cleared... */
	uint64_t status_settable;	/* ...and set, besides those of counters */
	const struct event_code *events;
	unsigned int nr_events;
	const struct plain_msr *plain;
	unsigned int nr_plain;
	uint8_t issue_bits;		/* log2 of instructions issued in a cycle */
	uint16_t branch_stall;		/* cycles lost by a misprediction */
	uint16_t memory_stall;		/* ... and by a load from memory */
	struct clock_rate ref, bus;
	struct cache_shape cache[CACHE_LEVELS];	/* L1D first; needs two */
};

/* CPUID.1 */
#define CPUID_ECX_DTES64 BIT(2)
#define CPUID_ECX_PDCM BIT(15)
#define CPUID_EDX_DS BIT(21)

/* IA32_MISC_ENABLE */
#define MISC_PERFMON BIT(7)
#define MISC_NO_BTS BIT(11)

/* IA32_PERF_CAPABILITIES */
#define CAP_PEBS_TRAP BIT(6)
#define CAP_PEBS_REGS BIT(7)
#define CAP_PEBS_FORMAT(n) ((uint64_t)(n) << 8)
#define CAP_FULL_WIDTH BIT(13)

/* IA32_PERFEVTSELx */
#define SEL_CODE UINT64_C(0xffff)
#define SEL_EVENT UINT64_C(0xff)
#define SEL_USR BIT(16)
#define SEL_OS BIT(17)
#define SEL_INT BIT(20)
#define SEL_ANY BIT(21)
#define SEL_EN BIT(22)
#define SEL_INV BIT(23)
#define SEL_CMASK(sel) ((unsigned int)((sel) >> 24) & 0xff)

/* IA32_FIXED_CTR_CTRL, each field */
#define FIXED_OS 1
#define FIXED_USR 2
#define FIXED_RINGS 3
#define FIXED_ANY 4
#define FIXED_PMI 8
#define FIXED_BITS 4

/* IA32_PERF_GLOBAL_STATUS and its relatives */
#define STATUS_FIXED 32			/* first bit of fixed counters */
#define STATUS_LBR_FRZ BIT(58)
#define STATUS_CTR_FRZ BIT(59)
#define STATUS_ASCI BIT(60)
#define STATUS_UNCORE BIT(61)
#define STATUS_DS BIT(62)
#define STATUS_COND_CHGD BIT(63)

/* IA32_PERF_GLOBAL_INUSE */
#define INUSE_PMI BIT(63)

/* IA32_DEBUGCTL */
#define MSR_DEBUGCTL 0x1d9
#define DEBUGCTL_LBR BIT(0)
#define DEBUGCTL_BTF BIT(1)
#define DEBUGCTL_FREEZE_LBR BIT(11)
#define DEBUGCTL_FREEZE_PERFMON BIT(12)

#define MSR_GLOBAL_CTRL 0x38f
#define MSR_PEBS_ENABLE 0x3f1
#define MSR_DS_AREA 0x600

/* Configuration of a counter, derived from the registers that rule it. */
struct counter {
	uint64_t value;
	uint64_t mask;			/* the bits it has */
	uint64_t status;		/* its bit in GLOBAL_STATUS and GLOBAL_CTRL */
	enum event event;
	uint8_t classes;		/* bit per enum pmu_class */
	bool on;
	bool pmi;
};

/* What the memory accesses of one instruction added, should it not retire. */
struct access_tally {
	uint64_t instruction;		/* its sequence number */
	uint32_t count[EV_COUNT];
	uint32_t stall;
	bool missed;			/* more than loads and stores to undo */
};

#define PREDICTOR_BITS 12
#define TARGET_BITS 10

struct branch_target {
	uint64_t from, to;
};

struct pmu {
	const struct pmu_profile *profile;
	struct pmu_hot *hot;
	unsigned int skid;
	uint8_t forced;			/* needs that the truth asks for */

	/* Between two syncs. */
	int64_t granted;		/* budget given, less what was taken back */
	bool kicked;			/* budget cut to zero: sync at next boundary */
	bool counts_cycles;		/* stalls bring the next sync closer */
	uint64_t retired;		/* instructions up to the last sync */
	uint64_t stall;			/* cycles not yet counted */
	uint64_t pending[EV_COUNT];	/* events not yet counted */
	uint64_t limit[EV_COUNT];	/* ... of which so many overflow something */
	struct access_tally tally;

	/* The clocks: what is left over below one tick. */
	uint64_t issue_rest, ref_rest, bus_rest;

	/* The PMI: pending while it skids. */
	bool pmi;
	int64_t pmi_cycles;

	/* Registers. */
	struct counter counter[PMU_MAX_COUNTERS];	/* GP, then fixed */
	uint64_t evtsel[PMU_MAX_GP];
	uint64_t fixed_ctrl, global_ctrl, global_status;
	uint64_t plain[PMU_MAX_PLAIN];

	uint64_t totals[PMU_CLASSES][PMU_TOTALS];

	/* Timing. */
	uint64_t *line[CACHE_LEVELS];	/* sets of ways, the last used first */
	uint8_t direction[1 << PREDICTOR_BITS];
	struct branch_target target[1 << TARGET_BITS];
	uint64_t path_target[1 << TARGET_BITS];
	uint32_t history, path;
};

/* counters.c */
void pmu_configure(struct pmu *pmu);
void pmu_counters_reset(struct pmu *pmu);
void pmu_counters_advance(struct pmu *pmu);

/* budget.c */
uint64_t pmu_in_flight(const struct pmu *pmu);
void pmu_account(struct pmu *pmu, int64_t instructions);
void pmu_grant(struct pmu *pmu);
void pmu_kick(struct pmu *pmu);
void pmu_stall(struct pmu *pmu, uint32_t cycles);
void pmu_needs_update(struct pmu *pmu);

/* regs.c */
uint64_t pmu_power_on_global_ctrl(const struct pmu_profile *profile);
uint64_t *pmu_plain(struct pmu *pmu, uint32_t msr);

/* timing.c */
int pmu_timing_new(struct pmu *pmu);
void pmu_timing_free(struct pmu *pmu);

/* profiles.c */
const struct pmu_profile *pmu_profile_find(const char *name);
const struct event_code *pmu_event_find(const struct pmu_profile *profile, uint16_t code);

/* One more of an event that is counted as it happens. */
static inline void pmu_bump(struct pmu *pmu, enum event event)
{
	if (__builtin_expect(++pmu->pending[event] >= pmu->limit[event], 0))
		pmu_kick(pmu);
}

#endif
