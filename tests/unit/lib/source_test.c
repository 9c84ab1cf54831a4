// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the data of a load came from: each value that the hardware writes, on each generation, is
 * what Linux 6.12 makes of it (arch/x86/events/intel/ds.c).  The two differ on purpose in memory
 * behind persistent modules, of which Linux says a snoop, and in remote memory before Skylake,
 * which it has as the third level.
 */
#include "lib/record/dump.h"
#include "tests/unit/cmocka_all.h"

#define LATENCY 0x01cd

/* The fields of a word; -1: is not looked at. */
struct fields {
	int level, number, remote, snoop, snoopx;
};

#define HIT(level) (PERF_MEM_LVL_HIT | PERF_MEM_LVL_##level)
#define N(number) PERF_MEM_LVLNUM_##number
#define S(snoop) PERF_MEM_SNOOP_##snoop
#define NONE_MISS (S(NONE) | S(MISS))

/* Since Sandy Bridge; Nehalem's and Skylake's come below. */
static const struct fields usual[16] = {
	{ PERF_MEM_LVL_MISS | PERF_MEM_LVL_L3, N(L3), 0, S(NA), 0 },
	{ HIT(L1), N(L1), 0, S(NONE), 0 },
	{ HIT(LFB), N(LFB), 0, S(NONE), 0 },
	{ HIT(L2), N(L2), 0, S(NONE), 0 },
	{ HIT(L3), N(L3), 0, S(NONE), 0 },
	{ HIT(L3), N(L3), 0, S(MISS), 0 },
	{ HIT(L3), N(L3), 0, S(HIT), 0 },
	{ HIT(L3), N(L3), 0, S(HITM), 0 },
	{ HIT(REM_CCE1), -1, 1, S(HIT), 0 },
	{ HIT(REM_CCE1), -1, 1, S(HITM), 0 },
	{ HIT(LOC_RAM), N(RAM), 0, S(HIT), 0 },
	{ HIT(REM_RAM1), N(RAM), 1, S(HIT), 0 },
	{ HIT(LOC_RAM), N(RAM), 0, NONE_MISS, 0 },
	{ HIT(REM_RAM1), N(RAM), 1, NONE_MISS, 0 },
	{ HIT(IO), N(NA), 0, S(NONE), 0 },
	{ HIT(UNC), N(NA), 0, S(NONE), 0 },
};

static const struct {
	enum generation first, last;
	unsigned int source;
	struct fields f;
} others[] = {
	{ GEN_NHM, GEN_WSM, 0x5, { HIT(L3), N(L3), 0, S(HIT), 0 } },
	{ GEN_NHM, GEN_WSM, 0x6, { HIT(L3), N(L3), 0, S(HITM), 0 } },
	{ GEN_NHM, GEN_WSM, 0x7, { HIT(L3), N(L3), 0, S(HITM), 0 } },
	{ GEN_SKL, GEN_SPR, 0x8, { PERF_MEM_LVL_HIT, N(PMEM), 0, -1, 0 } },
	{ GEN_SKL, GEN_SPR, 0x9, { PERF_MEM_LVL_HIT, N(PMEM), 1, -1, 0 } },
	{ GEN_SKL, GEN_SPR, 0xb, { -1, N(RAM), 1, -1, 0 } },
	{ GEN_SKL, GEN_SPR, 0xc, { PERF_MEM_LVL_HIT, N(ANY_CACHE), 1, -1, PERF_MEM_SNOOPX_FWD } },
	{ GEN_SKL, GEN_SPR, 0xd, { PERF_MEM_LVL_HIT, N(ANY_CACHE), 1, S(HITM), 0 } },
};

static const struct fields *wanted(enum generation generation, unsigned int source)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i].first <= generation && generation <= others[i].last &&
		    others[i].source == source)
			return &others[i].f;
	return &usual[source];
}

static struct session_event event(uint64_t code)
{
	return (struct session_event){ .reg = { { PMUCTL_REGISTER_EVTSEL, 0, code },
						{ PMUCTL_REGISTER_LD_LAT, 0, 3 } },
				       .nr_regs = code == LATENCY || code == 0x100b ||
					  code == 0x05d0 ? 2 : 1 };
}

static union perf_mem_data_src source_of(enum generation generation, uint64_t code, uint64_t raw)
{
	const struct session_event e = event(code);

	return (union perf_mem_data_src){ .val = dump_data_source(generation, &e, raw) };
}

static bool is(int want, unsigned int got)
{
	return want < 0 || (unsigned int)want == got;
}

