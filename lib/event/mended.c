// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of Intel's lists that libpfm4 (4.13) does not have, or has under
 * another code than Intel.
 *
 * Codes are facts of github.com/intel/perfmon at commit 6dadedf3.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

enum {
	CORE2 = 1 << GEN_CORE2, NHM = 1 << GEN_NHM, WSM = 1 << GEN_WSM, SNB = 1 << GEN_SNB,
	IVB = 1 << GEN_IVB, HSW = 1 << GEN_HSW, BDW = 1 << GEN_BDW, SKL = 1 << GEN_SKL,
	SKX = 1 << GEN_SKX, ICL = 1 << GEN_ICL, ICX = 1 << GEN_ICX, SPR = 1 << GEN_SPR,
	ADL = 1 << GEN_ADL, GLC = SPR | ADL,
	GOLDMONT = 1 << GEN_GLM | 1 << GEN_GLP, GRT = 1 << GEN_GRT, CMT = 1 << GEN_CMT,
	SKT = 1 << GEN_SKT | 1 << GEN_DKT, LNC = 1 << GEN_LNC | 1 << GEN_CGC,
	SMALL = GRT | CMT, MONT = SMALL | SKT,
	/* Those with AnyThread. */
	V3 = NHM | WSM | SNB | IVB | HSW | BDW | SKL | SKX,
	ALL = CORE2 | V3 | ICL | ICX | GLC,
};

struct mended {
	const char *name;	/* as Intel writes it */
	uint32_t generations;
	uint32_t evtsel;
	uint32_t theirs;	/* libpfm4's code, 0: it has none */
	uint64_t extra;		/* value of the register beside it, 0: none */
};

