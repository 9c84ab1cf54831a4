// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4 of the PMU model: what masks count, comparisons, tags.
 */
#include "tests/unit/model/p4_host.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static void load(struct host *h, uint64_t addr)
{
	p4_access(h, addr, 8, false);
}

static void store(struct host *h, uint64_t addr)
{
	p4_access(h, addr, 8, true);
}

static void mispredict(struct host *h, unsigned int times)
{
	static unsigned int n;

	/* Indirect jumps that never go where they went before. */
	for (; times; times--)
		host_branch_kind(h, CODE + 0x20, CODE + 0x1000 + 64 * (uint64_t)++n,
				 PMU_JMP_INDIRECT);
}

/* --- masks --- */

/* A bit of everything: retired and squashed, loads, stores, x87, branches. */
static void work(struct host *h)
{
	for (uint64_t i = 0; i < 50; i++) {
		load(h, FAR_LINE(i % 12));
		store(h, FAR_LINE(20) + 61);
		store(h, FAR_LINE(i % 12) + 8);
		load(h, FAR_LINE(i % 12) + 60);
		p4_access(h, FAR_LINE(40), 4, true);
		load(h, FAR_LINE(40));
		p4_insn(h, CODE + 0x2000, PMU_X87);
		p4_insn(h, CODE + 0x200, PMU_SCALAR_DP);
		p4_insn(h, CODE + 0x300, PMU_INTEGER | PMU_INSN_ROM);
		p4_run(h, 3);
		host_branch(h, CODE, i % 3, CODE + 0x40);
		host_branch_kind(h, CODE + 8, CODE + 0x80, PMU_CALL);
		host_branch_kind(h, CODE + 0x90, CODE + 0xa, PMU_RET);
	}
	mispredict(h, 5);
}

static const struct mask_row {
	unsigned int counter, escr, select, event;
	uint64_t mask;
	enum pmu_total more[3];
	unsigned int nr;
} mask_rows[] = {
	{ 4, 0x24, 1, 0x01, 0x04, { PMU_P4_TC_DI }, 1 },
	{ 4, 0x24, 1, 0x01, 0x24, { PMU_P4_TC_DI, PMU_P4_TC_BI }, 2 },
	{ 0, 0x12, 0, 0x03, 0x01, { PMU_P4_TC_MISSES }, 1 },
	{ 2, 0x17, 3, 0x18, 0x01, { PMU_P4_ITLB_HITS }, 1 },
	{ 2, 0x17, 3, 0x18, 0x03, { PMU_P4_ITLB_HITS, PMU_P4_ITLB_MISSES }, 2 },
	{ 8, SAAT0, 2, 0x08, 0x01, { PMU_P4_SPLIT_LOADS }, 1 },
	{ 10, SAAT1, 2, 0x04, 0x02, { PMU_P4_SPLIT_LOADS }, 1 },
	{ 9, SAAT0, 2, 0x05, 0x02, { PMU_P4_SPLIT_STORES }, 1 },
	{ 0, MOB0, 2, 0x03, 0x02, { PMU_P4_MOB_NO_STA }, 1 },
	{ 0, MOB0, 2, 0x03, 0x30, { PMU_P4_MOB_PARTIAL, PMU_P4_MOB_UNALIGNED }, 2 },
	{ 3, 0x0d, 4, 0x01, 0x03, { PMU_P4_WALKS_DATA, PMU_P4_WALKS_CODE }, 2 },
	{ 0, 0x00, 7, 0x0c, 0x002, { PMU_P4_L2_READ_HIT_E }, 1 },
	{ 0, 0x00, 7, 0x0c, 0x100, { PMU_P4_L2_READ_MISS }, 1 },
	{ 0, FSB0, 6, 0x03, 0x2821, { PMU_P4_BUS_READS }, 1 },
	{ 0, FSB0, 6, 0x03, 0x2861, { PMU_P4_BUS_READS, PMU_P4_BUS_WRITES }, 2 },
	{ 0, FSB0, 6, 0x03, 0x2820, { 0 }, 0 },		/* no type */
	{ 8, FIRM0, 1, 0x04, 0x8000, { PMU_P4_X87 }, 1 },
	{ 8, FIRM0, 1, 0x0e, 0x8000, { PMU_P4_SCALAR_DP }, 1 },
	{ 0, FSB0, 6, 0x13, 0x01, { PMU_CYCLES }, 1 },
	{ 5, 0x20, 0, 0x05, 0x01, { PMU_P4_ROM_ENTRIES }, 1 },
	{ 5, 0x20, 0, 0x09, 0x07, { PMU_P4_UOPS_BUILD, PMU_P4_UOPS_DELIVER, PMU_P4_UOPS_ROM }, 3 },
	{ 7, 0x23, 2, 0x04, 0x02, { PMU_P4_JCC }, 1 },
	{ 7, 0x23, 2, 0x04, 0x18, { PMU_P4_RET, PMU_P4_JMP_INDIRECT }, 2 },
	{ 6, 0x23, 2, 0x05, 0x10, { PMU_P4_MISSED_JMP_INDIRECT, PMU_P4_MISSED_RET }, 2 },
	{ 12, CRU0, 4, 0x02, 0x01, { PMU_INSTRUCTIONS }, 1 },
	{ 12, CRU0, 4, 0x02, 0x02, { 0 }, 0 },		/* nothing is tagged */
	{ 12, CRU0, 4, 0x02, 0x04, { PMU_P4_BOGUS_INSTRUCTIONS }, 1 },
	{ 12, CRU0, 4, 0x02, 0x0f, { PMU_INSTRUCTIONS, PMU_P4_BOGUS_INSTRUCTIONS }, 2 },
	{ 13, CRU0, 4, 0x01, 0x01, { PMU_P4_UOPS }, 1 },
	{ 13, CRU0, 4, 0x01, 0x02, { PMU_P4_BOGUS_UOPS }, 1 },
	{ 15, CRU3, 5, 0x06, 0x0f, { PMU_BRANCHES }, 1 },
	{ 15, CRU3, 5, 0x06, 0x0a, { PMU_BRANCH_MISSES }, 1 },
	{ 17, CRU1, 4, 0x03, 0x01, { PMU_BRANCH_MISSES }, 1 },
	{ 16, CRU0, 4, 0x07, 0x03, { PMU_INSTRUCTIONS, PMU_P4_BOGUS_INSTRUCTIONS }, 2 },
};

