/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tables of event codes share: the counters that an event is limited to,
 * and the codes that several generations have in common.
 *
 * Left out everywhere, so that they count nothing, because nothing of the kind happens
 * in the model: assists, the loop stream detector, the branch order buffer, loads without
 * a split register, snoops and remote or persistent memory, uops dropped, the super
 * queue's limit, AMX, sleeping with UMWAIT, vectors of 512 bits, half precision, VNNI.
 */
#ifndef PMUBOX_EVENTS_H
#define PMUBOX_EVENTS_H

#include "model.h"

#define ANY_COUNTER 0x3ff
#define PMC0 BIT(0)
#define PMC1 BIT(1)
#define PMC2 BIT(2)
#define PMC3 BIT(3)
#define PMC0_1 0x3
#define PMC0_3 0xf

#define EVENT_LIST(table) { .codes = (table), .nr = ARRAY_SIZE(table) }

#define SIG(name) EV_SIG_##name

/* UMASK2 of PERFEVTSEL, of which rows have bits 0, 1 and 7: where no other part of one has any. */
#define U2_BITS 0x83
#define U2(n) ((uint32_t)((n) & 3) << 16 | (uint32_t)((n) >> 7) << 19)

/* CMASK, E and INV of PERFEVTSEL, for a row that means one choice of them. */
#define C(n) ((uint32_t)(n) << 24)
#define E ((uint32_t)SEL_EDGE)
#define INV ((uint32_t)SEL_INV)

/* OFFCORE_RESPONSE, of which Nehalem has the first only. */
#define OFFCORE_EVENTS(counters)						\
	{ 0x01b7, (counters), EV_OFFCORE_0 },					\
	{ 0x01bb, (counters), EV_OFFCORE_1 }

/* L2_RQSTS from Haswell on. */
#define HASWELL_L2_EVENTS(counters)						\
	{ 0x2124, (counters), EV_L2_MISSES },	/* .DEMAND_DATA_RD_MISS */	\
	{ 0xc124, (counters), EV_L2_HITS },	/* .DEMAND_DATA_RD_HIT */	\
	{ 0xe124, (counters), EV_L1D_MISSES },	/* .ALL_DEMAND_DATA_RD */	\
	{ 0x2224, (counters), EV_LLC_STORES },	/* .RFO_MISS */			\
	{ 0xc224, (counters), EV_L2_STORE_HITS }, /* .RFO_HIT */		\
	{ 0xe224, (counters), EV_L1D_STORE_MISSES }, /* .ALL_RFO */		\
	{ 0x3f24, (counters), EV_L2_FILLS },	/* .MISS */			\
	{ 0xff24, (counters), EV_L2_REFERENCES } /* .REFERENCES */

/* Of loads that missed: Sandy Bridge does not have them at retirement. */
#define LOAD_MISS_EVENTS							\
	{ 0x08d1, PMC0_3, EV_L1D_MISSES },	/* MEM_LOAD_..._RETIRED.L1_MISS */ \
	{ 0x10d1, PMC0_3, EV_L2_MISSES },	/* .L2_MISS */			\
	{ 0x20d1, PMC0_3, EV_LLC_LOAD_MISSES }	/* .L3_MISS */

/* BR_INST_RETIRED of Cougar Cove and Darkmont: codes of their own, and both have the same. */
#define COUGARCOVE_BRANCHES							\
	{ 0x03c4, ANY_COUNTER, EV_CONDITIONAL_TAKEN },	/* .COND_TAKEN */	\
	{ 0x07c4, ANY_COUNTER, EV_CONDITIONAL },	/* .COND */		\
	{ 0x04c4, ANY_COUNTER, EV_NOT_TAKEN },		/* .COND_NTAKEN */	\
	{ 0xfbc4, ANY_COUNTER, EV_TAKEN },		/* .NEAR_TAKEN */	\
	{ 0x30c4, ANY_COUNTER, EV_CALLS },		/* .NEAR_CALL */	\
	{ 0x08c4, ANY_COUNTER, EV_RETURNS },		/* .NEAR_RETURN */	\
	{ 0x50c4, ANY_COUNTER, EV_INDIRECT }		/* .NEAR_INDIRECT */