static void sources(void **state)
{
	enum generation generation;
	const struct fields *f;
	union perf_mem_data_src s;
	unsigned int i;

	(void)state;
	for (generation = GEN_NHM; generation <= GEN_SPR; generation++)
		for (i = 0; i < 16; i++) {
			f = wanted(generation, i);
			s = source_of(generation, generation <= GEN_WSM ? 0x100b : LATENCY, i);
			if (!is(f->level, s.mem_lvl) || !is(f->number, s.mem_lvl_num) ||
			    !is(f->remote, s.mem_remote) || !is(f->snoop, s.mem_snoop) ||
			    !is(f->snoopx, s.mem_snoopx) || s.mem_op != PERF_MEM_OP_LOAD)
				fail_msg("generation %d, source %x: %#llx", generation, i, s.val);
		}
}

/* Bit 4: the second level of the TLB missed; bit 5: a locked one.  Not on Nehalem. */
static void tlb_and_locks(void **state)
{
	const unsigned int hit = PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2;
	enum generation generation;

	(void)state;
	for (generation = GEN_SNB; generation <= GEN_SPR; generation++) {
		assert_int_equal(source_of(generation, LATENCY, 0x01).mem_dtlb, hit);
		assert_int_equal(source_of(generation, LATENCY, 0x11).mem_dtlb,
				 PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2);
		assert_int_equal(source_of(generation, LATENCY, 0x11).mem_lock, 0);
		assert_int_equal(source_of(generation, LATENCY, 0x21).mem_lock,
				 PERF_MEM_LOCK_LOCKED);
		assert_int_equal(source_of(generation, LATENCY, 0x21).mem_dtlb, hit);
	}
	assert_int_equal(source_of(GEN_NHM, 0x100b, 0x31).mem_dtlb, PERF_MEM_TLB_NA);
	assert_int_equal(source_of(GEN_NHM, 0x100b, 0x31).mem_lock, PERF_MEM_LOCK_NA);
}

/* Bits 6 and 7, from Sapphire Rapids on. */
static void blocks(void **state)
{
	(void)state;
	assert_int_equal(source_of(GEN_SPR, LATENCY, 0x01).mem_blk, PERF_MEM_BLK_NA);
	assert_int_equal(source_of(GEN_SPR, LATENCY, 0x41).mem_blk, PERF_MEM_BLK_DATA);
	assert_int_equal(source_of(GEN_SPR, LATENCY, 0x81).mem_blk, PERF_MEM_BLK_ADDR);
	assert_int_equal(source_of(GEN_ICX, LATENCY, 0xc1).mem_blk, 0);
}

#define SMALL_LATENCY 0x05d0
/* As newer headers have them: PERF_MEM_LVLNUM_L2_MHB and _MSC. */
#define L2_MISS_BUFFER 5
#define MEMORY_SIDE 6

