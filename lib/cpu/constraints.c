// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which counters may count an event: a fixed counter for what it counts, a
 * general-purpose one unless the model has a rule against it.
 *
 * The rules are those of Intel's event lists and Linux's driver; where the two
 * differ the narrower one.  Sandy Bridge to Haswell have one more, for events
 * D0 to D3, which only one thread of a core should count on the same counter at
 * a time: that concerns two sessions on two CPUs, and is not looked after.
 */
#include "lib/base/private.h"

#define FIXED(i) (1ull << (PMUCTL_COUNTER_FIXED + (i)))
#define GP_ALL 0xffffffffull

struct rule {
	uint64_t mask;		/* these bits of the event ... */
	uint64_t first, last;	/* ... are in this range: */
	uint64_t counters;
};

#define EVENT(code, counters) { EVTSEL_EVENT, code, code, counters }
#define EVENTS(first, last, counters) { EVTSEL_EVENT, first, last, counters }
#define UMASK(code, counters) { EVTSEL_CODE, code, code, counters }

/* The first rule that matches counts; the last one of each set has a mask of 0. */
static const struct rule p6_rules[] = {
	EVENT(0x10, 0x1),		/* FP_COMP_OPS_EXE */
	EVENT(0x14, 0x1),		/* CYCLES_DIV_BUSY */
	EVENT(0xc1, 0x1),		/* FLOPS */
	EVENT(0x11, 0x2),		/* FP_ASSIST */
	EVENT(0x12, 0x2),		/* MUL */
	EVENT(0x13, 0x2),		/* DIV */
	{ 0 },
};

static const struct rule core2_rules[] = {
	EVENT(0x10, 0x1),		/* FP_COMP_OPS_EXE */
	EVENT(0x14, 0x1),		/* CYCLES_DIV_BUSY */
	EVENT(0x18, 0x1),		/* IDLE_DURING_DIV */
	EVENT(0xa1, 0x1),		/* RS_UOPS_DISPATCHED by port */
	EVENT(0xc9, 0x1),		/* ITLB_MISS_RETIRED */
	EVENT(0xcb, 0x1),		/* MEM_LOAD_RETIRED */
	EVENT(0x11, 0x2),		/* FP_ASSIST */
	EVENT(0x12, 0x2),		/* MUL */
	EVENT(0x13, 0x2),		/* DIV */
	EVENT(0x19, 0x2),		/* DELAYED_BYPASS */
	{ 0 },
};

static const struct rule nehalem_rules[] = {
	EVENTS(0x40, 0x43, 0x3),	/* L1D_CACHE_LD ... L1D_ALL_REF */
	EVENT(0x48, 0x3),		/* L1D_PEND_MISS */
	EVENT(0x4e, 0x3),		/* L1D_PREFETCH */
	EVENT(0x51, 0x3),		/* L1D */
	EVENT(0x63, 0x3),		/* CACHE_LOCK_CYCLES */
	{ 0 },
};

static const struct rule westmere_rules[] = {
	EVENT(0x51, 0x3),		/* L1D */
	EVENT(0x63, 0x3),		/* CACHE_LOCK_CYCLES */
	EVENT(0x60, 0x1),		/* OFFCORE_REQUESTS_OUTSTANDING */
	EVENT(0xb3, 0x1),		/* SNOOPQ_REQUESTS_OUTSTANDING */
	{ 0 },
};

/*
 * Four counters have the events of 0xf also where eight exist, with SMT off.
 */