/* Of the pipeline, with one code on every core from Sandy Bridge to Ice Lake. */
#define PIPE_EVENTS								\
	{ 0x010e, ANY_COUNTER, SIG(UOPS_ISSUED) },	/* UOPS_ISSUED.ANY */	\
	{ 0x02c2, ANY_COUNTER, SIG(UOPS_RETIRED) }, /* UOPS_RETIRED.RETIRE_SLOTS */ \
	{ 0x01b1, ANY_COUNTER, SIG(UOPS_EXECUTED) },	/* UOPS_EXECUTED.THREAD */ \
	{ 0x02b1, ALL_THREADS | ANY_COUNTER, SIG(UOPS_EXECUTED) },	/* .CORE */		\
	{ 0x015e, ANY_COUNTER, SIG(RS_EMPTY_CYCLES) },	/* RS_EVENTS.EMPTY_CYCLES */ \
	{ 0x015e | C(1) | INV | E, ANY_COUNTER, SIG(RS_EMPTY_END) },		\
	{ 0x08a2, ANY_COUNTER, SIG(STALLS_SB) },	/* RESOURCE_STALLS.SB */ \
	CLEAR_EVENTS

#define CLEAR_EVENTS								\
	{ 0x01c3 | C(1) | E, ANY_COUNTER, SIG(MACHINE_CLEARS) }, /* MACHINE_CLEARS.COUNT */ \
	{ 0x02c3, ANY_COUNTER, SIG(CLEARS_MEMORY) },	/* .MEMORY_ORDERING */	\
	{ 0x04c3, ANY_COUNTER, SIG(CLEARS_CODE) }	/* .SMC */

/* IDQ of Sandy Bridge to Skylake, whose decoders and cache deliver four uops. */
#define IDQ_EVENTS								\
	{ 0x0479, ANY_COUNTER, SIG(MITE_UOPS) },	/* IDQ.MITE_UOPS */	\
	{ 0x0879, ANY_COUNTER, SIG(DSB_UOPS) },		/* .DSB_UOPS */		\
	{ 0x3079, ANY_COUNTER, SIG(MS_UOPS) },		/* .MS_UOPS */		\
	{ 0x3079 | C(1) | E, ANY_COUNTER, SIG(MS_SWITCHES) }, /* .MS_SWITCHES */ \
	{ 0x1879 | C(1), ANY_COUNTER, SIG(DSB_CYCLES_ANY) }, /* .ALL_DSB_CYCLES_ANY_UOPS */ \
	{ 0x1879 | C(4), ANY_COUNTER, SIG(DSB_CYCLES_OK) }, /* ..._4_UOPS */	\
	{ 0x2479 | C(1), ANY_COUNTER, SIG(MITE_CYCLES_ANY) }, /* .ALL_MITE_CYCLES_... */ \
	{ 0x2479 | C(4), ANY_COUNTER, SIG(MITE_CYCLES_OK) },			\
	{ 0x02ab, ANY_COUNTER, SIG(DSB_SWITCH_CYCLES) }, /* DSB2MITE_SWITCHES.PENALTY_... */ \
	{ 0x01ab, ANY_COUNTER, SIG(DSB_SWITCHES) },	/* .COUNT */		\
	{ 0x0187, ANY_COUNTER, SIG(LCP_CYCLES) },	/* ILD_STALL.LCP */	\
	{ 0x019c, PMC0_3, SIG(NOT_DELIVERED) }	/* IDQ_UOPS_NOT_DELIVERED.CORE */