static void check_mask(const struct mask_row *r)
{
	uint64_t expected = 0;
	struct host h;

	user_host(&h, "p4", 0);
	p4_start(&h, r->counter, r->escr, ESCR_OF(r->event, r->mask, T0_USR),
		 CCCR_ON_SEL(r->select));
	work(&h);
	/* Everything in user mode was counted; nothing ran there before. */
	for (unsigned int i = 0; i < r->nr; i++)
		expected += host_total(&h, PMU_USER, r->more[i]);
	assert_int_equal(p4_count(&h, r->counter), expected);
	if (r->nr)
		assert_int_not_equal(expected, 0);
	host_free(&h);
}

static void test_masks_add_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mask_rows); i++)
		check_mask(&mask_rows[i]);
}

/* instr_completed is not in model 2. */
static void test_models_lack_events(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4-northwood", 0);
	p4_start(&h, 12, CRU0, ESCR_OF(7, 1, T0_USR), CCCR_ON_SEL(4));
	p4_run(&h, 50);
	assert_int_equal(p4_count(&h, 12), 0);
	host_free(&h);
}

/* A sum overflows exactly, however its addends come. */
static void test_sums_overflow_at_the_event(void **state)
{
	uint64_t so_far;
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_set(&h, ESCR(CRU0), ESCR_OF(2, 0xf, T0_USR));
	p4_set(&h, COUNTER(12), -UINT64_C(40) & WIDTH40);
	p4_set(&h, CCCR(12), CCCR_ON_SEL(4) | CCCR_PMI_T0);
	p4_run(&h, 10);
	mispredict(&h, 2);
	so_far = host_total(&h, PMU_USER, PMU_INSTRUCTIONS) +
		 host_total(&h, PMU_USER, PMU_P4_BOGUS_INSTRUCTIONS);
	assert_in_range(so_far, 13, 39);
	assert_int_equal(p4_count(&h, 12), (so_far - 40) & WIDTH40);
	p4_run(&h, 40 - so_far);
	host_boundary(&h);
	assert_int_equal(p4_count(&h, 12), 0);
	assert_int_equal(h.pmis, 0);
	p4_run(&h, 1);
	host_boundary(&h);
	assert_int_equal(h.pmis, 1);
	host_free(&h);
}

/* --- comparisons --- */

/* The clock of all cycles: any event, complement, threshold 15. */
static void test_clock_that_does_not_sleep(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 12, CRU2, ESCR_OF(0x0c, 0xff, T0_USR),
		 CCCR_ON_SEL(5) | CCCR_COMPARE | CCCR_COMPLEMENT | CCCR_THRESHOLD(15));
	work(&h);
	host_ring(&h, PMU_KERNEL);
	work(&h);
	host_boundary(&h);
	assert_in_range(p4_count(&h, 12), host_total(&h, PMU_USER, PMU_CYCLES) +
			host_total(&h, PMU_KERNEL, PMU_CYCLES) - 4,
			host_total(&h, PMU_USER, PMU_CYCLES) +
			host_total(&h, PMU_KERNEL, PMU_CYCLES));
	host_free(&h);
}

