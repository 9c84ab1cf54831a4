// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names that mean the same on every CPU.
 *
 * The first ones are the architectural events (Intel SDM vol. 3, chapter
 * "Performance Monitoring", pre-defined architectural performance events).  The
 * others are each generation's nearest, from Intel's event lists; those of Core
 * and Nehalem from the SDM's tables.  The last ones are what Linux takes for
 * perf's names (arch/x86/events/intel/core.c of 6.1, its hw_cache_event_ids and
 * hw_cache_extra_regs).  A generation that has none lacks the name.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

#define NO_ARCH (~0u)

struct portable {
	const char *name;
	const char *alias;	/* perf's, or NULL */
	unsigned int arch;	/* its bit in CPUID.0AH:EBX, or NO_ARCH */
	uint32_t code;		/* of architectural ones, else each generation's: */
	uint32_t codes[GENERATIONS];
	const char *text;
	uint64_t extras[GENERATIONS];	/* of the register beside it; 0: none */
};

/*
 * ref-cycles is the fixed counter that runs at the rate of the TSC; event 3C
 * umask 01 counts the bus clock, which is something else.  Code 00 umask 03
 * is how Intel's own event lists write it; no general-purpose counter has it.
 */
#define ARCH(name, alias, bit, code, p6, text)					\
	{ name, alias, bit, code, { [GEN_P6] = (p6) }, text, { 0 } }
#define MODEL(name, alias, text, ...) { name, alias, NO_ARCH, 0, __VA_ARGS__, text, { 0 } }
#define OFFCORE(name, text, codes, extras) { name, NULL, NO_ARCH, 0, codes, text, extras }
#define CODES(...) { __VA_ARGS__ }
/* OFFCORE_RESPONSE, and what its register says. */
#define RESPONSES								\
	NHM_WSM(0x01b7), SNB_IVB(0x01b7), HSW_BDW(0x01b7), SKL_TO_ICX(0x01b7)
#define NHM_WSM(code) [GEN_NHM] = (code), [GEN_WSM] = (code)
#define SNB_IVB(code) [GEN_SNB] = (code), [GEN_IVB] = (code)
#define FROM_SNB(code) SNB_IVB(code), FROM_HSW(code)
#define FROM_HSW(code) HSW_BDW(code), SKL_TO_ICX(code), SPR_ON(code)
#define SPR_ON(code) SPR_TO_LNC(code), [GEN_CGC] = (code)
#define SPR_TO_LNC(code) [GEN_SPR] = (code), [GEN_ADL] = (code), [GEN_LNC] = (code)
/* Small cores: Goldmont to Gracemont; Crestmont to Darkmont; all from Tremont on; all. */
#define GLM_TO_GRT(code)							\
	[GEN_GLM] = (code), [GEN_GLP] = (code), [GEN_TNT] = (code), [GEN_GRT] = (code)
#define CMT_ON(code) [GEN_CMT] = (code), [GEN_SKT] = (code), [GEN_DKT] = (code)
#define TNT_ON(code) [GEN_TNT] = (code), [GEN_GRT] = (code), CMT_ON(code)
#define SMALL(code) GLM_TO_GRT(code), CMT_ON(code)
/* Haswell and Broadwell; Skylake to Ice Lake. */
#define HSW_BDW(code) [GEN_HSW] = (code), [GEN_BDW] = (code)
#define SKL_TO_ICX(code)							\
	[GEN_SKL] = (code), [GEN_SKX] = (code), [GEN_ICL] = (code), [GEN_ICX] = (code)

/* Crestmont's loads that miss the last level: its servers' lists and its clients' differ. */
#define LLC_MISS_SERVER 0xffd3
#define LLC_MISS_CLIENT 0x02d4
/* MEM_LOAD_UOPS_RETIRED of small cores from Crestmont on. */
#define L1_MISS 0x40d1
#define L2_MISS 0x80d1

