// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the PMU model makes of instructions that do not retire, of memory and
 * branches, and that its truth and its counters agree.
 */
#include "tests/unit/model/host.h"

static void unretire_takes_everything_back(void **state)
{
	struct host h;
	uint64_t before[PMU_TOTALS];

	(void)state;
	user_host(&h, "skylake", 0);
	pmu_force(h.pmu, PMU_NEED_ALL);
	host_run(&h, 40);
	host_load(&h, 0x1000);
	host_store(&h, 0x200000);
	host_boundary(&h);
	for (int i = 0; i < PMU_TOTALS; i++)
		before[i] = pmu_totals(h.pmu, PMU_USER)[i];
	host_start(&h);
	host_mem(&h, 0x1000, 8, false);
	host_mem(&h, 0x300000, 8, false);
	host_mem(&h, 0x400000, 8, true);
	host_mem(&h, 0x50003c, 8, true);
	pmu_unretire(h.pmu);
	host_boundary(&h);
	for (int i = 0; i < PMU_TOTALS; i++)
		assert_int_equal(pmu_totals(h.pmu, PMU_USER)[i], before[i]);
	/* What earlier and later instructions did stays. */
	host_load(&h, 0x600000);
	host_start(&h);
	host_mem(&h, 0x700000, 8, false);
	pmu_unretire(h.pmu);
	host_start(&h);
	pmu_unretire(h.pmu);
	assert_int_equal(host_total(&h, PMU_USER, PMU_LOADS), before[PMU_LOADS] + 1);
	assert_int_equal(host_total(&h, PMU_USER, PMU_CACHE_MISSES), before[PMU_CACHE_MISSES] + 1);
	assert_int_equal(host_total(&h, PMU_USER, PMU_INSTRUCTIONS), before[PMU_INSTRUCTIONS] + 1);
	host_free(&h);
}

/* What a read in the middle has counted is not taken back a second time. */
static void read_in_the_middle_settles(void **state)
{
	uint64_t value;
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	pmu_force(h.pmu, PMU_NEED_ALL);
	host_start(&h);
	host_mem(&h, 0x1000, 8, false);
	assert_int_equal(pmu_rdmsr(h.pmu, MSR_STATUS, &value), PMU_DONE);
	pmu_unretire(h.pmu);
	assert_int_equal(host_total(&h, PMU_USER, PMU_LOADS), 1);
	assert_int_equal(host_total(&h, PMU_USER, PMU_INSTRUCTIONS), 0);
	host_free(&h);
}

/* The branch before a faulting instruction overflows: the PMI is not late. */
static void unretire_after_kick_is_not_late(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_LOADS | INT);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_INSN);
	h.retired = 0;
	host_start(&h);
	host_mem(&h, 0x1000, 8, false);		/* kicks, then faults */
	pmu_unretire(h.pmu);
	host_run(&h, 10);
	assert_int_equal(h.pmis, 0);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 10);
	h.retired = 0;
	host_load(&h, 0x1000);
	host_start(&h);				/* the PMI comes before this one... */
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, 1);
	pmu_unretire(h.pmu);			/* ...faults */
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 11);
	host_free(&h);
}

static void rep_retires_once(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_LOADS);
	host_wrmsr(&h, MSR_EVTSEL0 + 2, SEL_STORES);
	host_wrmsr(&h, MSR_PMC0, 0);
	for (uint64_t i = 0; i < 100; i++) {
		host_start(&h);
		host_mem(&h, 0x1000 + i, 1, false);
		host_mem(&h, 0x2000 + i, 1, true);
		if (i < 99)
			pmu_rep_again(h.pmu);
	}
	assert_int_equal(host_peek(&h, MSR_PMC0), 1);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 100);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 2), 100);
	/* A page fault in the fifth round takes back that round alone. */
	for (uint64_t i = 0; i < 5; i++) {
		host_start(&h);
		host_mem(&h, 0x3000 + i, 1, false);
		if (i < 4)
			pmu_rep_again(h.pmu);
	}
	pmu_unretire(h.pmu);
	assert_int_equal(host_peek(&h, MSR_PMC0), 1);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 104);
	host_free(&h);
}