static const struct rule sandybridge_rules[] = {
	EVENT(0x48, 0x4),		/* L1D_PEND_MISS */
	UMASK(0x02a3, 0x4),		/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UMASK(0x06a3, 0x4),		/* .STALLS_L1D_PENDING */
	EVENT(0xa3, 0xf),
	UMASK(0x01c0, 0x2),		/* INST_RETIRED.PREC_DIST */
	EVENT(0xcd, 0x8),		/* MEM_TRANS_RETIRED */
	UMASK(0x0279, 0xf),		/* IDQ.EMPTY */
	UMASK(0x019c, 0xf),		/* IDQ_UOPS_NOT_DELIVERED.CORE */
	EVENT(0xb7, 0xf),		/* OFFCORE_RESPONSE */
	EVENT(0xbb, 0xf),
	UMASK(0x04c4, 0xf),		/* BR_INST_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x04c5, 0xf),		/* BR_MISP_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x1eca, 0xf),		/* FP_ASSIST.ANY */
	EVENTS(0xd0, 0xd4, 0xf),	/* MEM_UOPS_RETIRED ... */
	{ 0 },
};

static const struct rule ivybridge_rules[] = {
	UMASK(0x0148, 0x4),		/* L1D_PEND_MISS.PENDING */
	UMASK(0x08a3, 0x4),		/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UMASK(0x0ca3, 0x4),		/* .STALLS_L1D_PENDING */
	EVENT(0xa3, 0xf),
	UMASK(0x01c0, 0x2),		/* INST_RETIRED.PREC_DIST */
	EVENT(0xcd, 0x8),		/* MEM_TRANS_RETIRED */
	UMASK(0x0279, 0xf),		/* IDQ.EMPTY */
	UMASK(0x019c, 0xf),		/* IDQ_UOPS_NOT_DELIVERED.CORE */
	EVENT(0xb7, 0xf),		/* OFFCORE_RESPONSE */
	EVENT(0xbb, 0xf),
	UMASK(0x04c4, 0xf),		/* BR_INST_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x04c5, 0xf),		/* BR_MISP_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x1eca, 0xf),		/* FP_ASSIST.ANY */
	EVENTS(0xd0, 0xd3, 0xf),	/* MEM_UOPS_RETIRED ... */
	{ 0 },
};

static const struct rule haswell_rules[] = {
	UMASK(0x0148, 0x4),		/* L1D_PEND_MISS.PENDING */
	UMASK(0x08a3, 0x4),		/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UMASK(0x0ca3, 0x4),		/* .STALLS_L1D_PENDING */
	EVENT(0xa3, 0xf),
	UMASK(0x01c0, 0x2),		/* INST_RETIRED.PREC_DIST */
	EVENT(0xcd, 0x8),		/* MEM_TRANS_RETIRED */
	UMASK(0x0279, 0xf),		/* IDQ.EMPTY */
	UMASK(0x019c, 0xf),		/* IDQ_UOPS_NOT_DELIVERED.CORE */
	UMASK(0x03a0, 0xf),		/* UOP_DISPATCHES_CANCELLED.SIMD_PRF */
	EVENT(0xb7, 0xf),		/* OFFCORE_RESPONSE */
	EVENT(0xbb, 0xf),
	EVENT(0xbc, 0xf),		/* PAGE_WALKER_LOADS */
	UMASK(0x04c4, 0xf),		/* BR_INST_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x04c5, 0xf),		/* BR_MISP_RETIRED.ALL_BRANCHES_PEBS */
	EVENT(0xc7, 0xf),		/* FP_ARITH_INST_RETIRED, of Broadwell */
	EVENTS(0xc8, 0xc9, 0xf),	/* HLE_RETIRED, RTM_RETIRED */
	UMASK(0x1eca, 0xf),		/* FP_ASSIST.ANY */
	EVENTS(0xd0, 0xd3, 0xf),	/* MEM_UOPS_RETIRED ... */
	{ 0 },
};

