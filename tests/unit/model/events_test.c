// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generations of the PMU model: their event codes and the counters that take
 * them, offcore responses, and how each freezes.
 */
#include "tests/unit/model/host.h"

#define ALL 0xff
#define LOW 0xf

static const struct {
	const char *profile;
	uint32_t code, counters;
	enum pmu_total total;
} events[] = {
	{ "nehalem", 0xc0, ALL, PMU_INSTRUCTIONS },
	{ "nehalem", 0x010b, ALL, PMU_LOADS },
	{ "nehalem", 0x020b, ALL, PMU_STORES },
	{ "nehalem", 0x0f40, 0x3, PMU_LOADS },
	{ "nehalem", 0x0324, ALL, PMU_L1D_MISSES },
	{ "nehalem", 0x7f88, ALL, PMU_BRANCHES },
	{ "nehalem", 0x7f89, ALL, PMU_BRANCH_MISSES },
	{ "sandybridge", 0xc5, ALL, PMU_BRANCH_MISSES },
	{ "sandybridge", 0x01c0, 0x2, PMU_INSTRUCTIONS },
	{ "sandybridge", 0x81d0, LOW, PMU_LOADS },
	{ "sandybridge", 0xf2d0, LOW, PMU_STORES },
	{ "sandybridge", 0x0324, ALL, PMU_L1D_MISSES },
	{ "ivybridge", 0x08d1, LOW, PMU_L1D_MISSES },
	{ "ivybridge", 0xff89, ALL, PMU_BRANCH_MISSES },
	{ "ivybridge", 0x412e, ALL, PMU_CACHE_MISSES },
	{ "haswell", 0xe124, ALL, PMU_L1D_MISSES },
	{ "haswell", 0x82d0, LOW, PMU_STORES },
	{ "haswell", 0x4f2e, ALL, PMU_CACHE_REFERENCES },
	{ "skylake", 0x08d1, LOW, PMU_L1D_MISSES },
	{ "icelake", 0xc0, ALL, PMU_INSTRUCTIONS },
	{ "icelake", 0x3c, ALL, PMU_CYCLES },
	{ "icelake", 0xc4, ALL, PMU_BRANCHES },
	{ "icelake", 0x81d0, LOW, PMU_LOADS },
	{ "icelake", 0x08d1, LOW, PMU_L1D_MISSES },
	{ "icelake", 0xe124, LOW, PMU_L1D_MISSES },
	{ "unknown", 0xc0, ALL, PMU_INSTRUCTIONS },
	{ "unknown", 0x81d0, 0, PMU_LOADS },
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

static void mixed_work(struct host *h)
{
	for (uint64_t i = 0; i < 3000; i++) {
		host_run(h, 3);
		host_load(h, i % 3 ? 0x1000 : i * 4096);
		host_branch(h, 0x400000, (i * i * i * UINT64_C(0x9e3779b97f4a7c15)) >> 63,
			    0x400100);
		host_store(h, i % 5 ? 0x2000 : i * 8192);
	}
}

static unsigned int counters_of(struct host *h)
{
	uint32_t regs[4] = { 0 };

	pmu_cpuid(h->pmu, 0xa, 0, regs);
	return regs[0] >> 8 & 0xff;
}

static void codes_count_on_their_counters(void **state)
{
	struct host h;
	uint64_t before, passed;

	(void)state;
	for (size_t e = 0; e < EVENTS; e++) {
		user_host(&h, events[e].profile, 0);
		pmu_force(h.pmu, PMU_NEED_ALL);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 0);
		for (uint32_t i = 0; i < counters_of(&h); i++)
			host_wrmsr(&h, MSR_EVTSEL0 + i, EN | USR | events[e].code);
		before = host_total(&h, PMU_USER, events[e].total);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, (1u << counters_of(&h)) - 1);
		if (events[e].total == PMU_INSTRUCTIONS)
			before++;		/* that write */
		mixed_work(&h);
		passed = host_total(&h, PMU_USER, events[e].total) - before;
		assert_true(passed > 100);
		for (uint32_t i = 0; i < counters_of(&h); i++)
			assert_in_range(host_peek(&h, MSR_PMC0 + i) + 1,
					events[e].counters >> i & 1 ? passed : 1,
					events[e].counters >> i & 1 ? passed + 1 : 1);
		host_free(&h);
	}
}

/*
 * Each level of the caches has loads and stores of its own, in different numbers.
 *
 * 32 lines that share a set of the first and of the second level come from memory, 8 of them then
 * from the third, and 5 times more from the first.  20 lines that share a set of the first alone
 * come from memory, and 12 of them then from the second.  Stores: 5 from memory, 3 from the second
 * level, 2 from the third.
 */