static const struct portable portables[] = {
	ARCH("cycles", "cpu-cycles", 0, EVTSEL_CYCLES, EVTSEL_CYCLES_P6,
	     "core clock cycles while not halted"),
	ARCH("instructions", NULL, 1, EVTSEL_INSTRUCTIONS, 0x00c0, "instructions retired"),
	ARCH("ref-cycles", NULL, 2, EVTSEL_REF_CYCLES, EVTSEL_CYCLES_P6,
	     "cycles while not halted, at the constant rate of the TSC"),
	ARCH("bus-cycles", NULL, 2, 0x013c, 0, "reference (bus) clock cycles while not halted"),
	ARCH("cache-references", NULL, 3, 0x4f2e, 0x0f2e, "references to the last-level cache"),
	ARCH("cache-misses", NULL, 4, 0x412e, 0x012e, "misses of the last-level cache"),
	ARCH("branches", "branch-instructions", 5, 0x00c4, 0x00c4,
	     "branch instructions retired"),
	ARCH("branch-misses", NULL, 6, 0x00c5, 0x00c5,
	     "mispredicted branch instructions retired"),
	/*
	 * BR_INST_RETIRED.NEAR_TAKEN, without far ones; of Goldmont .ALL_TAKEN_BRANCHES.  Tremont's
	 * list has none.  Cougar Cove and Darkmont have one code for it.
	 */
	MODEL("taken-branches", NULL, "taken branch instructions retired",
	      CODES(SNB_IVB(0x20c4), HSW_BDW(0x20c4), SKL_TO_ICX(0x20c4), SPR_TO_LNC(0x20c4),
		    [GEN_CGC] = 0xfbc4, [GEN_GLM] = 0x80c4, [GEN_GLP] = 0x80c4,
		    [GEN_GRT] = 0xc0c4, [GEN_CMT] = 0xc0c4, [GEN_SKT] = 0xc0c4,
		    [GEN_DKT] = 0xfbc4)),
	MODEL("slots", NULL, "issue slots of the pipeline, filled or not",
	      CODES([GEN_ICL] = EVTSEL_SLOTS, [GEN_ICX] = EVTSEL_SLOTS,
		    SPR_ON(EVTSEL_SLOTS))),
	/* L1D_CACHE_LD.MESI; MEM_INST_RETIRED.LOADS; MEM_UOPS_RETIRED.ALL_LOADS. */
	MODEL("l1d-loads", "L1-dcache-loads", "loads retired",
	      CODES([GEN_CORE2] = 0x0f40, [GEN_NHM] = 0x010b, [GEN_WSM] = 0x010b,
		    FROM_SNB(0x81d0), SMALL(0x81d0))),
	/*
	 * DCU_LINES_IN; L1D_CACHE_LD.I_STATE; L2_RQSTS.LOADS, .ALL_DEMAND_DATA_RD;
	 * MEM_LOAD_...L1_MISS.
	 */
	MODEL("l1d-load-misses", "L1-dcache-load-misses",
	      "loads that missed the first-level data cache (Westmere, Sandy Bridge: that "
	      "asked the second level)",
	      CODES([GEN_P6] = 0x0045, [GEN_CORE2] = 0x0140, [GEN_NHM] = 0x0140, [GEN_WSM] = 0x0324,
		    [GEN_SNB] = 0x0324, [GEN_IVB] = 0x08d1, FROM_HSW(0x08d1), GLM_TO_GRT(0x08d1),
		    CMT_ON(L1_MISS))),
	/* MEM_UOPS_RETIRED, MEM_INST_RETIRED.SPLIT_LOADS. */
	MODEL("split-loads", NULL, "loads retired that read from two lines of the cache",
	      CODES(FROM_SNB(0x41d0), SMALL(0x41d0))),
	/* L1D_CACHE_ST.MESI; MEM_INST_RETIRED.STORES; MEM_UOPS_RETIRED.ALL_STORES. */
	MODEL("l1d-stores", "L1-dcache-stores", "stores retired",
	      CODES([GEN_CORE2] = 0x0f41, [GEN_NHM] = 0x020b, [GEN_WSM] = 0x020b,
		    FROM_SNB(0x82d0), SMALL(0x82d0))),
	/*
	 * MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD; MEM_TRANS_RETIRED.LOAD_LATENCY;
	 * MEM_UOPS_RETIRED.LOAD_LATENCY.
	 */
	MODEL("mem-loads", NULL,
	      "loads that took longer than ldlat cycles (3, if that is not given), by PEBS alone",
	      CODES([GEN_NHM] = 0x100b, [GEN_WSM] = 0x100b, FROM_SNB(0x01cd),
		    [GEN_GRT] = 0x05d0, CMT_ON(0x05d0))),
	/* MEM_TRANS_RETIRED.PRECISE_STORE; MEM_UOPS_RETIRED.ALL_STORES; .STORE_LATENCY. */
	MODEL("mem-stores", NULL, "stores retired, of which PEBS records the address",
	      CODES([GEN_SNB] = 0x02cd, [GEN_IVB] = 0x02cd, FROM_HSW(0x82d0),
		    GLM_TO_GRT(0x82d0), [GEN_CMT] = 0x82d0, [GEN_SKT] = 0x82d0,
		    [GEN_DKT] = 0x06d0)),
	/*
	 * IFU_IFETCH_MISS; L1I_MISSES; L1I.MISSES; ICACHE.MISSES; ICACHE_64B.IFTAG_MISS;
	 * L2_RQSTS.ALL_CODE_RD, as Sapphire Rapids has none of the first level.
	 */
	MODEL("l1i-misses", "L1-icache-load-misses",
	      "instruction fetches that missed the first-level cache",
	      CODES([GEN_P6] = 0x0081, [GEN_CORE2] = 0x0081, [GEN_NHM] = 0x0280, [GEN_WSM] = 0x0280,
		    [GEN_SNB] = 0x0280, [GEN_IVB] = 0x0280, [GEN_HSW] = 0x0280,
		    [GEN_BDW] = 0x0280, SKL_TO_ICX(0x0283), SPR_ON(0xe424), SMALL(0x0280))),
	/*
	 * L2_LD.SELF.DEMAND.MESI; L2_RQSTS.LD_MISS; OFFCORE_REQUESTS.DEMAND_DATA_RD;
	 * MEM_LOAD_UOPS_RETIRED.L2_MISS.  Goldmont's last level is the second one, and that of
	 * Lunar Lake's Skymont.
	 */
	MODEL("llc-loads", "LLC-loads", "loads that asked the last-level cache",
	      CODES([GEN_CORE2] = 0x4f29, [GEN_NHM] = 0x0224, [GEN_WSM] = 0x0224,
		    [GEN_SNB] = 0x01b0, [GEN_IVB] = 0x10d1, FROM_HSW(0x10d1), [GEN_GLM] = 0x08d1,
		    [GEN_GLP] = 0x08d1, [GEN_TNT] = 0x10d1, [GEN_GRT] = 0x10d1,
		    CMT_ON(L2_MISS))),
	/*
	 * L2_LD.SELF.DEMAND.I_STATE; MEM_LOAD_RETIRED.LLC_MISS;
	 * MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS; MEM_LOAD_UOPS_RETIRED.L3_MISS, .L2_MISS,
	 * .DRAM_HIT; MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL; MEM_LOAD_UOPS_MISC_RETIRED.LOCAL_DRAM.
	 */
	MODEL("llc-load-misses", "LLC-load-misses", "loads that missed the last-level cache",
	      CODES([GEN_CORE2] = 0x4129, [GEN_NHM] = 0x10cb, [GEN_WSM] = 0x10cb,
		    [GEN_SNB] = 0x02d4, [GEN_IVB] = 0x20d1, FROM_HSW(0x20d1), [GEN_GLM] = 0x10d1,
		    [GEN_GLP] = 0x10d1, [GEN_TNT] = 0x80d1, [GEN_GRT] = 0x80d1,
		    [GEN_CMT] = LLC_MISS_SERVER, [GEN_SKT] = LLC_MISS_CLIENT,
		    [GEN_DKT] = LLC_MISS_SERVER)),
	/*
	 * DTLB_MISSES.MISS_LD; DTLB_LOAD_MISSES.ANY, .MISS_CAUSES_A_WALK and, which Linux
	 * takes since Skylake, .WALK_COMPLETED.
	 */
	MODEL("dtlb-load-misses", "dTLB-load-misses", "loads whose address no TLB had",
	      CODES([GEN_CORE2] = 0x0208, [GEN_NHM] = 0x0108, [GEN_WSM] = 0x0108,
		    [GEN_SNB] = 0x0108, [GEN_IVB] = 0x8108, HSW_BDW(0x0108),
		    SKL_TO_ICX(0x0e08), SPR_ON(0x0e12), [GEN_GLM] = 0x11d0, [GEN_GLP] = 0x0e08,
		    TNT_ON(0x0e08))),
	/* DTLB_MISSES.MISS_ST; MEM_STORE_RETIRED.DTLB_MISS; DTLB_STORE_MISSES. */
	MODEL("dtlb-store-misses", "dTLB-store-misses", "stores whose address no TLB had",
	      CODES([GEN_CORE2] = 0x0808, [GEN_NHM] = 0x010c, [GEN_WSM] = 0x010c,
		    [GEN_SNB] = 0x0149, [GEN_IVB] = 0x0149, HSW_BDW(0x0149),
		    SKL_TO_ICX(0x0e49), SPR_ON(0x0e13), [GEN_GLM] = 0x12d0, [GEN_GLP] = 0x0e49,
		    TNT_ON(0x0e49))),
	/* ITLB_MISS; ITLB.MISSES; ITLB_MISSES.ANY, .MISS_CAUSES_A_WALK, .WALK_COMPLETED. */
	MODEL("itlb-misses", "iTLB-load-misses", "instruction fetches whose address no TLB had",
	      CODES([GEN_P6] = 0x0085, [GEN_CORE2] = 0x1282, [GEN_NHM] = 0x0185, [GEN_WSM] = 0x0185,
		    [GEN_SNB] = 0x0185, [GEN_IVB] = 0x0185, HSW_BDW(0x0185),
		    SKL_TO_ICX(0x0e85), SPR_ON(0x0e11), [GEN_GLM] = 0x0481, [GEN_GLP] = 0x0481,
		    TNT_ON(0x0e85))),
	/* UOPS_ISSUED.ANY and UOPS_EXECUTED, UOPS_DISPATCHED.THREAD with cmask=1,inv. */
	MODEL("stalled-cycles-frontend", NULL, "cycles in which no uop was issued",
	      CODES(NHM_WSM(0x0180010e), SNB_IVB(0x0180010e))),
	MODEL("stalled-cycles-backend", NULL, "cycles in which no uop was executed",
	      CODES(NHM_WSM(0x01803fb1), [GEN_SNB] = 0x018001b1)),
	/* IFU_IFETCH; INST_RETIRED; ITLB_MISSES.STLB_HIT. */
	MODEL("itlb-loads", "iTLB-loads",
	      "instruction fetches that the second-level TLB had (P6: all fetches; Core 2, "
	      "Nehalem: instructions)",
	      CODES([GEN_P6] = 0x0080, [GEN_CORE2] = 0x00c0, NHM_WSM(0x01c0), SNB_IVB(0x1085),
		    HSW_BDW(0x6085), [GEN_SKL] = 0x2085, [GEN_SKX] = 0x2085)),
	/* L1D_CACHE_ST.I_STATE; L1D.M_REPL; L1D.ALL_M_REPLACEMENT. */
	MODEL("l1d-store-misses", "L1-dcache-store-misses",
	      "stores that missed the first-level data cache (from Nehalem on: changed lines "
	      "that left it)",
	      CODES([GEN_CORE2] = 0x0141, NHM_WSM(0x0251), SNB_IVB(0x0851))),
	/* L1D_PREFETCH.REQUESTS; L1D_PREFETCH.MISS, HW_PRE_REQ.DL1_MISS. */
	MODEL("l1d-prefetches", "L1-dcache-prefetches", "prefetches into the first-level data cache",
	      CODES([GEN_CORE2] = 0x104e, NHM_WSM(0x014e))),
	MODEL("l1d-prefetch-misses", "L1-dcache-prefetch-misses",
	      "prefetches that missed the first-level data cache",
	      CODES(NHM_WSM(0x024e), SNB_IVB(0x024e))),
	MODEL("l1i-loads", "L1-icache-loads", "instruction fetches from the first-level cache",
	      CODES([GEN_P6] = 0x0080, [GEN_CORE2] = 0x0080, NHM_WSM(0x0380))),
	OFFCORE("llc-stores", "lines that stores asked the last-level cache for",
		CODES(RESPONSES, [GEN_CORE2] = 0x4f2a, [GEN_SPR] = 0x012a),
		CODES(NHM_WSM(0xf70a), SNB_IVB(0x10102), HSW_BDW(0x10002),
		      SKL_TO_ICX(0x3fc0010002), [GEN_SPR] = 0x3f3ffc0002)),
	OFFCORE("llc-store-misses", "lines for stores that the last-level cache did not have",
		CODES(RESPONSES, [GEN_P6] = 0x0025, [GEN_CORE2] = 0x412a, [GEN_SPR] = 0x012a),
		CODES(NHM_WSM(0xf00a), SNB_IVB(0x3fffc00102), [GEN_HSW] = 0x3fb8400002,
		      [GEN_BDW] = 0x1fbc000002, SKL_TO_ICX(0x3ffc020002),
		      [GEN_SPR] = 0x3f3fc00002)),
	OFFCORE("llc-prefetches", "prefetches that asked the last-level cache",
		CODES(NHM_WSM(0x01b7), SNB_IVB(0x01b7)), CODES(NHM_WSM(0xf730), SNB_IVB(0x10030))),
	OFFCORE("llc-prefetch-misses", "prefetches that missed the last-level cache",
		CODES(NHM_WSM(0x01b7), SNB_IVB(0x01b7)),
		CODES(NHM_WSM(0xf030), SNB_IVB(0x3fffc00030))),
	OFFCORE("node-loads", "loads from the memory of this node",
		CODES(RESPONSES, [GEN_SPR] = 0x012a),
		CODES(NHM_WSM(0x7001), SNB_IVB(0x1fffc00081), [GEN_HSW] = 0x1f80400001,
		      [GEN_BDW] = 0x1f84000001, SKL_TO_ICX(0x1fc4000001), [GEN_SPR] = 0x10c000001)),
	OFFCORE("node-load-misses", "loads from the memory of other nodes",
		CODES(RESPONSES, [GEN_SPR] = 0x012a),
		CODES(NHM_WSM(0x2001), SNB_IVB(0x1fff800081), HSW_BDW(0x1fb8000001),
		      SKL_TO_ICX(0x1ff8000001), [GEN_SPR] = 0x3fb3000001)),
	OFFCORE("node-stores", "lines for stores from the memory of this node",
		CODES(RESPONSES),
		CODES(NHM_WSM(0x700a), SNB_IVB(0x1fffc00102), [GEN_HSW] = 0x1f80400002,
		      [GEN_BDW] = 0x1f84000002, SKL_TO_ICX(0x1fc4000002))),
	OFFCORE("node-store-misses", "lines for stores from the memory of other nodes",
		CODES(RESPONSES),
		CODES(NHM_WSM(0x200a), SNB_IVB(0x1fff800102), HSW_BDW(0x1fb8000002),
		      SKL_TO_ICX(0x1ff8000002))),
	OFFCORE("node-prefetches", "prefetches from the memory of this node",
		CODES(NHM_WSM(0x01b7), SNB_IVB(0x01b7)),
		CODES(NHM_WSM(0x7030), SNB_IVB(0x1fffc00030))),
	OFFCORE("node-prefetch-misses", "prefetches from the memory of other nodes",
		CODES(NHM_WSM(0x01b7), SNB_IVB(0x01b7)),
		CODES(NHM_WSM(0x2030), SNB_IVB(0x1fff800030))),
};