/* Two instructions a cycle: more than 1 in each, more than 2 in none. */
static void test_thresholds(void **state)
{
	static const struct {
		uint64_t cccr, expected;
	} rows[] = {
		{ CCCR_THRESHOLD(0), 100 }, { CCCR_THRESHOLD(1), 100 }, { CCCR_THRESHOLD(2), 0 },
		{ CCCR_THRESHOLD(0) | CCCR_COMPLEMENT, 0 },
		{ CCCR_THRESHOLD(1) | CCCR_COMPLEMENT, 0 },
		{ CCCR_THRESHOLD(2) | CCCR_COMPLEMENT, 100 },
		{ CCCR_THRESHOLD(0) | CCCR_EDGE, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t before;
		struct host h;

		user_host(&h, "p4", 0);
		p4_start(&h, 12, CRU0, INSTR_RETIRED(1, T0_USR),
			 CCCR_ON_SEL(4) | CCCR_COMPARE | rows[i].cccr);
		p4_run(&h, 100);
		before = p4_count(&h, 12);
		p4_run(&h, 200);
		assert_int_equal(p4_count(&h, 12) - before,
				 rows[i].cccr & CCCR_EDGE ? 0 : rows[i].expected);
		host_free(&h);
	}
}

/* A stall between: instructions begin again. */
static void test_edges(void **state)
{
	uint64_t before;
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	load(&h, FAR_LINE(0));
	p4_start(&h, 12, CRU0, INSTR_RETIRED(1, T0_USR), CCCR_ON_SEL(4) | CCCR_COMPARE | CCCR_EDGE);
	p4_run(&h, 10);
	before = p4_count(&h, 12);
	for (uint64_t i = 1; i <= 7; i++) {
		load(&h, FAR_LINE(100 + i));
		p4_run(&h, 10);
	}
	assert_int_equal(p4_count(&h, 12) - before, 7);
	host_free(&h);
}

/* Without the compare bit threshold, complement and edge do nothing. */
static void test_no_comparison_without_its_bit(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 12, CRU0, INSTR_RETIRED(1, T0_USR),
		 CCCR_ON_SEL(4) | CCCR_COMPLEMENT | CCCR_EDGE | CCCR_THRESHOLD(3));
	p4_run(&h, 100);
	assert_int_equal(p4_count(&h, 12), 100);
	host_free(&h);
}

/* --- tags --- */

/* uop_type tags while a counter powers its ESCR, or that of the other half. */
static void test_front_end_tags(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_set(&h, ESCR(RAT0), ESCR_OF(2, 2, T0_USR));		/* TAGLOADS */
	p4_start(&h, 12, CRU2, ESCR_OF(8, 1, T0_USR), CCCR_ON_SEL(5));
	p4_start(&h, 14, CRU1, INSTR_RETIRED(2, T0_USR), CCCR_ON_SEL(4));
	load(&h, FAR_LINE(0));
	assert_int_equal(p4_count(&h, 12), 0);
	p4_start(&h, 15, RAT1, 0, CCCR_ON_SEL(2));
	p4_set(&h, ESCR(RAT0), ESCR_OF(2, 2, T0_USR));
	load(&h, FAR_LINE(0));
	store(&h, FAR_LINE(0));
	load(&h, FAR_LINE(0));
	p4_run(&h, 5);
	assert_int_equal(p4_count(&h, 12), 2);
	assert_int_equal(p4_count(&h, 14), 2);
	p4_set(&h, ESCR(RAT0), ESCR_OF(2, 6, T0_USR));		/* and TAGSTORES */
	store(&h, FAR_LINE(0));
	assert_int_equal(p4_count(&h, 12), 3);
	assert_int_equal(p4_count(&h, 15), 0);
	host_free(&h);
}

static void test_squashed_tags_are_bogus(void **state)
{
	uint64_t squashed;
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 15, RAT1, ESCR_OF(2, 2, T0_USR), CCCR_ON_SEL(2));
	p4_start(&h, 12, CRU2, ESCR_OF(8, 2, T0_USR), CCCR_ON_SEL(5));
	p4_start(&h, 14, CRU1, INSTR_RETIRED(8, T0_USR), CCCR_ON_SEL(4));
	mispredict(&h, 4);
	squashed = host_total(&h, PMU_USER, PMU_P4_BOGUS_LOADS);
	assert_int_not_equal(squashed, 0);
	assert_int_equal(p4_count(&h, 12), squashed);
	assert_int_equal(p4_count(&h, 14), host_total(&h, PMU_USER, PMU_P4_BOGUS_TAGGED));
	host_free(&h);
}