static void rep_is_interrupted_between_rounds(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-10 & WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_STORES | INT);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, SEL_INSN);
	for (uint64_t i = 0; i < 20; i++) {
		host_start(&h);
		assert_int_equal(h.pmis, i >= 10);
		host_mem(&h, 0x2000 + i, 1, true);
		if (i < 19)
			pmu_rep_again(h.pmu);
	}
	assert_int_equal(host_peek(&h, MSR_PMC0), 10);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 1), 1);
	host_free(&h);
}

static void caches_have_their_sizes(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	host_no_prefetch(&h);
	pmu_force(h.pmu, PMU_NEED_ALL);
	for (int round = 0; round < 2; round++)
		for (uint64_t line = 0; line < 512; line++)
			host_load(&h, line * 64);
	/* 32 KiB fit the first level... */
	assert_int_equal(host_total(&h, PMU_USER, PMU_L1D_MISSES), 512);
	assert_int_equal(host_total(&h, PMU_USER, PMU_CACHE_REFERENCES), 512);
	assert_int_equal(host_total(&h, PMU_USER, PMU_CACHE_MISSES), 512);
	/* ...a 33rd, read in turn, throws itself out again and again. */
	for (int round = 0; round < 2; round++)
		for (uint64_t line = 0; line < 576; line++)
			host_load(&h, (1u << 30) + line * 64);
	assert_int_equal(host_total(&h, PMU_USER, PMU_L1D_MISSES), 512 + 2 * 576);
	assert_int_equal(host_total(&h, PMU_USER, PMU_CACHE_MISSES), 512 + 576);
	host_free(&h);
}

static void split_access_is_one_load(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "core2", 0);
	pmu_force(h.pmu, PMU_NEED_ALL);
	host_load(&h, 0x103c);
	assert_int_equal(host_total(&h, PMU_USER, PMU_LOADS), 1);
	assert_int_equal(host_total(&h, PMU_USER, PMU_L1D_MISSES), 1);
	assert_int_equal(host_total(&h, PMU_USER, PMU_CACHE_REFERENCES), 2);
	host_load(&h, 0x1000);
	host_load(&h, 0x1040);
	assert_int_equal(host_total(&h, PMU_USER, PMU_L1D_MISSES), 1);
	host_free(&h);
}

static uint64_t branch_misses(const char *what, unsigned int n)
{
	uint32_t random = 12345;
	uint64_t misses;
	struct host h;

	user_host(&h, "skylake", 0);
	pmu_force(h.pmu, PMU_NEED_ALL);
	for (unsigned int i = 0; i < n; i++) {
		random = random * 1664525 + 1013904223;
		if (*what == 'a')			/* always taken */
			host_branch(&h, 0x400000, true, 0x400100);
		else if (*what == 'p')			/* a pattern of three */
			host_branch(&h, 0x400000, i % 3 == 0, 0x400100);
		else					/* at random */
			host_branch(&h, 0x400000, random >> 31, 0x400100);
	}
	assert_int_equal(host_total(&h, PMU_USER, PMU_BRANCHES), n);
	misses = host_total(&h, PMU_USER, PMU_BRANCH_MISSES);
	host_free(&h);
	return misses;
}

static void predictor_learns(void **state)
{
	(void)state;
	assert_in_range(branch_misses("always", 10000), 0, 50);
	assert_in_range(branch_misses("pattern", 9999), 0, 100);
	assert_in_range(branch_misses("random", 10000), 3000, 6000);
}