static const struct {
	enum generation generation;
	unsigned int source;
	struct fields f;
} small[] = {
	{ GEN_GRT, 0x1, { HIT(L1), N(L1), 0, S(NONE), 0 } },
	{ GEN_GRT, 0x5, { HIT(L3), N(L3), 0, S(HIT), 0 } },
	{ GEN_GRT, 0x6, { HIT(L3), N(L3), 0, S(HITM), 0 } },
	{ GEN_GRT, 0x8, { HIT(L3), N(L3), 0, -1, PERF_MEM_SNOOPX_FWD } },
	{ GEN_GRT, 0xa, { HIT(LOC_RAM), N(RAM), 0, S(HIT), 0 } },
	{ GEN_CMT, 0x4, { HIT(L3), N(L3), 0, S(NONE), 0 } },
	{ GEN_CMT, 0x7, { HIT(L3), N(L3), 0, -1, PERF_MEM_SNOOPX_FWD } },
	{ GEN_CMT, 0x8, { HIT(L3), N(L3), 0, S(HITM), 0 } },
	{ GEN_CMT, 0xa, { HIT(LOC_RAM), N(RAM), 0, S(NONE), 0 } },
	{ GEN_CMT, 0xb, { PERF_MEM_LVL_HIT, N(RAM), 1, S(NONE), 0 } },
	{ GEN_CMT, 0xc, { PERF_MEM_LVL_HIT, N(RAM), 1, -1, PERF_MEM_SNOOPX_FWD } },
	{ GEN_CMT, 0xd, { PERF_MEM_LVL_HIT, N(RAM), 1, S(HITM), 0 } },
	{ GEN_CMT, 0x11, { PERF_MEM_LVL_NA, 0, 0, S(NA), 0 } },
	{ GEN_SKT, 0x7, { HIT(L3), N(L3), 0, -1, PERF_MEM_SNOOPX_FWD } },
	{ GEN_SKT, 0xd, { PERF_MEM_LVL_HIT, N(RAM), 1, S(HITM), 0 } },
	{ GEN_SKT, 0x11, { PERF_MEM_LVL_NA, 0, 0, S(NA), 0 } },
	{ GEN_DKT, 0x7, { HIT(L3), N(L3), 0, -1, PERF_MEM_SNOOPX_FWD } },
	{ GEN_DKT, 0xa, { HIT(LOC_RAM), N(RAM), 0, S(NONE), 0 } },
	{ GEN_CGC, 0x6, { PERF_MEM_LVL_HIT, L2_MISS_BUFFER, 0, S(NONE), 0 } },
	{ GEN_CGC, 0x10, { PERF_MEM_LVL_HIT, MEMORY_SIDE, 0, S(NONE), 0 } },
	{ GEN_LNC, 0x1, { HIT(L1), N(L1), 0, S(NONE), 0 } },
	{ GEN_LNC, 0x2, { HIT(L1), N(L1), 0, S(NONE), 0 } },
	{ GEN_LNC, 0x3, { HIT(LFB), N(LFB), 0, S(NONE), 0 } },
	{ GEN_LNC, 0x4, { 0, N(NA), 0, S(NA), 0 } },
	{ GEN_LNC, 0x5, { HIT(L2), N(L2), 0, S(NONE), 0 } },
	{ GEN_LNC, 0x6, { PERF_MEM_LVL_HIT, L2_MISS_BUFFER, 0, S(NONE), 0 } },
	{ GEN_LNC, 0x8, { HIT(L3), N(L3), 0, S(NONE), 0 } },
	{ GEN_LNC, 0xc, { HIT(L3), N(L3), 0, -1, PERF_MEM_SNOOPX_FWD } },
	{ GEN_LNC, 0xf, { PERF_MEM_LVL_MISS | PERF_MEM_LVL_L3, N(L3), 0, S(HITM), 0 } },
	{ GEN_LNC, 0x10, { PERF_MEM_LVL_HIT, MEMORY_SIDE, 0, S(NONE), 0 } },
	{ GEN_LNC, 0x11, { HIT(LOC_RAM), N(RAM), 0, S(NONE), 0 } },
	{ GEN_LNC, 0x12, { 0, N(NA), 0, S(NA), 0 } },
	{ GEN_ADL, 0x8, { PERF_MEM_LVL_HIT, N(L4), 0, -1, 0 } },
	{ GEN_ADL, 0xd, { PERF_MEM_LVL_HIT, N(ANY_CACHE), 1, S(HITM), 0 } },
};

/* Gracemont has lock and TLB in bits 4 and 5, Crestmont a bit more of the source before them. */
static void small_cores(void **state)
{
	union perf_mem_data_src s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
		const struct fields *f = &small[i].f;

		s = source_of(small[i].generation,
			      small[i].generation <= GEN_CGC ? LATENCY : SMALL_LATENCY,
			      small[i].source);
		if (!is(f->level, s.mem_lvl) || !is(f->number, s.mem_lvl_num) ||
		    !is(f->remote, s.mem_remote) || !is(f->snoop, s.mem_snoop) ||
		    !is(f->snoopx, s.mem_snoopx) || s.mem_op != PERF_MEM_OP_LOAD)
			fail_msg("generation %d, source %x: %#llx", small[i].generation,
				 small[i].source, s.val);
	}
	assert_int_equal(source_of(GEN_GRT, SMALL_LATENCY, 0x11).mem_lock, PERF_MEM_LOCK_LOCKED);
	assert_int_equal(source_of(GEN_GRT, SMALL_LATENCY, 0x21).mem_lock, 0);
	assert_true(source_of(GEN_GRT, SMALL_LATENCY, 0x21).mem_dtlb & PERF_MEM_TLB_MISS);
	assert_int_equal(source_of(GEN_GRT, SMALL_LATENCY, 0x41).mem_blk, PERF_MEM_BLK_DATA);
	assert_int_equal(source_of(GEN_GRT, SMALL_LATENCY, 0x81).mem_blk, PERF_MEM_BLK_NA);
	assert_int_equal(source_of(GEN_CMT, SMALL_LATENCY, 0x21).mem_lock, PERF_MEM_LOCK_LOCKED);
	assert_true(source_of(GEN_CMT, SMALL_LATENCY, 0x41).mem_dtlb & PERF_MEM_TLB_MISS);
	assert_int_equal(source_of(GEN_CMT, SMALL_LATENCY, 0x81).mem_blk, PERF_MEM_BLK_DATA);
	assert_int_equal(source_of(GEN_CMT, 0x06d0, 0x3).mem_op, PERF_MEM_OP_STORE);
	assert_int_equal(source_of(GEN_CMT, 0x06d0, 0x3).mem_lvl, HIT(L2));
	assert_int_equal(source_of(GEN_CMT, 0x82d0, 0x1).mem_op, PERF_MEM_OP_STORE);
	assert_int_equal(source_of(GEN_CMT, 0x82d0, 0x1).mem_lvl, PERF_MEM_LVL_NA);
	assert_int_equal(source_of(GEN_TNT, 0x81d0, 0x1).mem_op, PERF_MEM_OP_LOAD);
}