static void all_levels(struct host *h)
{
	for (uint64_t n = 0; n < 40; n++)
		host_load(h, n % 32 * 0x20000);
	for (uint64_t n = 0; n < 40; n++)
		host_load(h, n % 8 * 0x20000);
	for (uint64_t n = 0; n < 32; n++)
		host_load(h, 0x40000000 + n % 20 * 4096);
	for (uint64_t n = 0; n < 5; n++)
		host_store(h, 0x10000000 + n * 4096);
	for (uint64_t n = 12; n < 15; n++)
		host_store(h, 0x40000000 + n * 4096);
	for (uint64_t n = 20; n < 22; n++)
		host_store(h, n * 0x20000);
}

static const struct {
	const char *profile;
	uint32_t code;
	uint64_t count;
} by_level[] = {
	{ "skylake", 0x81d0, 112 },	/* all loads */
	{ "skylake", 0x82d0, 10 },	/* all stores */
	{ "skylake", 0x83d0, 122 },	/* both */
	{ "skylake", 0x01d1, 40 },	/* hits of the first level */
	{ "skylake", 0x08d1, 72 },	/* misses of the first level */
	{ "skylake", 0x02d1, 12 },	/* hits of the second level */
	{ "skylake", 0x10d1, 60 },	/* misses of the second level */
	{ "skylake", 0x04d1, 8 },	/* hits of the third level */
	{ "skylake", 0x20d1, 52 },	/* misses of the third level */
	{ "skylake", 0xe124, 72 },
	{ "skylake", 0xc124, 12 },
	{ "skylake", 0x2124, 60 },
	{ "skylake", 0xe224, 10 },	/* stores that missed the first level */
	{ "skylake", 0xc224, 3 },	/* ... and hit the second */
	{ "skylake", 0x2224, 7 },	/* ... and missed it */
	{ "skylake", 0x0151, 82 },	/* lines into the first level */
	{ "skylake", 0x1ff1, 67 },	/* ... and into the second */
	{ "sandybridge", 0x01d1, 40 },
	{ "sandybridge", 0x02d1, 12 },
	{ "sandybridge", 0x04d1, 8 },
	{ "sandybridge", 0x46d1, 20 },	/* behind the first level, and not from memory */
	{ "sandybridge", 0x02d4, 52 },
	{ "sandybridge", 0x01b0, 60 },	/* loads that asked the last level */
	{ "sandybridge", 0x0824, 7 },
	{ "sandybridge", 0x0424, 3 },
	{ "haswell", 0x02d1, 12 },
	{ "haswell", 0x10d1, 60 },
	{ "haswell", 0x20d1, 52 },
	{ "nehalem", 0x02cb, 12 },
	{ "nehalem", 0x04cb, 8 },
	{ "nehalem", 0x10cb, 52 },
};

static void levels_by_themselves(void **state)
{
	struct host h;
	unsigned int bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(by_level) / sizeof(by_level[0]); i++) {
		user_host(&h, by_level[i].profile, 0);
		host_wrmsr(&h, MSR_EVTSEL0, EN | USR | by_level[i].code);
		all_levels(&h);
		if (host_peek(&h, MSR_PMC0) != by_level[i].count) {
			print_message("%s %x: %llu\n", by_level[i].profile, by_level[i].code,
				      (unsigned long long)host_peek(&h, MSR_PMC0));
			bad++;
		}
		host_free(&h);
	}
	assert_int_equal(bad, 0);
}

static uint64_t branches_counted(uint32_t code)
{
	struct host h;
	uint64_t count;

	user_host(&h, "core2", 0);
	host_wrmsr(&h, MSR_EVTSEL0, EN | USR | code);
	mixed_work(&h);
	/* Many that are taken, and are foreseen. */
	for (unsigned int i = 0; i < 500; i++)
		host_branch(&h, 0x500000, true, 0x500100);
	count = host_peek(&h, MSR_PMC0);
	host_free(&h);
	return count;
}

