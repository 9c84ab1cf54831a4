// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hybrids in the PMU model: what a big and a small core of one processor have of their own, that
 * one code is two events, and what they share as cores of one package.
 */
#include "tests/unit/model/pipeline_host.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

enum {
	MSR_OFFCORE_0 = 0x1a6,
	MSR_METRICS = 0x329,
	MSR_FRONTEND = 0x3f7,
	MSR_LIMIT = 0x610,
	MSR_ENERGY = 0x611,
	MSR_SNOOP_0 = 0x1328,
	MSR_SNOOP_1,
};

#define MSR_PMC(n) (MSR_PMC0 + (n))
#define MSR_EVTSEL(n) (MSR_EVTSEL0 + (n))
#define FIXED(n) (MSR_FIXED0 + (n))
#define UMASK2(n) ((uint64_t)(n) << 40)
/* Version 6: a counter's registers stand together, and CFG_C behind CFG_B. */
#define V6_GP(n) (0x1900 + 4 * (n))
#define V6_FIXED(n) (0x1980 + 4 * (n))
#define CFG_B 2
#define EQUAL (UINT64_C(1) << 36)

static const struct {
	const char *big, *small;
	bool as_golden_cove;		/* Lion Cove's codes and counters are others */
} hybrids[] = {
	{ "alderlake", "alderlake-e", true }, { "meteorlake", "meteorlake-e", true },
	{ "arrowlake-h", "arrowlake-h-e", false }, { "arrowlake-h", "arrowlake-h-l", false },
	{ "lunarlake", "lunarlake-e", false }, { "pantherlake", "pantherlake-e", false },
};