static const struct mended mended[] = {
	{ "ARITH.DIV_ACTIVE", LNC, 0x10009b0, 0x0, 0x0 },
	{ "ARITH.FP_DIVIDER_ACTIVE", ICL | ICX, 0x1000114, 0x0, 0x0 },
	{ "ARITH.IDIV_ACTIVE", GLC, 0x10008b0, 0x8b0, 0x0 },
	{ "ARITH.INT_DIVIDER_ACTIVE", GLC, 0x10008b0, 0x8b0, 0x0 },
	{ "BE_STALLS.SCOREBOARD", LNC, 0x2a2, 0x0, 0x0 },
	{ "BR_INST_RETIRED.ALL_BRANCHES", SNB, 0xc4, 0x4c4, 0x0 },
	{ "BR_MISP_RETIRED.ALL_BRANCHES", SNB, 0xc5, 0x4c5, 0x0 },
	{ "CPU_CLK_UNHALTED.C02", LNC, 0x20ec, 0x0, 0x0 },
	{ "CPU_CLK_UNHALTED.CORE", MONT, 0x200, 0x0, 0x0 },
	{ "CPU_CLK_UNHALTED.CORE_P", GOLDMONT | MONT, 0x3c, 0x0, 0x0 },
	{ "CPU_CLK_UNHALTED.REF", GOLDMONT, 0x13c, 0x100, 0x0 },
	{ "CPU_CLK_UNHALTED.REF_TSC", (ALL & ~(ICL | ICX | GLC)) | MONT, 0x300, 0x0, 0x0 },
	{ "CPU_CLK_UNHALTED.THREAD", (ALL & ~GLC) | MONT, 0x200, 0x0, 0x0 },
	{ "CPU_CLK_UNHALTED.THREAD", LNC, 0x200, 0x0, 0x0 },
	{ "CPU_CLK_UNHALTED.THREAD_ANY", V3, 0x200200, 0x0, 0x0 },
	{ "CPU_CLK_UNHALTED.THREAD_P_ANY", V3, 0x20003c, 0x0, 0x0 },
	{ "CYCLE_ACTIVITY.STALLS_L1D_MISS", BDW, 0xc000ca3, 0x0, 0x0 },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS", BDW, 0x50005a3, 0x0, 0x0 },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", IVB | BDW, 0x60006a3, 0x0, 0x0 },
	{ "CYCLE_ACTIVITY.STALLS_TOTAL", IVB, 0x40004a3, 0x0, 0x0 },
	{ "CYCLE_ACTIVITY.STALLS_TOTAL", LNC, 0x40004a3, 0x0, 0x0 },
	{ "DECODE.LCP", SKL | SKX | ICL | ICX, 0x187, 0x0, 0x0 },
	{ "DECODE.LCP", LNC, 0x187, 0x0, 0x0 },
	{ "DSB2MITE_SWITCHES.PENALTY_CYCLES", LNC, 0x261, 0x0, 0x0 },
	{ "EXE", SPR, 0x2b7, 0x2b7, 0 },
	{ "EXE.AMX_BUSY", SPR, 0x2b7, 0x2b7, 0 },
	{ "EXE_ACTIVITY.1_PORTS_UTIL", LNC, 0x2a6, 0x0, 0x0 },
	{ "EXE_ACTIVITY.2_3_PORTS_UTIL", GLC, 0xca6, 0x0, 0x0 },
	{ "EXE_ACTIVITY.2_3_PORTS_UTIL", LNC, 0xca6, 0x0, 0x0 },
	{ "EXE_ACTIVITY.BOUND_ON_LOADS", LNC, 0x50021a6, 0x0, 0x0 },
	{ "EXE_ACTIVITY.BOUND_ON_STORES", LNC, 0x20040a6, 0x0, 0x0 },
	{ "EXE_ACTIVITY.EXE_BOUND_0_PORTS", GLC, 0x80a6, 0x0, 0x0 },
	{ "EXE_ACTIVITY.EXE_BOUND_0_PORTS", LNC, 0x80a6, 0x0, 0x0 },
	{ "FP_ARITH_INST_RETIRED.4_FLOPS", BDW | SKL | SKX, 0x18c7, 0x0, 0x0 },
	{ "FP_ARITH_INST_RETIRED.8_FLOPS", SKX, 0x18c7, 0x0, 0x0 },
	{ "FP_ARITH_INST_RETIRED.SCALAR", SKL | SKX, 0x3c7, 0x0, 0x0 },
	{ "FP_ARITH_INST_RETIRED.VECTOR", BDW | SKL, 0xfcc7, 0x0, 0x0 },
	{ "FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE", SNB | IVB, 0x1010, 0x0, 0x0 },
	{ "FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE", SNB | IVB, 0x2010, 0x0, 0x0 },
	{ "FRONTEND_RETIRED.LATENCY_GE_16", SKL | SKX, 0x1c6, 0x0, 0x401006 },
	{ "FRONTEND_RETIRED.LATENCY_GE_2_BUBBLES_GE_1", SKL | SKX, 0x1c6, 0x0, 0x100206 },
	{ "FRONTEND_RETIRED.LATENCY_GE_4", SKL | SKX, 0x1c6, 0x0, 0x400406 },
	{ "FRONTEND_RETIRED.LATENCY_GE_8", SKL | SKX, 0x1c6, 0x0, 0x400806 },
	{ "ICACHE.IFDATA_STALL", HSW, 0x480, 0x0, 0x0 },
	{ "ICACHE_DATA.STALLS", ICL | ICX, 0x480, 0x0, 0x0 },
	{ "ICACHE_DATA.STALLS", LNC, 0x480, 0x0, 0x0 },
	{ "ICACHE_TAG.STALLS", SKL | SKX | ICL | ICX, 0x483, 0x0, 0x0 },
	{ "ICACHE_TAG.STALLS", LNC, 0x483, 0x0, 0x0 },
	{ "IDQ.ALL_DSB_CYCLES_ANY_UOPS", IVB, 0x1001879, 0x0, 0x0 },
	{ "IDQ.ALL_MITE_CYCLES_ANY_UOPS", IVB, 0x1002479, 0x0, 0x0 },
	{ "IDQ.DSB_CYCLES_ANY", SKL | SKX, 0x1001879, 0x0, 0x0 },
	{ "IDQ.DSB_CYCLES_OK", SKL | SKX, 0x4001879, 0x0, 0x0 },
	{ "IDQ.DSB_UOPS", LNC, 0x879, 0x0, 0x0 },
	{ "IDQ.MITE_UOPS", LNC, 0x479, 0x0, 0x0 },
	{ "IDQ.MS_CYCLES_ANY", LNC, 0x1002079, 0x0, 0x0 },
	{ "IDQ.MS_SWITCHES", LNC, 0x1042079, 0x0, 0x0 },
	{ "IDQ_BUBBLES.CORE", GLC, 0x19c, 0x0, 0x0 },
	{ "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE", GLC, 0x600019c, 0x0, 0x0 },
	{ "IDQ_BUBBLES.FETCH_LATENCY", LNC, 0x49c, 0x0, 0x0 },
	{ "IDQ_BUBBLES.STARVATION_CYCLES", LNC, 0x800019c, 0x0, 0x0 },
	{ "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", SNB | IVB | HSW | BDW | SKL | SKX,
	  0x400019c, 0x0, 0x0 },
	{ "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", ICL | ICX, 0x500019c, 0x0, 0x0 },
	{ "INST_DECODED.DECODERS", SKL | SKX, 0x155, 0x0, 0x0 },
	{ "INST_RETIRED.ANY", (ALL & ~(WSM | ICL | ICX | GLC)) | MONT, 0x100, 0x0, 0x0 },
	{ "INST_RETIRED.ANY", WSM | GLC, 0x100, 0x1c0, 0x0 },
	{ "INST_RETIRED.NOP", SKL | SKX, 0x2c0, 0x0, 0x0 },
	{ "INST_RETIRED.TOTAL_CYCLES_PS", SKL | SKX, 0xa8001c0, 0, 0 },
	{ "INT_MISC.CLEARS_COUNT", SKL | SKX, 0x104010d, 0x0, 0x0 },
	{ "INT_MISC.CLEAR_RESTEER_CYCLES", LNC, 0x80ad, 0x0, 0x0 },
	{ "INT_MISC.UNKNOWN_BRANCH_CYCLES", GLC, 0x40ad, 0x7ad, 0x7 },
	{ "INT_MISC.UNKNOWN_BRANCH_CYCLES", LNC, 0x40ad, 0x0, 0x7 },
	{ "L2_RQSTS.CODE_RD_HIT", HSW | BDW, 0xc424, 0x4424, 0x0 },
	{ "L2_RQSTS.DEMAND_DATA_RD_HIT", HSW | BDW, 0xc124, 0x4124, 0x0 },
	{ "L2_RQSTS.L2_PF_HIT", HSW | BDW, 0xd024, 0xd824, 0x0 },
	{ "L2_RQSTS.L2_PF_MISS", HSW | BDW, 0x3024, 0x3824, 0x0 },
	{ "L2_RQSTS.RFO_HIT", HSW | BDW, 0xc224, 0x4224, 0x0 },
	{ "LOCK_CYCLES.CACHE_LOCK_DURATION", GLC, 0x242, 0x0, 0x0 },
	{ "LSD.UOPS", LNC, 0x1a8, 0x0, 0x0 },
	{ "MEMORY_STALLS.L1", LNC, 0x146, 0x0, 0x0 },
	{ "MEMORY_STALLS.L2", LNC, 0x246, 0x0, 0x0 },
	{ "MEMORY_STALLS.L3", LNC, 0x446, 0x0, 0x0 },
	{ "MEMORY_STALLS.MEM", LNC, 0x846, 0x0, 0x0 },
	{ "MEM_LOAD_MISC_RETIRED.UC", ICL | ICX, 0x4d4, 0x4c4, 0x0 },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_HIT", SNB | IVB, 0x4d1, 0x0, 0x0 },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_MISS", IVB, 0x20d1, 0x0, 0x0 },
	{ "MEM_TRANS_RETIRED.LOAD_LATENCY", SNB | IVB, 0x1cd, 0x0, 0x0 },
	{ "MEM_TRANS_RETIRED.STORE_SAMPLE", GLC, 0x2cd, 0x3cd, 0x0 },
	{ "MOVE_ELIMINATION.INT_ELIMINATED", IVB, 0x158, 0x458, 0x0 },
	{ "MOVE_ELIMINATION.INT_NOT_ELIMINATED", IVB, 0x458, 0x158, 0x0 },
	{ "OCR.COREWB_M.L3_HIT", ADL, 0x12a, 0x0, 0x1f803c0008 },
	{ "OCR.COREWB_NONM.L3_HIT", ADL, 0x12a, 0x0, 0x1f803c1000 },
	{ "OCR.DEMAND_DATA_RD.ANY_RESPONSE", ADL, 0x12a, 0x0, 0x10001 },
	{ "OCR.DEMAND_DATA_RD.DRAM", ADL, 0x12a, 0x0, 0x184000001 },
	{ "OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HITM", GLC, 0x12a, 0x0, 0x10003c0001 },
	{ "OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HITM", ICX, 0x1b7, 0x0, 0x10003c0001 },
	{ "OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HIT_WITH_FWD", GLC, 0x12a, 0x0, 0x8003c0001 },
	{ "OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HIT_WITH_FWD", ICX, 0x1b7, 0x0, 0x8003c0001 },
	{ "OCR.DEMAND_DATA_RD.L3_MISS", ADL, 0x12a, 0x0, 0x3fbfc00001 },
	{ "OCR.DEMAND_RFO.ANY_RESPONSE", ADL, 0x12a, 0x0, 0x10002 },
	{ "OCR.DEMAND_RFO.L3_HIT.SNOOP_HITM", GLC, 0x12a, 0x0, 0x10003c0002 },
	{ "OCR.DEMAND_RFO.L3_HIT.SNOOP_HITM", ICL | ICX, 0x1b7, 0x0, 0x10003c0002 },
	{ "OCR.DEMAND_RFO.L3_MISS", ADL, 0x12a, 0x0, 0x3fbfc00002 },
	{ "OCR.DEMAND_RFO.L3_MISS", SPR, 0x12a, 0x0, 0x3f3fc00002 },
	{ "OCR.DEMAND_RFO.L3_MISS", ICX, 0x1b7, 0x0, 0x3f3fc00002 },
	{ "OCR.READS_TO_CORE.L3_HIT", ADL, 0x12a, 0x0, 0x1f803c4477 },
	{ "OCR.STREAMING_WR.ANY_RESPONSE", GLC, 0x12a, 0x0, 0x10800 },
	{ "OCR.STREAMING_WR.ANY_RESPONSE", ICL | ICX, 0x1b7, 0x0, 0x10800 },
	{ "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DATA_RD", SNB | IVB | HSW | BDW | SKL | SKX,
	  0x1000860, 0x0, 0x0 },
	{ "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_CODE_RD", GLC, 0x1000220, 0x0, 0x0 },
	{ "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_RFO", IVB | HSW | BDW,
	  0x1000460, 0x0, 0x0 },
	{ "OFFCORE_RESPONSE.DEMAND_DATA_RD.L3_HIT.HITM_OTHER_CORE", SKX, 0x1b7, 0x0, 0x10003c0001 },
	{ "OFFCORE_RESPONSE.DEMAND_DATA_RD.L3_HIT.SNOOP_HIT_WITH_FWD", SKX,
	  0x1b7, 0x0, 0x8003c0001 },
	{ "OFFCORE_RESPONSE.DEMAND_RFO.L3_HIT.HITM_OTHER_CORE", HSW | SKX,
	  0x1b7, 0x0, 0x10003c0002 },
	{ "OFFCORE_RESPONSE.DEMAND_RFO.L3_HIT.SNOOP_HITM", SKL, 0x1b7, 0x0, 0x10001c0002 },
	{ "OFFCORE_RESPONSE.DEMAND_RFO.L3_HIT.SNOOP_HITM", BDW, 0x1b7, 0x0, 0x10003c0002 },
	{ "OFFCORE_RESPONSE.DEMAND_RFO.L3_MISS.REMOTE_HITM", SKX, 0x1b7, 0x0, 0x103fc00002 },
	{ "OFFCORE_RESPONSE.DEMAND_RFO.LLC_HIT.HITM_OTHER_CORE", IVB, 0x1b7, 0x0, 0x10003c0002 },
	{ "OFFCORE_RESPONSE.PF_L2_RFO.L3_HIT.HITM_OTHER_CORE", SKX, 0x1b7, 0x0, 0x10003c0020 },
	{ "OFFCORE_RESPONSE.PF_L2_RFO.L3_MISS.REMOTE_HITM", SKX, 0x1b7, 0x0, 0x103fc00020 },
	{ "OTHER_ASSISTS.ANY_WB_ASSIST", IVB, 0x80c1, 0x0, 0x0 },
	{ "RESOURCE_STALLS.LB_SB", SNB, 0xaa2, 0x0, 0x0 },
	{ "RESOURCE_STALLS.OOO_RSRC", SNB, 0xf0a2, 0x0, 0x0 },
	{ "RS.EMPTY_RESOURCE", GLC, 0x1a5, 0x0, 0x0 },
	{ "TOPDOWN.BACKEND_BOUND_SLOTS", ICL | ICX | GLC, 0x2a4, 0x200, 0x0 },
	{ "TOPDOWN.BAD_SPEC_SLOTS", GLC, 0x4a4, 0x400, 0x0 },
	{ "TOPDOWN.BR_MISPREDICT_SLOTS", GLC, 0x8a4, 0x800, 0x0 },
	{ "TOPDOWN.MEMORY_BOUND_SLOTS", GLC, 0x10a4, 0x1000, 0x0 },
	{ "TOPDOWN.SLOTS", LNC, 0x400, 0x0, 0x0 },
	{ "TOPDOWN_BAD_SPECULATION.ALL", MONT, 0x73, 0x0, 0x0 },
	{ "TOPDOWN_BAD_SPECULATION.FASTNUKE", MONT, 0x273, 0x0, 0x0 },
	{ "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS", MONT, 0x373, 0x0, 0x0 },
	{ "TOPDOWN_BAD_SPECULATION.MISPREDICT", MONT, 0x473, 0x0, 0x0 },
	{ "TOPDOWN_BAD_SPECULATION.NUKE", MONT, 0x173, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.ALL", SMALL, 0x74, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.ALL", SKT, 0x2a4, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS", MONT, 0x174, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.MEM_SCHEDULER", MONT, 0x274, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.NON_MEM_SCHEDULER", MONT, 0x874, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.REGISTER", MONT, 0x2074, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.REORDER_BUFFER", MONT, 0x4074, 0x0, 0x0 },
	{ "TOPDOWN_BE_BOUND.SERIALIZATION", MONT, 0x1074, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.ALL", SMALL, 0x71, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.ALL", SKT, 0x19c, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.BRANCH_DETECT", MONT, 0x271, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.BRANCH_RESTEER", MONT, 0x4071, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.CISC", MONT, 0x171, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.DECODE", MONT, 0x871, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH", MONT, 0x8d71, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.FRONTEND_LATENCY", MONT, 0x7271, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.ICACHE", MONT, 0x2071, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.ITLB", SMALL, 0x1071, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.ITLB_MISS", SKT, 0x1071, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.OTHER", MONT, 0x8071, 0x0, 0x0 },
	{ "TOPDOWN_FE_BOUND.PREDECODE", MONT, 0x471, 0x0, 0x0 },
	{ "TOPDOWN_RETIRING.ALL", GRT, 0xc2, 0x0, 0x0 },
	{ "TOPDOWN_RETIRING.ALL", CMT, 0x72, 0x0, 0x0 },
	{ "TOPDOWN_RETIRING.ALL", SKT, 0x2c2, 0x0, 0x0 },
	{ "UOPS_DISPATCHED.CORE", SNB, 0x2b1, 0x0, 0x0 },
	{ "UOPS_DISPATCHED.THREAD", SNB, 0x1b1, 0x0, 0x0 },
	{ "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC", SKL | SKX, 0x10001b1, 0x0, 0x0 },
	{ "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC", SKL | SKX, 0x20001b1, 0x0, 0x0 },
	{ "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC", SKL | SKX, 0x30001b1, 0x0, 0x0 },
	{ "UOPS_RETIRED.MACRO_FUSED", SKL | SKX, 0x4c2, 0x0, 0x0 },
	{ "UOPS_RETIRED.MS", GLC, 0x4c2, 0x8c2, 0x8 },
	{ "UOPS_RETIRED.MS", LNC, 0x4c2, 0x0, 0x8 },
	{ "UOPS_RETIRED.STALL_CYCLES", SKL | SKX, 0x18002c2, 0x18001c2, 0x0 },
	{ "UOPS_RETIRED.TOTAL_CYCLES", HSW | BDW, 0x108001c2, 0xa8001c2, 0x0 },
	{ "UOPS_RETIRED.TOTAL_CYCLES", SKL | SKX, 0x108002c2, 0xa8001c2, 0x0 },
};

