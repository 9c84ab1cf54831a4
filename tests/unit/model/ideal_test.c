// SPDX-License-Identifier: GPL-2.0-only
/*
 * Penalties of the PMU model that are taken away: the cycles they cost are known, all that
 * is counted of them stays, and nobody gets an interrupt that depends on the time.
 */
#include "tests/unit/model/pipeline_host.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define WARM 60000
#define MEASURED 60000

/* --- programs --- */

static void stores(struct program *p, uint64_t n)
{
	run_stores(p, n, 1 << 26);
}

static void footprint(struct program *p, uint64_t n)
{
	run_footprint(p, n, 1 << 17);
}

static void blocked(struct program *p, uint64_t n)
{
	load_meets_store(p, n, &code_load, 4);
}

/* The load waits for nothing but the store of another page, and the next load for it. */
static void aliased(struct program *p, uint64_t n)
{
	load_meets_store(p, n, &code_chase, 4096);
}

static const struct pmu_code load_to_0 = {
	.length = 4, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64, .flags = PMU_CODE_LOADS,
	.address_regs = REG(3), .writes = REG(0),
};
static const struct pmu_code test_5 = {
	.length = 3, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64, .flags = PMU_CODE_FUSES,
	.reads = REG(5), .writes = FLAGS,
};

/* A branch that is known once a line from memory is here: mispredictions serialize misses. */
static void branch_on_load(struct program *p, uint64_t n)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		p->ip = top;
		run_access(p, &load_to_0, DATA_BASE + next_random(p) % CHASE_LINES * LINE, false);
		run(p, &code_test);
		run_branch(p, &code_jcc, next_random(p) & 1, p->ip + 10);
		p->ip = top + 40;
		for (unsigned int i = 0; i < 6; i++)
			run(p, &code_add[4 + i]);
		loop_end(p, top, true);
	}
}

/* A branch that is wrong and resolved long before the line of an older load is here. */
static void branch_in_shadow(struct program *p, uint64_t n)
{
	uint64_t top = p->ip;

	while (p->instructions < n) {
		p->ip = top;
		run_access(p, &code_chase, DATA_BASE + p->at * LINE, false);
		p->at = (p->at * 5 + 12345) % CHASE_LINES;
		for (unsigned int i = 0; i < 4; i++)
			run(p, &code_add[5]);
		run(p, &test_5);
		run_branch(p, &code_jcc, next_random(p) & 1, p->ip + 10);
		p->ip = top + 60;
		for (unsigned int i = 0; i < 6; i++)
			run(p, &code_add[6 + i]);
		loop_end(p, top, true);
	}
}

/* --- what is counted, and what is not --- */

/* Time, and what depends on it: uops of a wrong path, what is under way when a load comes. */
static const unsigned int counted[] = {
	PMU_INSTRUCTIONS, PMU_BRANCHES, PMU_BRANCH_MISSES, PMU_LOADS, PMU_STORES, PMU_L1D_MISSES,
	PMU_CACHE_REFERENCES, PMU_CACHE_MISSES, PMU_SIG_UOPS_RETIRED, PMU_SIG_UOPS_RETIRED_ALL,
	PMU_SIG_UOPS_MS, PMU_SIG_MACRO_FUSED, PMU_SIG_CLEARS_COUNT, PMU_SIG_MACHINE_CLEARS,
	PMU_SIG_BACLEARS, PMU_SIG_DSB_UOPS, PMU_SIG_MITE_UOPS, PMU_SIG_MS_UOPS,
	PMU_SIG_MS_SWITCHES, PMU_SIG_DSB_SWITCHES, PMU_SIG_INSTRUCTIONS_DECODED,
	PMU_SIG_ICACHE_MISSES, PMU_SIG_ICACHE_STALLS, PMU_SIG_ITLB_STLB_HITS, PMU_SIG_ITLB_WALKS,
	PMU_SIG_DIVIDER_UOPS, PMU_SIG_DTLB_LOAD_STLB_HITS, PMU_SIG_DTLB_LOAD_WALKS,
	PMU_SIG_DTLB_STORE_STLB_HITS, PMU_SIG_DTLB_STORE_WALKS, PMU_SIG_SPLIT_LOADS,
	PMU_SIG_SPLIT_STORES, PMU_SIG_LOCK_LOADS, PMU_SIG_NOPS, PMU_SIG_FP_SCALAR,
	PMU_SIG_PREFETCHES_L1, PMU_SIG_PREFETCHES_L2,
};