static void registers_are_of_the_kind(void **state)
{
	static const struct {
		const char *profile;
		uint32_t msr;
		uint64_t value;
		bool taken;
	} rows[] = {
		{ "alderlake", MSR_PMC(7), 1, true },
		{ "alderlake", FIXED(3), 1, true },
		{ "alderlake", MSR_METRICS, 1, true },
		{ "alderlake", MSR_FRONTEND, 0x7fff1f, true },
		{ "alderlake", MSR_SNOOP_0, 1, false },
		{ "alderlake", MSR_PEBS_ENABLE, UINT64_C(0xf000000ff), true },
		{ "alderlake-e", MSR_PMC(5), 1, true },
		{ "alderlake-e", MSR_PMC(6), 1, false },
		{ "alderlake-e", MSR_EVTSEL(6), 0xc0, false },
		{ "alderlake-e", FIXED(2), 1, true },
		{ "alderlake-e", FIXED(3), 1, false },
		{ "alderlake-e", MSR_GLOBAL_CTRL, UINT64_C(0x70000003f), true },
		{ "alderlake-e", MSR_GLOBAL_CTRL, 0x40, false },
		{ "alderlake-e", MSR_GLOBAL_CTRL, FIXED_BIT(3), false },
		{ "alderlake-e", MSR_METRICS, 1, false },
		{ "alderlake-e", MSR_FRONTEND, 1, false },
		{ "alderlake-e", MSR_SNOOP_0, 1, false },
		{ "alderlake-e", MSR_OFFCORE_0, UINT64_C(0x8003f03fffffffff), true },
		{ "alderlake-e", MSR_PEBS_ENABLE, 0x40, false },
		{ "meteorlake", MSR_PMC(7), 1, true },
		{ "meteorlake", FIXED(3), 1, true },
		{ "meteorlake", MSR_METRICS, 1, true },
		{ "meteorlake", MSR_FRONTEND, 0x7fff1f, true },
		{ "meteorlake", MSR_SNOOP_0, 1, false },
		{ "meteorlake-e", MSR_PMC(7), 1, true },
		{ "meteorlake-e", FIXED(3), 1, false },
		{ "meteorlake-e", MSR_METRICS, 1, false },
		{ "meteorlake-e", MSR_FRONTEND, 1, false },
		{ "meteorlake-e", MSR_SNOOP_1, UINT64_MAX, true },
		{ "meteorlake-e", MSR_OFFCORE_0, UINT64_C(0x800ff3ffffffffff), true },
		{ "meteorlake", MSR_PMC(8), 1, false },
		{ "meteorlake", MSR_EVTSEL(0), UMASK2(1), false },
		{ "arrowlake-h", MSR_PMC(9), 1, true },
		{ "arrowlake-h", MSR_EVTSEL(9), 0xc0, true },
		{ "arrowlake-h", MSR_PMC0_FULL + 9, 1, true },
		{ "arrowlake-h", MSR_EVTSEL(0), UMASK2(0xff) | EQUAL, true },
		{ "arrowlake-h", MSR_EVTSEL(0), UINT64_C(1) << 35, false },
		{ "arrowlake-h", FIXED(3), 1, true },
		{ "arrowlake-h", FIXED(4), 1, false },
		{ "arrowlake-h", MSR_GLOBAL_CTRL, UINT64_C(0x1000f000003ff), true },
		{ "arrowlake-h", MSR_GLOBAL_CTRL, 0x400, false },
		{ "arrowlake-h", MSR_PEBS_ENABLE, UINT64_C(0xf000003ff), true },
		{ "arrowlake-h", MSR_OFFCORE_0, UINT64_C(0xfffffffffff), true },
		{ "arrowlake-h", MSR_METRICS, 1, true },
		{ "arrowlake-h", MSR_SNOOP_0, 1, false },
		{ "arrowlake-h-e", MSR_PMC(7), 1, true },
		{ "arrowlake-h-e", MSR_PMC(8), 1, false },
		{ "arrowlake-h-e", MSR_EVTSEL(0), UMASK2(1), true },
		{ "arrowlake-h-e", FIXED(2), 1, true },
		{ "arrowlake-h-e", FIXED(3), 1, false },
		{ "arrowlake-h-e", FIXED(6), 1, true },
		{ "arrowlake-h-e", MSR_FIXED_CTRL, 0xbbb0bbb, true },
		{ "arrowlake-h-e", MSR_FIXED_CTRL, 0x3000, false },
		{ "arrowlake-h-e", MSR_FIXED_CTRL, UINT64_C(0x111011100000000), true },
		{ "arrowlake-h-e", MSR_FIXED_CTRL, UINT64_C(0x100000000000), false },
		{ "arrowlake-h-e", MSR_GLOBAL_CTRL, UINT64_C(0x77000000ff), true },
		{ "arrowlake-h-e", MSR_GLOBAL_CTRL, FIXED_BIT(3), false },
		{ "arrowlake-h-e", MSR_PEBS_ENABLE, UINT64_C(0x77000000ff), true },
		{ "arrowlake-h-e", MSR_METRICS, 1, false },
		/* Version 6: two numbers of each counter, and what reloads it, of some. */
		{ "lunarlake", V6_GP(9), 1, true },
		{ "lunarlake", V6_GP(2) + CFG_B, 0, false },
		{ "lunarlake", MSR_EVTSEL(9), UMASK2(1), true },
		{ "lunarlake-e", V6_GP(7), 1, true },
		{ "lunarlake-e", V6_GP(8), 1, false },
		{ "lunarlake-e", V6_FIXED(6), 1, true },
		{ "lunarlake-e", V6_FIXED(3), 1, false },
		{ "lunarlake-e", V6_GP(1) + CFG_B, 0, false },
		{ "lunarlake-e", V6_GP(2) + CFG_B, UINT64_C(0x3000000fc), true },
		{ "lunarlake-e", V6_GP(7) + CFG_B, 2, false },
		{ "lunarlake-e", V6_GP(7) + CFG_B + 1, 0xffffffff, true },
		{ "lunarlake-e", V6_FIXED(1) + CFG_B, UINT64_C(0x3000000fc), true },
		{ "lunarlake-e", V6_FIXED(2) + CFG_B, 0, false },
		{ "lunarlake-e", FIXED(6), 1, true },
		{ "lunarlake-e", FIXED(3), 1, false },
		{ "lunarlake-e", MSR_FIXED_CTRL, 0xbbb0bbb, true },
		{ "lunarlake-e", MSR_FIXED_CTRL, 1 << 14, false },
		{ "lunarlake-e", MSR_GLOBAL_CTRL, UINT64_C(0x77000000ff), true },
		{ "lunarlake-e", MSR_GLOBAL_CTRL, FIXED_BIT(3), false },
		{ "lunarlake-e", MSR_PEBS_ENABLE, UINT64_C(0x77000000ff), true },
		{ "lunarlake-e", MSR_METRICS, 1, false },
		{ "lunarlake-e", MSR_EVTSEL(0), UMASK2(0xff) | EQUAL, true },
		{ "lunarlake-e", MSR_SNOOP_1, UINT64_MAX, true },
		{ "pantherlake", V6_GP(2) + CFG_B, 0, false },
		{ "pantherlake-e", V6_GP(1) + CFG_B, 0, false },
		{ "pantherlake-e", V6_GP(1) + CFG_B + 1, UINT64_C(1) << 63, true },
		{ "pantherlake-e", V6_GP(2) + CFG_B, UINT64_C(0x3000000fc), true },
		{ "pantherlake-e", V6_FIXED(6) + CFG_B + 1, UINT64_C(1) << 63, true },
		/* Metrics and vectors beyond XMM are not in a record. */
		{ "pantherlake-e", V6_GP(2) + CFG_B + 1, UINT64_C(1) << 38, false },
		{ "pantherlake-e", V6_GP(2) + CFG_B + 1, UINT64_C(1) << 36, true },
		{ "pantherlake-e", MSR_PEBS_ENABLE, 0, false },
		{ "pantherlake-e", MSR_GLOBAL_CTRL, UINT64_C(0x77000000ff), true },
		{ "arrowlake-h-e", V6_GP(0), 1, false },
		{ "arrowlake-h-l", MSR_PMC(7), 1, true },
		{ "arrowlake-h-l", MSR_EVTSEL(0), UMASK2(1), false },
		{ "arrowlake-h-l", FIXED(4), 1, false },
		{ "arrowlake-h-l", MSR_SNOOP_1, UINT64_MAX, true },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		host_new(&h, rows[i].profile, 0);
		if (host_try_wrmsr(&h, rows[i].msr, rows[i].value) !=
		    (rows[i].taken ? PMU_DONE : PMU_FAULT))
			fail_msg("%s: MSR %x takes %llx: %d", rows[i].profile, rows[i].msr,
				 (unsigned long long)rows[i].value, !rows[i].taken);
		host_free(&h);
	}
}