/* Four tags, each of its own upstream event. */
static void test_execution_tags(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 8, FIRM0, ESCR_OF(4, 0x8000, T0_USR) | TAG(0), CCCR_ON_SEL(1));
	p4_start(&h, 10, FIRM1, ESCR_OF(0xe, 0x8000, T0_USR) | TAG(2), CCCR_ON_SEL(1));
	p4_start(&h, 12, CRU2, ESCR_OF(0xc, 1, T0_USR), CCCR_ON_SEL(5));
	p4_start(&h, 14, CRU3, ESCR_OF(0xc, 4, T0_USR), CCCR_ON_SEL(5));
	for (int i = 0; i < 3; i++)
		p4_insn(&h, CODE, PMU_X87);
	for (int i = 0; i < 5; i++)
		p4_insn(&h, CODE, PMU_SCALAR_DP);
	p4_insn(&h, CODE, PMU_PACKED_SP);
	assert_int_equal(p4_count(&h, 12), 3);
	assert_int_equal(p4_count(&h, 14), 5);
	p4_set(&h, ESCR(CRU2), ESCR_OF(0xc, 5, T0_USR));
	p4_insn(&h, CODE, PMU_X87);
	p4_insn(&h, CODE, PMU_SCALAR_DP);
	assert_int_equal(p4_count(&h, 12), 5);
	p4_set(&h, ESCR(FIRM0), ESCR_OF(4, 0x8000, T0_USR));	/* no tag any more */
	p4_insn(&h, CODE, PMU_X87);
	assert_int_equal(p4_count(&h, 12), 5);
	host_free(&h);
}

/* Replays: what is tagged, by cause and kind. */
static const struct replay_row {
	uint64_t enable, vert;
	enum pmu_total total;
	unsigned int counter, escr, select;	/* upstream, 0: none */
	uint64_t event;
} replay_rows[] = {
	{ 1u << 24 | 1, 1, PMU_L1D_MISSES, 0, 0, 0, 0 },
	{ 1u << 24 | 4, 1, PMU_P4_DTLB_LOAD_MISSES, 0, 0, 0, 0 },
	{ 1u << 24 | 4, 2, PMU_P4_DTLB_STORE_MISSES, 0, 0, 0, 0 },
	{ 1u << 24 | 3u << 15, 1u << 4, PMU_BRANCH_MISSES, 0, 0, 0, 0 },
	{ 1u << 24 | 1u << 10, 1, PMU_P4_SPLIT_LOADS, 10, SAAT1, 2, ESCR_OF(4, 2, T0_USR) },
};

static void replay_work(struct host *h)
{
	for (uint64_t i = 0; i < 40; i++) {
		load(h, FAR_LINE(i * 3) + 60);
		store(h, FAR_LINE(500 + i * 7));
	}
	mispredict(h, 6);
}

static void test_replay_tags(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(replay_rows); i++) {
		const struct replay_row *r = &replay_rows[i];
		uint64_t before, expected;
		struct host h;

		user_host(&h, "p4", 0);
		p4_set(&h, MSR_PEBS_ENABLE, r->enable & ~(UINT64_C(1) << 24));
		p4_set(&h, MSR_MATRIX_VERT, r->vert);
		if (r->counter)
			p4_start(&h, r->counter, r->escr, r->event, CCCR_ON_SEL(r->select));
		p4_start(&h, 12, CRU2, ESCR_OF(9, 1, T0_USR), CCCR_ON_SEL(5));
		pmu_force(h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
		replay_work(&h);
		assert_int_equal(p4_count(&h, 12), 0);
		p4_set(&h, MSR_PEBS_ENABLE, r->enable);
		before = host_total(&h, PMU_USER, r->total);
		pmu_flush(h.pmu, UINT64_MAX);
		replay_work(&h);
		expected = host_total(&h, PMU_USER, r->total) - before;
		assert_int_not_equal(expected, 0);
		assert_int_equal(p4_count(&h, 12), expected);
		host_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_masks_add_up),
		cmocka_unit_test(test_models_lack_events),
		cmocka_unit_test(test_sums_overflow_at_the_event),
		cmocka_unit_test(test_clock_that_does_not_sleep),
		cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_no_comparison_without_its_bit),
		cmocka_unit_test(test_front_end_tags),
		cmocka_unit_test(test_squashed_tags_are_bogus),
		cmocka_unit_test(test_execution_tags),
		cmocka_unit_test(test_replay_tags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