struct run {
	uint64_t total[PMU_TOTALS];
};

static struct run run_with(const char *profile, bool simple,
			   void (*program)(struct program *p, uint64_t n), const char *ideal)
{
	struct program p;
	struct run before, after;
	char why[200];

	if (simple)
		program_new_simple(&p, profile);
	else
		program_new(&p, profile);
	if (ideal && !pmu_ideal(p.h.pmu, ideal, why, sizeof(why)))
		fail_msg("%s", why);
	program(&p, WARM);
	enter_kernel(&p);
	memcpy(&before, pmu_totals(p.h.pmu, PMU_USER), sizeof(before));
	program(&p, p.instructions + MEASURED);
	enter_kernel(&p);
	memcpy(&after, pmu_totals(p.h.pmu, PMU_USER), sizeof(after));
	for (unsigned int i = 0; i < PMU_TOTALS; i++)
		after.total[i] -= before.total[i];
	program_end(&p);
	return after;
}

static void same_events(const struct run *a, const struct run *b, const char *what)
{
	for (unsigned int i = 0; i < ROWS(counted); i++)
		if (a->total[counted[i]] != b->total[counted[i]])
			fail_msg("%s: total %u is %llu, without it %llu", what, counted[i],
				 (unsigned long long)b->total[counted[i]],
				 (unsigned long long)a->total[counted[i]]);
}

static const char *const penalties[] = {
	"branch", "l1", "l2", "l3", "walk", "divider", "alias", "block", "icache",
	"branch,l1,l2,l3,walk,divider,alias,block,icache",
};

static void whatever_is_free_all_is_counted(void **state)
{
	static const char *const profiles[] = {
		"sandybridge", "ivybridge", "haswell", "skylake", "icelake", "sapphirerapids",
		"arrowlake-h", "core2", "nehalem",
	};

	(void)state;
	for (size_t i = 0; i < ROWS(profiles); i++) {
		bool simple = i >= 7;
		struct run with = run_with(profiles[i], simple, run_random, NULL);

		for (size_t n = 0; n < ROWS(penalties); n++) {
			struct run without = run_with(profiles[i], simple, run_random,
						      penalties[n]);

			same_events(&with, &without, penalties[n]);
		}
	}
}

/* --- what it costs --- */