/* Linux's lnc_latency_data: bits behind a source of eight, or ten. */
static void lion_cove(void **state)
{
	(void)state;
	assert_true(source_of(GEN_LNC, LATENCY, 0x411).mem_dtlb & PERF_MEM_TLB_MISS);
	assert_true(source_of(GEN_LNC, LATENCY, 0x11).mem_dtlb & PERF_MEM_TLB_HIT);
	assert_int_equal(source_of(GEN_LNC, LATENCY, 0x11).mem_lock, 0);
	assert_int_equal(source_of(GEN_LNC, LATENCY, 0x801).mem_lock, PERF_MEM_LOCK_LOCKED);
	assert_int_equal(source_of(GEN_LNC, LATENCY, 0x1001).mem_blk, PERF_MEM_BLK_DATA);
	assert_int_equal(source_of(GEN_LNC, LATENCY, 0x2001).mem_blk, PERF_MEM_BLK_ADDR);
	assert_int_equal(source_of(GEN_LNC, LATENCY, 0x1).mem_blk, PERF_MEM_BLK_NA);
	assert_int_equal(source_of(GEN_LNC, 0x02cd, 0x5).mem_op, PERF_MEM_OP_STORE);
	assert_int_equal(source_of(GEN_LNC, 0x02cd, 0x5).mem_lvl, HIT(L2));
	assert_int_equal(source_of(GEN_CGC, 0x02cd, 0x5).mem_lvl, HIT(L2));
	assert_int_equal(source_of(GEN_CGC, LATENCY, 0x801).mem_lock, PERF_MEM_LOCK_LOCKED);
	assert_int_equal(source_of(GEN_DKT, 0x06d0, 0x3).mem_lvl, HIT(L2));
	assert_int_equal(source_of(GEN_DKT, SMALL_LATENCY, 0x21).mem_lock, PERF_MEM_LOCK_LOCKED);
}

static void stores(void **state)
{
	union perf_mem_data_src s = source_of(GEN_HSW, 0x82d0, 0x1);

	(void)state;
	assert_int_equal(s.mem_op, PERF_MEM_OP_STORE);
	assert_int_equal(s.mem_lvl, PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT);
	s = source_of(GEN_HSW, 0x82d0, 0x0);
	assert_int_equal(s.mem_lvl, PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS);
	assert_int_equal(source_of(GEN_SPR, 0x02cd, 0x1).mem_op, PERF_MEM_OP_STORE);
}

/* Of loads that are no latency it says that they are loads, and of instructions nothing. */
static void kinds(void **state)
{
	static const uint64_t loads[] = { 0x81d0, 0x11d0, 0x01d1, 0x20d1, 0x04d2, 0x01d3, 0x04d4 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		assert_int_equal(source_of(GEN_SKL, loads[i], 0x1).mem_op, PERF_MEM_OP_LOAD);
		assert_int_equal(source_of(GEN_SKL, loads[i], 0x1).mem_lvl, PERF_MEM_LVL_NA);
	}
	assert_int_equal(source_of(GEN_SKL, 0x83d0, 0x1).mem_op, PERF_MEM_OP_NA);
	assert_int_equal(source_of(GEN_SKL, 0x00c0, 0x1).mem_op, PERF_MEM_OP_NA);
	assert_int_equal(source_of(GEN_SKL, 0x01d5, 0x1).mem_op, PERF_MEM_OP_NA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources),
		cmocka_unit_test(tlb_and_locks),
		cmocka_unit_test(blocks),
		cmocka_unit_test(small_cores),
		cmocka_unit_test(lion_cove),
		cmocka_unit_test(stores),
		cmocka_unit_test(kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