/* What a code counts of 100 loads on a counter. */
static uint64_t counted(const char *profile, uint64_t code, unsigned int counter)
{
	struct host h;
	uint64_t value;

	host_new(&h, profile, 0);
	host_ring(&h, PMU_USER);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, UINT64_C(1) << counter);
	host_wrmsr(&h, MSR_EVTSEL(counter), EN | USR | code);
	for (unsigned int i = 0; i < 100; i++)
		host_load(&h, DATA_BASE);
	value = host_peek(&h, MSR_PMC(counter));
	host_free(&h);
	return value;
}

static void a_code_is_the_kinds(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(hybrids); i++) {
		const char *big = hybrids[i].big, *small = hybrids[i].small;

		/* Architectural ones are the same on any counter. */
		assert_int_equal(counted(big, 0xc0, 5), 100);
		assert_int_equal(counted(small, 0xc0, 5), 100);
		/* All loads: of a big core on the first four counters. */
		assert_int_equal(counted(big, 0x81d0, 3), 100);
		assert_int_equal(counted(big, 0x81d0, 4), 0);
		assert_int_equal(counted(small, 0x81d0, 4), 100);
		/* MEM_UOPS_RETIRED.STORE_LATENCY, .ALL, and slots. */
		assert_int_equal(counted(big, hybrids[i].as_golden_cove ? 0x83d0 : 0x87d0, 0), 100);
		assert_int_equal(counted(small, 0x83d0, 0), 100);
		assert_int_equal(counted(small, 0x01a4, 0), 0);
		assert_true(counted(big, 0x01a4, 0) > 100);
	}
}

/* Ten counters; a mask of more bits; and what is compared for equality. */
static void lion_cove_has_more(void **state)
{
	uint64_t all = 0;

	(void)state;
	assert_int_equal(counted("arrowlake-h", 0xc0, 9), 100);
	assert_int_equal(counted("arrowlake-h", 0x87d0, 9), 100);
	assert_int_equal(counted("arrowlake-h", 0x81d0, 9), 0);
	/* MEM_LOAD_RETIRED.L1_HIT, and of another mask nothing. */
	assert_true(counted("arrowlake-h", 0x01d1 | UMASK2(1), 0) > 90);
	assert_int_equal(counted("arrowlake-h", 0x01d1 | UMASK2(2), 0), 0);
	assert_int_equal(counted("arrowlake-h", 0x01d1 | UMASK2(5), 0), 0);
	assert_int_equal(counted("arrowlake-h", 0xc0 | UMASK2(1), 0), 0);
	for (unsigned int n = 1; n < 9; n++)
		all += n * counted("arrowlake-h", 0xc0 | EQUAL | n << 24, 0);
	assert_in_range(all, 92, 100);	/* but for the cycle that runs */
	assert_int_equal(counted("arrowlake-h", 0x81d0 | EQUAL | 1u << 24, 0), 0);
}

