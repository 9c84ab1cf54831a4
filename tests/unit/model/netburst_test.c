// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens in the PMU model's Pentium 4, as its truth has it: uops, squashed work,
 * translations, the second level, stores in front of loads, the trace cache.
 */
#include "tests/unit/model/p4_host.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define DATA UINT64_C(0x10000000)

static void truth_host(struct host *h)
{
	user_host(h, "p4", 0);
	pmu_force(h->pmu, PMU_NEED_ALL | PMU_NEED_KIND);
}

static uint64_t total(struct host *h, enum pmu_total what)
{
	return host_total(h, PMU_USER, what);
}

struct access {
	uint64_t addr;
	unsigned int size;		/* 0: no more of them */
	bool store;
};

static void insn(struct host *h, uint64_t ip, uint32_t what, const struct access *access)
{
	host_start(h);
	pmu_insn(h->pmu, ip, what);
	for (; access && access->size; access++)
		pmu_mem(h->pmu, access->addr, access->size, access->store);
	h->retired++;
}

static void load(struct host *h, uint64_t addr, unsigned int size)
{
	insn(h, CODE, PMU_INSN_MOVE, (struct access[]) { { addr, size, false }, { 0 } });
}

static void store(struct host *h, uint64_t addr, unsigned int size)
{
	insn(h, CODE, PMU_INSN_MOVE, (struct access[]) { { addr, size, true }, { 0 } });
}

static const struct access one[] = { { DATA, 8, false }, { 0 } };
static const struct access two[] = { { DATA, 8, false }, { DATA + 64, 8, true }, { 0 } };

static const struct uop_case {
	uint32_t what;
	const struct access *access;
	unsigned int uops;
} uop_cases[] = {
	{ PMU_INTEGER, NULL, 1 },
	{ PMU_INTEGER, one, 2 },
	{ PMU_INTEGER, two, 3 },
	{ PMU_INSN_MOVE, NULL, 1 },
	{ PMU_INSN_MOVE, one, 1 },
	{ PMU_INSN_MOVE, two, 2 },
	{ PMU_PACKED_SP, one, 2 },
	{ PMU_INSN_ROM, NULL, 5 },
	{ PMU_INSN_ROM, two, 7 },
};

static void test_uops_follow_the_rule(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(uop_cases); i++) {
		const struct uop_case *c = &uop_cases[i];
		bool rom = c->what & PMU_INSN_ROM;
		struct host h;

		truth_host(&h);
		insn(&h, CODE, c->what, c->access);
		assert_int_equal(total(&h, PMU_P4_UOPS), c->uops);
		assert_int_equal(total(&h, PMU_P4_UOPS_ROM), rom ? c->uops : 0);
		assert_int_equal(total(&h, PMU_P4_UOPS_BUILD), rom ? 0 : c->uops);
		assert_int_equal(total(&h, PMU_P4_ROM_ENTRIES), rom);
		host_free(&h);
	}
}

static void test_units_have_their_own_uops(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	for (uint32_t unit = PMU_X87; unit <= PMU_SIMD_LOAD; unit++)
		for (uint32_t n = 0; n < unit; n++)
			insn(&h, CODE, unit, NULL);
	for (uint32_t unit = PMU_X87; unit <= PMU_SIMD_LOAD; unit++)
		assert_int_equal(total(&h, PMU_P4_X87 + unit - PMU_X87), unit);
	host_free(&h);
}

/* Nothing of an instruction that faults stays; the next one has its number. */
static void test_what_does_not_retire_is_undone(void **state)
{
	const uint64_t *totals;
	uint64_t before[PMU_TOTALS];
	struct host h;

	(void)state;
	truth_host(&h);
	insn(&h, CODE, PMU_INSN_ROM, two);
	host_boundary(&h);
	totals = pmu_totals(h.pmu, PMU_USER);
	for (int i = 0; i < PMU_TOTALS; i++)
		before[i] = totals[i];
	host_start(&h);
	pmu_insn(h.pmu, CODE + 0x5000, PMU_X87 | PMU_INSN_ROM);
	pmu_mem(h.pmu, DATA + 0x10003e, 8, true);
	pmu_mem(h.pmu, DATA + 0x200000, 8, false);
	pmu_unretire(h.pmu);
	host_boundary(&h);
	for (int i = 0; i < PMU_TOTALS; i++)
		if (i < PMU_P4_TC_DD || i > PMU_P4_TC_IB)
			assert_int_equal(totals[i], before[i]);
	host_free(&h);
}