/* Ports, each with a bit: UOPS_DISPATCHED_PORT.PORT_0 and so on. */
#define PORT_EVENTS								\
	{ 0x01a1, ANY_COUNTER, SIG(PORT_0) },					\
	{ 0x02a1, ANY_COUNTER, SIG(PORT_1) },					\
	{ 0x04a1, ANY_COUNTER, SIG(PORT_2) },					\
	{ 0x08a1, ANY_COUNTER, SIG(PORT_3) },					\
	{ 0x10a1, ANY_COUNTER, SIG(PORT_4) },					\
	{ 0x20a1, ANY_COUNTER, SIG(PORT_5) },					\
	{ 0x40a1, ANY_COUNTER, SIG(PORT_6) },					\
	{ 0x80a1, ANY_COUNTER, SIG(PORT_7) }

/* ... and of Ice Lake and later by what they do: UOPS_DISPATCHED.PORT_*. */
#define PORT_GROUP_EVENTS(code, port_5)						\
	{ 0x0100 | (code), ANY_COUNTER, SIG(PORT_0) },				\
	{ 0x0200 | (code), ANY_COUNTER, SIG(PORT_1) },				\
	{ 0x0400 | (code), ANY_COUNTER, EV_LOAD_PORTS },			\
	{ 0x1000 | (code), ANY_COUNTER, EV_DATA_PORTS },			\
	{ 0x2000 | (code), ANY_COUNTER, (port_5) },				\
	{ 0x4000 | (code), ANY_COUNTER, SIG(PORT_6) },				\
	{ 0x8000 | (code), ANY_COUNTER, EV_ADDRESS_PORTS }

/* TLBs of Skylake and Ice Lake. */
#define TLB_EVENTS(counters, loads, stores, code)				\
	{ 0x2000 | (loads), (counters), SIG(DTLB_LOAD_STLB_HITS) }, /* .STLB_HIT */ \
	{ 0x0e00 | (loads), (counters), SIG(DTLB_LOAD_WALKS) }, /* .WALK_COMPLETED */ \
	{ 0x1000 | (loads), (counters), SIG(DTLB_LOAD_WALK_CYCLES) }, /* .WALK_PENDING, ... */ \
	{ 0x2000 | (stores), (counters), SIG(DTLB_STORE_STLB_HITS) },		\
	{ 0x0e00 | (stores), (counters), SIG(DTLB_STORE_WALKS) },		\
	{ 0x1000 | (stores), (counters), SIG(DTLB_STORE_WALK_CYCLES) },		\
	{ 0x2000 | (code), (counters), SIG(ITLB_STLB_HITS) },			\
	{ 0x0e00 | (code), (counters), SIG(ITLB_WALKS) },			\
	{ 0x1000 | (code), (counters), SIG(ITLB_WALK_CYCLES) }