static const struct rule skylake_rules[] = {
	/* INST_RETIRED.TOTAL_CYCLES_PS: the same code with INV. */
	{ EVTSEL_CODE | EVTSEL_INV, EVTSEL_INV | 0x01c0, EVTSEL_INV | 0x01c0, 0xd },
	UMASK(0x01c0, 0x2),		/* INST_RETIRED.PREC_DIST */
	UMASK(0x14a3, 0xf),		/* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	EVENT(0xb7, 0xf),		/* OFFCORE_RESPONSE */
	EVENT(0xbb, 0xf),
	UMASK(0x04c4, 0xf),		/* BR_INST_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x04c5, 0xf),		/* BR_MISP_RETIRED.ALL_BRANCHES_PEBS */
	EVENT(0xc6, 0xf),		/* FRONTEND_RETIRED */
	EVENT(0xcd, 0xf),		/* MEM_TRANS_RETIRED */
	EVENTS(0xd0, 0xd4, 0xf),	/* MEM_INST_RETIRED, MEM_LOAD_RETIRED ... */
	{ 0 },
};

static const struct rule icelake_rules[] = {
	UMASK(0x04a3, 0xff),		/* CYCLE_ACTIVITY.STALLS_TOTAL */
	UMASK(0x10a3, 0xff),		/* .CYCLES_MEM_ANY */
	UMASK(0x14a3, 0xff),		/* .STALLS_MEM_ANY */
	EVENT(0xa3, 0xf),
	EVENTS(0x03, 0x0a, 0xf),
	EVENTS(0x1f, 0x28, 0xf),
	EVENT(0x32, 0xf),
	EVENTS(0x48, 0x56, 0xf),
	EVENTS(0x60, 0x8b, 0xf),
	EVENTS(0xa8, 0xb0, 0xf),
	EVENTS(0xb7, 0xbd, 0xf),
	EVENTS(0xd0, 0xe6, 0xf),
	EVENT(0xef, 0xf),
	EVENTS(0xf0, 0xf4, 0xf),
	{ 0 },
};

static const struct rule sapphirerapids_rules[] = {
	EVENT(0x2e, 0xff),		/* LONGEST_LAT_CACHE */
	EVENT(0x3c, 0xff),		/* CPU_CLK_UNHALTED */
	EVENTS(0x01, 0x8f, 0xf),
	UMASK(0x01a3, 0xf),		/* CYCLE_ACTIVITY.CYCLES_L2_MISS */
	UMASK(0x02a3, 0xf),
	UMASK(0x05a3, 0xf),		/* .STALLS_L2_MISS */
	UMASK(0x06a3, 0xf),		/* .STALLS_L3_MISS */
	UMASK(0x08a3, 0xf),		/* .CYCLES_L1D_MISS */
	UMASK(0x0ca3, 0xf),		/* .STALLS_L1D_MISS */
	UMASK(0x04a4, 0x1),		/* TOPDOWN.BAD_SPEC_SLOTS */
	UMASK(0x08a4, 0x1),		/* TOPDOWN.BR_MISPREDICT_SLOTS */
	UMASK(0x02cd, 0x1),		/* MEM_TRANS_RETIRED.STORE_SAMPLE */
	UMASK(0x01cd, 0xfe),		/* MEM_TRANS_RETIRED.LOAD_LATENCY */
	EVENT(0xce, 0x1),		/* AMX_OPS_RETIRED */
	EVENTS(0xd0, 0xdf, 0xf),	/* MEM_INST_RETIRED, MEM_LOAD_RETIRED ... */
	{ 0 },
};

/* Of ten counters. */
static const struct rule lioncove_rules[] = {
	EVENT(0x20, 0xf),		/* OFFCORE_REQUESTS_OUTSTANDING */
	UMASK(0x0148, 0x4),		/* L1D_PENDING.LOAD */
	UMASK(0x0175, 0x4),		/* INST_DECODED.DECODERS */
	UMASK(0x08a3, 0x4),		/* CYCLE_ACTIVITY.CYCLES_L1D_MISS */
	UMASK(0x0ca3, 0x4),		/* .STALLS_L1D_MISS */
	UMASK(0x04a4, 0x1),		/* TOPDOWN.BAD_SPEC_SLOTS */
	UMASK(0x08a4, 0x1),		/* .BR_MISPREDICT_SLOTS */
	UMASK(0x10a4, 0x8),		/* .MEMORY_BOUND_SLOTS */
	UMASK(0x01b1, 0x8),		/* UOPS_EXECUTED */
	UMASK(0x01cd, 0x3fc),		/* MEM_TRANS_RETIRED.LOAD_LATENCY */
	UMASK(0x02cd, 0x3),		/* .STORE_SAMPLE */
	UMASK(0x87d0, 0x3ff),		/* MEM_INST_RETIRED.ANY */
	EVENTS(0xd0, 0xdf, 0xf),	/* MEM_INST_RETIRED, MEM_LOAD_RETIRED ... */
	{ 0 },
};