/* A Core 2 has each of four kinds, and their sums. */
static void kinds_of_branches(void **state)
{
	const uint64_t predicted_not = branches_counted(0x01c4);
	const uint64_t missed_not = branches_counted(0x02c4);
	const uint64_t predicted_taken = branches_counted(0x04c4);
	const uint64_t missed_taken = branches_counted(0x08c4);

	(void)state;
	assert_true(predicted_not && missed_not && predicted_taken && missed_taken);
	assert_true(missed_not != missed_taken && predicted_not != predicted_taken);
	assert_int_equal(branches_counted(0x03c4), predicted_not + missed_not);
	assert_int_equal(branches_counted(0x0cc4), predicted_taken + missed_taken);
	assert_int_equal(branches_counted(0x0ac4), missed_not + missed_taken);
	assert_int_equal(branches_counted(0x00c5), missed_not + missed_taken);
	assert_int_equal(branches_counted(0x0fc4), 3500);
	assert_int_equal(predicted_not + missed_not + predicted_taken + missed_taken, 3500);
}

/* A request counts if the register asks for it and for what became of it. */
static void offcore_responses(void **state)
{
	enum { NOTHING, LOADS, LOAD_MISSES, LOAD_HITS, STORES, BOTH };
	static const struct {
		const char *profile;
		uint64_t rsp;
		int what;
	} rows[] = {
		{ "nehalem", 0xff01, LOADS }, { "nehalem", 0x4001, LOAD_MISSES },
		{ "nehalem", 0x0101, LOAD_HITS }, { "nehalem", 0xff02, STORES },
		{ "sandybridge", 0x10001, LOADS }, { "sandybridge", 0x300400001, LOAD_MISSES },
		{ "sandybridge", 0x3f803c0001, LOAD_HITS }, { "haswell", 0x100400001, LOAD_MISSES },
		{ "haswell", 0x10003, BOTH }, { "skylake", 0x3fc4000001, LOAD_MISSES },
		{ "skylake", 0x3fc01c0001, LOAD_HITS }, { "skylake", 0x401, NOTHING },
		{ "skylake", 0x10004, NOTHING }, { "icelake", 0x184000001, LOAD_MISSES },
		{ "icelake", 0x10002, STORES }, { "icelake", 0, NOTHING },
		{ "icelake", 0x2003c0001, NOTHING },
	};
	static const uint64_t expected[] = {
		[NOTHING] = 0, [LOADS] = 40, [LOAD_MISSES] = 32, [LOAD_HITS] = 8,
		[STORES] = 5, [BOTH] = 45,
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		user_host(&h, rows[i].profile, 0);
		host_wrmsr(&h, 0x1a6, rows[i].rsp);
		host_wrmsr(&h, MSR_EVTSEL0, EN | USR | 0x01b7);
		/* 32 lines that one set of the second level has no room for, then the first. */
		for (uint64_t n = 0; n < 40; n++)
			host_load(&h, (n % 32) * 0x20000);
		for (uint64_t n = 0; n < 5; n++)
			host_store(&h, 0x10000000 + n * 4096);
		assert_int_equal(host_peek(&h, MSR_PMC0), expected[rows[i].what]);
		host_free(&h);
	}
}

/* Versions 2 and 3 clear GLOBAL_CTRL on a PMI; from version 4 on a status bit freezes. */
static void freezes_as_its_version_does(void **state)
{
	static const struct {
		const char *profile;
		bool streamlined;
	} rows[] = {
		{ "core2", false }, { "nehalem", false }, { "sandybridge", false },
		{ "ivybridge", false }, { "haswell", false }, { "skylake", true },
		{ "icelake", true }, { "alderlake", true }, { "perfmon6", true },
	};
	const uint64_t frozen = UINT64_C(1) << 59;
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		user_host(&h, rows[i].profile, 0);
		host_wrmsr(&h, MSR_DEBUGCTL, 1 << 12);
		host_wrmsr(&h, MSR_PMC0, (uint64_t)-10);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 3);
		host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
		host_run(&h, 50);
		assert_int_equal(h.pmis, 1);
		assert_int_equal(host_peek(&h, MSR_PMC0), 0);
		assert_int_equal(host_peek(&h, MSR_GLOBAL_CTRL), rows[i].streamlined ? 3 : 0);
		assert_int_equal(host_peek(&h, MSR_STATUS), rows[i].streamlined ? frozen | 1 : 1);
		/* What a handler does to go on, each way. */
		host_wrmsr(&h, MSR_STATUS_RESET, rows[i].streamlined ? frozen | 1 : 1);
		host_wrmsr(&h, MSR_GLOBAL_CTRL, 3);
		host_wrmsr(&h, MSR_PMC0, 0);
		host_run(&h, 50);
		assert_int_equal(host_peek(&h, MSR_PMC0), 50);
		host_free(&h);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes_count_on_their_counters),
		cmocka_unit_test(levels_by_themselves),
		cmocka_unit_test(kinds_of_branches),
		cmocka_unit_test(offcore_responses),
		cmocka_unit_test(freezes_as_its_version_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