static uint32_t lcg(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static void random_step(struct host *h, uint32_t *seed)
{
	uint32_t r = lcg(seed);
	uint64_t addr = (uint64_t)(lcg(seed) & 0x3fff) * 24;

	switch (r & 15) {
	case 0 ... 3:
		host_load(h, addr);
		break;
	case 4 ... 5:
		host_store(h, addr);
		break;
	case 6 ... 7:
		host_branch(h, 0x400000 + (r >> 4 & 31) * 4, lcg(seed) & 1, 0x400100 + (r & 64));
		break;
	case 8:
		host_start(h);
		host_mem(h, addr, 8, r & 16);
		if (host_counting(h))
			pmu_unretire(h->pmu);
		break;
	case 9:
		host_ring(h, r & 32 ? PMU_USER : PMU_KERNEL);
		break;
	case 10:
		host_rdmsr(h, MSR_STATUS);
		break;
	default:
		host_run(h, r >> 4 & 7);
	}
}

/*
 * Whatever runs, and however often counters overflow on the way, each counter
 * ends up with what the truth says: same sync, same event, same number.
 */
static void counters_equal_truth(void **state)
{
	static const struct {
		uint32_t code;
		enum pmu_total total;
	} rows[] = {
		{ 0xc0, PMU_INSTRUCTIONS }, { 0x3c, PMU_CYCLES }, { 0xc4, PMU_BRANCHES },
		{ 0xc5, PMU_BRANCH_MISSES }, { 0x81d0, PMU_LOADS }, { 0x82d0, PMU_STORES },
		{ 0x08d1, PMU_L1D_MISSES }, { 0x4f2e, PMU_CACHE_REFERENCES },
		{ 0x412e, PMU_CACHE_MISSES },
	};
	uint32_t seed = 2026;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t user, kernel, started, counted, truth;
		struct host h;

		host_new(&h, "skylake", 3);
		pmu_force(h.pmu, PMU_NEED_ALL);
		host_wrmsr(&h, MSR_EVTSEL0 + 1, EN | INT | OS | USR | 0xc0);
		host_wrmsr(&h, MSR_PMC0_FULL + 1, (uint64_t)-997 & WIDTH48);
		host_wrmsr(&h, MSR_EVTSEL0 + 2, EN | INT | OS | USR | 0x81d0);
		host_wrmsr(&h, MSR_PMC0_FULL + 2, (uint64_t)-101 & WIDTH48);
		host_wrmsr(&h, MSR_PMC0_FULL, (uint64_t)-1000 & WIDTH48);
		host_wrmsr(&h, MSR_EVTSEL0, EN | OS | USR | rows[i].code);
		kernel = host_total(&h, PMU_KERNEL, rows[i].total);
		user = host_total(&h, PMU_USER, rows[i].total);
		started = host_peek(&h, MSR_PMC0);
		for (int step = 0; step < 50000; step++)
			random_step(&h, &seed);
		counted = (host_peek(&h, MSR_PMC0) - started) & WIDTH48;
		truth = host_total(&h, PMU_KERNEL, rows[i].total) - kernel +
			host_total(&h, PMU_USER, rows[i].total) - user;
		assert_true(counted > 100);
		assert_int_equal(counted, truth);
		assert_true(h.pmis >= 2);
		host_free(&h);
	}
}

struct outcome {
	uint64_t pmis, where, count;
};

/* Sample one event with a short period; remember where each PMI came. */
static struct outcome sample(uint32_t code, unsigned int skid, bool eager)
{
	struct outcome o = { 0 };
	uint32_t seed = code * 31 + skid;
	struct host h;

	host_new(&h, "skylake", skid);
	h.eager = eager;
	host_wrmsr(&h, MSR_PMC0_FULL + 1, WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0 + 1, EN | INT | OS | USR | code);
	for (int step = 0; step < 20000; step++) {
		random_step(&h, &seed);
		if (h.pmis == o.pmis)
			continue;
		o.pmis = h.pmis;
		o.where = o.where * 31 + h.pmi_at;
		host_wrmsr(&h, MSR_PMC0_FULL + 1, -(uint64_t)(1 + (lcg(&seed) & 63)) & WIDTH48);
	}
	o.count = host_peek(&h, MSR_PMC0 + 1);
	host_free(&h);
	return o;
}

/*
 * Budgets only save work: who asks the model in front of every instruction sees
 * the same counts, and the same PMIs at the same instructions.
 */