static void a_penalty_costs_what_the_core_says(void **state)
{
	static const struct {
		void (*program)(struct program *p, uint64_t n);
		const char *ideal;
		unsigned int event;		/* whose cost it is ... */
		unsigned int least, most;	/* ... in cycles, on skylake */
	} rows[] = {
		{ chase_l2, "l1", PMU_L1D_MISSES, 8, 8 },
		{ chase_l3_warm, "l2", PMU_L1D_MISSES, 20, 33 },
		{ chase_memory, "l3", PMU_CACHE_MISSES, 140, 160 },
		{ chase_memory, "l2", PMU_CACHE_MISSES, 170, 190 },
		{ chase_memory, "walk", PMU_SIG_DTLB_LOAD_WALKS, 23, 25 },
		{ run_branches, "branch", PMU_BRANCH_MISSES, 17, 24 },
		{ branch_on_load, "branch", PMU_BRANCH_MISSES, 150, 260 },
		{ branch_in_shadow, "branch", PMU_BRANCH_MISSES, 0, 0 },
		{ run_divisions, "divider", PMU_SIG_DIVIDER_UOPS, 8, 14 },
		{ blocked, "block", PMU_SIG_BLOCKED_LOADS, 4, 20 },
		{ aliased, "alias", PMU_SIG_ALIASED_LOADS, 4, 5 },
		{ footprint, "icache", PMU_SIG_ICACHE_MISSES, 5, 13 },
		{ stores, "l1", PMU_CACHE_MISSES, 15, 60 },
		/* Of what does not happen. */
		{ chase_l2, "l3", PMU_L1D_MISSES, 0, 0 },
		{ chase_memory, "branch,divider,block,icache", PMU_CACHE_MISSES, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct run with = run_with("skylake", false, rows[i].program, NULL);
		struct run less = run_with("skylake", false, rows[i].program, rows[i].ideal);
		double cost = (double)(with.total[PMU_CYCLES] - less.total[PMU_CYCLES]) /
			      (double)with.total[rows[i].event];

		assert_true(with.total[PMU_CYCLES] >= less.total[PMU_CYCLES]);
		assert_true(with.total[rows[i].event] > 100);
		if (cost < rows[i].least - 0.01 || cost > rows[i].most + 0.01)
			fail_msg("row %u, %s: %.2f", (unsigned int)i, rows[i].ideal, cost);
	}
}

static int64_t cost(void (*program)(struct program *p, uint64_t n), const char *ideal)
{
	return (int64_t)(run_with("skylake", false, program, NULL).total[PMU_CYCLES] -
			 run_with("skylake", false, program, ideal).total[PMU_CYCLES]);
}

/* Costs do not add up: where a branch waits for a line each has the other's cost, too. */
static void costs_interact(void **state)
{
	int64_t both = cost(branch_on_load, "branch,l3");
	int64_t icost = both - cost(branch_on_load, "branch") - cost(branch_on_load, "l3");

	(void)state;
	assert_true(icost < -both / 4);
}

static void a_share_is_free(void **state)
{
	int64_t all = cost(chase_memory, "l3"), tenth = cost(chase_memory, "l3:0.1");

	(void)state;
	assert_in_range(tenth, all * 9 / 100, all * 11 / 100);
	assert_int_equal(cost(chase_memory, "l3:0.1"), tenth);
	assert_int_equal(cost(chase_memory, "l3:1"), all);
	/* Others draw for themselves. */
	assert_int_equal(cost(chase_memory, "branch,l3:0.1"), tenth);
}

/* A core without a pipeline: the penalties of its profile. */
static void simple_cores_have_a_few(void **state)
{
	static const struct {
		const char *profile, *ideal;
		void (*program)(struct program *p, uint64_t n);
		unsigned int event;
		double least, most;
	} rows[] = {
		{ "core2", "branch", run_branches, PMU_BRANCH_MISSES, 14, 16 },
		{ "core2", "l2", chase_memory, PMU_CACHE_MISSES, 150, 200 },
		/* Its last level is the second. */
		{ "core2", "l3", chase_memory, PMU_CACHE_MISSES, 150, 200 },
		{ "nehalem", "l3", chase_memory, PMU_CACHE_MISSES, 100, 200 },
		{ "core2", "walk,divider,block,alias,icache", chase_memory, PMU_CACHE_MISSES,
		  0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct run with = run_with(rows[i].profile, true, rows[i].program, NULL);
		struct run less = run_with(rows[i].profile, true, rows[i].program, rows[i].ideal);
		double each = (double)(with.total[PMU_CYCLES] - less.total[PMU_CYCLES]) /
			      (double)with.total[rows[i].event];

		if (each < rows[i].least || each > rows[i].most)
			fail_msg("%s, %s: %.2f", rows[i].profile, rows[i].ideal, each);
	}
}

/* --- what is refused --- */

static void names_and_shares_are_checked(void **state)
{
	static const struct {
		const char *profile;
		unsigned int skid;
		const char *ideal, *why;	/* NULL: that is fine */
	} rows[] = {
		{ "skylake", 0, "branch", NULL },
		{ "skylake", 0, "l1,walk:0.25", NULL },
		{ "skylake", 0, "tlb", "no penalty 'tlb'; there are: branch l1 l2 l3 walk divider "
				       "alias block icache" },
		{ "skylake", 0, "", "no penalty ''; there are: branch l1 l2 l3 walk divider alias "
				    "block icache" },
		{ "skylake", 0, "l1,", "no penalty ''; there are: branch l1 l2 l3 walk divider "
				       "alias block icache" },
		{ "skylake", 0, "l1:0", "a share is a number above 0 and up to 1, not '0'" },
		{ "skylake", 0, "l1:1.5", "a share is a number above 0 and up to 1, not '1.5'" },
		{ "skylake", 0, "l1:-1", "a share is a number above 0 and up to 1, not '-1'" },
		{ "skylake", 0, "l1:", "a share is a number above 0 and up to 1, not ''" },
		{ "skylake", 9, "l1", "a skid is in cycles, and would move interrupts" },
		{ "p4", 0, "l1", "a Pentium 4's penalties cannot be taken away yet" },
	};

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		char why[200] = "";
		struct host h;
		bool taken;

		host_new(&h, rows[i].profile, rows[i].skid);
		taken = pmu_ideal(h.pmu, rows[i].ideal, why, sizeof(why));
		assert_int_equal(taken, !rows[i].why);
		assert_string_equal(why, rows[i].why ? rows[i].why : "");
		host_free(&h);
	}
}

/* Interrupts and records of these events would come elsewhere. */
static void interrupts_that_depend_on_time_are_refused(void **state)
{
	static const struct {
		uint32_t select;
		bool ideal;
		uint64_t pebs;
		bool spoilt;
	} rows[] = {
		{ SEL_CYCLES | INT, true, 0, true },
		{ SEL_CYCLES | INT, false, 0, false },
		{ SEL_CYCLES, true, 0, false },
		{ SEL_INSN | INT, true, 0, false },
		{ SEL_BRANCHES | INT, true, 0, false },
		{ SEL_LOADS | INT, true, 0, false },
		{ EN | USR | INT | 0x013c, true, 0, true },
		{ EN | USR | INT | 0x010e, true, 0, true },
		{ SEL_INSN | INT | 2u << 24, true, 0, true },
		/* As Linux has it for cycles:pp, and instructions. */
		{ EN | USR | 0x108000c0, true, 1, true },
		{ SEL_INSN, true, 1, false },
		/* Load latency. */
		{ EN | USR | 0x01cd, true, UINT64_C(0x100000001), true },
		{ EN | USR | 0x01cd, true, UINT64_C(0x100000000), false },
	};

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct program p;
		char why[200];

		program_new(&p, "skylake");
		if (rows[i].ideal)
			assert_true(pmu_ideal(p.h.pmu, "branch", why, sizeof(why)));
		host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 1);
		host_wrmsr(&p.h, MSR_PEBS_ENABLE, rows[i].pebs);
		host_wrmsr(&p.h, MSR_PMC0_FULL, WIDTH48 + 1 - 300);
		host_wrmsr(&p.h, MSR_EVTSEL0, rows[i].select);
		run_random(&p, 5000);
		host_boundary(&p.h);
		if (!pmu_spoilt(p.h.pmu) != !rows[i].spoilt)
			fail_msg("select %x: %s", rows[i].select,
				 rows[i].spoilt ? "let pass" : "refused");
		program_end(&p);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_is_free_all_is_counted),
		cmocka_unit_test(a_penalty_costs_what_the_core_says),
		cmocka_unit_test(costs_interact),
		cmocka_unit_test(a_share_is_free),
		cmocka_unit_test(simple_cores_have_a_few),
		cmocka_unit_test(names_and_shares_are_checked),
		cmocka_unit_test(interrupts_that_depend_on_time_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