int no_modifier(struct pmuctl *ctx, const char *text)
{
	return fail(ctx, -EINVAL,
		    "'%s' is no modifier; there are :u (user), :k (kernel), :uk, :D (pinned), "
		    ":p, :pp, :ppp, :P (by PEBS), :e (edge), :i (inv), :any, :eq, :cmask=N, :ldlat=N, :offcore_rsp=N, :frontend=N",
		    text);
}

/*
 * More of perf's names: its tables have the events above under these, too.  (On Nehalem a
 * miss of the branch predictor is another event to perf, and no better one.)
 */
static const struct {
	const char *alias, *name;
} more_aliases[] = {
	{ "branch-loads", "branches" },
	{ "branch-load-misses", "branch-misses" },
	{ "dTLB-loads", "l1d-loads" },
	{ "dTLB-stores", "l1d-stores" },
};

void portable_consider_aliases(struct nearest *nearest)
{
	const struct portable *p;
	size_t i;

	for (p = portables; p < portables + ARRAY_SIZE(portables); p++)
		if (p->alias)
			nearest_consider(nearest, p->alias);
	for (i = 0; i < ARRAY_SIZE(more_aliases); i++)
		nearest_consider(nearest, more_aliases[i].alias);
}

static bool is_name(const char *name, size_t len, const char *known)
{
	/* First letters first, whatever their case: there are a hundred names to be looked at. */
	return !((*known ^ *name) & ~0x20) && !strncasecmp(known, name, len) && !known[len];
}