/* What a code counts of 50 branches that are taken and 100 that are not. */
static uint64_t branches(const char *profile, uint64_t code)
{
	struct host h;
	uint64_t value;

	host_new(&h, profile, 0);
	host_ring(&h, PMU_USER);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, 1);
	host_wrmsr(&h, MSR_EVTSEL(0), EN | USR | code);
	for (unsigned int i = 0; i < 150; i++)
		host_branch(&h, 0x1000, i % 3 == 0, 0x2000);
	value = host_peek(&h, MSR_PMC(0));
	host_free(&h);
	return value;
}

/* Branches have other codes on Cougar Cove than on Lion Cove, and both cores have the same. */
static void panther_lake_has_branches_of_its_own(void **state)
{
	static const char *const profiles[] = { "pantherlake", "pantherlake-e" };

	(void)state;
	for (size_t i = 0; i < ROWS(profiles); i++) {
		assert_int_equal(branches(profiles[i], 0x00c4), 150);
		assert_int_equal(branches(profiles[i], 0xfbc4), 50);
		assert_int_equal(branches(profiles[i], 0x03c4), 50);
		assert_int_equal(branches(profiles[i], 0x04c4), 100);
		assert_int_equal(branches(profiles[i], 0x07c4), 150);
		assert_int_equal(branches(profiles[i], 0x20c4), 0);
		assert_int_equal(branches(profiles[i], 0xc0c4), 0);
	}
	assert_int_equal(branches("lunarlake", 0x20c4), 50);
	assert_int_equal(branches("lunarlake-e", 0xc0c4), 50);
	assert_int_equal(branches("lunarlake", 0xfbc4), 0);
}

/* Skymont's fixed counters behind the hole are three classes of Top-Down. */
static void has_fixed_behind_a_hole(const char *profile)
{
	static const uint32_t codes[] = { 0x0073, 0x019c, 0x02c2 };
	struct program p;

	program_new(&p, profile);
	assert_true(pmu_use_pipeline(p.h.pmu));
	pmu_force(p.h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	host_boundary(&p.h);
	for (unsigned int i = 0; i < 3; i++)
		host_wrmsr(&p.h, MSR_EVTSEL(i), EN | USR | OS | codes[i]);
	host_wrmsr(&p.h, MSR_FIXED_CTRL, 0x3330000);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 7 | FIXED_BIT(4) | FIXED_BIT(5) | FIXED_BIT(6));
	run_random(&p, 20000);
	enter_kernel(&p);
	for (unsigned int i = 0; i < 3; i++) {
		assert_true(host_peek(&p.h, MSR_PMC(i)) > 100);
		assert_int_equal(host_peek(&p.h, FIXED(4 + i)), host_peek(&p.h, MSR_PMC(i)));
	}
	program_end(&p);
}

static void skymont_has_fixed_counters_behind_a_hole(void **state)
{
	static const char *const profiles[] = { "arrowlake-h-e", "lunarlake-e", "pantherlake-e" };

	(void)state;
	for (size_t i = 0; i < ROWS(profiles); i++)
		has_fixed_behind_a_hole(profiles[i]);
}

static void kinds_share_a_package(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(hybrids); i++) {
		struct host big, small, stranger;

		host_new(&big, hybrids[i].big, 0);
		host_new(&small, hybrids[i].small, 0);
		host_new(&stranger, hybrids[i < 2 ? !i : 0].small, 0);
		assert_false(pmu_join_package(stranger.pmu, big.pmu));
		assert_false(pmu_join(small.pmu, big.pmu));
		assert_true(pmu_join_package(small.pmu, big.pmu));
		assert_false(pmu_join_package(small.pmu, big.pmu));
		host_wrmsr(&big, MSR_LIMIT, 0x8100);
		assert_int_equal(host_rdmsr(&small, MSR_LIMIT), 0x8100);
		host_wrmsr(&small, MSR_LIMIT, 0x8200);
		assert_int_equal(host_rdmsr(&big, MSR_LIMIT), 0x8200);
		/* Whoever comes first goes first. */
		host_free(&big);
		assert_int_equal(host_rdmsr(&small, MSR_LIMIT), 0x8200);
		host_free(&small);
		host_free(&stranger);
	}
}