static void test_a_rep_is_one_instruction_with_many_accesses(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	for (int round = 0; round < 10; round++) {
		host_start(&h);
		pmu_insn(h.pmu, CODE, PMU_INSN_ROM);
		pmu_mem(h.pmu, DATA + 8 * (uint64_t)round, 8, false);
		if (round < 9)
			pmu_rep_again(h.pmu);
	}
	h.retired++;
	assert_int_equal(total(&h, PMU_INSTRUCTIONS), 1);
	assert_int_equal(total(&h, PMU_P4_UOPS), 5 + 10);
	assert_int_equal(total(&h, PMU_P4_ROM_ENTRIES), 1);
	assert_int_equal(total(&h, PMU_LOADS), 10);
	host_free(&h);
}

/* A branch that goes another way than the last ten times. */
static void test_a_misprediction_squashes_the_same_each_time(void **state)
{
	uint64_t missed;
	struct host h;

	(void)state;
	truth_host(&h);
	for (int i = 0; i < 200; i++)
		host_branch(&h, CODE, i % 50 != 49, CODE + 64);
	missed = total(&h, PMU_BRANCH_MISSES);
	assert_true(missed > 2);
	assert_int_equal(total(&h, PMU_P4_JCC), 200);
	assert_int_equal(total(&h, PMU_P4_MISSED_JCC), missed);
	assert_int_equal(total(&h, PMU_P4_BOGUS_INSTRUCTIONS), 12 * missed);
	assert_int_equal(total(&h, PMU_P4_BOGUS_UOPS), 18 * missed);
	assert_int_equal(total(&h, PMU_P4_BOGUS_LOADS), 4 * missed);
	assert_int_equal(total(&h, PMU_P4_BOGUS_STORES), 2 * missed);
	assert_int_equal(total(&h, PMU_P4_UOPS_DELIVER), 18 * missed);
	host_free(&h);
}

static void test_branches_are_told_apart_by_kind(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	for (unsigned int kind = PMU_JCC; kind <= PMU_FAR; kind++)
		for (unsigned int n = 0; n <= kind; n++)
			host_branch_kind(&h, CODE + 256 * kind, CODE, (enum pmu_branch_kind)kind);
	for (unsigned int kind = PMU_JCC; kind <= PMU_FAR; kind++)
		assert_int_equal(total(&h, PMU_P4_JCC + kind), kind + 1);
	host_free(&h);
}

/* Nine lines of a set of eight: the first of them is in the second level only. */
static void push_out(struct host *h, uint64_t addr)
{
	for (uint64_t i = 1; i <= 8; i++)
		load(h, addr + 0x2000 * i, 8);
}

static void test_lines_of_the_second_level_have_states(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	load(&h, DATA, 8);
	push_out(&h, DATA);
	/* The code's line is a miss as well. */
	assert_int_equal(total(&h, PMU_P4_L2_READ_MISS), 10);
	load(&h, DATA, 8);
	assert_int_equal(total(&h, PMU_P4_L2_READ_HIT_E), 1);
	store(&h, DATA, 8);
	push_out(&h, DATA);
	load(&h, DATA, 8);
	assert_int_equal(total(&h, PMU_P4_L2_READ_HIT_M), 1);
	assert_int_equal(total(&h, PMU_P4_L2_WRITE_MISS), 0);
	load(&h, CODE, 8);
	assert_int_equal(total(&h, PMU_P4_L2_READ_HIT_S), 1);
	assert_int_equal(total(&h, PMU_P4_BUS_READS), total(&h, PMU_P4_L2_READ_MISS));
	host_free(&h);
}

static void test_translations_are_kept_until_they_are_flushed(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	load(&h, DATA, 8);
	store(&h, DATA + 64, 8);
	assert_int_equal(total(&h, PMU_P4_DTLB_LOAD_MISSES), 1);
	assert_int_equal(total(&h, PMU_P4_DTLB_STORE_MISSES), 0);
	load(&h, DATA + 0x1ffc, 8);		/* two pages, both new */
	assert_int_equal(total(&h, PMU_P4_DTLB_LOAD_MISSES), 2);
	assert_int_equal(total(&h, PMU_P4_WALKS_DATA), 3);
	pmu_flush(h.pmu, DATA);
	load(&h, DATA + 0x1000, 8);
	store(&h, DATA, 8);
	assert_int_equal(total(&h, PMU_P4_DTLB_LOAD_MISSES), 2);
	assert_int_equal(total(&h, PMU_P4_DTLB_STORE_MISSES), 1);
	pmu_flush(h.pmu, UINT64_MAX);
	load(&h, DATA + 0x1000, 8);
	assert_int_equal(total(&h, PMU_P4_DTLB_LOAD_MISSES), 3);
	host_free(&h);
}