static const struct portable *find_portable(const char *name, size_t len)
{
	const struct portable *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(more_aliases); i++)
		if (is_name(name, len, more_aliases[i].alias)) {
			name = more_aliases[i].name;
			len = strlen(name);
			break;
		}
	for (p = portables; p < portables + ARRAY_SIZE(portables); p++)
		if (is_name(name, len, p->name) || (p->alias && is_name(name, len, p->alias)))
			return p;
	return NULL;
}

/* Where the line was, of OFFCORE_RSP; the last eight name what only servers have. */
#define SUPPLIERS UINT64_C(0x7fff0000)
#define SUPPLIERS_SERVER UINT64_C(0x7f800000)

/* Linux asks clients for the server's, which they refuse. */
static uint64_t portable_extra(const struct portable *p, const struct pmu_facts *facts)
{
	uint64_t extra = p->extras[generation_of(facts)];

	return is_bridge_client(facts) ? extra & ~SUPPLIERS_SERVER : extra;
}

static bool is_of_servers(const struct portable *p, const struct pmu_facts *facts)
{
	return is_bridge_client(facts) && p->extras[generation_of(facts)] &&
	       !(portable_extra(p, facts) & SUPPLIERS);
}

/* Nehalem has no such event that counts right (AAJ80): BR_MISP_EXEC.ANY, as Linux. */
#define ARCH_BRANCH_MISSES 6
#define BRANCH_MISSES_NEHALEM 0x7f89