static void three_kinds_share_a_package(void **state)
{
	struct host small, low, big;

	(void)state;
	host_new(&small, "arrowlake-h-e", 0);
	host_new(&low, "arrowlake-h-l", 0);
	host_new(&big, "arrowlake-h", 0);
	assert_true(pmu_join_package(low.pmu, small.pmu));
	assert_true(pmu_join_package(big.pmu, low.pmu));
	host_wrmsr(&small, MSR_LIMIT, 0x8100);
	assert_int_equal(host_rdmsr(&big, MSR_LIMIT), 0x8100);
	assert_int_equal(host_rdmsr(&low, MSR_LIMIT), 0x8100);
	host_free(&small);
	host_free(&low);
	host_free(&big);
}

/* Lines that one kind has fetched the other finds, and energy is both's. */
static void kinds_share_the_last_level(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(hybrids); i++) {
		struct program big, small;
		uint64_t missed;

		program_new_simple(&big, hybrids[i].big);
		program_new_simple(&small, hybrids[i].small);
		assert_true(pmu_join_package(small.h.pmu, big.h.pmu));
		host_no_prefetch(&big.h);
		for (unsigned int line = 0; line < 64; line++)
			run_access(&big, &code_load, DATA_BASE + line * 64, false);
		missed = total(&small, PMU_CACHE_MISSES);
		for (unsigned int line = 0; line < 64; line++)
			run_access(&small, &code_load, DATA_BASE + line * 64, false);
		assert_int_equal(total(&small, PMU_CACHE_MISSES), missed);
		assert_true(total(&small, PMU_L1D_MISSES) >= 64);
		assert_true(total(&small, PMU_ENERGY) > 0 && total(&big, PMU_ENERGY) > 0);
		assert_int_equal(host_peek(&big.h, MSR_ENERGY), host_peek(&small.h, MSR_ENERGY));
		program_end(&small);
		program_end(&big);
	}
}

/* What switches prefetchers is one for two small cores, or by the other reading each one's own. */
static void a_module_is_two_small_cores(void **state)
{
	static const uint32_t msrs[] = { 0x1a4, 0x1320, 0x1321 };
	struct host core[4];
	unsigned int i, own;
	uint32_t regs[4];
	char why[64];

	(void)state;
	for (own = 0; own < 2; own++) {
		for (i = 0; i < 4; i++) {
			host_new(&core[i], i < 2 ? "alderlake" : "alderlake-e", 0);
			if (own)
				assert_true(pmu_silicon(core[i].pmu, "own-prefetch", why,
							sizeof(why)));
			if (i)
				assert_true(pmu_join_package(core[i].pmu, core[0].pmu));
		}
		host_wrmsr(&core[0], msrs[0], 0x2);
		assert_int_equal(host_peek(&core[1], msrs[0]), 0);
		for (i = 0; i < ROWS(msrs); i++) {
			host_wrmsr(&core[2], msrs[i], 0x5);
			assert_int_equal(host_peek(&core[3], msrs[i]) == 0x5, !own);
			assert_int_equal(host_peek(&core[2], msrs[i]), 0x5);
		}
		assert_int_equal(host_peek(&core[0], msrs[0]), 0x2);
		for (i = 0; i < 4; i++) {
			/* The second level of data and code, of one CPU as the host has it. */
			regs[0] = 0x43;
			pmu_cpuid(core[i].pmu, 4, 2, regs);
			assert_int_equal(regs[0] >> 14 & 0xfff, i < 2 ? 0 : 1);
			host_free(&core[i]);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_of_the_kind),
		cmocka_unit_test(a_module_is_two_small_cores),
		cmocka_unit_test(a_code_is_the_kinds),
		cmocka_unit_test(lion_cove_has_more),
		cmocka_unit_test(panther_lake_has_branches_of_its_own),
		cmocka_unit_test(skymont_has_fixed_counters_behind_a_hole),
		cmocka_unit_test(three_kinds_share_a_package),
		cmocka_unit_test(kinds_share_a_package),
		cmocka_unit_test(kinds_share_the_last_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