/* Small cores from Gracemont to Skymont; those before and behind have no rule. */
static const struct rule gracemont_rules[] = {
	UMASK(0x05d0, 0x3),		/* MEM_UOPS_RETIRED.LOAD_LATENCY_* */
	{ 0 },
};

static const struct rule *const rules_of[] = {
	[GEN_UNKNOWN] = NULL,
	[GEN_P6] = p6_rules,
	[GEN_CORE2] = core2_rules,
	[GEN_NHM] = nehalem_rules,
	[GEN_WSM] = westmere_rules,
	[GEN_SNB] = sandybridge_rules,
	[GEN_IVB] = ivybridge_rules,
	[GEN_HSW] = haswell_rules,
	[GEN_BDW] = haswell_rules,
	[GEN_SKL] = skylake_rules,
	[GEN_SKX] = skylake_rules,
	[GEN_ICL] = icelake_rules,
	[GEN_ICX] = icelake_rules,
	[GEN_SPR] = sapphirerapids_rules,
	[GEN_ADL] = sapphirerapids_rules,
	[GEN_LNC] = lioncove_rules,
	[GEN_CGC] = lioncove_rules,
	[GEN_GRT] = gracemont_rules,
	[GEN_CMT] = gracemont_rules,
	[GEN_SKT] = gracemont_rules,
	[GEN_DKT] = NULL,
};

static uint64_t model_counters(const struct pmu_facts *facts, uint64_t evtsel)
{
	const struct rule *rule = rules_of[generation_of(facts)];

	for (; rule && rule->mask; rule++)
		if ((evtsel & rule->mask) >= rule->first && (evtsel & rule->mask) <= rule->last)
			return rule->counters;
	return GP_ALL;
}

/* Three classes of Top-Down have one, in cores where it is there at all. */
static uint64_t class_counter(uint64_t evtsel)
{
	switch (evtsel) {
	case EVTSEL_BAD_SPECULATION:
		return FIXED(4);
	case EVTSEL_FRONTEND_BOUND:
		return FIXED(5);
	case EVTSEL_RETIRING:
		return FIXED(6);
	default:
		return 0;
	}
}

/*
 * A fixed counter has AnyThread of its own, and no other modifier.  Event code
 * 00 is how Intel's lists write what no general-purpose counter has.
 */
uint64_t allowed_counters(const struct pmu_facts *facts, uint64_t evtsel)
{
	uint64_t allowed;

	switch (evtsel & ~EVTSEL_ANY) {
	case EVTSEL_INSTRUCTIONS:
		allowed = GP_ALL | FIXED(0);
		break;
	case EVTSEL_CYCLES:
		allowed = GP_ALL | FIXED(1);
		break;
	case EVTSEL_REF_CYCLES:
		allowed = FIXED(2);
		break;
	case EVTSEL_SLOTS:
		allowed = FIXED(3);
		break;
	default:
		allowed = evtsel & EVTSEL_EVENT ?
			  model_counters(facts, evtsel) | class_counter(evtsel) : 0;
	}
	return allowed & facts->counters;
}

static const uint32_t arch_events[] = {
	0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x01a4,
};

bool is_architectural(uint64_t evtsel)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(arch_events); i++)
		if ((evtsel & (EVTSEL_CODE | EVTSEL_UMASK2)) == arch_events[i])
			return true;
	return !(evtsel & EVTSEL_EVENT);
}