/* Debian 12's libpfm4; later ones have some of it mended. */
static void describe(const struct mended *m, char *text, size_t size)
{
	if (m->theirs == m->evtsel)
		snprintf(text, size, "libpfm4 4.13.0 wants a register beside it, which it does not need");
	else if (m->theirs)
		snprintf(text, size, "libpfm4 4.13.0 has code 0x%04x, Intel's event list 0x%04x",
			 m->theirs, m->evtsel);
	else
		snprintf(text, size, "libpfm4 4.13.0 lacks it; code 0x%04x is of Intel's event list",
			 m->evtsel);
}

static int encode_name(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	enum generation generation;
	const struct mended *m;
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (err)
		return err;
	generation = generation_of(&facts);
	for (m = mended; m < mended + ARRAY_SIZE(mended); m++)
		if (m->generations >> generation & 1 && same_event_name(m->name, name))
			break;
	if (m == mended + ARRAY_SIZE(mended))
		return -ENOENT;
	enc->evtsel = m->evtsel;
	enc->extra = m->extra;
	enc->extra_given = m->extra;
	snprintf(enc->full_name, sizeof(enc->full_name), "%s", m->name);
	describe(m, enc->note, sizeof(enc->note));
	return 0;
}

int mended_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	return encode_with_umasks(ctx, t, encode_name, enc);
}

int mended_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_LIBPFM4 };
	enum generation generation;
	const struct mended *m;
	struct pmu_facts facts;
	char text[128];
	int err = facts_get(ctx, &facts);

	if (err)
		return err;
	generation = generation_of(&facts);
	for (m = mended; !err && m < mended + ARRAY_SIZE(mended); m++) {
		if (!(m->generations >> generation & 1) ||
		    !pattern_matches(pattern, m->name))
			continue;
		describe(m, text, sizeof(text));
		desc.name = m->name;
		desc.text = text;
		err = fn(data, &desc);
	}
	return err;
}