static void test_code_is_looked_up_page_by_page(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	for (int i = 0; i < 10; i++) {
		insn(&h, CODE, PMU_INTEGER, NULL);
		insn(&h, CODE + 64, PMU_INTEGER, NULL);
		insn(&h, CODE + 0x1000, PMU_INTEGER, NULL);
	}
	assert_int_equal(total(&h, PMU_P4_ITLB_MISSES), 2);
	assert_int_equal(total(&h, PMU_P4_ITLB_HITS), 18);
	assert_int_equal(total(&h, PMU_P4_WALKS_CODE), 2);
	assert_int_equal(total(&h, PMU_P4_TC_MISSES), 3);
	assert_int_equal(total(&h, PMU_P4_UOPS_BUILD), 3);
	assert_int_equal(total(&h, PMU_P4_UOPS_DELIVER), 27);
	host_free(&h);
}

/* A loop in a line that was built is delivered from its second round on. */
static void test_a_loop_is_built_once(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	for (int i = 0; i < 10; i++) {
		insn(&h, CODE, PMU_INTEGER, NULL);
		insn(&h, CODE + 4, PMU_INTEGER, NULL);
	}
	assert_int_equal(total(&h, PMU_P4_TC_MISSES), 1);
	assert_int_equal(total(&h, PMU_P4_ITLB_MISSES) + total(&h, PMU_P4_ITLB_HITS), 1);
	assert_int_equal(total(&h, PMU_P4_UOPS_BUILD), 2);
	assert_int_equal(total(&h, PMU_P4_UOPS_DELIVER), 18);
	host_free(&h);
}

static const struct mob_case {
	struct access store, load;
	unsigned int between;		/* instructions */
	enum pmu_total event;
} mob_cases[] = {
	{ { DATA, 4, true }, { DATA, 4, false }, 0, PMU_P4_MOB_NO_STD },
	{ { DATA, 4, true }, { DATA, 4, false }, 1, PMU_TOTALS },
	{ { DATA, 4, true }, { DATA, 8, false }, 1, PMU_P4_MOB_PARTIAL },
	{ { DATA, 4, true }, { DATA + 2, 4, false }, 3, PMU_P4_MOB_PARTIAL },
	{ { DATA, 8, true }, { DATA + 2, 2, false }, 3, PMU_P4_MOB_UNALIGNED },
	{ { DATA, 8, true }, { DATA + 2, 2, false }, 20, PMU_TOTALS },
	{ { DATA, 8, true }, { DATA + 16, 8, false }, 0, PMU_P4_MOB_NO_STA },
	{ { DATA, 8, true }, { DATA + 16, 8, false }, 1, PMU_TOTALS },
	{ { DATA, 8, true }, { DATA + 0x10000, 8, false }, 1, PMU_P4_ALIAS_64K },
	{ { DATA, 8, true }, { DATA + 0x10040, 8, false }, 1, PMU_TOTALS },
	{ { DATA + 60, 4, true }, { DATA + 62, 4, false }, 1, PMU_P4_CLEARS_MEMORY },
};

static const enum pmu_total mob_events[] = {
	PMU_P4_MOB_NO_STA, PMU_P4_MOB_NO_STD, PMU_P4_MOB_PARTIAL, PMU_P4_MOB_UNALIGNED,
	PMU_P4_ALIAS_64K, PMU_P4_CLEARS_MEMORY,
};

static void test_loads_wait_for_stores(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mob_cases); i++) {
		const struct mob_case *c = &mob_cases[i];
		struct host h;

		truth_host(&h);
		store(&h, c->store.addr, c->store.size);
		p4_run(&h, c->between);
		load(&h, c->load.addr, c->load.size);
		for (size_t k = 0; k < ARRAY_SIZE(mob_events); k++) {
			bool partial = c->event == PMU_P4_CLEARS_MEMORY &&
				       mob_events[k] == PMU_P4_MOB_PARTIAL;

			assert_int_equal(total(&h, mob_events[k]),
					 mob_events[k] == c->event || partial);
		}
		host_free(&h);
	}
}

static void test_a_store_into_code_clears(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	insn(&h, CODE + 0x40, PMU_INTEGER, NULL);
	store(&h, DATA, 8);
	assert_int_equal(total(&h, PMU_P4_CLEARS_CODE), 0);
	store(&h, CODE + 0x40, 1);
	assert_int_equal(total(&h, PMU_P4_CLEARS_CODE), 1);
	assert_int_equal(total(&h, PMU_P4_TC_FLUSHES), 2);
	assert_int_equal(total(&h, PMU_P4_CLEAR_CYCLES), 20);
	/* All of it was flushed, and is not there to be cleared again. */
	store(&h, CODE + 0x48, 1);
	assert_int_equal(total(&h, PMU_P4_CLEARS_CODE), 1);
	host_free(&h);
}

static uint64_t mode_cycles(struct host *h)
{
	uint64_t sum = 0;

	for (unsigned int e = PMU_P4_TC_DD; e <= PMU_P4_TC_IB; e++)
		sum += total(h, (enum pmu_total)e);
	return sum;
}