static void budget_is_exact(void **state)
{
	static const uint32_t codes[] = {
		0xc0, 0x3c, 0x13c, 0xc4, 0xc5, 0x10c4, 0x20c4, 0x20c5, 0x81d0, 0x82d0, 0x83d0,
		0x01d1, 0x02d1, 0x08d1, 0x10d1, 0x20d1, 0x4f2e, 0x412e, 0x0151, 0x3f24,
	};
	static const unsigned int skids[] = { 0, 1, 7 };

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		for (size_t s = 0; s < sizeof(skids) / sizeof(skids[0]); s++) {
			struct outcome lazy = sample(codes[i], skids[s], false);
			struct outcome eager = sample(codes[i], skids[s], true);

			assert_int_equal(lazy.pmis, eager.pmis);
			assert_int_equal(lazy.where, eager.where);
			assert_int_equal(lazy.count, eager.count);
			assert_true(lazy.pmis > 10);
		}
	}
}

/* Events that nobody needs in a class are not asked for, and instructions that
 * the host keeps are those that the model totals. */
static void instructions_equal_host(void **state)
{
	uint32_t seed = 7;
	struct host h;

	(void)state;
	host_new(&h, "core2", 0);
	pmu_force(h.pmu, PMU_NEED_INSN);
	for (int step = 0; step < 50000; step++)
		random_step(&h, &seed);
	assert_int_equal(host_total(&h, PMU_KERNEL, PMU_INSTRUCTIONS) +
			 host_total(&h, PMU_USER, PMU_INSTRUCTIONS), h.retired);
	assert_int_equal(host_total(&h, PMU_USER, PMU_LOADS), 0);
	host_free(&h);
}

static void same_run_same_count(void **state)
{
	uint64_t cycles[2];

	(void)state;
	for (int run = 0; run < 2; run++) {
		uint32_t seed = 99;
		struct host h;

		user_host(&h, "core2", 0);
		pmu_force(h.pmu, PMU_NEED_ALL);
		for (int step = 0; step < 20000; step++)
			random_step(&h, &seed);
		cycles[run] = host_total(&h, PMU_USER, PMU_CYCLES);
		host_free(&h);
	}
	assert_int_equal(cycles[0], cycles[1]);
}

static void reset_keeps_truth(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 50);
	host_wrmsr(&h, MSR_PMC0_FULL, WIDTH48);
	host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
	host_run(&h, 10);			/* the PMI is on its way */
	pmu_reset(h.pmu);
	assert_int_equal(h.hot.cls, PMU_KERNEL);
	assert_false(h.hot.active);
	assert_int_equal(host_total(&h, PMU_USER, PMU_INSTRUCTIONS), 10);
	host_run(&h, 1000);
	assert_int_equal(h.pmis, 0);
	host_free(&h);
}

static void notes_go_to_the_ring_that_runs(void **state)
{
	struct host h;

	(void)state;
	user_host(&h, "skylake", 0);
	pmu_note(h.pmu, PMU_RDPMCS);
	host_ring(&h, PMU_KERNEL);
	pmu_note(h.pmu, PMU_MSR_WRITES);
	pmu_note(h.pmu, PMU_MSR_WRITES);
	assert_int_equal(host_total(&h, PMU_USER, PMU_RDPMCS), 1);
	assert_int_equal(host_total(&h, PMU_USER, PMU_MSR_WRITES), 0);
	assert_int_equal(host_total(&h, PMU_KERNEL, PMU_MSR_WRITES), 2);
	host_free(&h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(unretire_takes_everything_back),
		cmocka_unit_test(read_in_the_middle_settles),
		cmocka_unit_test(unretire_after_kick_is_not_late),
		cmocka_unit_test(rep_retires_once),
		cmocka_unit_test(rep_is_interrupted_between_rounds),
		cmocka_unit_test(caches_have_their_sizes),
		cmocka_unit_test(split_access_is_one_load),
		cmocka_unit_test(predictor_learns),
		cmocka_unit_test(counters_equal_truth),
		cmocka_unit_test(budget_is_exact),
		cmocka_unit_test(instructions_equal_host),
		cmocka_unit_test(same_run_same_count),
		cmocka_unit_test(reset_keeps_truth),
		cmocka_unit_test(notes_go_to_the_ring_that_runs),
	};

	return cmocka_run_group_tests_name("model truth", tests, NULL, NULL);
}