static uint64_t instead_of(const struct portable *p, const struct pmu_facts *facts)
{
	return p->arch == ARCH_BRANCH_MISSES && generation_of(facts) == GEN_NHM ?
	       BRANCH_MISSES_NEHALEM : 0;
}

/* Of one core in different parts. */
static uint64_t code_of_part(uint64_t code, const struct pmu_facts *facts)
{
	enum generation generation = generation_of(facts);

	if (generation == GEN_CMT && code == LLC_MISS_SERVER && !is_crestmont_server(facts))
		return LLC_MISS_CLIENT;
	if (generation == GEN_SKT && is_lunar_lake(facts))
		return code == LLC_MISS_CLIENT ? L2_MISS : code == L2_MISS ? L1_MISS : code;
	return code;
}

/* 0 if this CPU has none. */
static uint64_t portable_code(const struct portable *p, const struct pmu_facts *facts)
{
	if (p->arch != NO_ARCH && facts->backend != BACKEND_P6)
		return facts->arch_events >> p->arch & 1 ? p->code : instead_of(p, facts);
	if (facts->arch_only || is_of_servers(p, facts))
		return 0;
	return code_of_part(p->codes[generation_of(facts)], facts);
}

static int not_here(struct pmuctl *ctx, const struct pmu_facts *facts,
		    const struct portable *p)
{
	if (p->arch != NO_ARCH && facts->backend != BACKEND_P6)
		return fail(ctx, -EOPNOTSUPP,
			    "this CPU does not have architectural event %u (CPUID leaf 0AH)",
			    p->arch);
	return fail(ctx, -EOPNOTSUPP, "this CPU model has no event for %s", p->name);
}