static void test_every_cycle_has_a_mode(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	for (uint64_t i = 0; i < 5000; i++) {
		insn(&h, CODE + 64 * (i * i % 1021), i % 7 ? PMU_INTEGER : PMU_INSN_ROM, two);
		if (i % 100 == 0)
			load(&h, DATA + 0x1000 * i, 8);
	}
	assert_int_equal(mode_cycles(&h), total(&h, PMU_CYCLES));
	/* Its sibling is not there. */
	assert_int_equal(total(&h, PMU_P4_TC_DI) + total(&h, PMU_P4_TC_BI),
			 total(&h, PMU_CYCLES));
	assert_true(total(&h, PMU_P4_TC_DI) && total(&h, PMU_P4_TC_BI));
	host_free(&h);
}

/* ... until the first instruction of the sibling; behind its HLT it is idle again. */
static void test_modes_are_of_both_threads(void **state)
{
	struct p4_core core;
	struct host *a = &core.t[0], *b = &core.t[1];

	(void)state;
	p4_core_new(&core, "p4");
	pmu_force(a->pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	pmu_force(b->pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	p4_run(a, 100);
	assert_int_equal(total(a, PMU_P4_TC_BI), total(a, PMU_CYCLES));
	p4_turn(&core, 1);
	p4_run(b, 100);
	assert_int_equal(total(b, PMU_P4_TC_BB), total(b, PMU_CYCLES));
	pmu_halt(b->pmu);
	p4_turn(&core, 0);
	insn(a, CODE + 64, PMU_INTEGER, NULL);
	p4_run(a, 99);
	assert_int_equal(total(a, PMU_P4_TC_BB), 0);
	assert_true(total(a, PMU_P4_TC_DI));
	p4_core_free(&core);
}

/* RDMSR does not count itself; behind it, it has been counted. */
static void test_a_read_does_not_see_its_own_uops(void **state)
{
	uint64_t value, before;
	struct host h;

	(void)state;
	user_host(&h, "p4", 0);
	p4_start(&h, 12, CRU0, ESCR_OF(1, 1, T0_USR), CCCR_ON_SEL(4));	/* uops_retired */
	p4_run(&h, 10);
	before = p4_count(&h, 12);
	host_start(&h);
	pmu_insn(h.pmu, CODE, PMU_INSN_ROM);
	assert_int_equal(pmu_rdmsr(h.pmu, COUNTER(12), &value), PMU_DONE);
	h.retired++;
	assert_int_equal(value, before);
	assert_int_equal(p4_count(&h, 12), before + 5);
	host_free(&h);
}

static void test_an_instruction_is_tagged_once(void **state)
{
	struct host h;

	(void)state;
	truth_host(&h);
	/* uop_type tags loads and stores. */
	p4_start(&h, 13, RAT0, ESCR_OF(2, 6, T0_USR), CCCR_ON_SEL(2));
	insn(&h, CODE, PMU_X87, two);
	insn(&h, CODE, PMU_X87, NULL);
	insn(&h, CODE, PMU_INTEGER, one);
	assert_int_equal(total(&h, PMU_P4_TAGGED), 2);
	host_free(&h);
}

static void test_other_processors_have_none_of_it(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "nehalem", 0);
	pmu_force(h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	assert_int_equal(h.hot.needs[PMU_USER], PMU_NEED_ALL);
	assert_int_equal(pmu_nr_totals(h.pmu), PMU_P4);
	assert_false(pmu_records_before(h.pmu));
	pmu_flush(h.pmu, UINT64_MAX);
	host_load(&h, DATA);
	host_branch(&h, CODE, true, CODE + 64);
	for (int i = PMU_P4; i < PMU_TOTALS; i++)
		assert_int_equal(total(&h, (enum pmu_total)i), 0);
	host_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uops_follow_the_rule),
		cmocka_unit_test(test_units_have_their_own_uops),
		cmocka_unit_test(test_what_does_not_retire_is_undone),
		cmocka_unit_test(test_a_rep_is_one_instruction_with_many_accesses),
		cmocka_unit_test(test_a_misprediction_squashes_the_same_each_time),
		cmocka_unit_test(test_branches_are_told_apart_by_kind),
		cmocka_unit_test(test_lines_of_the_second_level_have_states),
		cmocka_unit_test(test_translations_are_kept_until_they_are_flushed),
		cmocka_unit_test(test_code_is_looked_up_page_by_page),
		cmocka_unit_test(test_a_loop_is_built_once),
		cmocka_unit_test(test_loads_wait_for_stores),
		cmocka_unit_test(test_a_store_into_code_clears),
		cmocka_unit_test(test_every_cycle_has_a_mode),
		cmocka_unit_test(test_modes_are_of_both_threads),
		cmocka_unit_test(test_a_read_does_not_see_its_own_uops),
		cmocka_unit_test(test_an_instruction_is_tagged_once),
		cmocka_unit_test(test_other_processors_have_none_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