/* What Skylake, Ice Lake and Sapphire Rapids call alike. */
#define SKYLAKE_PIPE_EVENTS(low)						\
	{ 0x04a3 | C(4), ANY_COUNTER, SIG(EXE_STALLS) }, /* CYCLE_ACTIVITY.STALLS_TOTAL */ \
	{ 0x05a3 | C(5), (low), SIG(EXE_STALLS_L2) },	/* .STALLS_L2_MISS */	\
	{ 0x06a3 | C(6), (low), SIG(EXE_STALLS_L3) },	/* .STALLS_L3_MISS */	\
	{ 0x0ca3 | C(12), (low), SIG(EXE_STALLS_L1D) },	/* .STALLS_L1D_MISS */	\
	{ 0x01a3 | C(1), (low), SIG(L2_MISS_CYCLES) },	/* .CYCLES_L2_MISS */	\
	{ 0x02a3 | C(2), (low), SIG(L3_MISS_CYCLES) },	/* .CYCLES_L3_MISS */	\
	{ 0x08a3 | C(8), (low), SIG(L1D_MISS_CYCLES) },	/* .CYCLES_L1D_MISS */	\
	{ 0x10a3 | C(16), ANY_COUNTER, SIG(MEM_CYCLES) }, /* .CYCLES_MEM_ANY */	\
	{ 0x02a6, ANY_COUNTER, SIG(PORTS_1) },	/* EXE_ACTIVITY.1_PORTS_UTIL */	\
	{ 0x04a6, ANY_COUNTER, SIG(PORTS_2) },	/* .2_PORTS_UTIL */		\
	{ 0x08a6, ANY_COUNTER, SIG(PORTS_3) },	/* .3_PORTS_UTIL */		\
	{ 0x0148, (low), SIG(L1D_PENDING) },	/* L1D_PEND_MISS.PENDING */	\
	{ 0x0248, (low), SIG(FB_FULL_CYCLES) },	/* .FB_FULL */			\
	{ 0x0248 | C(1) | E, (low), SIG(FB_FULL) },	/* .FB_FULL_PERIODS */	\
	{ 0x0187, (low), SIG(LCP_CYCLES) },	/* DECODE.LCP */		\
	{ 0x0483, (low), SIG(ITLB_STALL_CYCLES) },	/* ICACHE_TAG.STALLS */	\
	{ 0x0480, (low), SIG(ICACHE_STALL_CYCLES) },	/* ICACHE_DATA.STALLS */ \
	{ 0x0480 | C(1) | E, (low), SIG(ICACHE_STALLS) },	/* .STALL_PERIODS */ \
	{ 0x21d0, PMC0_3, SIG(LOCK_LOADS) },	/* MEM_INST_RETIRED.LOCK_LOADS */ \
	{ 0x41d0, PMC0_3, SIG(SPLIT_LOADS) },	/* .SPLIT_LOADS */		\
	{ 0x42d0, PMC0_3, SIG(SPLIT_STORES) },	/* .SPLIT_STORES */		\
	{ 0x40d1, PMC0_3, SIG(FB_HITS) },	/* MEM_LOAD_RETIRED.FB_HIT */	\
	{ 0x01c6, ANY_COUNTER, EV_FRONTEND },	/* FRONTEND_RETIRED.* */	\
	{ 0x02c0, ANY_COUNTER, SIG(NOPS) },	/* INST_RETIRED.NOP */		\
	{ 0x01c7, ANY_COUNTER, SIG(FP_SCALAR_DOUBLE) },	/* FP_ARITH_INST_RETIRED.SCALAR_DOUBLE */ \
	{ 0x02c7, ANY_COUNTER, SIG(FP_SCALAR_SINGLE) },	/* .SCALAR_SINGLE */	\
	{ 0x03c7, ANY_COUNTER, SIG(FP_SCALAR) },	/* .SCALAR */		\
	{ 0x04c7, ANY_COUNTER, SIG(FP_128_DOUBLE) },	/* .128B_PACKED_DOUBLE */ \
	{ 0x08c7, ANY_COUNTER, SIG(FP_128_SINGLE) },	/* .128B_PACKED_SINGLE */ \
	{ 0x10c7, ANY_COUNTER, SIG(FP_256_DOUBLE) },	/* .256B_PACKED_DOUBLE */ \
	{ 0x18c7, ANY_COUNTER, SIG(FP_4_FLOPS) },	/* .4_FLOPS */		\
	{ 0x20c7, ANY_COUNTER, SIG(FP_256_SINGLE) },	/* .256B_PACKED_SINGLE */ \
	{ 0x60c7, ANY_COUNTER, SIG(FP_256_SINGLE) },	/* .8_FLOPS */		\
	{ 0xfcc7, ANY_COUNTER, SIG(FP_VECTOR) },	/* .VECTOR */		\
	{ 0x10b1, ANY_COUNTER, SIG(X87_UOPS) },		/* UOPS_EXECUTED.X87 */	\
	{ 0x02c4, ANY_COUNTER, EV_CALLS },	/* BR_INST_RETIRED.NEAR_CALL */	\
	{ 0x08c4, ANY_COUNTER, EV_RETURNS }	/* .NEAR_RETURN */

/* CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE, by the clock of the bus. */
#define ONE_THREAD_EVENT { 0x023c, ANY_COUNTER, EV_BUS_ALONE }

#endif