static int encode_portable(struct pmuctl *ctx, const struct portable *p, struct encoding *enc)
{
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (err)
		return err;
	enc->evtsel = portable_code(p, &facts);
	if (!enc->evtsel)
		return not_here(ctx, &facts, p);
	if (enc->evtsel == instead_of(p, &facts))
		snprintf(enc->note, sizeof(enc->note), "0x%04" PRIx32 " does not count them on "
			 "Nehalem (AAJ80): BR_MISP_EXEC.ANY, executed ones, retired or not",
			 p->code);
	enc->extra = portable_extra(p, &facts);
	enc->extra_given = enc->extra;
	snprintf(enc->full_name, sizeof(enc->full_name), "%s", p->name);
	return 0;
}

bool portable_known(const char *name)
{
	return find_portable(name, strlen(name));
}

const char *portable_name(const char *name)
{
	const struct portable *p = find_portable(name, strlen(name));

	return p ? p->name : NULL;
}

int portable_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	size_t len = strcspn(t->name, ":");
	const struct portable *p = find_portable(t->name, len);

	if (!p)
		return -ENOENT;
	return t->name[len] ? no_modifier(ctx, t->name + len) : encode_portable(ctx, p, enc);
}

int portable_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_PORTABLE };
	const struct portable *p;
	struct pmu_facts facts;
	uint64_t code;
	int err = facts_get(ctx, &facts);

	for (p = portables; !err && p < portables + ARRAY_SIZE(portables); p++) {
		desc.name = p->name;
		desc.text = p->text;
		code = portable_code(p, &facts);
		if (code && allowed_counters(&facts, code) && pattern_matches(pattern, p->name))
			err = fn(data, &desc);
	}
	return err;
}
